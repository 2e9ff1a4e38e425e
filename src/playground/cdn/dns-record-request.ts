import { isIP } from 'node:net'
import * as z from 'zod'
import { readBody } from './body-problem.ts'
import { invalidField } from './refusal.ts'
import type { World } from './world/world.ts'

/** The contract's numbers, transcribed a second time: the client's transcription is what is being tested. */
export const RECORD_TYPE = {
  A: 0,
  AAAA: 1,
  CNAME: 2,
  TXT: 3,
  MX: 4,
  Redirect: 5,
  Flatten: 6,
  PullZone: 7,
  SRV: 8,
  CAA: 9,
  PTR: 10,
  Script: 11,
  NS: 12,
  SVCB: 13,
  HTTPS: 14,
  TLSA: 15,
} as const
const LAST_TYPE = 15
const LAST_MONITOR_TYPE = 3
const LAST_SMART_ROUTING_TYPE = 2
const BYTE_MAX = 255
const PORT_MAX = 65_535

const text = z.string().nullish()
const flag = z.boolean().nullish()
const int32 = z.int32().nullish()
const id = z.union([z.int(), z.bigint()]).transform(BigInt).nullish()

/** Value comes before Name, because the platform looks at it first. */
const Request = z.strictObject({
  Type: z.int().min(0).max(LAST_TYPE, 'The record type is not valid.').optional(),
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
  MonitorType: z.int().min(0).max(LAST_MONITOR_TYPE, 'The monitor type is not valid.').optional(),
  GeolocationLatitude: z.number().nullish(),
  GeolocationLongitude: z.number().nullish(),
  LatencyZone: text,
  SmartRoutingType: z.int().min(0).max(LAST_SMART_ROUTING_TYPE, 'The smart routing type is not valid.').optional(),
  Disabled: flag,
  EnviromentalVariables: z.array(z.strictObject({ Name: z.string(), Value: z.string() })).nullish(),
  Comment: text,
  AutoSslIssuance: flag,
})
export type RecordRequest = z.output<typeof Request>

/** Reads a record request and holds it against what its type needs. Throws `Refusal` with the first broken rule. */
export function readRecordRequest(body: unknown, world: World): RecordRequest {
  const request = readBody(Request, body)
  const type = request.Type ?? RECORD_TYPE.A
  checkValue(type, request.Value ?? '')
  checkName(type, request.Name ?? '')
  checkLinks(type, request, world)
  if (type === RECORD_TYPE.CAA && !CAA_TAGS.has(request.Tag ?? '')) {
    throw invalidField('Tag', 'A CAA record needs the tag issue, issuewild or iodef.')
  }
  if (type === RECORD_TYPE.SRV) {
    for (const field of ['Priority', 'Weight', 'Port'] as const) checkSrvNumber(field, request[field])
  }
  if (request.Accelerated === true && type !== RECORD_TYPE.A && type !== RECORD_TYPE.CNAME) {
    throw invalidField('Accelerated', 'Only A and CNAME records can be accelerated.')
  }
  return request
}

const CAA_TAGS: ReadonlySet<string> = new Set(['issue', 'issuewild', 'iodef'])

/** A target host without a final dot, or a single dot where a record says that there is none. */
const HOST = /^(?:\.|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)$/i

/** What the value of a type looks like; types that take their target from an id have no entry. */
const VALUE_RULES: Readonly<Record<number, (value: string) => boolean>> = {
  [RECORD_TYPE.A]: (value) => isIP(value) === 4,
  [RECORD_TYPE.AAAA]: (value) => isIP(value) === 6,
  [RECORD_TYPE.CNAME]: (value) => HOST.test(value),
  [RECORD_TYPE.TXT]: (value) => value !== '',
  [RECORD_TYPE.MX]: (value) => HOST.test(value),
  [RECORD_TYPE.Redirect]: (value) => /^https?:\/\/\S+$/.test(value),
  [RECORD_TYPE.Flatten]: (value) => HOST.test(value),
  [RECORD_TYPE.SRV]: (value) => HOST.test(value),
  [RECORD_TYPE.CAA]: (value) => value !== '' && !value.includes('"'),
  [RECORD_TYPE.PTR]: (value) => HOST.test(value),
  [RECORD_TYPE.NS]: (value) => HOST.test(value),
  [RECORD_TYPE.SVCB]: (value) => HOST.test(value.split(' ')[0] ?? ''),
  [RECORD_TYPE.HTTPS]: (value) => HOST.test(value.split(' ')[0] ?? ''),
  [RECORD_TYPE.TLSA]: (value) => /^\d{1,3} \d{1,3} \d{1,3} [0-9a-f]+$/i.test(value),
}

function checkValue(type: number, value: string): void {
  const fits = VALUE_RULES[type]
  if (fits?.(value) === false) throw invalidField('Value', 'The record value is not valid.')
}

/** The empty name is the zone itself; `@` is how people write that, not how the interface does. */
function checkName(type: number, name: string): void {
  if (name === '' && type === RECORD_TYPE.NS) {
    throw invalidField('Value', 'NS records cannot be set at the root of the domain.')
  }
  const labels = /^(?:\*|[a-z0-9_-]+)(?:\.[a-z0-9_-]+)*$/i
  if (name !== '' && !labels.test(name)) throw invalidField('Name', 'The record name is not valid.')
}

/** An id that names nothing is refused for every type, 0 included; one that the type does not use is ignored. */
function checkLinks(type: number, { PullZoneId, ScriptId }: RecordRequest, world: World): void {
  const pullZoneMissing = (PullZoneId ?? null) === null
  if (pullZoneMissing ? type === RECORD_TYPE.PullZone : world.pullZone(PullZoneId ?? 0n) === undefined) {
    throw invalidField('PullZoneId', 'The pull zone ID is not valid.')
  }
  const scriptMissing = (ScriptId ?? null) === null
  if (scriptMissing ? type === RECORD_TYPE.Script : (ScriptId ?? 0n) <= 0n) {
    throw invalidField('ScriptId', 'The script ID is not valid')
  }
}

function checkSrvNumber(field: 'Priority' | 'Weight' | 'Port', value: number | null | undefined): void {
  if ((value ?? 0) < 0 || (value ?? 0) > PORT_MAX) throw invalidField(field, `${field} must fit into 16 bits.`)
}
