import { isIP } from 'node:net'
import type { Answer, Call } from './call.ts'
import { addressMatches, blurAddress, LOG_RETENTION_MS, loggedMinutes, loggedZone, urlOf } from './log-access.ts'
import { QueryReader } from './query-reader.ts'
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

/** The filters the fetch itself applies. */
function isFetched(search: LogSearch, zone: PullZone, request: EdgeRequest): boolean {
  if (request.shielded && !search.includeOriginShield) return false
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

/** The filters applied to the page that was fetched. */
function isKept({ country, words }: LogSearch, zone: PullZone, request: EdgeRequest): boolean {
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
    ...(zone.logging === 'extended' ? extension(request) : {}),
  }
  const leavesOut = request.atMs % 2 === 0
  return leavesOut ? Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) : row
}

/** Version 2 gives the end user's header in clear. */
function extension({ bodyBytesSent, contentRange, authorization }: EdgeRequest) {
  return { bodyBytesSent, contentRange, authorizationHeader: authorization }
}

/** What version 2 was asked for, with the defaults filled in. Lists are alternatives; undefined matches everything. */
type LogSearch = ReturnType<typeof readLogSearch>

const DEFAULT_RANGE_MS = 86_400_000
const DEFAULT_LIMIT = 100
const MAX_LIMIT = 10_000
const MAX_WORDS = 16
const MAX_WORD_CHARACTERS = 128
/** Time passes between asking and answering, so a range that just fitted still fits. */
const RETENTION_LEEWAY_MS = 60_000

const PARAMETERS = [
  'from',
  'to',
  'status',
  'cacheStatus',
  'country',
  'edgeLocation',
  'remoteIp',
  'urlContains',
  'userAgentContains',
  'refererContains',
  'search',
  'requestId',
  'includeOriginShield',
  'limit',
  'offset',
  'order',
]

/** Reads version 2's parameters. Throws `Refusal` 400 with one detail for each thing wrong. */
function readLogSearch(query: URLSearchParams, now: Date) {
  const reader = new QueryReader(query, PARAMETERS)
  const to = reader.instant('to') ?? now
  const from = reader.instant('from') ?? new Date(to.getTime() - DEFAULT_RANGE_MS)
  checkRange(reader, from, to, now)
  const search = {
    from,
    to,
    status: reader.list('status', /^[1-5](?:\d\d|xx)$/i),
    cacheStatus: reader.list('cacheStatus', /^(?:[A-Z]+|-)$/),
    country: reader.list('country', /^[A-Z]{2}$/),
    edgeLocation: reader.text('edgeLocation'),
    remoteIp: readAddress(reader),
    urlContains: reader.text('urlContains')?.toLowerCase(),
    userAgentContains: reader.text('userAgentContains')?.toLowerCase(),
    refererContains: reader.text('refererContains')?.toLowerCase(),
    words: readWords(reader),
    requestId: readRequestId(reader),
    includeOriginShield: reader.choice('includeOriginShield', ['true', 'false'], 'false') === 'true',
    limit: reader.whole('limit', { standard: DEFAULT_LIMIT, min: 1, max: MAX_LIMIT }),
    offset: reader.whole('offset', { standard: 0, min: 0, max: Number.MAX_SAFE_INTEGER }),
    order: reader.choice('order', ['asc', 'desc'], 'desc'),
  }
  if (reader.problems.length > 0) {
    const details = reader.problems.map(({ message }) => message)
    throw refuseLogging(400, 'One or more query parameters are not valid.', details)
  }
  return search
}

function checkRange(reader: QueryReader, from: Date, to: Date, now: Date): void {
  const oldestMs = now.getTime() - LOG_RETENTION_MS - RETENTION_LEEWAY_MS
  if (from >= to) reader.problem('from', 'from must lie before to.')
  if (to.getTime() - from.getTime() > LOG_RETENTION_MS) {
    reader.problem('to', 'The time range cannot exceed 3 days, for which logs are kept.')
  }
  if (from.getTime() < oldestMs)
    reader.problem('from', 'from must lie within the last 3 days, for which logs are kept.')
}

function readAddress(reader: QueryReader): string | undefined {
  const address = reader.text('remoteIp')
  if (address !== undefined && isIP(address) === 0) reader.problem('remoteIp', 'remoteIp must be an IP address.')
  return address
}

function readWords(reader: QueryReader): readonly string[] {
  const words = (reader.text('search') ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length > MAX_WORDS) reader.problem('search', `search may hold ${MAX_WORDS} words.`)
  if (words.some((word) => word.length > MAX_WORD_CHARACTERS)) {
    reader.problem('search', `A word of search may have ${MAX_WORD_CHARACTERS} characters.`)
  }
  return words
}

function readRequestId(reader: QueryReader): string | undefined {
  const id = reader.text('requestId')?.replaceAll('-', '').toLowerCase()
  if (id !== undefined && !/^[0-9a-f]{32}$/.test(id)) reader.problem('requestId', 'requestId must be a request id.')
  return id
}
