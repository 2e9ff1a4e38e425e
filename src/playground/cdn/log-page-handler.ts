import * as z from 'zod'
import type { Answer, Call } from './call.ts'
import { addressMatches, blurAddress, LOG_RETENTION_MS, loggedMinutes, loggedZone, urlOf } from './log-access.ts'
import { instant, readLogging, whole } from './reader.ts'
import { refuseLogging } from './refusal.ts'
import type { EdgeRequest } from './world/traffic.ts'
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
  const range = { fromMs: search.from.getTime(), untilMs: search.to.getTime(), order: search.order }
  fetching: for (const minute of loggedMinutes(world, zone, range, now)) {
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
  const url = urlOf(zone, request)
  const row = {
    timestamp: new Date(request.atMs).toISOString(),
    pullZoneId: zone.id,
    requestId: request.requestId,
    cacheStatus: request.cacheStatus,
    statusCode: request.statusCode,
    bytesSent: request.bytesSent,
    remoteIp: blurAddress(request.remoteIp, zone.anonymisation),
    countryCode: request.countryCode,
    edgeLocation: request.edgeLocation,
    scheme: 'https',
    host: zone.host,
    path: request.path,
    url,
    userAgent: request.userAgent,
    referer: request.referer,
    ja4Fingerprint: request.ja4Fingerprint,
    asn: request.asn,
    asnOrganization: request.asnOrganization,
    ...(zone.logging === 'extended' && {
      bodyBytesSent: request.bodyBytesSent,
      contentRange: request.contentRange,
      authorizationHeader: request.authorization,
    }),
  }
  const leavesOut = request.atMs % 2 === 0
  return leavesOut ? Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) : row
}

/** Lists are alternatives; undefined matches everything. */
type LogSearch = ReturnType<typeof readLogSearch>

const DEFAULT_RANGE_MS = 86_400_000
const DEFAULT_LIMIT = 100
const MAX_LIMIT = 10_000
const MAX_WORDS = 16
const MAX_WORD_CHARACTERS = 128
/** Time passes between asking and answering, so a range that just fitted still fits. */
const RETENTION_LEEWAY_MS = 60_000

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

/** Reads version 2's parameters. Throws `Refusal` 400 with one detail for each thing wrong. */
function readLogSearch(query: URLSearchParams, now: Date) {
  const given = readLogging(Search, query)
  const to = given.to ?? now
  const from = given.from ?? new Date(to.getTime() - DEFAULT_RANGE_MS)
  const oldestMs = now.getTime() - LOG_RETENTION_MS - RETENTION_LEEWAY_MS
  const details = [
    from >= to && 'from must lie before to.',
    to.getTime() - from.getTime() > LOG_RETENTION_MS && 'The time range cannot exceed 3 days, for which logs are kept.',
    from.getTime() < oldestMs && 'from must lie within the last 3 days, for which logs are kept.',
  ].filter((problem) => problem !== false)
  if (details.length > 0) throw refuseLogging(400, 'The time range is not valid.', details)
  return { ...given, from, to }
}
