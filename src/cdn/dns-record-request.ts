import * as z from 'zod'
import { DNS_RECORD_TYPES, MONITOR_TYPES, numbersOf, SMART_ROUTING_TYPES } from './enums.ts'
import { issuesOf, type RequestIssue } from './request-rules.ts'
import { INT32_MAX, INT64_MAX } from './wire-fields.ts'

const MAX_ENVIRONMENT_VARIABLES = 200
const PORT_MAX = 65_535
const BYTE_MAX = 255

const text = z.string().nullish()
const flag = z.boolean().nullish()
const id = z
  .union([z.int().transform(BigInt), z.bigint()])
  .refine((value) => value > 0n && value <= INT64_MAX, 'Ids are whole numbers above 0 that fit into 64 bits.')
  .nullish()

/**
 * What is sent to add a DNS record: the contract's 21 fields, all of them optional. Ranges are the contract's types;
 * ports, degrees and “not below 0” follow from what the fields mean, since the contract states no bounds for them.
 */
export const DnsRecordRequest = z.strictObject({
  Type: choice(DNS_RECORD_TYPES, 'The record type is a number from 0 (A) to 15 (TLSA).').optional(),
  Ttl: whole(INT32_MAX, 'The TTL').nullish(),
  Value: text,
  Name: text,
  Weight: whole(PORT_MAX, 'The weight').nullish(),
  Priority: whole(PORT_MAX, 'The priority').nullish(),
  Flags: whole(BYTE_MAX, 'The flags byte').nullish(),
  Tag: text,
  Port: whole(PORT_MAX, 'The port').nullish(),
  PullZoneId: id,
  ScriptId: id,
  Accelerated: flag,
  MonitorType: choice(MONITOR_TYPES, 'The monitor type is a number from 0 (None) to 3 (Monitor).').optional(),
  GeolocationLatitude: degrees(90, 'The latitude').nullish(),
  GeolocationLongitude: degrees(180, 'The longitude').nullish(),
  LatencyZone: text,
  SmartRoutingType: choice(
    SMART_ROUTING_TYPES,
    'The smart routing type is 0 (None), 1 (Latency) or 2 (Geolocation).',
  ).optional(),
  Disabled: flag,
  EnviromentalVariables: z
    .array(z.strictObject({ Name: z.string(), Value: z.string() }))
    .max(MAX_ENVIRONMENT_VARIABLES, `At most ${MAX_ENVIRONMENT_VARIABLES} environment variables are sent.`)
    .readonly()
    .nullish(),
  Comment: text,
  AutoSslIssuance: flag,
})
export type DnsRecordRequest = Readonly<z.input<typeof DnsRecordRequest>>

/** Every rule the request breaks, by field. Which fields a record type needs is decided where records are described. */
export function checkDnsRecordRequest(request: unknown): readonly RequestIssue[] {
  return issuesOf(DnsRecordRequest, request)
}

function choice(names: Readonly<Record<string, number>>, rule: string) {
  return z.literal([...numbersOf(names)], rule)
}

function whole(maximum: number, subject: string) {
  const rule = `${subject} is a whole number from 0 to ${maximum}.`
  return z.int(rule).min(0, rule).max(maximum, rule)
}

function degrees(limit: number, subject: string) {
  const rule = `${subject} is a number of degrees from -${limit} to ${limit}.`
  return z.number(rule).min(-limit, rule).max(limit, rule)
}
