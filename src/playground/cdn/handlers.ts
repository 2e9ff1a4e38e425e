import { createHash } from 'node:crypto'
import * as z from 'zod'
import { DAY_MS } from '../../shared/durations.ts'
import type { EndpointName } from '../../cdn/contract/endpoints.ts'
import type { Answer, Call } from './call.ts'
import { addDnsRecord } from './dns-record-handler.ts'
import { queryLogs } from './log-page-handler.ts'
import { fieldsOf, instant, readLogging, readManagement, whole } from './reader.ts'
import { invalidField, refuseManagement, refuseLogging } from './refusal.ts'
import { createVideoLibrary } from './video-library-handler.ts'
import { dayOf, storageOn, type PullZone } from './world/zones.ts'
import { blurAddress, LOG_RETENTION_MS, loggedMinutes, loggedZone, urlOf, type LogRange } from './log-access.ts'
import type { EdgeRequest } from './world/traffic.ts'

/** One handler for every endpoint the client can call: leaving one out does not compile. Handlers throw `Refusal`. */
export const handlers: { readonly [Name in EndpointName]: (call: Call<Name>) => Answer<Name> } = {
  getStorageStatistics,
  listApiKeys,
  createVideoLibrary,
  addDnsRecord,
  queryLogs,
  streamDayFile,
}

const DEFAULT_DAYS = 30
const Range = z.strictObject({ dateFrom: instant.optional(), dateTo: instant.optional() })

/**
 * Serves a storage zone's charts: one key a UTC day, `2026-11-20T00:00:00Z`. Without dates the last 30 days, with one of
 * them 30 days from or to it, today at the latest. Days before the zone's first are left out.
 */
function getStorageStatistics({
  params,
  query,
  world,
  now,
}: Call<'getStorageStatistics'>): Answer<'getStorageStatistics'> {
  const { dateTo: to = now, dateFrom } = readManagement(Range, fieldsOf(query))
  const from = dateFrom ?? new Date(to.getTime() - (DEFAULT_DAYS - 1) * DAY_MS)
  if (from > to) throw invalidField('dateFrom', 'The start must lie before the end.')
  const zone = world.storageZone(params.id)
  if (zone === undefined) throw refuseManagement(404, 'storageZone.not_found', 'Id', 'The storage zone was not found.')
  if (zone.charts === 'empty') return { status: 200, body: { StorageUsedChart: {}, FileCountChart: {} } }

  const storage: Record<string, bigint> = {}
  const files: Record<string, bigint> = {}
  const lastDay = Math.min(dayOf(to.getTime()), dayOf(now.getTime()))
  for (let day = Math.max(dayOf(from.getTime()), zone.firstDay); day <= lastDay; day += 1) {
    const held = storageOn(world.seed, zone, day)
    if (held === undefined) continue
    const key = new Date(day * DAY_MS).toISOString().replace('.000Z', 'Z')
    storage[key] = held.bytes
    files[key] = held.files
  }
  return {
    status: 200,
    body: { StorageUsedChart: storage, FileCountChart: zone.charts === 'both' ? files : null },
  }
}

const MAX_PAGE = 2_147_483_647
const MAX_PER_PAGE = 1_000
const Page = z.strictObject({
  page: whole(1, MAX_PAGE).default(1),
  perPage: whole(5, MAX_PER_PAGE).default(MAX_PER_PAGE),
})

/** Serves the account's keys, values in clear as the platform does. A page past the last is empty. */
export function listApiKeys({ query, world }: Call<'listApiKeys'>): Answer<'listApiKeys'> {
  const { page, perPage } = readManagement(Page, fieldsOf(query))
  const keys = world.apiKeys
  const items = keys.slice((page - 1) * perPage, page * perPage).map(({ id, value, roles }) => ({
    Id: id,
    Key: value,
    Roles: roles === null ? null : [...roles],
  }))
  return {
    status: 200,
    body: { Items: items, CurrentPage: page, TotalItems: keys.length, HasMoreItems: page * perPage < keys.length },
  }
}

/** Of the platform's parameters the bot gives one. */
const Sorting = z.strictObject({ sort: z.enum(['asc', 'desc']).default('desc') })

/**
 * Streams version 1's file of a UTC day, the newest line first unless asked otherwise: 12 fields with pipes between, 15
 * for extended logging. A path that is no day is refused with 403, as the platform is known to do.
 */
export function streamDayFile({ params, query, world, now }: Call<'streamDayFile'>): Answer<'streamDayFile'> {
  const dayMs = readDay(params)
  const zone = loggedZone(world, params.pullZoneId)
  const { sort: order } = readLogging(Sorting, query)
  if (dayMs + DAY_MS <= now.getTime() - LOG_RETENTION_MS || dayMs > now.getTime()) {
    throw refuseLogging(404, 'There is no log for this day.')
  }
  const range: LogRange = { fromMs: dayMs, untilMs: dayMs + DAY_MS, order }
  const name = `${new Date(dayMs).toISOString().slice(0, 10)}-${zone.id}.log`
  return {
    status: 200,
    chunks: dayChunks(zone, loggedMinutes(world, zone, range, now)),
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    },
  }
}

function readDay({ YY = '', MM, DD }: Call<'streamDayFile'>['params']): number {
  const day = `20${YY}-${MM}-${DD}`
  const dayMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  const isDay = !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(day)
  if (!isDay) throw refuseLogging(403, 'The path names no day.')
  return dayMs
}

function* dayChunks(zone: PullZone, minutes: Iterable<readonly EdgeRequest[]>): Generator<string> {
  for (const minute of minutes) {
    const lines = minute.filter(({ shielded }) => !shielded).map((request) => `${dayLine(zone, request)}\n`)
    if (lines.length > 0) yield lines.join('')
  }
}

function dayLine(zone: PullZone, request: EdgeRequest): string {
  const fields = [
    request.cacheStatus,
    String(request.statusCode),
    String(request.atMs),
    String(request.bytesSent),
    String(zone.id),
    blurAddress(request.remoteIp, zone.anonymisation),
    clientField(request.referer),
    clientField(urlOf(zone, request)),
    request.edgeLocation,
    clientField(request.userAgent),
    request.requestId,
    request.countryCode ?? '-',
  ]
  if (zone.logging === 'extended') {
    const { bodyBytesSent, contentRange, authorization } = request
    // Version 1 keeps the end user's header unreadable.
    const encrypted = authorization === null ? '-' : createHash('sha256').update(authorization).digest('base64')
    fields.push(String(bodyBytesSent), clientField(contentRange), encrypted)
  }
  return fields.join('|')
}

/** Pipes are taken out of whatever clients can write, so that a line always splits into its fields. */
function clientField(value: string | null): string {
  return value === null || value === '' ? '-' : value.replaceAll('|', '')
}
