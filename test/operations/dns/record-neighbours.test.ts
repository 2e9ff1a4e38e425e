import { describe, expect, test } from 'vitest'
import { checkDnsRecordRequest, type DnsRecordRequest } from '../../../src/cdn/dns-record-request.ts'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { RECORD_CASES, typedValues } from '../../support/dns-record-cases.ts'
import { invocationOf, problemsOf } from '../../support/operation-context.ts'

const LABEL = 'a'.repeat(63)
const LONGEST_NAME = [LABEL, LABEL, LABEL, 'a'.repeat(61)].join('.')
const HASH = 'ab'.repeat(32)
const VARIABLES = Array.from({ length: 50 }, (_, index) => `V${index}=x`)
const ROUTED = { smartRouting: 'geolocation', latitude: '1', longitude: '1' }

/** What no record of any type may have, and beside it what each may have. */
const ANY: readonly Neighbours[] = [
  {
    field: 'name',
    refused: [
      '',
      'a..b',
      '-a',
      'a-',
      'a b',
      'a/b',
      'a.*',
      '*a',
      '**',
      '.',
      'a\u200Bb',
      '１９２.0.2.1',
      `${LABEL}a`,
      `${LONGEST_NAME}a`,
    ],
  },
  { field: 'comment', refused: ['c'.repeat(501)], taken: ['c', 'c'.repeat(500), 'Zähler & <b> "x"'] },
  { field: 'disabled', refused: ['maybe'], taken: ['on', 'off', 'default', 'yes', 'No', 'TRUE', '0'] },
]
const NAMES = [
  '@',
  '*',
  '*.a',
  'a',
  'A-1',
  '_dmarc',
  'a_b',
  '7',
  '4.3.2.1',
  'a.',
  'a--b',
  'münchen',
  LABEL,
  LONGEST_NAME,
  `${LONGEST_NAME}.`,
]

const TTL: Neighbours = {
  field: 'ttl',
  refused: ['-1', '5x', '1.5h', '2147483648', '4w2d', 'm', '3551w'],
  taken: ['0', '1', '5m', '1H', '24 h', '1d', '1w', '60s', '2147483647', '3550w'],
}
const HOST: Neighbours = {
  field: 'value',
  refused: [
    '',
    'a b',
    'a..b',
    '-a.example',
    'a-.example',
    'https://a.example',
    'a.example:80',
    '192.0.2.1',
    '*.example',
    'a@b',
    'a\u202Eb',
    `${LABEL}a.example`,
    `${LONGEST_NAME}a`,
    '１９２.0.2.1',
  ],
  taken: [
    'a',
    'a.example',
    'A.Example',
    'a.example.',
    '_a.b_c.example',
    '1.2.3',
    '192.0.2.1.example',
    '1.2.3.4.5',
    'a--b.example',
    'münchen.example',
    '例え.example',
    `${LABEL}.example`,
    LONGEST_NAME,
    `${LONGEST_NAME}.`,
  ],
}
const HOST_OR_DOT: Neighbours = { ...HOST, refused: [...HOST.refused, '..'], taken: [...(HOST.taken ?? []), '.'] }
const whole = (field: string, most: number): Neighbours => ({
  field,
  refused: ['-1', String(most + 1), '1.5', 'x', '1e3', '99999999999999999999'],
  taken: ['0', '1', String(most), '+1', ' 7 ', '007'],
})
const SERVICE: Neighbours = {
  field: 'value',
  refused: [
    '',
    '"',
    '. alpn="h2',
    '. =h2',
    '. ALPN=h2',
    '. a_b',
    'a..b alpn=h2',
    '. "alpn=h2"',
    String.raw`. a="\"`,
    String.raw`. a=\"b\"`,
    `. ${'k'.repeat(64)}=1`,
  ],
  taken: [
    '.',
    'a.example',
    'a.example. alpn=h2',
    '. alpn=h2,h3 port=443',
    '. no-default-alpn',
    '. key65535 k9=1',
    '. a=',
    '. a==',
    '. a="b c"',
    '. a=""',
    String.raw`. a="\"" b=1`,
    String.raw`. a="b\\" c=1`,
    `. ${'k'.repeat(63)}=1`,
  ],
}
const switches = ['accelerated', 'autoSsl'].map((field): Neighbours => ({
  field,
  refused: ['maybe'],
  taken: ['on', 'off', 'default'],
}))
const LATENCY: readonly Neighbours[] = [
  {
    field: 'latencyZone',
    refused: ['D E', 'D.E', 'D_E', 'ABCDEFGHIJK'],
    taken: ['D', 'de', 'NY-1', '7', 'ABCDEFGHIJ'],
  },
  {
    field: 'smartRouting',
    refused: ['fast'],
    taken: ['none', 'NONE', 'latency', 'Latency'],
    beside: { latencyZone: 'DE' },
  },
  { field: 'latencyZone', refused: [undefined], taken: ['DE'], beside: { smartRouting: 'latency' } },
]
const PLACED: readonly Neighbours[] = [
  ...LATENCY,
  { field: 'smartRouting', refused: ['fast'], taken: ['geolocation'], beside: { latitude: '0', longitude: '0' } },
  {
    field: 'latitude',
    refused: ['-90.1', '90.1', '91', 'x', '1,5', undefined],
    taken: ['-90', '90', '0', '-0.5', '52.520008'],
    beside: ROUTED,
  },
  {
    field: 'longitude',
    refused: ['-180.1', '180.1', '181', 'x', undefined],
    taken: ['-180', '180', '0', '-13.4'],
    beside: ROUTED,
  },
]

