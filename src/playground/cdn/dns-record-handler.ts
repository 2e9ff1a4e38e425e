import { isIP } from 'node:net'
import * as z from 'zod'
import type { Answer, Call } from './call.ts'
import { invalidField, or, readManagement, refuseManagement } from './refusal.ts'
import type { World } from './world/world.ts'

/** The contract's numbers, transcribed a second time: the client's transcription is what is being tested. */
export const RECORD_TYPES = 'A AAAA CNAME TXT MX Redirect Flatten PullZone SRV CAA PTR Script NS SVCB HTTPS TLSA'.split(
  ' ',
)
const BYTE_MAX = 255
const PORT_MAX = 65_535
const DEFAULT_TTL_SECONDS = 300
const DEFAULT_WEIGHT = 100

const text = or(z.string(), '')
const note = or(z.string().nullable(), null)
const int32 = or(z.int32(), 0)
const coordinate = or(z.number(), 0)
const id = or(z.union([z.int(), z.bigint()]).transform(BigInt).optional(), undefined)

/** Value comes before Name, because the platform looks at it first. */
const Request = z.strictObject({
  Type: z
    .int()
    .min(0)
    .max(RECORD_TYPES.length - 1, 'The record type is not valid.')
    .default(0),
  Value: text,
  Name: text,
  Ttl: or(z.int32(), DEFAULT_TTL_SECONDS),
  Weight: int32,
  Priority: int32,
  Flags: or(z.int().min(0).max(BYTE_MAX, 'Flags must fit into a byte.'), 0),
  Tag: note,
  Port: int32,
  PullZoneId: id,
  ScriptId: id,
  Accelerated: or(z.boolean(), false),
  MonitorType: z.literal([0, 1, 2, 3], 'The monitor type is not valid.').default(0),
  GeolocationLatitude: coordinate,
  GeolocationLongitude: coordinate,
  LatencyZone: note,
  SmartRoutingType: z.literal([0, 1, 2], 'The smart routing type is not valid.').default(0),
  Disabled: or(z.boolean(), false),
  EnviromentalVariables: or(z.array(z.strictObject({ Name: z.string(), Value: z.string() })), []),
  Comment: note,
  AutoSslIssuance: or(z.boolean(), true),
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
  const { PullZoneId, ScriptId: _, ...asked } = request
  const { Type, Name, Weight, Comment, GeolocationLatitude: Latitude, GeolocationLongitude: Longitude } = asked
  const type = RECORD_TYPES[Type] ?? ''
  checkRecord(type, request, world)
  const value = storedValue(type, request, world)
  const stored = world.addRecord(zone, { type: Type, name: Name, value, comment: Comment ?? undefined })
  if (stored === undefined) throw invalidField('Id', 'The zone holds as many records as it may.')
  return {
    status: 201,
    body: {
      ...asked,
      Id: stored.id,
      Value: value,
      // A weight of 0 cannot be told from none and is stored as 100 too, except where the type gives it a meaning.
      Weight: Weight === 0 && type !== 'SRV' ? DEFAULT_WEIGHT : Weight,
      AcceleratedPullZoneId: 0,
      LinkName: type === 'PullZone' ? String(PullZoneId) : '',
      // Only addresses are looked up, and only records answered by place have one of their own.
      IPGeoLocationInfo: type === 'A' ? LOOKED_UP : null,
      GeolocationInfo: asked.SmartRoutingType === 2 ? { ...CITY, Latitude, Longitude } : null,
      MonitorStatus: 0,
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
  const { Name: name, Tag, Accelerated } = request
  if (VALUE_RULES[type]?.(request.Value) === false) throw invalidField('Value', 'The record value is not valid.')
  if (name === '' && type === 'NS') {
    throw invalidField('Value', 'NS records cannot be set at the root of the domain.')
  }
  // The empty name is the zone itself; `@` is how people write that, not how the interface does.
  const labels = /^(?:\*|[a-z0-9_-]+)(?:\.[a-z0-9_-]+)*$/i
  if (name !== '' && !labels.test(name)) throw invalidField('Name', 'The record name is not valid.')
  checkLinks(type, request, world)
  if (type === 'CAA' && !['issue', 'issuewild', 'iodef'].includes(Tag ?? '')) {
    throw invalidField('Tag', 'A CAA record needs the tag issue, issuewild or iodef.')
  }
  for (const field of type === 'SRV' ? (['Priority', 'Weight', 'Port'] as const) : []) {
    if (request[field] < 0 || request[field] > PORT_MAX) throw invalidField(field, `${field} must fit into 16 bits.`)
  }
  if (Accelerated && type !== 'A' && type !== 'CNAME') {
    throw invalidField('Accelerated', 'Only A and CNAME records can be accelerated.')
  }
}

/** An id that names nothing is refused for every type, 0 included; one that the type does not use is ignored. */
function checkLinks(type: string, { PullZoneId, ScriptId }: RecordRequest, world: World): void {
  if (PullZoneId === undefined ? type === 'PullZone' : world.pullZone(PullZoneId) === undefined) {
    throw invalidField('PullZoneId', 'The pull zone ID is not valid.')
  }
  if (ScriptId === undefined ? type === 'Script' : ScriptId <= 0n) {
    throw invalidField('ScriptId', 'The script ID is not valid')
  }
}

function storedValue(type: string, { Value, PullZoneId, ScriptId }: RecordRequest, world: World): string {
  if (type === 'PullZone') return world.pullZone(PullZoneId ?? 0n)?.name ?? ''
  if (type === 'Script') return String(ScriptId)
  const isTarget = ['CNAME', 'MX', 'SRV', 'PTR', 'NS'].includes(type)
  return isTarget && Value !== '.' ? Value.replace(/\.$/, '') : Value
}

const CITY = { Country: 'Germany', City: 'Frankfurt' }
const LOOKED_UP = { ...CITY, CountryCode: 'DE', ASN: 64_496, OrganizationName: 'Example Broadband' }
