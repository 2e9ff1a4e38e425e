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

test.each<readonly [typed: string, sent: string]>([
  ['@', ''],
  ['www.', 'www'],
  ['bücher', 'xn--bcher-kva'],
  [`${LONGEST_NAME}.`, LONGEST_NAME],
  ...['www', 'WWW', '*', '*.shop', '_443._tcp', 'a.b.c', '1.2', 'a--b', LONGEST_NAME].map(
    (same) => [same, same] as const,
  ),
])('the name %s is sent as %s', (typed, sent) => {
  expect(normaliseRecordName(typed)).toMatchObject({ ok: true, sent })
})

const NO_NAMES = '. .. a..b .a a*b a.* -a a- a/b ** １９２.0.2.1 @.shop'.split(' ')

test.each(['', 'a b', ...NO_NAMES, `${LABEL}a`, `${LONGEST_NAME}a`])(
  'the name %j is refused with the rule',
  (typed) => {
    const problem = expect.stringContaining('relative to the zone')
    expect(normaliseRecordName(typed)).toMatchObject({ ok: false, problem })
  },
)

test('what is changed in a name is said, and a plain name needs no words', () => {
  expect(normaliseRecordName('@')).toMatchObject({ notes: [] })
  expect(normaliseRecordName('www.')).toMatchObject({ notes: ['The dot at the end of www. is left out.'] })
  expect(normaliseRecordName('bücher')).toMatchObject({ notes: ['bücher is sent in its ASCII form xn--bcher-kva.'] })
  expect(normaliseRecordName('www')).toMatchObject({ notes: [] })
})

const NO_HOSTS =
  '. mail..example https://example.net *.example.net mail.example.net.. a@b -a.example a-.example a.example:80 192.0.2.1 １９２.0.2.1'

test.each(['', 'mail example', ...NO_HOSTS.split(' '), `${LABEL}a.example`, `${LONGEST_NAME}a`])(
  'the host %j is refused',
  (typed) => {
    const problem = 'The host must be a host name such as target.example.net.'
    expect(normaliseHost(typed, 'The host')).toEqual({ ok: false, problem })
  },
)

const HOSTS = 'a A.Example _a.b_c.example 1.2.3 192.0.2.1.example 1.2.3.4.5 a--b.example'.split(' ')

test.each([...HOSTS, LONGEST_NAME])('the host %s is taken as it is', (typed) => {
  expect(normaliseHost(typed, 'The host')).toEqual({ ok: true, sent: typed, notes: [] })
})

test('a dot alone is kept where it means none', () => {
  expect(normaliseHostOrDot('.', 'The mail server')).toEqual({ ok: true, sent: '.', notes: [] })
  expect(normaliseHostOrDot('..', 'The mail server').ok).toBe(false)
})

const HASH_256 = 'AB'.repeat(32)
const HASH_512 = 'cd'.repeat(64)

/** Sent as they are typed. */
const TAKEN: readonly (readonly [type: DnsRecordTypeName, typed: readonly string[], tag?: string])[] = [
  ['A', ['192.0.2.10']],
  ['AAAA', ['2001:DB8::1', '::ffff:192.0.2.1', '::']],
  ['Flatten', ['target.example.net']],
  ['MX', ['.']],
  ['SRV', ['.']],
  ['TXT', ['v=spf1 -all', 'say "yes"', 'ends with a dot.', 'open"', 'Grüße 🙂']],
  [
    'Redirect',
    [
      'https://[2001:db8::1]/',
      'https://münchen.example/ü',
      'https://www.example.net/',
      'HTTP://example.net/a?b=c&d=%20',
    ],
  ],
  ['CAA', ['ca.example.net', ';a=b', 'ca.example ; a=b; c=d'], 'issue'],
  ['CAA', [';'], 'issuewild'],
  ['CAA', ['MAILTO:a@b', 'mailto:security@example.net', 'https://example.net/report'], 'iodef'],
  ['SVCB', ['.']],
  ['HTTPS', ['. alpn="h2, h3" ech=AE3+/=', String.raw`. a="\"" b=1`, `. a= b== c="" ${'k'.repeat(63)}=1`]],
  ['TLSA', [`3 1 1 ${HASH_256}`, `3 1 2 ${HASH_512}`, '255 1 0 30820122']],
]

