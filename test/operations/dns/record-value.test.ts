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

const NO_NAMES = '. .. a..b .a a*b a.* a*.b -a a- a/b ** １９２.0.2.1 @.shop'.split(' ')

test.each(['', 'a b', ...NO_NAMES, `${LABEL}a`, `${LONGEST_NAME}a`])(
  'the name %j is refused with the rule',
  (typed) => {
    const problem =
      'The name is relative to the zone: letters, digits, - and _ in parts of at most 63 characters with dots between, * as the first part, or @ for the zone itself.'
    expect(normaliseRecordName(typed)).toEqual({ ok: false, problem })
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
  expect(notes('"a"')).toMatchObject({ notes: ['The quotes around the value are left out: the CDN adds its own.'] })
  const several = 'The 3 quoted parts of the value are sent as one text without quotes.'
  expect(notes('"a""b" "c"')).toMatchObject({ notes: [several] })
  const plainly = { ok: true, sent: '0 0 3 abcd', notes: ['The value is written plainly as 0 0 3 abcd.'] }
  expect(normaliseValue('TLSA', '0 0 3 ab cd', undefined)).toEqual(plainly)
})

test.each(sentCases.filter(({ type }) => type !== 'TXT'))('white space around $type $typed is not sent', (each) => {
  expect(normaliseValue(each.type, ` ${each.typed}\n`, each.tag)).toMatchObject({ ok: true, sent: each.sent })
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

const HOST = 'must be a host name such as target.example.net'
const NOT_HEX =
  'The value of a TLSA record is usage, selector and matching type, each from 0 to 255, and then an even number of hexadecimal digits'
const CLOSED = 'The value is a target and its parameters, such as . alpn=h2,h3; quotes must be closed'
const UNCLOSED = 'The value begins with a quote that is not closed at its end'
const notParameter = (typed: string) =>
  `${typed} is not a parameter: a parameter is written key=value, such as alpn=h2,h3`

const REFUSED: readonly (readonly [type: DnsRecordTypeName, rule: string, typed: readonly string[], tag?: string])[] = [
  [
    'A',
    'The value of an A record is an IPv4 address such as 192.0.2.10',
    ['2001:db8::1', '192.0.255', '192.0.2.010', '', '192.0.2.255/24', '192.0.2.1234567890'],
  ],
  ['A', '256 is more than 255, the most that a part of an IPv4 address can be', ['192.0.2.256', '1.256.999.1']],
  [
    'AAAA',
    'The value of an AAAA record is an IPv6 address such as 2001:db8::10',
    ['192.0.2.1', '2001:db8:::1', '[::1]', 'fe80::1%eth0'],
  ],
  ['CNAME', `The value of a CNAME record ${HOST}`, ['.', 'https://example.net']],
  ['Flatten', `The value of a Flatten record ${HOST}`, ['.']],
  ['PTR', `The value of a PTR record ${HOST}`, ['.']],
  ['NS', `The value of an NS record ${HOST}`, ['.', 'ns 1']],
  ['MX', `The mail server ${HOST}`, ['10 mail.example.net']],
  ['SRV', `The target of an SRV record ${HOST}`, ['5060 sip']],
  ['TXT', 'The text of a TXT record cannot be empty', ['""', ' ', '"" ""']],
  ['TXT', UNCLOSED, ['"open', '"a" b', '"a"b"', String.raw`"a\"`]],
  [
    'Redirect',
    'A Redirect record needs a whole URL that begins with https:// or http://',
    ['//a.example', 'https://', 'javascript:alert(1)', 'www.example.net', 'ftp://example.net', 'https://exa mple.net'],
  ],
  [
    'CAA',
    'The value of a CAA record is the domain of an authority, or ; for none',
    ['not a domain', '', 'https://ca.example'],
    'issue',
  ],
  [
    'CAA',
    'With the tag iodef the value is the URL to report to: mailto:, https:// or http://',
    ['ca.example.net', ';', 'mailto:nobody', 'mailto:a b@c.example', 'mailto:a@b@c', 'ftp://a.example', 'xmailto:a@b'],
    'iodef',
  ],
  ['CAA', UNCLOSED, ['"open'], 'issue'],
  ['SVCB', `The target ${HOST}`, ['bad..host alpn=h2']],
  ...['ALPN=h2', '=h2', 'a_b', '"alpn=h2"', `${'k'.repeat(64)}=1`].map(
    (wrong) => ['HTTPS', notParameter(wrong), [`. ${wrong}`, `. a=1 ${wrong}`]] as const,
  ),
  ['HTTPS', CLOSED, ['. alpn="h2', '', String.raw`. a=\"b\"`]],
  ['TLSA', NOT_HEX, ['3 1 1', '3 1 0 abc', '3 1 0 xyz1', '256 1 0 ab', '3 256 0 ab', '-1 1 0 ab', '3 1 256 ab']],
  ['TLSA', 'With matching type 1 the data has 64 hexadecimal digits, not 4', ['3 1 1 abcd']],
  ['TLSA', 'With matching type 2 the data has 128 hexadecimal digits, not 64', [`3 1 2 ${HASH_256}`]],
]

const refusedCases = REFUSED.flatMap(([type, rule, all, tag]) => all.map((typed) => ({ type, typed, rule, tag })))

test.each(refusedCases)('$type $typed is refused and the rule is named: $rule', ({ type, typed, rule, tag }) => {
  expect(normaliseValue(type, typed, tag)).toEqual({ ok: false, problem: `${rule}.` })
})
