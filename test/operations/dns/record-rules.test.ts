import { expect, test } from 'vitest'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { checkContext, invocationOf, problemsOf } from '../../support/operation-context.ts'

const PORT = { priority: '1', weight: '1', port: '5060' }
const RECORDS = {
  A: { zone: 'shop', type: 'A', name: 'www', value: '192.0.2.10' },
  AAAA: { zone: 'shop', type: 'AAAA', name: 'www', value: '2001:db8::1' },
  CNAME: { zone: 'shop', type: 'CNAME', name: 'www', value: 'target.example.net' },
  NS: { zone: 'shop', type: 'NS', name: 'sub', value: 'ns1.example.net' },
  SRV: { ...PORT, zone: 'shop', type: 'SRV', name: '_sip._tcp', value: 'sip.example.net' },
  HTTPS: { zone: 'shop', type: 'HTTPS', name: '@', priority: '1', value: '. alpn=h2' },
  PullZone: { zone: 'shop', type: 'PullZone', name: 'cdn', pullZone: 'shop' },
  Flatten: { zone: 'shop', type: 'Flatten', name: 'flat', value: 'target.example.net' },
  TXT: { zone: 'shop', type: 'TXT', name: '@', value: 'text' },
} as const satisfies Readonly<Record<string, RawValues>>

function warningsOf(values: RawValues, zones = checkContext().zones): readonly string[] {
  const context = checkContext({ zones })
  return invocationOf(dnsAdd, values, context).review?.warnings ?? []
}

const PLACED = { ...RECORDS.A, smartRouting: 'geolocation' }

test.each<[RawValues, field: string, rule: string]>([
  [{ ...RECORDS.A, weight: '101' }, 'weight', 'The weight of an A record is a whole number from 0 to 100.'],
  [{ ...RECORDS.AAAA, weight: '101' }, 'weight', 'The weight of an AAAA record is a whole number from 0 to 100.'],
  [
    { ...RECORDS.NS, name: '@' },
    'name',
    'The CDN takes no NS record for the zone itself: give the name of a part of it.',
  ],
  [
    { ...RECORDS.SRV, name: 'sip' },
    'name',
    'The name of an SRV record begins with service and protocol, such as _sip._tcp.',
  ],
  [
    { ...RECORDS.A, smartRouting: 'latency' },
    'latencyZone',
    'Latency routing needs the latency zone this record stands for.',
  ],
  [{ ...PLACED, latitude: '1' }, 'longitude', 'Geolocation routing needs the longitude of this record.'],
  [{ ...PLACED, longitude: '1' }, 'latitude', 'Geolocation routing needs the latitude of this record.'],
  [
    { ...RECORDS.CNAME, smartRouting: 'geolocation' },
    'smartRouting',
    'A CNAME record can be routed by latency only, not by geolocation.',
  ],
  [
    { ...RECORDS.A, value: 'www.example.net' },
    'value',
    'The value of an A record is an IPv4 address such as 192.0.2.10.',
  ],
  [
    { ...RECORDS.A, value: '192.0.2.999' },
    'value',
    '999 is more than 255, the most that a part of an IPv4 address can be.',
  ],
  [{ zone: 'shop', type: 'TXT', name: '@' }, 'value', 'A TXT record needs Text.'],
  [{ zone: 'shop', type: 'PullZone', name: 'cdn' }, 'pullZone', 'A PullZone record needs Pull zone.'],
  [{ zone: 'shop', type: 'A', value: '192.0.2.1' }, 'name', 'Name is needed.'],
])('%j is refused at %s: %s', (values, field, rule) => {
  expect(problemsOf(dnsAdd, values)).toEqual([`${field}: ${rule}`])
})

test.each([
  { ...RECORDS.A, weight: '100' },
  { ...RECORDS.SRV, weight: '65535' },
  { ...RECORDS.A, smartRouting: 'latency', latencyZone: 'NY' },
  { ...RECORDS.A, smartRouting: 'geolocation', latitude: '-90', longitude: '180' },
  { ...RECORDS.A, smartRouting: 'none' },
  { ...RECORDS.TXT, smartRouting: 'latency' },
  { ...RECORDS.TXT, smartRouting: 'geolocation' },
  { ...RECORDS.CNAME, name: '@' },
])('%j may be added', (values) => {
  expect(problemsOf(dnsAdd, values)).toEqual([])
})

