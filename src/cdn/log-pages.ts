import type { LogCursor, LogQueryOptions, LogResult } from './cdn.ts'
import { type Dialect, FILTERS_AFTER_PAGING, type LogPage, type LogQuery } from './dialect.ts'
import type { LogEntry } from './log-entry.ts'
import { LOG_RETENTION_MS, type LogFilter, RETENTION_MARGIN_MS } from './log-filter.ts'

/** The most lines one question is answered with. */
export const MAX_LOG_ENTRIES = 50_000
/** Every page is one of a pull zone's 30 calls in 10 s; two windows' worth is all one question may cost. */
export const MAX_LOG_PAGES = 60
/** Leaves 4 KB a row before a page meets the 8 MB a body may have. */
const MAX_PAGE_SIZE = 2_000
/** Where the platform filters after it has cut the page, small pages would come back empty one after another. */
const FILTERED_PAGE_SIZE = 1_000

/** One page as the client fetched it: the envelope, and its rows, read. */
export interface FetchedPage {
  readonly page: Pick<LogPage, 'pagination' | 'query'>
  readonly entries: readonly LogEntry[]
}

export interface LogPagesOptions extends Pick<LogQueryOptions, 'maxEntries' | 'cursor' | 'onProgress'> {
  readonly now: Date
  readonly pageStep: Dialect['pageStep']
}

/**
 * Gathers entries page by page. The range the first page says it applied is kept for the others, so that time passing
 * does not move them; entries that come twice all the same are dropped; empty pages with more behind are passed over.
 */
export async function collectLogPages(
  filter: LogFilter,
  { maxEntries, cursor, onProgress, now, pageStep }: LogPagesOptions,
  fetchPage: (query: LogQuery) => Promise<FetchedPage>,
): Promise<LogResult> {
  const pageSize = cursor?.pageSize ?? pageSizeFor(filter, maxEntries)
  const seen = new Set<string>()
  const entries: LogEntry[] = []
  let range = { from: insideRetention(filter.from, now), to: filter.to }
  let at: LogCursor | undefined = cursor ?? { offset: 0n, pageSize, skip: 0 }
  let pages = 0
  let duplicates = 0

  while (at !== undefined && entries.length < maxEntries && pages < MAX_LOG_PAGES) {
    const fetched = await fetchPage(pageQuery(filter, range, at))
    pages += 1
    // Without the platform's word on the range, the later pages must at least not move with the clock.
    range = { from: fetched.page.query?.from ?? range.from, to: fetched.page.query?.to ?? range.to ?? now }
    let row: number = at.skip
    while (row < fetched.entries.length && entries.length < maxEntries) {
      const entry = fetched.entries[row]
      row += 1
      if (entry === undefined) continue
      if (isNew(entry, seen)) entries.push(entry)
      else duplicates += 1
    }
    at = row < fetched.entries.length ? { ...at, skip: row } : nextPage(at, fetched, pageStep)
    onProgress?.({ pages, entries: entries.length })
  }
  const truncated = at !== undefined
  return { entries, truncated, next: at, pages, appliedFrom: range.from, appliedTo: range.to, duplicates }
}

function pageSizeFor(filter: LogFilter, maxEntries: number): number {
  const filteredLate = FILTERS_AFTER_PAGING.some((name) => filter[name] !== undefined && filter[name].length > 0)
  return filteredLate ? FILTERED_PAGE_SIZE : Math.min(maxEntries, MAX_PAGE_SIZE)
}

function insideRetention(from: Date | undefined, now: Date): Date | undefined {
  if (from === undefined) return undefined
  return new Date(Math.max(from.getTime(), now.getTime() - LOG_RETENTION_MS + RETENTION_MARGIN_MS))
}

interface Range {
  readonly from: Date | undefined
  readonly to: Date | undefined
}

/** Only what was asked for is sent: lists that are empty and switches that are off are the same as not given. */
function pageQuery(filter: LogFilter, { from, to }: Range, { offset, pageSize }: LogCursor): LogQuery {
  const { status, cacheStatus, country, includeOriginShield, ...texts } = filter
  return {
    ...texts,
    from,
    to,
    status: unlessEmpty(status),
    cacheStatus: unlessEmpty(cacheStatus),
    country: unlessEmpty(country),
    includeOriginShield: includeOriginShield === true ? true : undefined,
    limit: pageSize,
    offset: offset === 0n ? undefined : offset,
  }
}

function unlessEmpty(list: readonly string[] | undefined): string[] | undefined {
  return list === undefined || list.length === 0 ? undefined : [...list]
}

/** Undefined after the last page. A page that claims to have more but would not move on counts as the last. */
function nextPage(
  { offset, pageSize }: LogCursor,
  { page, entries }: FetchedPage,
  pageStep: Dialect['pageStep'],
): LogCursor | undefined {
  const returned = page.pagination.returned ?? BigInt(entries.length)
  const hasMore = page.pagination.hasMore ?? returned >= pageSize
  const step = pageStep === 'limit' ? BigInt(pageSize) : returned
  return hasMore && step > 0n ? { offset: offset + step, pageSize, skip: 0 } : undefined
}

/** A request may be logged at the edge and at the shield under one id, so the id alone does not make a duplicate. */
function isNew({ requestId, timestamp, edgeLocation, url }: LogEntry, seen: Set<string>): boolean {
  if (requestId === undefined) return true
  const key = [requestId, timestamp?.getTime() ?? '', edgeLocation ?? '', url ?? ''].join('|')
  if (seen.has(key)) return false
  seen.add(key)
  return true
}
