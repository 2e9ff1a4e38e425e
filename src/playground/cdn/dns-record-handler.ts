import { isIP } from 'node:net'
import * as z from 'zod'
import type { Answer, Call } from './call.ts'
import { readManagement } from './reader.ts'
import { invalidField, refuseManagement } from './refusal.ts'
import type { World } from './world/world.ts'

/** The contract's numbers, transcribed a second time: the client's transcription is what is being tested. */
export const RECORD_TYPES = 'A AAAA CNAME TXT MX Redirect Flatten PullZone SRV CAA PTR Script NS SVCB HTTPS TLSA'.split(
  ' ',
)
const BYTE_MAX = 255
const PORT_MAX = 65_535
const DEFAULT_TTL_SECONDS = 300
const DEFAULT_WEIGHT = 100

const text = z.string().nullish()
const flag = z.boolean().nullish()
const int32 = z.int32().nullish()
const id = z.union([z.int(), z.bigint()]).transform(BigInt).nullish()

/** Value comes before Name, because the platform looks at it first. */
const Request = z.strictObject({
  Type: z
    .int()
    .min(0)
    .max(RECORD_TYPES.length - 1, 'The record type is not valid.')
    .optional(),
  Value: text,
  Name: text,
  Ttl: int32,
  Weight: int32,
  Priority: int32,
  Flags: z.int().min(0).max(BYTE_MAX, 'Flags must fit into a byte.').nullish(),
  Tag: text,
  Port: int32,
  PullZoneId: id,
  ScriptId: id,
  Accelerated: flag,
  MonitorType: z.literal([0, 1, 2, 3], 'The monitor type is not valid.').optional(),
  GeolocationLatitude: z.number().nullish(),
  GeolocationLongitude: z.number().nullish(),
  LatencyZone: text,
  SmartRoutingType: z.literal([0, 1, 2], 'The smart routing type is not valid.').optional(),
  Disabled: flag,
  EnviromentalVariables: z.array(z.strictObject({ Name: z.string(), Value: z.string() })).nullish(),
  Comment: text,
  AutoSslIssuance: flag,
})
type RecordRequest = z.output<typeof Request>

/**
 * Adds a record; the same request twice adds two. What is stored differs from what was asked the way the platform's
 * answers do: a final dot goes, a weight of 100 and automatic certificates come, and links are told by name.
 */
export function addDnsRecord({ params, body, world }: Call<'addDnsRecord'>): Answer<'addDnsRecord'> {
  const zone = world.dnsZone(params.zoneId)
  if (zone === undefined) throw refuseManagement(404, 'dnszone.zone.not_found', 'Id', 'The DNS zone was not found.')
  const request = readManagement(Request, body)
  const number = request.Type ?? 0
  const type = RECORD_TYPES[number] ?? ''
  checkRecord(type, request, world)
  const value = storedValue(type, request, world)
  const name = request.Name ?? ''
  const comment = request.Comment ?? undefined
  const stored = world.addRecord(zone, { type: number, name, value, comment })
  if (stored === undefined) throw invalidField('Id', 'The zone holds as many records as it may.')
  return {
    status: 201,
    body: {
      Id: stored.id,
      Type: number,
      Ttl: request.Ttl ?? DEFAULT_TTL_SECONDS,
      Value: value,
      Name: name,
      Weight: storedWeight(type, request.Weight),
      Priority: request.Priority ?? 0,
      Port: request.Port ?? 0,
      Flags: request.Flags ?? 0,
      Tag: request.Tag ?? null,
      Accelerated: request.Accelerated ?? false,
      AcceleratedPullZoneId: 0,
      LinkName: type === 'PullZone' ? String(request.PullZoneId) : '',
      ...places(type, value, request),
      MonitorStatus: 0,
      MonitorType: request.MonitorType ?? 0,
      EnviromentalVariables: request.EnviromentalVariables ?? [],
      LatencyZone: request.LatencyZone ?? null,
      SmartRoutingType: request.SmartRoutingType ?? 0,
      Disabled: request.Disabled ?? false,
      Comment: comment ?? null,
      AutoSslIssuance: request.AutoSslIssuance ?? true,
      AccelerationStatus: 0,
    },
  }
}

/** A target host without a final dot, or a single dot where a record says that there is none. */
const isHost = (value: string) => /^(?:\.|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)$/i.test(value)
const isServiceBinding = (value: string) => isHost(value.split(' ')[0] ?? '')

