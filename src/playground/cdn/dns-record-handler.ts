import { RECORD_TYPE, readRecordRequest, type RecordRequest } from './dns-record-request.ts'
import type { Answer, Call } from './handler.ts'
import { invalidField, refuseManagement } from './refusal.ts'
import type { World } from './world/world.ts'

const DEFAULT_TTL_SECONDS = 300
const DEFAULT_WEIGHT = 100

/**
 * Adds a record; the same request twice adds two. What is stored differs from what was asked the way the platform's
 * answers do: a final dot goes, a weight of 100 and automatic certificates come, and links are told by name.
 */
export function addDnsRecord({ params, body, world }: Call<'addDnsRecord'>): Answer<'addDnsRecord'> {
  const zone = world.dnsZone(params.zoneId)
  if (zone === undefined) throw refuseManagement(404, 'dnszone.zone.not_found', 'Id', 'The DNS zone was not found.')
  const request = readRecordRequest(body, world)
  const type = request.Type ?? RECORD_TYPE.A
  const value = storedValue(type, request, world)
  const name = request.Name ?? ''
  const stored = world.addRecord(zone, { type, name, value, comment: request.Comment ?? undefined })
  if (stored === undefined) throw invalidField('Id', 'The zone holds as many records as it may.')
  return {
    status: 201,
    body: {
      Id: stored.id,
      Type: type,
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
      LinkName: type === RECORD_TYPE.PullZone ? String(request.PullZoneId) : '',
      ...places(type, value, request),
      MonitorStatus: 0,
      MonitorType: request.MonitorType ?? 0,
      EnviromentalVariables: request.EnviromentalVariables ?? [],
      LatencyZone: request.LatencyZone ?? null,
      SmartRoutingType: request.SmartRoutingType ?? 0,
      Disabled: request.Disabled ?? false,
      Comment: request.Comment ?? null,
      AutoSslIssuance: request.AutoSslIssuance ?? true,
      AccelerationStatus: 0,
    },
  }
}

function storedValue(type: number, { Value, PullZoneId, ScriptId }: RecordRequest, world: World): string {
  if (type === RECORD_TYPE.PullZone) return world.pullZone(PullZoneId ?? 0n)?.name ?? ''
  if (type === RECORD_TYPE.Script) return String(ScriptId)
  const value = Value ?? ''
  return HOST_TYPES.has(type) && value !== '.' ? value.replace(/\.$/, '') : value
}

const HOST_TYPES: ReadonlySet<number> = new Set([
  RECORD_TYPE.CNAME,
  RECORD_TYPE.MX,
  RECORD_TYPE.SRV,
  RECORD_TYPE.PTR,
  RECORD_TYPE.NS,
])

/** A weight of 0 cannot be told from none and is stored as 100 too, except where the type gives it a meaning. */
function storedWeight(type: number, asked: number | null | undefined): number {
  if (type === RECORD_TYPE.SRV) return asked ?? 0
  return asked === undefined || asked === null || asked === 0 ? DEFAULT_WEIGHT : asked
}

/** Only addresses are looked up, and only records answered by place have one of their own. */
function places(type: number, value: string, request: RecordRequest) {
  const latitude = request.GeolocationLatitude ?? 0
  const longitude = request.GeolocationLongitude ?? 0
  const placed = request.SmartRoutingType === 2
  return {
    IPGeoLocationInfo: type === RECORD_TYPE.A && !isPrivate(value) ? LOOKED_UP : null,
    GeolocationInfo: placed
      ? { Country: 'Germany', City: 'Frankfurt', Latitude: latitude, Longitude: longitude }
      : null,
    GeolocationLatitude: latitude,
    GeolocationLongitude: longitude,
  }
}

const LOOKED_UP = {
  CountryCode: 'DE',
  Country: 'Germany',
  ASN: 64_496,
  OrganizationName: 'Example Broadband',
  City: 'Frankfurt',
}

function isPrivate(address: string): boolean {
  return /^(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(address)
}
