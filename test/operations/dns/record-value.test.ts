import { expect, test } from 'vitest'
import type { DnsRecordTypeName } from '../../../src/cdn/contract/enums.ts'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import {
  normaliseHost,
  normaliseHostOrDot,
  normaliseRecordName,
  normaliseValue,
} from '../../../src/operations/dns/record-value.ts'
import { invocationOf } from '../../support/operation-context.ts'

const LABEL = 'a'.repeat(63)
/** The longest name there is. */
const LONGEST_NAME = [LABEL, LABEL, LABEL, 'a'.repeat(61)].join('.')

test.each([
  ['@', ''],
  ['www', 'www'],
  ['WWW', 'WWW'],
  ['www.', 'www'],
  ['*', '*'],
  ['*.shop', '*.shop'],
  ['_443._tcp', '_443._tcp'],
  ['a.b.c', 'a.b.c'],
  ['1.2', '1.2'],
  ['bücher', 'xn--bcher-kva'],
  ['a--b', 'a--b'],
  [LONGEST_NAME, LONGEST_NAME],
  [`${LONGEST_NAME}.`, LONGEST_NAME],
])('the name %s is sent as %s', (typed, sent) => {
  expect(normaliseRecordName(typed)).toMatchObject({ ok: true, sent })
})

test.each([
  '',
  '.',
  '..',
  'a..b',
  '.a',
  'a b',
  'a*b',
  'a.*',
  '-a',
  'a-',
  'a/b',
  '**',
  '１９２.0.2.1',
  `${LABEL}a`,
  `${LONGEST_NAME}a`,
  '@.shop',
])('the name %j is refused with the rule', (typed) => {
  expect(normaliseRecordName(typed)).toMatchObject({
    ok: false,
    problem: expect.stringContaining('relative to the zone'),
  })
})

test('what is changed in a name is said, and a plain name needs no words', () => {
  expect(normaliseRecordName('@')).toMatchObject({ notes: [] })
  expect(normaliseRecordName('www.')).toMatchObject({ notes: ['The dot at the end of www. is left out.'] })
  expect(normaliseRecordName('bücher')).toMatchObject({ notes: ['bücher is sent in its ASCII form xn--bcher-kva.'] })
  expect(normaliseRecordName('www')).toMatchObject({ notes: [] })
})

test('a host loses the dot at its end and nothing else', () => {
  expect(normaliseHost('mail.example.net.', 'The host')).toEqual({
    ok: true,
    sent: 'mail.example.net',
    notes: ['The dot at the end of mail.example.net. is left out.'],
  })
  expect(normaliseHost('mail.example.net', 'The host')).toEqual({ ok: true, sent: 'mail.example.net', notes: [] })
})

const NO_HOSTS = [
  '',
  ...'. mail..example https://example.net *.example.net mail.example.net.. a@b -a.example a-.example'.split(' '),
  'mail example',
  'a.example:80',
  '192.0.2.1',
  '１９２.0.2.1',
  `${LABEL}a.example`,
  `${LONGEST_NAME}a`,
]

test.each(NO_HOSTS)('the host %j is refused', (typed) => {
  const problem = 'The host must be a host name such as target.example.net.'
  expect(normaliseHost(typed, 'The host')).toEqual({ ok: false, problem })
})

const HOSTS = [
  'a',
  'A.Example',
  '_a.b_c.example',
  '1.2.3',
  '192.0.2.1.example',
  '1.2.3.4.5',
  'a--b.example',
  LONGEST_NAME,
]

test.each(HOSTS)('the host %s is taken as it is', (typed) => {
  expect(normaliseHost(typed, 'The host')).toEqual({ ok: true, sent: typed, notes: [] })
})

test('a dot alone is kept where it means none', () => {
  expect(normaliseHostOrDot('.', 'The mail server')).toEqual({ ok: true, sent: '.', notes: [] })
  expect(normaliseHostOrDot('..', 'The mail server').ok).toBe(false)
})

const HASH_256 = 'AB'.repeat(32)
const HASH_512 = 'cd'.repeat(64)

