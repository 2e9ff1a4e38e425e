import { createHash } from 'node:crypto'
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import { DAY_MS, MINUTE_MS } from '../../shared/durations.ts'
import type { Answer, Call } from './call.ts'
import { instant, readLogging, refuseLogging, whole } from './refusal.ts'
import type { EdgeRequest } from './world/traffic.ts'
import type { World } from './world/world.ts'
import type { PullZone } from './world/zones.ts'

/**
 * Serves a page of version 2. Country and search are applied after the page has been cut, as on the platform: such a
 * page can be short, or empty, while `hasMore` is true.
 */
export function queryLogs({ params, query, world, now }: Call<'queryLogs'>): Answer<'queryLogs'> {
  const zone = loggedZone(world, params.pullZoneId)
  const search = readLogSearch(query, now)
  const wanted: EdgeRequest[] = []
  let skipped = 0
  fetching: for (const minute of loggedMinutes(world, zone, search, now)) {
    for (const request of minute) {
      if (!isFetched(search, zone, request)) continue
      if (skipped < search.offset) skipped += 1
      else wanted.push(request)
      if (wanted.length > search.limit) break fetching
    }
  }
  const rows = wanted.slice(0, search.limit).filter((request) => isKept(search, zone, request))
  return {
    status: 200,
    body: {
      data: rows.map((request) => logRow(zone, request)),
      pagination: {
        offset: search.offset,
        limit: search.limit,
        returned: rows.length,
        hasMore: wanted.length > search.limit,
      },
      query: {
        pullZoneId: zone.id,
        from: search.from.toISOString(),
        to: search.to.toISOString(),
        order: search.order,
      },
    },
  }
}

function isFetched(search: LogSearch, zone: PullZone, request: EdgeRequest): boolean {
  if (request.shielded && search.includeOriginShield === 'false') return false
  if (search.status?.some((asked) => statusMatches(asked, request.statusCode)) === false) return false
  if (search.cacheStatus?.includes(request.cacheStatus) === false) return false
  if (search.edgeLocation !== undefined && search.edgeLocation !== request.edgeLocation) return false
  if (search.requestId !== undefined && search.requestId !== request.requestId) return false
  if (search.remoteIp !== undefined && !addressMatches(search.remoteIp, request.remoteIp, zone.anonymisation)) {
    return false
  }
  return (
    contains(`${zone.host}${request.path}`, search.urlContains) &&
    contains(request.userAgent, search.userAgentContains) &&
    contains(request.referer, search.refererContains)
  )
}

function isKept({ country, search: words }: LogSearch, zone: PullZone, request: EdgeRequest): boolean {
  if (country?.includes(request.countryCode ?? '') === false) return false
  if (words.length === 0) return true
  const { cacheStatus, requestId, edgeLocation, path, userAgent, referer } = request
  const searched = [cacheStatus, requestId, edgeLocation, zone.host, path, userAgent, referer]
  if (zone.logging === 'extended') searched.push(request.contentRange)
  return words.some((word) => searched.some((field) => contains(field, word)))
}

function contains(field: string | null, sought: string | undefined): boolean {
  return sought === undefined || (field ?? '').toLowerCase().includes(sought)
}

function statusMatches(asked: string, code: number): boolean {
  return asked.toLowerCase().endsWith('xx') ? asked.startsWith(String(code).charAt(0)) : asked === String(code)
}

/** A row. Empty fields are null in half of the rows and absent in the others, since both are described. */
function logRow(zone: PullZone, request: EdgeRequest): Readonly<Record<string, unknown>> {
  const { atMs, shielded: _, bodyBytesSent, contentRange, authorization: authorizationHeader, ...told } = request
  const row = {
    ...told,
    timestamp: new Date(atMs).toISOString(),
    pullZoneId: zone.id,
    remoteIp: blurAddress(request.remoteIp, zone.anonymisation),
    scheme: 'https',
    host: zone.host,
    url: urlOf(zone, request),
    ...(zone.logging === 'extended' && { bodyBytesSent, contentRange, authorizationHeader }),
  }
  const leavesOut = atMs % 2 === 0
  return leavesOut ? Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) : row
}

/** Lists are alternatives; undefined matches everything. */
type LogSearch = ReturnType<typeof readLogSearch>

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 10_000
const MAX_WORDS = 16
const MAX_WORD_CHARACTERS = 128
/** Time passes between asking and answering, so a range that just fitted still fits. */
const RETENTION_LEEWAY_MS = MINUTE_MS

const list = (item: RegExp) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.string().regex(item)))
    .optional()
const part = z.string().toLowerCase().optional()

const Search = z.strictObject({
  from: instant.optional(),
  to: instant.optional(),
  status: list(/^[1-5](?:\d\d|xx)$/i),
  cacheStatus: list(/^(?:[A-Z]+|-)$/),
  country: list(/^[A-Z]{2}$/),
  edgeLocation: z.string().optional(),
  remoteIp: z.union([z.ipv4(), z.ipv6()]).optional(),
  urlContains: part,
  userAgentContains: part,
  refererContains: part,
  search: z
    .string()
    .default('')
    .transform((text) => text.toLowerCase().split(/\s+/).filter(Boolean))
    .pipe(z.array(z.string().max(MAX_WORD_CHARACTERS)).max(MAX_WORDS)),
  requestId: z
    .string()
    .transform((id) => id.replaceAll('-', '').toLowerCase())
    .pipe(z.string().regex(/^[0-9a-f]{32}$/))
    .optional(),
  includeOriginShield: z.enum(['true', 'false']).default('false'),
  limit: whole(1, MAX_LIMIT).default(DEFAULT_LIMIT),
  offset: whole(0, Number.MAX_SAFE_INTEGER).default(0),
  order: z.enum(['asc', 'desc']).default('desc'),
})