const SENT: readonly (readonly [type: DnsRecordTypeName, typed: string, sent: string, tag?: string | undefined])[] = [
  ...TAKEN.flatMap(([type, all, tag]) => all.map((typed) => [type, typed, typed, tag] as const)),
  ['CNAME', '例え.example', 'xn--r8jz45g.example'],
  ['CNAME', 'target.example.net.', 'target.example.net'],
  ['PTR', 'host.example.net.', 'host.example.net'],
  ['NS', 'ns1.example.net.', 'ns1.example.net'],
  ['MX', 'mail.example.net.', 'mail.example.net'],
  ['SRV', 'sip.example.net.', 'sip.example.net'],
  ['TXT', '"v=spf1 -all"', 'v=spf1 -all'],
  ['TXT', '"v=DKIM1; p=abc" "def"', 'v=DKIM1; p=abcdef'],
  ['TXT', '"foo""bar"', 'foobar'],
  ['TXT', '"foo"\t"" "bar"', 'foobar'],
  ['TXT', '"  spaces of its own "', '  spaces of its own '],
  ['TXT', ' "foo" ', 'foo'],
  ['TXT', '  v=spf1 -all\n', 'v=spf1 -all'],
  ['TXT', String.raw`"say \"yes\" \\ "`, String.raw`say "yes" \ `],
  ['CAA', '"ca.example.net; validationmethods=dns-01"', 'ca.example.net; validationmethods=dns-01', 'issue'],
  ['CAA', '";"', ';', 'issue'],
  ['SVCB', 'svc.example.net.', 'svc.example.net'],
  ['HTTPS', '.   alpn=h2,h3   no-default-alpn', '. alpn=h2,h3 no-default-alpn'],
  ['TLSA', '0 0 3 ab cd', '0 0 3 abcd'],
  ['TLSA', `03  001 1  ${HASH_256.slice(0, 32)} ${HASH_256.slice(32)}`, `3 1 1 ${HASH_256}`],
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

const REFUSED: readonly (readonly [type: DnsRecordTypeName, rule: string, typed: readonly string[], tag?: string])[] = [
  ['A', 'an IPv4 address', ['2001:db8::1', '192.0.2.256', '192.0.2', '192.0.2.010', '', '192.0.2.1/24']],
  ['AAAA', 'an IPv6 address', ['192.0.2.1', '2001:db8:::1', '[::1]', 'fe80::1%eth0']],
  ['CNAME', 'a host name', ['.', 'https://example.net']],
  ['NS', 'The value of an NS record must be a host name', ['ns 1']],
  ['MX', 'The mail server must be a host name', ['10 mail.example.net']],
  ['SRV', 'The target of an SRV record must be a host name', ['5060 sip']],
  ['TXT', 'cannot be empty', ['""', ' ', '"" ""']],
  ['TXT', 'not closed', ['"open', '"a" b', '"a"b"', String.raw`"a\"`]],
  [
    'Redirect',
    'https:// or http://',
    ['//a.example', 'https://', 'javascript:alert(1)', 'www.example.net', 'ftp://example.net', 'https://exa mple.net'],
  ],
  ['CAA', 'the domain of an authority', ['not a domain', '', 'https://ca.example'], 'issue'],
  [
    'CAA',
    'the URL to report to',
    ['ca.example.net', ';', 'mailto:nobody', 'mailto:a b@c.example', 'mailto:a@b@c', 'ftp://a.example'],
    'iodef',
  ],
  ['CAA', 'not closed', ['"open'], 'issue'],
  ['SVCB', 'The target must be a host name', ['bad..host alpn=h2']],
  ['HTTPS', 'not a parameter', ['. ALPN=h2', '. =h2', '. a_b', '. "alpn=h2"', `. ${'k'.repeat(64)}=1`]],
  ['HTTPS', 'quotes must be closed', ['. alpn="h2', '', String.raw`. a=\"b\"`]],
  ['TLSA', 'hexadecimal', ['3 1 1', '3 1 0 abc', '3 1 0 xyz1']],
  ['TLSA', 'from 0 to 255', ['256 1 0 ab', '-1 1 0 ab', '3 1 256 ab']],
  ['TLSA', '64 hexadecimal digits, not 4', ['3 1 1 abcd']],
  ['TLSA', '128 hexadecimal digits, not 64', [`3 1 2 ${HASH_256}`]],
]

const refusedCases = REFUSED.flatMap(([type, rule, all, tag]) => all.map((typed) => ({ type, typed, rule, tag })))

test.each(refusedCases)('$type $typed is refused and the rule is named: $rule', ({ type, typed, rule, tag }) => {
  expect(normaliseValue(type, typed, tag)).toMatchObject({ ok: false, problem: expect.stringContaining(rule) })
})
