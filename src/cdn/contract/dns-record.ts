import * as z from 'zod'
import { decimal, flag, int32, INT32_MAX, int64, Int64Id, MAX_LIST_ITEMS, maybe, text } from './wire-fields.ts'
import { DNS_RECORD_TYPES, MONITOR_TYPES, SMART_ROUTING_TYPES } from './enums.ts'

/** One variable handed to the script behind a record. The value may be a secret; mask it wherever it is shown. */
export const EnvironmentVariable = z.object({ Name: maybe(text), Value: maybe(text) })
export type EnvironmentVariable = Readonly<z.output<typeof EnvironmentVariable>>

export const IpGeoLocationInfo = z.object({
  CountryCode: maybe(text),
  Country: maybe(text),
  ASN: maybe(int64),
  OrganizationName: maybe(text),
  City: maybe(text),
})

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

const MAX_ENVIRONMENT_VARIABLES = 200
const PORT_MAX = 65_535
const BYTE_MAX = 255

const maybeText = text.nullish()
const maybeFlag = flag.nullish()
const id = z
  .union([z.int().transform(BigInt), z.bigint()])
  .pipe(Int64Id)
  .nullish()

/**
 * What is sent to add a DNS record: the contract's 21 fields, all of them optional. Ranges are the contract's types;
 * ports, degrees and “not below 0” follow from what the fields mean, since the contract states no bounds for them.
 */
export const DnsRecordRequest = z
  .strictObject({
    Type: choice(DNS_RECORD_TYPES, 'The record type is a number from 0 (A) to 15 (TLSA).').optional(),
    Ttl: whole(INT32_MAX, 'The TTL').nullish(),
    Value: maybeText,
    Name: maybeText,
    Weight: whole(PORT_MAX, 'The weight').nullish(),
    Priority: whole(PORT_MAX, 'The priority').nullish(),
    Flags: whole(BYTE_MAX, 'The flags byte').nullish(),
    Tag: maybeText,
    Port: whole(PORT_MAX, 'The port').nullish(),
    PullZoneId: id,
    ScriptId: id,
    Accelerated: maybeFlag,
    MonitorType: choice(MONITOR_TYPES, 'The monitor type is a number from 0 (None) to 3 (Monitor).').optional(),
    GeolocationLatitude: degrees(90, 'The latitude').nullish(),
    GeolocationLongitude: degrees(180, 'The longitude').nullish(),
    LatencyZone: maybeText,
    SmartRoutingType: choice(
      SMART_ROUTING_TYPES,
      'The smart routing type is 0 (None), 1 (Latency) or 2 (Geolocation).',
    ).optional(),
    Disabled: maybeFlag,
    EnviromentalVariables: z
      .array(z.strictObject({ Name: z.string(), Value: z.string() }))
      .max(MAX_ENVIRONMENT_VARIABLES, `At most ${MAX_ENVIRONMENT_VARIABLES} environment variables are sent.`)
      .readonly()
      .nullish(),
    Comment: maybeText,
    AutoSslIssuance: maybeFlag,
  })
  .meta({ examples: [{ Type: 0, Name: 'www', Value: '192.0.2.10' }] })
export type DnsRecordRequest = Readonly<z.input<typeof DnsRecordRequest>>

function choice(names: Readonly<Record<string, number>>, rule: string) {
  return z.literal(Object.values(names), rule)
}

function whole(maximum: number, subject: string) {
  const rule = `${subject} is a whole number from 0 to ${maximum}.`
  return z.int(rule).min(0, rule).max(maximum, rule)
}

function degrees(limit: number, subject: string) {
  const rule = `${subject} is a number of degrees from -${limit} to ${limit}.`
  return z.number(rule).min(-limit, rule).max(limit, rule)
}
