import { type EntryFilter, LOG_RETENTION_MS, type LogFilter } from '../../cdn/log-filter.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { cacheWord, cursorText, type LogQuestion } from './log-fields.ts'
import { maskUrl, maskUrlsIn } from '../../cdn/mask-url.ts'
import { zoneLabel } from '../zone-field.ts'

const DEFAULT_CACHE_STATUSES = ['MISS', 'STALE'] as const

/** The platform's own range when only an end is known. */
const DEFAULT_RANGE_MS = 24 * 60 * 60_000
/** Buttons keep their range; while they live, a start that was within retention is moved along with its edge. */
const MOVED_ALONG_MS = 30 * 60_000

export function usesDefaultCache({ cache, status, request }: Partial<LogQuestion>): boolean {
  return cache === undefined && status === undefined && request === undefined
}

/** The question as version 2 of the log interface takes it. Without any range none is sent: the platform has its own. */
export function logFilter(question: Partial<LogQuestion>, now: Date): LogFilter {
  // No line is from the future, so an end there says nothing; sent, it could make the range longer than 3 days. Only
  // where an earlier answer goes on, its end stays, which a clock ahead of this one may have set.
  const isIdle = question.continueAt === undefined && question.until !== undefined && question.until > now
  const to = isIdle ? undefined : question.until
  const from = question.since ?? (to && new Date(to.getTime() - DEFAULT_RANGE_MS))
  const oldest = now.getTime() - LOG_RETENTION_MS
  // A start that was given and is clearly too old stays as it is, to be refused with the rule.
  const moves = question.since === undefined || question.since.getTime() >= oldest - MOVED_ALONG_MS
  return {
    ...entryFilter(question),
    to,
    from: from !== undefined && moves && from.getTime() < oldest ? new Date(oldest) : from,
    includeOriginShield: question.shield === true ? true : undefined,
    order: question.order,
  }
}

export function dayFilter(question: Partial<LogQuestion>): EntryFilter {
  return { ...entryFilter(question), from: question.since }
}

/** The same question in the form it can be asked again in, with some of it changed; undefined leaves a value out. */
export function questionValues(question: LogQuestion, changes: Partial<Record<keyof LogQuestion, string | undefined>>) {
  const { pullZone, cache, since, until, day, order, continueAt, limit } = question
  const values: Readonly<Record<string, string | undefined>> = {
    pullZone: String(pullZone.id),
    cache: cache && (cache.length === 0 ? 'all' : cache.map(cacheWord).join(',')),
    status: question.status?.join(','),
    since: since?.toISOString(),
    until: until?.toISOString(),
    day: day?.toISOString().slice(0, 10),
    url: question.url,
    ip: question.ip,
    country: question.country?.join(','),
    edge: question.edge,
    agent: question.agent,
    referer: question.referer,
    search: question.search,
    request: question.request,
    order: order && (order === 'asc' ? 'oldest' : 'newest'),
    shield: question.shield === true ? 'true' : undefined,
    limit: limit === undefined ? undefined : String(limit),
    by: question.by,
    csv: question.csv === true ? 'true' : undefined,
    continueAt: continueAt && cursorText(continueAt),
    ...changes,
  }
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const raw: RawValues = Object.fromEntries(given)
  return raw
}

function entryFilter(question: Partial<LogQuestion>): EntryFilter {
  const { cache, ip } = question
  const wanted = usesDefaultCache(question) ? DEFAULT_CACHE_STATUSES : cache
  return {
    to: question.until,
    status: question.status,
    cacheStatus: wanted === undefined || wanted.length === 0 ? undefined : wanted,
    country: question.country,
    edgeLocation: question.edge,
    remoteIp: ip === 'all' ? undefined : ip,
    urlContains: question.url,
    userAgentContains: question.agent,
    refererContains: question.referer,
    search: question.search,
    requestId: question.request,
  }
}

export function filterWords(question: LogQuestion): readonly string[] {
  const { cache, status, url, ip, country, edge, agent, referer, search, request, shield } = question
  const said = (label: string, value: string | undefined): readonly string[] =>
    value === undefined || value === '' ? [] : [`${label} ${value}`]
  return [
    ...(usesDefaultCache(question) ? [`cache ${DEFAULT_CACHE_STATUSES.join(', ')} (the default)`] : []),
    ...(cache?.length === 0 ? ['every cache status'] : said('cache', cache?.map(cacheWord).join(', '))),
    ...said('status', status?.join(', ')),
    ...said('URL contains', url && maskUrl(url)),
    ...said('client address', ip === 'all' ? undefined : ip),
    ...said('country', country?.join(', ')),
    ...said('edge', edge),
    ...said('agent contains', agent && maskUrlsIn(agent)),
    ...said('referer contains', referer && maskUrl(referer)),
    ...said('any of the words', search && maskUrl(search)),
    ...said('request', request),
    ...(shield === true ? ['with requests to the origin shield'] : []),
  ]
}

/** The question in one sentence for the audit log. A client address is personal, so it is not repeated there. */
export function questionSentence(question: LogQuestion): string {
  const { pullZone, day, since, until, ip } = question
  const quiet = { ...question, ip: ip === undefined || ip === 'all' ? ip : 'given' }
  const range = [
    ...(day === undefined ? [] : [`day ${day.toISOString().slice(0, 10)}`]),
    ...(since === undefined ? [] : [`since ${since.toISOString()}`]),
    ...(until === undefined ? [] : [`until ${until.toISOString()}`]),
  ]
  return `Read the log of pull zone ${zoneLabel(pullZone)}: ${[...range, ...filterWords(quiet)].join('; ')}`
}