test.each(['_sip', '_sip.tcp', 'sip._tcp', '_._tcp', '_sip._'])('no service is named %s', (name) => {
  expect(problemsOf(dnsAdd, { ...RECORDS.SRV, name })).toHaveLength(1)
})

test('several problems are all named, each at its field', () => {
  const problems = problemsOf(dnsAdd, { zone: 'shop', type: 'MX', name: 'a..b', value: '10 mail' })
  expect(problems.map((problem) => problem.split(':')[0])).toEqual(['name', 'value', 'priority'])
})

test('without a readable type only what can be read is judged', () => {
  expect(problemsOf(dnsAdd, { zone: 'shop', type: 'nonsense', name: 'a..b' })).toHaveLength(1)
})

test.each([
  [{ ...RECORDS.AAAA, accelerated: 'on' }, 'Accelerated is not sent: an AAAA record takes none.'],
  [{ ...RECORDS.PullZone, value: '192.0.2.1' }, 'Value is not sent: a PullZone record takes none.'],
  [{ ...RECORDS.TXT, latencyZone: 'NY' }, 'Latency zone is not sent: a TXT record takes none.'],
  [{ ...RECORDS.TXT, longitude: '1' }, 'Longitude is not sent: a TXT record takes none.'],
  [{ ...RECORDS.TXT, priority: '5' }, 'Priority is not sent: a TXT record takes none.'],
  [
    { ...RECORDS.Flatten, name: '@' },
    'The CDN has discontinued Flatten records and may refuse this one; CNAME takes their place.',
  ],
  [
    { ...RECORDS.CNAME, name: '@' },
    'At the zone itself a CNAME record is flattened: the CDN answers with the addresses of its target.',
  ],
  [{ ...RECORDS.HTTPS, value: '.' }, 'The value has no parameters, and the CDN has been known to refuse such records.'],
  [
    { ...RECORDS.A, latencyZone: 'NY', smartRouting: 'none' },
    'The latency zone counts only with smart routing by latency.',
  ],
  [
    { ...RECORDS.A, latitude: '1', smartRouting: 'none' },
    'Latitude and longitude count only with smart routing by geolocation.',
  ],
  [{ ...RECORDS.A, latencyZone: 'NY' }, 'The latency zone counts only with smart routing by latency.'],
  [
    { ...RECORDS.HTTPS, type: 'SVCB', value: '.' },
    'The value has no parameters, and the CDN has been known to refuse such records.',
  ],
  [{ ...RECORDS.A, longitude: '1' }, 'Latitude and longitude count only with smart routing by geolocation.'],
  [{ ...RECORDS.A, latitude: '1' }, 'Latitude and longitude count only with smart routing by geolocation.'],
] as const)('%j is allowed with the warning: %s', (values, warning) => {
  expect(warningsOf(values)).toEqual([warning])
})

test.each<RawValues>([
  ...Object.values(RECORDS).filter(({ type }) => type !== 'Flatten'),
  { ...PLACED, latitude: '1', longitude: '1' },
  { ...RECORDS.A, smartRouting: 'latency', latencyZone: 'NY' },
  { ...RECORDS.HTTPS, value: 'a.example alpn=h2' },
  { ...RECORDS.A, name: '@' },
])('%j has no warning', (values) => {
  expect(warningsOf(values)).toEqual([])
})

test('a name that repeats the zone is pointed out, where the zone is called by its domain', () => {
  const zones = [{ kind: 'dns', name: 'example.com', zoneId: '9' }] as const
  const record = { ...RECORDS.A, zone: 'example.com' }
  expect(warningsOf({ ...record, name: 'www.example.com.' }, zones)).toEqual([
    'Names are relative to the zone, so this record would be www.example.com.example.com.',
  ])
  expect(warningsOf({ ...record, name: 'Example.com' }, zones)).toHaveLength(1)
  expect(warningsOf({ ...record, name: 'example.com' }, [{ ...zones[0], name: 'Example.COM' }])).toHaveLength(1)
  expect(warningsOf({ ...record, name: 'www.shop', zone: 'shop' })).toEqual([])
  expect(warningsOf({ ...record, name: 'myexample.com' }, zones)).toEqual([])
  expect(warningsOf({ ...record, name: 'www' }, zones)).toEqual([])
})
