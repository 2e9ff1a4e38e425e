import type { DnsRecordRequest } from '../../src/cdn/contract/dns-record.ts'
import type { DnsRecordTypeName } from '../../src/cdn/contract/enums.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'

/** One record as it is typed, as the form gives it, and the body it becomes. */
export interface RecordCase {
  readonly type: DnsRecordTypeName
  /** What is typed after the zone and the type: one entry for each positional. */
  readonly typed: readonly string[]
  /** Every further field the type takes, as flags and inputs give them. */
  readonly further: RawValues
  readonly body: DnsRecordRequest
}

const ANY = { comment: 'for the shop', disabled: 'on' }
const ANY_SENT = { Comment: 'for the shop', Disabled: true }
const SERVED = { accelerated: 'off', autoSsl: 'on' }
const SERVED_SENT = { Accelerated: false, AutoSslIssuance: true }
const PLACED = { smartRouting: 'geolocation', latencyZone: 'de', latitude: '52.5', longitude: '-13.4' }
const PLACED_SENT = {
  SmartRoutingType: 2,
  LatencyZone: 'DE',
  GeolocationLatitude: 52.5,
  GeolocationLongitude: -13.4,
} as const
const HASH = 'ab'.repeat(32)

/** All 16 types with all the fields each takes. */
export const RECORD_CASES: readonly RecordCase[] = [
  {
    type: 'A',
    typed: ['www', '192.0.2.10'],
    further: { ttl: '300', weight: '100', monitor: 'http', ...SERVED, ...PLACED, ...ANY },
    body: {
      Type: 0,
      Name: 'www',
      Value: '192.0.2.10',
      Ttl: 300,
      Weight: 100,
      MonitorType: 2,
      ...SERVED_SENT,
      ...PLACED_SENT,
      ...ANY_SENT,
    },
  },
  {
    type: 'AAAA',
    typed: ['www', '2001:db8::10'],
    further: { ttl: '5m', weight: '0', monitor: 'ping', autoSsl: 'off', ...PLACED, ...ANY },
    body: {
      Type: 1,
      Name: 'www',
      Value: '2001:db8::10',
      Ttl: 300,
      Weight: 0,
      MonitorType: 1,
      AutoSslIssuance: false,
      ...PLACED_SENT,
      ...ANY_SENT,
    },
  },
  {
    type: 'CNAME',
    typed: ['shop', 'target.example.net.'],
    further: { ttl: '1h', smartRouting: 'Latency', latencyZone: 'NY', ...SERVED, ...ANY },
    body: {
      Type: 2,
      Name: 'shop',
      Value: 'target.example.net',
      Ttl: 3600,
      SmartRoutingType: 1,
      LatencyZone: 'NY',
      ...SERVED_SENT,
      ...ANY_SENT,
    },
  },
  {
    type: 'TXT',
    typed: ['@', '"v=spf1 -all"'],
    further: { ttl: '1d', ...ANY },
    body: { Type: 3, Name: '', Value: 'v=spf1 -all', Ttl: 86_400, ...ANY_SENT },
  },
  {
    type: 'MX',
    typed: ['@', '10', 'mail.example.net'],
    further: { ttl: '0', ...ANY },
    body: { Type: 4, Name: '', Priority: 10, Value: 'mail.example.net', Ttl: 0, ...ANY_SENT },
  },
  {
    type: 'Redirect',
    typed: ['old', 'https://www.example.net/a?b=c'],
    further: { autoSsl: 'on', ...ANY },
    body: { Type: 5, Name: 'old', Value: 'https://www.example.net/a?b=c', AutoSslIssuance: true, ...ANY_SENT },
  },
  {
    type: 'Flatten',
    typed: ['flat', 'target.example.net'],
    further: { ttl: '15', ...ANY },
    body: { Type: 6, Name: 'flat', Value: 'target.example.net', Ttl: 15, ...ANY_SENT },
  },
  {
    type: 'PullZone',
    typed: ['cdn', '9007199254740993'],
    further: { ttl: '300', autoSsl: 'on', ...ANY },
    body: { Type: 7, Name: 'cdn', PullZoneId: 9_007_199_254_740_993n, Ttl: 300, AutoSslIssuance: true, ...ANY_SENT },
  },
  {
    type: 'SRV',
    typed: ['_sip._tcp', '010', '65535', '5060', 'sip.example.net'],
    further: { ttl: '300', ...ANY },
    body: {
      Type: 8,
      Name: '_sip._tcp',
      Priority: 10,
      Weight: 65_535,
      Port: 5060,
      Value: 'sip.example.net',
      Ttl: 300,
      ...ANY_SENT,
    },
  },
  {
    type: 'CAA',
    typed: ['@', '128', 'IssueWild', '"ca.example.net"'],
    further: { ttl: '300', ...ANY },
    body: { Type: 9, Name: '', Flags: 128, Tag: 'issuewild', Value: 'ca.example.net', Ttl: 300, ...ANY_SENT },
  },
  {
    type: 'PTR',
    typed: ['10', 'host.example.net.'],
    further: { ttl: '300', ...ANY },
    body: { Type: 10, Name: '10', Value: 'host.example.net', Ttl: 300, ...ANY_SENT },
  },
  {
    type: 'Script',
    typed: ['edge', '77'],
    further: { variables: 'MODE=live\nTOKEN=a=b', autoSsl: 'on', ...ANY },
    body: {
      Type: 11,
      Name: 'edge',
      ScriptId: 77n,
      EnviromentalVariables: [
        { Name: 'MODE', Value: 'live' },
        { Name: 'TOKEN', Value: 'a=b' },
      ],
      AutoSslIssuance: true,
      ...ANY_SENT,
    },
  },
  {
    type: 'NS',
    typed: ['sub', 'ns1.example.net.'],
    further: { ttl: '300', ...ANY },
    body: { Type: 12, Name: 'sub', Value: 'ns1.example.net', Ttl: 300, ...ANY_SENT },
  },
  {
    type: 'SVCB',
    typed: ['_dns', '1', 'dns.example.net. alpn=h2 port=853'],
    further: { ttl: '300', ...ANY },
    body: { Type: 13, Name: '_dns', Priority: 1, Value: 'dns.example.net alpn=h2 port=853', Ttl: 300, ...ANY_SENT },
  },
  {
    type: 'HTTPS',
    typed: ['@', '1', '. alpn="h2,h3"'],
    further: { ttl: '300', ...ANY },
    body: { Type: 14, Name: '', Priority: 1, Value: '. alpn="h2,h3"', Ttl: 300, ...ANY_SENT },
  },
  {
    type: 'TLSA',
    typed: ['_443._tcp', `03 01 01 ${HASH}`],
    further: { ttl: '300', ...ANY },
    body: { Type: 15, Name: '_443._tcp', Value: `3 1 1 ${HASH}`, Ttl: 300, ...ANY_SENT },
  },
]

/** The values that typing a record gives, by the operation's own order of positionals. */
export function typedValues({ type, typed, further }: RecordCase, positionals: readonly string[]): RawValues {
  const words = ['shop', type, ...typed]
  return { ...Object.fromEntries(positionals.map((name, index) => [name, words[index] ?? ''])), ...further }
}
