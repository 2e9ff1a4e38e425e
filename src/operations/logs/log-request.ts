import { type EntryFilter, LOG_RETENTION_MS, type LogFilter } from '../../cdn/contract/log-filter.ts'
import { utcDay } from '../../cdn/contract/dates.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/durations.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { cacheWord, cursorText, type LogQuestion } from './log-fields.ts'
import { maskUrl, maskUrlsIn } from '../../cdn/contract/mask-url.ts'
import { rawValuesFrom } from '../declaration/answer.ts'
import { zoneLabel } from '../declaration/zone-field.ts'

export const DEFAULT_CACHE_STATUSES = ['MISS', 'STALE'] as const

/** The CDN's own range when only an end is known. */
const DEFAULT_RANGE_MS = DAY_MS
/** Buttons keep their range; while they live, a start that was within retention is moved along with its edge. */
const MOVED_ALONG_MS = 30 * MINUTE_MS

export function usesDefaultCache({ cache, status, failing, request }: Partial<LogQuestion>): boolean {
  return cache === undefined && status === undefined && failing !== true && request === undefined
}

/** Whether it asks for one half of what fails: an origin that does shows in errors and in old content. */
export function isHalf({ cache, status }: Partial<LogQuestion>): boolean {
  return cache === undefined ? status?.join() === '5xx' : cache.join() === 'STALE' && status === undefined
}

const ORDERS = { newest: 'desc', oldest: 'asc' } as const

/** The question as version 2 of the log interface takes it. Without any range none is sent: the platform has its own. */
export function logFilter(question: Partial<LogQuestion>, now: Date): LogFilter {
  const { since, until, continueAt, shield, order } = question
  // No line is from the future, so an end there says nothing; sent, it could make the range longer than 3 days. Only
  // where an earlier answer goes on, its end stays, which a clock ahead of this one may have set.
  const isIdle = continueAt === undefined && until !== undefined && until > now
  const to = isIdle ? undefined : until
  const from = since ?? (to && new Date(to.getTime() - DEFAULT_RANGE_MS))
  const oldest = new Date(now.getTime() - LOG_RETENTION_MS)
  // A start that was given and is clearly too old stays as it is, to be refused with the rule.
  const moves = since === undefined || since.getTime() >= oldest.getTime() - MOVED_ALONG_MS
  return {
    ...entryFilter(question),
    to,
    from: from !== undefined && moves && from < oldest ? oldest : from,
    includeOriginShield: shield === true ? true : undefined,
    order: order && ORDERS[order],
  }
}

export function dayFilter(question: Partial<LogQuestion>): EntryFilter {
  return { ...entryFilter(question), from: question.since }
}

/** The same question in the form it can be asked again in, with some of it changed; undefined leaves a value out. */
export function questionValues(
  question: LogQuestion,
  changes: Partial<Readonly<Record<keyof LogQuestion, string | boolean | Date | undefined>>>,
): RawValues {
  const { cache, day, continueAt } = question
  return rawValuesFrom({
    ...question,
    cache: cache && (cache.length === 0 ? 'all' : cache.map(cacheWord)),
    day: day && utcDay(day),
    continueAt: continueAt && cursorText(continueAt),
    ...changes,
  })
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
  const { cache, status, failing, url, ip, country, edge, agent, referer, search, request, shield } = question
  const filters: readonly (readonly [label: string, value: string | undefined])[] = [
    ['cache', cache?.map(cacheWord).join(', ')],
    ['status', status?.join(', ')],
    ['URL contains', url && maskUrl(url)],
    ['client address', ip === 'all' ? undefined : ip],
    ['country', country?.join(', ')],
    ['edge', edge],
    ['agent contains', agent && maskUrlsIn(agent)],
    ['referer contains', referer && maskUrl(referer)],
    ['any of the words', search && maskUrl(search)],
    ['request', request],
  ]
  return [
    ...(usesDefaultCache(question) ? [`cache ${DEFAULT_CACHE_STATUSES.join(', ')}`] : []),
    ...(cache?.length === 0 ? ['every cache status'] : []),
    ...(failing === true ? ['5xx or STALE'] : []),
    ...filters.filter(([, value = '']) => value !== '').map(([label, value]) => `${label} ${value}`),
    ...(shield === true ? ['with requests to the origin shield'] : []),
  ]
}

/** The question in one sentence for the audit log. A client address is personal, so it is not repeated there. */
export function questionSentence(question: LogQuestion): string {
  const { pullZone, day, since, until, ip } = question
  const filters = filterWords({ ...question, ip: ip === undefined || ip === 'all' ? ip : 'given' })
  const range = [
    day && `day ${utcDay(day)}`,
    since && `since ${since.toISOString()}`,
    until && `until ${until.toISOString()}`,
  ]
  const parts = [...range.filter((part) => part !== undefined), ...filters]
  return `Read the log of pull zone ${zoneLabel(pullZone)}: ${parts.join('; ')}`
}