const SENT: readonly (readonly [type: DnsRecordTypeName, typed: string, sent: string, tag?: string])[] = [
  ['A', '192.0.2.10', '192.0.2.10'],
  ['AAAA', '2001:DB8::1', '2001:DB8::1'],
  ['AAAA', '::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['AAAA', '::', '::'],
  ['CNAME', '例え.example', 'xn--r8jz45g.example'],
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
  ['TXT', 'open"', 'open"'],
  ['TXT', 'Grüße 🙂', 'Grüße 🙂'],
  ['Redirect', 'https://[2001:db8::1]/', 'https://[2001:db8::1]/'],
  ['Redirect', 'https://münchen.example/ü', 'https://münchen.example/ü'],
  ['Redirect', 'https://www.example.net/', 'https://www.example.net/'],
  ['Redirect', 'HTTP://example.net/a?b=c&d=%20', 'HTTP://example.net/a?b=c&d=%20'],
  ['CAA', 'ca.example.net', 'ca.example.net', 'issue'],
  ['CAA', '"ca.example.net; validationmethods=dns-01"', 'ca.example.net; validationmethods=dns-01', 'issue'],
  ['CAA', ';', ';', 'issuewild'],
  ['CAA', ';a=b', ';a=b', 'issue'],
  ['CAA', 'ca.example ; a=b; c=d', 'ca.example ; a=b; c=d', 'issue'],
  ['CAA', 'MAILTO:a@b', 'MAILTO:a@b', 'iodef'],
  ['CAA', '";"', ';', 'issue'],
  ['CAA', 'mailto:security@example.net', 'mailto:security@example.net', 'iodef'],
  ['CAA', 'https://example.net/report', 'https://example.net/report', 'iodef'],
  ['SVCB', '.', '.'],
  ['SVCB', 'svc.example.net.', 'svc.example.net'],
  ['HTTPS', '.   alpn=h2,h3   no-default-alpn', '. alpn=h2,h3 no-default-alpn'],
  ['HTTPS', '. alpn="h2, h3" ech=AE3+/=', '. alpn="h2, h3" ech=AE3+/='],
  ['HTTPS', String.raw`. a="\"" b=1`, String.raw`. a="\"" b=1`],
  ['HTTPS', `. a= b== c="" ${'k'.repeat(63)}=1`, `. a= b== c="" ${'k'.repeat(63)}=1`],
  ['TLSA', `3 1 1 ${HASH_256}`, `3 1 1 ${HASH_256}`],
  ['TLSA', '0 0 3 ab cd', '0 0 3 abcd'],
  ['TLSA', `03  001 1  ${HASH_256.slice(0, 32)} ${HASH_256.slice(32)}`, `3 1 1 ${HASH_256}`],
  ['TLSA', `3 1 2 ${HASH_512}`, `3 1 2 ${HASH_512}`],
  ['TLSA', '255 1 0 30820122', '255 1 0 30820122'],
]

const sentCases = SENT.map(([type, typed, sent, tag]) => ({ type, typed, sent, tag }))

test.each(sentCases)('$type $typed is sent as $sent, and what changed is said', ({ type, typed, sent, tag }) => {
  const result = normaliseValue(type, typed, tag)
  expect(result).toMatchObject({ ok: true, sent })
  // White space between the parts of a service value is nothing a person needs to know of.
  const changed = typed.replaceAll(/\s+/g, ' ') !== sent
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
  expect(request).toContainEqual(['Text', value])
  expect(notes('two words')).toEqual(notes('"two words"').filter((note) => !/quotes/.test(note)))
})

const REFUSED: readonly (readonly [type: DnsRecordTypeName, typed: string, rule: string, tag?: string])[] = [
  ['A', '2001:db8::1', 'an IPv4 address'],
  ['A', '192.0.2.256', 'an IPv4 address'],
  ['A', '192.0.2', 'an IPv4 address'],
  ['A', '192.0.2.010', 'an IPv4 address'],
  ['A', '', 'an IPv4 address'],
  ['A', '192.0.2.1/24', 'an IPv4 address'],
  ['AAAA', '192.0.2.1', 'an IPv6 address'],
  ['AAAA', '2001:db8:::1', 'an IPv6 address'],
  ['AAAA', '[::1]', 'an IPv6 address'],
  ['AAAA', 'fe80::1%eth0', 'an IPv6 address'],
  ['CNAME', '.', 'a host name'],
  ['CNAME', 'https://example.net', 'a host name'],
  ['NS', 'ns 1', 'The value of an NS record must be a host name'],
  ['MX', '10 mail.example.net', 'The mail server must be a host name'],
  ['SRV', '5060 sip', 'The target of an SRV record must be a host name'],
  ['TXT', '""', 'cannot be empty'],
  ['TXT', '"open', 'not closed'],
  ['TXT', ' ', 'cannot be empty'],
  ['TXT', '"" ""', 'cannot be empty'],
  ['TXT', '"a" b', 'not closed'],
  ['TXT', '"a"b"', 'not closed'],
  ['TXT', String.raw`"a\"`, 'not closed'],
  ['Redirect', '//a.example', 'https:// or http://'],
  ['Redirect', 'https://', 'https:// or http://'],
  ['Redirect', 'javascript:alert(1)', 'https:// or http://'],
  ['Redirect', 'www.example.net', 'https:// or http://'],
  ['Redirect', 'ftp://example.net', 'https:// or http://'],
  ['Redirect', 'https://exa mple.net', 'https:// or http://'],
  ['CAA', 'not a domain', 'the domain of an authority', 'issue'],
  ['CAA', 'ca.example.net', 'the URL to report to', 'iodef'],
  ['CAA', '', 'the domain of an authority', 'issue'],
  ['CAA', 'https://ca.example', 'the domain of an authority', 'issue'],
  ['CAA', ';', 'the URL to report to', 'iodef'],
  ['CAA', 'mailto:nobody', 'the URL to report to', 'iodef'],
  ['CAA', 'mailto:a b@c.example', 'the URL to report to', 'iodef'],
  ['CAA', 'mailto:a@b@c', 'the URL to report to', 'iodef'],
  ['CAA', 'ftp://a.example', 'the URL to report to', 'iodef'],
  ['CAA', '"open', 'not closed', 'issue'],
  ['SVCB', 'bad..host alpn=h2', 'The target must be a host name'],
  ['HTTPS', '. ALPN=h2', 'not a parameter'],
  ['HTTPS', '. alpn="h2', 'quotes must be closed'],
  ['HTTPS', '', 'quotes must be closed'],
  ['HTTPS', '. =h2', 'not a parameter'],
  ['HTTPS', '. a_b', 'not a parameter'],
  ['HTTPS', '. "alpn=h2"', 'not a parameter'],
  ['HTTPS', String.raw`. a=\"b\"`, 'quotes must be closed'],
  ['HTTPS', `. ${'k'.repeat(64)}=1`, 'not a parameter'],
  ['TLSA', '3 1 1', 'hexadecimal'],
  ['TLSA', '3 1 0 abc', 'hexadecimal'],
  ['TLSA', '3 1 0 xyz1', 'hexadecimal'],
  ['TLSA', '256 1 0 ab', 'from 0 to 255'],
  ['TLSA', '-1 1 0 ab', 'from 0 to 255'],
  ['TLSA', '3 1 256 ab', 'from 0 to 255'],
  ['TLSA', '3 1 1 abcd', '64 hexadecimal digits, not 4'],
  ['TLSA', `3 1 2 ${HASH_256}`, '128 hexadecimal digits, not 64'],
]

const refusedCases = REFUSED.map(([type, typed, rule, tag]) => ({ type, typed, rule, tag }))

test.each(refusedCases)('$type $typed is refused and the rule is named: $rule', ({ type, typed, rule, tag }) => {
  expect(normaliseValue(type, typed, tag)).toMatchObject({ ok: false, problem: expect.stringContaining(rule) })
})
