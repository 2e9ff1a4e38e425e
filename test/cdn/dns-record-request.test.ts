import { expect, test } from 'vitest'
import { checkDnsRecordRequest, type DnsRecordRequest } from '../../src/cdn/dns-record.ts'

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
