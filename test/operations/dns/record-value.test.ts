import { expect, test } from 'vitest'
import type { DnsRecordTypeName } from '../../../src/cdn/enums.ts'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import { normaliseValue } from '../../../src/operations/dns/record-value.ts'
import { invocationOf } from '../../support/operation-context.ts'

const HASH_256 = 'AB'.repeat(32)
const HASH_512 = 'cd'.repeat(64)

const SENT: readonly (readonly [type: DnsRecordTypeName, typed: string, sent: string, tag?: string])[] = [
  ['A', '192.0.2.10', '192.0.2.10'],
  ['AAAA', '2001:DB8::1', '2001:DB8::1'],
  ['AAAA', '::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['CNAME', 'target.example.net.', 'target.example.net'],
  ['Flatten', 'target.example.net', 'target.example.net'],
  ['PTR', 'host.example.net.', 'host.example.net'],
  ['NS', 'ns1.example.net.', 'ns1.example.net'],
  ['MX', '.', '.'],
  ['MX', 'mail.example.net.', 'mail.example.net'],
  ['SRV', '.', '.'],
  ['SRV', 'sip.example.net.', 'sip.example.net'],
  ['TXT', 'v=spf1 -all', 'v=spf1 -all'],
  ['TXT', '"v=spf1 -all"', 'v=spf1 -all'],
  ['TXT', '"v=DKIM1; p=abc" "def"', 'v=DKIM1; p=abcdef'],
  ['TXT', '"foo""bar"', 'foobar'],
  ['TXT', '"foo"\t"" "bar"', 'foobar'],
  ['TXT', '"  spaces of its own "', '  spaces of its own '],
  ['TXT', ' "foo" ', 'foo'],
  ['TXT', '  v=spf1 -all\n', 'v=spf1 -all'],
  ['TXT', String.raw`"say \"yes\" \\ "`, String.raw`say "yes" \ `],
  ['TXT', 'say "yes"', 'say "yes"'],
  ['TXT', 'ends with a dot.', 'ends with a dot.'],
  ['Redirect', 'https://www.example.net/', 'https://www.example.net/'],
  ['Redirect', 'HTTP://example.net/a?b=c&d=%20', 'HTTP://example.net/a?b=c&d=%20'],
  ['CAA', 'ca.example.net', 'ca.example.net', 'issue'],
  ['CAA', '"ca.example.net; validationmethods=dns-01"', 'ca.example.net; validationmethods=dns-01', 'issue'],
  ['CAA', ';', ';', 'issuewild'],
  ['CAA', '";"', ';', 'issue'],
  ['CAA', 'mailto:security@example.net', 'mailto:security@example.net', 'iodef'],
  ['CAA', 'https://example.net/report', 'https://example.net/report', 'iodef'],
  ['SVCB', '.', '.'],
  ['SVCB', 'svc.example.net.', 'svc.example.net'],
  ['HTTPS', '.   alpn=h2,h3   no-default-alpn', '. alpn=h2,h3 no-default-alpn'],
  ['HTTPS', '. alpn="h2, h3" ech=AE3+/=', '. alpn="h2, h3" ech=AE3+/='],
  ['TLSA', `3 1 1 ${HASH_256}`, `3 1 1 ${HASH_256}`],
  ['TLSA', `03  001 1  ${HASH_256.slice(0, 32)} ${HASH_256.slice(32)}`, `3 1 1 ${HASH_256}`],
  ['TLSA', `3 1 2 ${HASH_512}`, `3 1 2 ${HASH_512}`],
  ['TLSA', '255 1 0 30820122', '255 1 0 30820122'],
]

const sentCases = SENT.map(([type, typed, sent, tag]) => ({ type, typed, sent, tag }))

test.each(sentCases)('$type $typed is sent as $sent', ({ type, typed, sent, tag }) => {
  expect(normaliseValue(type, typed, tag)).toMatchObject({ ok: true, sent })
})

test.each(sentCases)('$type: what $typed becomes is said exactly when it changed', ({ type, typed, sent, tag }) => {
  const result = normaliseValue(type, typed, tag)
  // White space between the parts of a service value is nothing a person needs to know of.
  const changed = typed.replaceAll(/\s+/g, ' ') !== sent
  expect(result).toMatchObject({ ok: true })
  expect(result.ok && result.notes.length > 0).toBe(changed)
})

test('what became of quotes is said: those of one text are left out, several texts are one', () => {
  const notes = (typed: string) => normaliseValue('TXT', typed, undefined)
  expect(notes('"a"')).toMatchObject({ notes: [expect.stringMatching(/^The quotes around the value are left out/)] })
  expect(notes('"a""b" "c"')).toMatchObject({ notes: [expect.stringMatching(/^The 3 quoted parts .* as one text/)] })
})

test.each([
  ['form', { value: ' two words  ' }],
  ['command', { value: 'two words\n' }],
])('spaces around the text of a TXT record are left out, and the review says so: %s', (_, { value }) => {
  const values = { zone: 'shop', type: 'TXT', name: '@' }
  const notes = (given: string) => invocationOf(dnsAdd, { ...values, value: given }).review?.notes ?? []
  expect(notes(value).filter((note) => /left out/.test(note))).toEqual([
    'The white space around the text is left out. Put the text in quotes to keep it.',
  ])
  expect(notes(`"${value}"`).filter((note) => /white space/.test(note))).toEqual([])
  const { request = [] } = invocationOf(dnsAdd, { ...values, value: `"${value}"` }).review ?? {}
  expect(request).toContainEqual(['Value', value])
  expect(notes('two words')).toEqual(notes('"two words"').filter((note) => !/quotes/.test(note)))
})

const REFUSED: readonly (readonly [type: DnsRecordTypeName, typed: string, rule: string, tag?: string])[] = [
  ['A', '2001:db8::1', 'an IPv4 address'],
  ['A', '192.0.2.256', 'an IPv4 address'],
  ['A', '192.0.2', 'an IPv4 address'],
  ['A', '192.0.2.010', 'an IPv4 address'],
  ['AAAA', '192.0.2.1', 'an IPv6 address'],
  ['AAAA', 'fe80::1%eth0', 'an IPv6 address'],
  ['CNAME', '.', 'a host name'],
  ['CNAME', 'https://example.net', 'a host name'],
  ['NS', 'ns 1', 'The value of an NS record must be a host name'],
  ['MX', '10 mail.example.net', 'The mail server must be a host name'],
  ['SRV', '5060 sip', 'The target of an SRV record must be a host name'],
  ['TXT', '""', 'cannot be empty'],
  ['TXT', '"open', 'not closed'],
  ['TXT', '"a" b', 'not closed'],
  ['Redirect', 'www.example.net', 'https:// or http://'],
  ['Redirect', 'ftp://example.net', 'https:// or http://'],
  ['Redirect', 'https://exa mple.net', 'https:// or http://'],
  ['CAA', 'not a domain', 'the domain of an authority', 'issue'],
  ['CAA', 'ca.example.net', 'the URL to report to', 'iodef'],
  ['CAA', 'mailto:nobody', 'the URL to report to', 'iodef'],
  ['CAA', '"open', 'not closed', 'issue'],
  ['SVCB', 'bad..host alpn=h2', 'The target must be a host name'],
  ['HTTPS', '. ALPN=h2', 'not a parameter'],
  ['HTTPS', '. alpn="h2', 'quotes must be closed'],
  ['TLSA', '3 1 1', 'hexadecimal'],
  ['TLSA', '3 1 0 abc', 'hexadecimal'],
  ['TLSA', '3 1 0 xyz1', 'hexadecimal'],
  ['TLSA', '256 1 0 ab', 'from 0 to 255'],
  ['TLSA', '3 1 1 abcd', '64 hexadecimal digits, not 4'],
  ['TLSA', `3 1 2 ${HASH_256}`, '128 hexadecimal digits, not 64'],
]

const refusedCases = REFUSED.map(([type, typed, rule, tag]) => ({ type, typed, rule, tag }))

test.each(refusedCases)('$type $typed is refused and the rule is named: $rule', ({ type, typed, rule, tag }) => {
  expect(normaliseValue(type, typed, tag)).toMatchObject({ ok: false, problem: expect.stringContaining(rule) })
})
