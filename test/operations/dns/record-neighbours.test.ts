import { describe, expect, test } from 'vitest'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { RECORD_CASES, typedValues } from '../../support/dns-record-cases.ts'
import { invocationOf, problemsOf } from '../../support/operation-context.ts'
import {
  ANY,
  HOST,
  HOST_OR_DOT,
  LATENCY,
  LONGEST_NAME,
  NAMES,
  type Neighbours,
  PLACED,
  ROUTED,
  SERVICE,
  switches,
  TTL,
  values,
  whole,
} from '../../support/record-neighbours.ts'

const HASH = 'ab'.repeat(32)
const VARIABLES = Array.from({ length: 50 }, (_, index) => `V${index}=x`)

/** What a type takes and refuses beside what all do. */
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
        ...values('x  .  a "b" c  open"  "a"  "a" "b"  "a""b"  Grüße 🙂'),
        String.raw`"a\"b"`,
        String.raw`"a\\"`,
        "'a'",
        'x'.repeat(3_000),
      ],
    },
    TTL,
  ],
  MX: [HOST_OR_DOT, whole('priority', 65_535), TTL],
  Redirect: [
    {
      field: 'value',
      refused: [
        ...values(
          'a.example  //a.example  ftp://a.example  https://  https://a b  mailto:a@b.example',
          'javascript:alert(1)',
        ),
        '',
      ],
      taken: [
        ...values(
          'https://a.example  http://a.example/  HTTPS://A.example  https://a.example:8443/b?c=d#e',
          'https://[2001:db8::1]/  https://münchen.example/ü',
        ),
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
        ...values(';  ";"  ca.example  "ca.example"  ca.example; a=b  ca.example ; a=b; c=d  ;a=b'),
        ' ; ',
        LONGEST_NAME,
      ],
    },
    {
      field: 'value',
      refused: [
        ...values(';  ca.example  mailto:nobody  mailto:a b@c.example  mailto:a@b@c  ftp://a.example  https://a b'),
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
        ...values('A  =x  1A=x  A-B=x  A B=x'),
        `${'A'.repeat(129)}=x`,
        'A=1\nA=2',
        'A=1\nB',
        [...VARIABLES, 'LAST=x'].join('\n'),
        `A=${'x'.repeat(2_999)}`,
      ],
      taken: [
        ...values('A=  A=x  A==x=  _=x  a1_B=x y'),
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
        ...values('3 1 1  256 1 0 ab  3 256 0 ab  3 1 256 ab  -1 1 0 ab  3 1 0 abc  3 1 0 xy  3 1 1 ab'),
        '',
        `3 1 ${HASH}`,
        `3 1 1 ${HASH}ab`,
        `3 1 2 ${HASH}`,
      ],
      taken: [
        ...values('0 0 0 ab  255 255 255 AB  3 1 0 ab cd  3 1 3 ab  03 01 0 ab'),
        ` 3  1\t1 ${HASH} `,
        `3 1 1 ${HASH.toUpperCase()}`,
        `3 1 2 ${HASH}${HASH}`,
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