function readLogSearch(query: URLSearchParams, now: Date) {
  const given = readLogging(Search, query)
  const to = given.to ?? now
  const from = given.from ?? new Date(to.getTime() - DAY_MS)
  const oldestMs = now.getTime() - LOG_RETENTION_MS - RETENTION_LEEWAY_MS
  const details = [
    from >= to && 'from must lie before to.',
    to.getTime() - from.getTime() > LOG_RETENTION_MS && 'The time range cannot exceed 3 days, for which logs are kept.',
    from.getTime() < oldestMs && 'from must lie within the last 3 days, for which logs are kept.',
  ].filter((problem) => problem !== false)
  if (details.length > 0) throw refuseLogging(400, 'The time range is not valid.', details)
  return { ...given, from, to }
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
  const range = { from: new Date(dayMs), to: new Date(dayMs + DAY_MS), order }
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
  const day = z.iso.date().safeParse(`20${YY}-${MM}-${DD}`)
  if (!day.success) throw refuseLogging(403, 'The path names no day.')
  return Date.parse(day.data)
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

const LOG_RETENTION_MS = 3 * DAY_MS

/** The pull zone, if its log may be read. A zone that does not exist cannot be told from one that is not logged. */
function loggedZone(world: World, id: bigint): PullZone {
  const zone = world.pullZone(id)
  if (zone === undefined || zone.logging === 'off')
    throw refuseLogging(404, 'Logging is not enabled for this pull zone.')
  if (zone.state === 'suspended') throw refuseLogging(403, 'The pull zone is suspended or disabled.')
  return zone
}

/**
 * The requests of a stretch, its end exclusive, minute by minute in the order asked for, so that nobody holds more at once.
 * What lies beyond the retention or in the future is not there, nor what has not come into the log yet.
 */
function* loggedMinutes(
  world: World,
  zone: PullZone,
  { from, to, order }: Pick<LogSearch, 'from' | 'to' | 'order'>,
  now: Date,
): Generator<readonly EdgeRequest[]> {
  const first = Math.max(from.getTime(), now.getTime() - LOG_RETENTION_MS)
  const end = Math.min(to.getTime(), now.getTime() + 1)
  const firstMinute = Math.floor(first / MINUTE_MS)
  const minutes = Math.max(0, Math.ceil(end / MINUTE_MS) - firstMinute)
  for (let index = 0; index < minutes; index += 1) {
    const minute = order === 'asc' ? firstMinute + index : firstMinute + minutes - 1 - index
    const inRange = world.requestsIn(zone, minute).filter(({ atMs }) => atMs >= first && atMs < end)
    const requests = world.logLags ? appearedBy(now.getTime(), inRange) : inRange
    yield order === 'asc' ? requests : requests.toReversed()
  }
}

function urlOf(zone: PullZone, { path }: EdgeRequest): string {
  return `https://${zone.host}${path}`
}

/** A client address as a pull zone's log keeps it: whole, without its last part (/24 or /64), or none of it. */
function blurAddress(address: string, anonymisation: PullZone['anonymisation']): string {
  if (anonymisation === 'none') return address
  const [family, network] = isIPv4(address) ? [ipaddr.IPv4, 24] : [ipaddr.IPv6, 64]
  return family.networkAddressFromCIDR(`${address}/${anonymisation === 'full' ? 0 : network}`).toString()
}

/** Whether a stored address fits the one asked for. Where nothing of addresses is kept, every one fits. */
function addressMatches(asked: string, address: string, anonymisation: PullZone['anonymisation']): boolean {
  if (anonymisation === 'full') return true
  return blurAddress(address, anonymisation) === blurAddress(asked.toLowerCase(), anonymisation)
}

/** About 20 s, 99 lines of 100 within a minute, as an edge log commonly is. */
const LEAST_MS = 12_000
const SPREAD_MS = 8_000
const LATE_SHARE = 0.005
const LATE_MS = 240_000
const TWICE_SHARE = 0.01

/** Requests of one minute as far as the log shows them at a moment, in their order, doubles right behind each other. */
function appearedBy(nowMs: number, requests: readonly EdgeRequest[]): readonly EdgeRequest[] {
  return requests.flatMap((request) => {
    if (request.atMs + lagOf(request) > nowMs) return []
    return fraction(request, TWICE_AT) < TWICE_SHARE ? [request, request] : [request]
  })
}

/** Milliseconds from the request to its line: always the same for the same request. */
function lagOf(request: EdgeRequest): number {
  const usual = LEAST_MS - SPREAD_MS * Math.log(1 - fraction(request, USUAL_AT))
  return Math.round(fraction(request, LATE_AT) < LATE_SHARE ? usual + LATE_MS : usual)
}

/** Where in a request id the digits stand that decide each thing; ids are random, 32 digits of 16. */
const USUAL_AT = 0
const LATE_AT = 8
const TWICE_AT = 16
const DIGITS = 8

function fraction({ requestId }: EdgeRequest, at: number): number {
  return Number.parseInt(requestId.slice(at, at + DIGITS), 16) / 16 ** DIGITS
}