/** Values of one field: each that is refused, and each that is taken where all else is as it was. */
interface Neighbours {
  readonly field: string
  readonly refused: readonly (string | undefined)[]
  readonly taken?: readonly string[]
  /** What else is given. */
  readonly beside?: RawValues
}

const OF_TYPE: Readonly<Record<string, readonly Neighbours[]>> = {
  A: [
    {
      field: 'value',
      refused: ['', '192.0.2', '192.0.2.256', '192.0.2.01', '::1', 'a.example', '192.0.2.1/24'],
      taken: ['0.0.0.0', '255.255.255.255', ' 192.0.2.1 '],
    },
    TTL,
    whole('weight', 100),
    ...switches,
    { field: 'monitor', refused: ['tcp'], taken: ['none', 'Ping', 'HTTP', 'http, on port 80', 'monitor'] },
    ...PLACED,
  ],
  AAAA: [
    {
      field: 'value',
      refused: ['', '192.0.2.1', '2001:db8:::1', '2001:db8::g', 'fe80::1%eth0', '[::1]'],
      taken: ['::', '::1', '2001:DB8::A', '::ffff:192.0.2.1', '1:2:3:4:5:6:7:8'],
    },
    TTL,
    whole('weight', 100),
    { field: 'autoSsl', refused: ['maybe'], taken: ['on', 'off'] },
    { field: 'monitor', refused: ['tcp'], taken: ['none', 'ping', 'http', 'monitor'] },
    ...PLACED,
  ],
  CNAME: [HOST, TTL, ...switches, ...LATENCY, { field: 'smartRouting', refused: ['geolocation'], beside: ROUTED }],
  TXT: [
    {
      field: 'value',
      refused: ['', ' ', '""', '"" ""', '"open', '"a" b', '"a"b"', String.raw`"a\"`, 'x'.repeat(3_001)],
      taken: [
        'x',
        '.',
        'a "b" c',
        'open"',
        '"a"',
        '"a" "b"',
        '"a""b"',
        String.raw`"a\"b"`,
        String.raw`"a\\"`,
        "'a'",
        'x'.repeat(3_000),
        'Grüße 🙂',
      ],
    },
    TTL,
  ],
  MX: [HOST_OR_DOT, whole('priority', 65_535), TTL],
  Redirect: [
    {
      field: 'value',
      refused: [
        '',
        'a.example',
        '//a.example',
        'ftp://a.example',
        'https://',
        'https://a b',
        'mailto:a@b.example',
        'javascript:alert(1)',
      ],
      taken: [
        'https://a.example',
        'http://a.example/',
        'HTTPS://A.example',
        'https://a.example:8443/b?c=d#e',
        'https://[2001:db8::1]/',
        'https://münchen.example/ü',
      ],
    },
    { field: 'autoSsl', refused: ['maybe'], taken: ['on'] },
  ],
  Flatten: [HOST, TTL],
  PullZone: [
    {
      field: 'pullZone',
      refused: ['nobody', '0', '-1', '9223372036854775808', undefined],
      taken: ['shop', 'SHOP', '1', '9223372036854775807'],
    },
    TTL,
  ],
  SRV: [
    HOST_OR_DOT,
    whole('priority', 65_535),
    whole('weight', 65_535),
    whole('port', 65_535),
    {
      field: 'name',
      refused: ['sip', '_sip', '_sip.tcp', 'sip._tcp', '_._tcp', '_sip._'],
      taken: ['_sip._tcp', '_a._b', '_sip._udp.office', '_x-y._tcp', '_sip._tcp.'],
    },
    TTL,
  ],
  CAA: [
    whole('flags', 255),
    { field: 'tag', refused: ['issued', undefined], taken: ['issue', 'IssueWild'] },
    {
      field: 'value',
      refused: ['', 'not a domain', 'a..b', '"open', 'https://ca.example'],
      taken: [
        ';',
        '";"',
        ' ; ',
        'ca.example',
        '"ca.example"',
        'ca.example; a=b',
        'ca.example ; a=b; c=d',
        ';a=b',
        LONGEST_NAME,
      ],
    },
    {
      field: 'value',
      refused: [
        ';',
        'ca.example',
        'mailto:nobody',
        'mailto:a b@c.example',
        'mailto:a@b@c',
        'ftp://a.example',
        'https://a b',
      ],
      taken: ['mailto:a@b.example', 'MAILTO:a@b', '"mailto:a@b.example"', 'https://a.example', 'http://a.example/b?c'],
      beside: { tag: 'iodef' },
    },
    TTL,
  ],
  PTR: [HOST, TTL],
  Script: [
    {
      field: 'script',
      refused: ['0', '-1', '1.5', 'x', '9223372036854775808', undefined],
      taken: ['1', '9223372036854775807'],
    },
    {
      field: 'variables',
      refused: [
        'A',
        '=x',
        '1A=x',
        'A-B=x',
        'A B=x',
        `${'A'.repeat(129)}=x`,
        'A=1\nA=2',
        'A=1\nB',
        [...VARIABLES, 'LAST=x'].join('\n'),
        `A=${'x'.repeat(2_999)}`,
      ],
      taken: [
        'A=',
        'A=x',
        'A==x=',
        '_=x',
        'a1_B=x y',
        ' A =x',
        'A=1\n\n  \nB=2\r\na=3',
        `${'A'.repeat(128)}=x`,
        VARIABLES.join('\n'),
        `A=${'x'.repeat(2_998)}`,
      ],
    },
    { field: 'autoSsl', refused: ['maybe'], taken: ['on'] },
  ],
  NS: [HOST, TTL],
  SVCB: [whole('priority', 65_535), SERVICE, TTL],
  HTTPS: [whole('priority', 65_535), SERVICE, TTL],
  TLSA: [
    {
      field: 'value',
      refused: [
        '',
        '3 1 1',
        `3 1 ${HASH}`,
        '256 1 0 ab',
        '3 256 0 ab',
        '3 1 256 ab',
        '-1 1 0 ab',
        '3 1 0 abc',
        '3 1 0 xy',
        `3 1 1 ${HASH}ab`,
        `3 1 2 ${HASH}`,
        '3 1 1 ab',
      ],
      taken: [
        '0 0 0 ab',
        '255 255 255 AB',
        '3 1 0 ab cd',
        ` 3  1\t1 ${HASH} `,
        `3 1 1 ${HASH.toUpperCase()}`,
        `3 1 2 ${HASH}${HASH}`,
        '3 1 3 ab',
        '03 01 0 ab',
      ],
    },
    TTL,
  ],
}

