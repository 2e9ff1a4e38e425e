import * as z from 'zod'
import { decimal, flag, int32, int64, MAX_LIST_ITEMS, maybe, text } from './wire-fields.ts'

/** One variable handed to the script behind a record. The value may be a secret; mask it wherever it is shown. */
export const EnvironmentVariable = z.object({ Name: maybe(text), Value: maybe(text) })
export type EnvironmentVariable = Readonly<z.output<typeof EnvironmentVariable>>

/** What the platform knows of the address a record points to. */
export const IpGeoLocationInfo = z.object({
  CountryCode: maybe(text),
  Country: maybe(text),
  ASN: maybe(int64),
  OrganizationName: maybe(text),
  City: maybe(text),
})

/** The place a record is answered for. */
export const GeolocationInfo = z.object({
  Country: maybe(text),
  City: maybe(text),
  Latitude: maybe(decimal),
  Longitude: maybe(decimal),
})

/**
 * A DNS record as the platform stored it, which may differ from what was asked. Only the id is certain: answers leave
 * out fields, and objects the contract does not call nullable do arrive as null. Numbers of enums are kept as they are.
 */
export const DnsRecord = z.object({
  Id: int64,
  Type: maybe(int32),
  Ttl: maybe(int32),
  Value: maybe(text),
  Name: maybe(text),
  Weight: maybe(int32),
  Priority: maybe(int32),
  Port: maybe(int32),
  Flags: maybe(int32),
  Tag: maybe(text),
  Accelerated: maybe(flag),
  AcceleratedPullZoneId: maybe(int64),
  LinkName: maybe(text),
  IPGeoLocationInfo: maybe(IpGeoLocationInfo),
  GeolocationInfo: maybe(GeolocationInfo),
  MonitorStatus: maybe(int32),
  MonitorType: maybe(int32),
  GeolocationLatitude: maybe(decimal),
  GeolocationLongitude: maybe(decimal),
  EnviromentalVariables: maybe(z.array(EnvironmentVariable).max(MAX_LIST_ITEMS).readonly()),
  LatencyZone: maybe(text),
  SmartRoutingType: maybe(int32),
  Disabled: maybe(flag),
  Comment: maybe(text),
  AutoSslIssuance: maybe(flag),
  AccelerationStatus: maybe(int32),
})
export type DnsRecord = Readonly<z.output<typeof DnsRecord>>