/** What the value of a type looks like; types that take their target from an id have no entry. */
const VALUE_RULES: Readonly<Record<string, (value: string) => boolean>> = {
  A: (value) => isIP(value) === 4,
  AAAA: (value) => isIP(value) === 6,
  CNAME: isHost,
  TXT: (value) => value !== '',
  MX: isHost,
  Redirect: (value) => /^https?:\/\/\S+$/.test(value),
  Flatten: isHost,
  SRV: isHost,
  CAA: (value) => value !== '' && !value.includes('"'),
  PTR: isHost,
  NS: isHost,
  SVCB: isServiceBinding,
  HTTPS: isServiceBinding,
  TLSA: (value) => /^\d{1,3} \d{1,3} \d{1,3} [0-9a-f]+$/i.test(value),
}

/** Holds a request against what its type needs. Throws `Refusal` with the first broken rule. */
function checkRecord(type: string, request: RecordRequest, world: World): void {
  const name = request.Name ?? ''
  if (VALUE_RULES[type]?.(request.Value ?? '') === false) throw invalidField('Value', 'The record value is not valid.')
  if (name === '' && type === 'NS') {
    throw invalidField('Value', 'NS records cannot be set at the root of the domain.')
  }
  // The empty name is the zone itself; `@` is how people write that, not how the interface does.
  const labels = /^(?:\*|[a-z0-9_-]+)(?:\.[a-z0-9_-]+)*$/i
  if (name !== '' && !labels.test(name)) throw invalidField('Name', 'The record name is not valid.')
  checkLinks(type, request, world)
  if (type === 'CAA' && !['issue', 'issuewild', 'iodef'].includes(request.Tag ?? '')) {
    throw invalidField('Tag', 'A CAA record needs the tag issue, issuewild or iodef.')
  }
  for (const field of type === 'SRV' ? (['Priority', 'Weight', 'Port'] as const) : []) {
    const value = request[field] ?? 0
    if (value < 0 || value > PORT_MAX) throw invalidField(field, `${field} must fit into 16 bits.`)
  }
  if (request.Accelerated === true && type !== 'A' && type !== 'CNAME') {
    throw invalidField('Accelerated', 'Only A and CNAME records can be accelerated.')
  }
}

/** An id that names nothing is refused for every type, 0 included; one that the type does not use is ignored. */
function checkLinks(type: string, { PullZoneId, ScriptId }: RecordRequest, world: World): void {
  const pullZoneMissing = (PullZoneId ?? null) === null
  if (pullZoneMissing ? type === 'PullZone' : world.pullZone(PullZoneId ?? 0n) === undefined) {
    throw invalidField('PullZoneId', 'The pull zone ID is not valid.')
  }
  const scriptMissing = (ScriptId ?? null) === null
  if (scriptMissing ? type === 'Script' : (ScriptId ?? 0n) <= 0n) {
    throw invalidField('ScriptId', 'The script ID is not valid')
  }
}

function storedValue(type: string, { Value, PullZoneId, ScriptId }: RecordRequest, world: World): string {
  if (type === 'PullZone') return world.pullZone(PullZoneId ?? 0n)?.name ?? ''
  if (type === 'Script') return String(ScriptId)
  const value = Value ?? ''
  const isTarget = ['CNAME', 'MX', 'SRV', 'PTR', 'NS'].includes(type)
  return isTarget && value !== '.' ? value.replace(/\.$/, '') : value
}

/** A weight of 0 cannot be told from none and is stored as 100 too, except where the type gives it a meaning. */
function storedWeight(type: string, asked: number | null | undefined): number {
  if (type === 'SRV') return asked ?? 0
  return asked === undefined || asked === null || asked === 0 ? DEFAULT_WEIGHT : asked
}

const CITY = { Country: 'Germany', City: 'Frankfurt' }
const LOOKED_UP = { ...CITY, CountryCode: 'DE', ASN: 64_496, OrganizationName: 'Example Broadband' }
const PRIVATE_ADDRESS = /^(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./

/** Only addresses are looked up, and only records answered by place have one of their own. */
function places(type: string, value: string, request: RecordRequest) {
  const latitude = request.GeolocationLatitude ?? 0
  const longitude = request.GeolocationLongitude ?? 0
  const place = { ...CITY, Latitude: latitude, Longitude: longitude }
  return {
    IPGeoLocationInfo: type === 'A' && !PRIVATE_ADDRESS.test(value) ? LOOKED_UP : null,
    GeolocationInfo: request.SmartRoutingType === 2 ? place : null,
    GeolocationLatitude: latitude,
    GeolocationLongitude: longitude,
  }
}