/** Names that this type does not take of those that all others do. */
const NOT_OF_TYPE: Readonly<Record<string, (name: string) => boolean>> = {
  NS: (name) => name === '@',
  SRV: () => true,
}

describe.each(RECORD_CASES)('of a $type record', (record) => {
  const { type } = record
  const plain = { ...typedValues({ ...record, further: {} }, dnsAdd.positionals({ type })) }
  const names: Neighbours = {
    field: 'name',
    refused: [],
    taken: NAMES.filter((name) => NOT_OF_TYPE[type]?.(name) !== true),
  }
  const all: readonly Neighbours[] = [...ANY, names, ...(OF_TYPE[type] ?? [])]
  const given = ({ field, beside }: Neighbours, value: string | undefined): RawValues => {
    const { [field]: _, ...rest } = { ...plain, ...beside }
    return value === undefined ? rest : { ...rest, [field]: value }
  }

  test.each(all.flatMap((each) => each.refused.map((value) => ({ ...each, value }))))(
    '$field $value is refused',
    (each) => {
      const fields = problemsOf(dnsAdd, given(each, each.value)).map((problem) => problem.split(':')[0])
      expect([...new Set(fields)]).toEqual([each.field])
    },
  )

  test.each(all.flatMap((each) => (each.taken ?? []).map((value) => ({ ...each, value }))))(
    '$field $value is taken',
    (each) => {
      expect(problemsOf(dnsAdd, given(each, each.value))).toEqual([])
    },
  )

  test('nothing it takes is warned of as left out', () => {
    for (const each of all.filter(({ taken = [] }) => taken.length > 0)) {
      const warnings = invocationOf(dnsAdd, given(each, each.taken?.[0])).review?.warnings ?? []
      expect(warnings.filter((warning) => /is not sent/.test(warning))).toEqual([])
    }
  })
})

test('every type of record has such neighbours', () => {
  expect(Object.keys(OF_TYPE)).toEqual(RECORD_CASES.map(({ type }) => type))
})

const AT_THE_BOUNDS: readonly DnsRecordRequest[] = [
  { Ttl: 0, Weight: 0, Priority: 0, Flags: 0, Port: 0, GeolocationLatitude: -90, GeolocationLongitude: -180 },
  { Ttl: 2 ** 31 - 1, Weight: 65_535, Priority: 65_535, Flags: 255, Port: 65_535 },
  { GeolocationLatitude: 90, GeolocationLongitude: 180, PullZoneId: 1n, ScriptId: 2n ** 63n - 1n },
  { Type: 0, MonitorType: 0, SmartRoutingType: 0, Value: '', Name: '', Tag: null, Disabled: false, Accelerated: null },
  { Type: 15, MonitorType: 3, SmartRoutingType: 2, EnviromentalVariables: [], Comment: 'c' },
  { EnviromentalVariables: Array.from({ length: 200 }, () => ({ Name: 'A', Value: '' })) },
]

const BEYOND_THE_BOUNDS: readonly DnsRecordRequest[] = [
  ...(['Ttl', 'Weight', 'Priority', 'Flags', 'Port'] as const).map((field) => ({ [field]: -1 })),
  ...(['Weight', 'Priority', 'Port'] as const).map((field) => ({ [field]: 65_536 })),
  ...(['PullZoneId', 'ScriptId'] as const).flatMap((field) => [{ [field]: 0n }, { [field]: 2n ** 63n }]),
  { Ttl: 2 ** 31 },
  { Flags: 256 },
  { GeolocationLatitude: 90.1 },
  { GeolocationLongitude: -180.1 },
  { EnviromentalVariables: Array.from({ length: 201 }, () => ({ Name: 'A', Value: '' })) },
]

test('the client’s own border takes what is at its bounds, and nothing beyond', () => {
  expect(AT_THE_BOUNDS.flatMap(checkDnsRecordRequest)).toEqual([])
  for (const request of BEYOND_THE_BOUNDS) {
    expect(checkDnsRecordRequest(request).map(({ field }) => field)).toEqual(Object.keys(request))
  }
})
