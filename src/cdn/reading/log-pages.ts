import { MAX_LOG_PAGE_BYTES } from '../http/response-body.ts'
import type { LogCursor, LogQueryOptions, LogResult } from '../contract/cdn.ts'
import { type Dialect, FILTERS_AFTER_PAGING, type LogPage, type LogQuery } from '../contract/dialect.ts'
import { CdnError } from '../contract/errors.ts'
import type { LogEntry } from '../contract/log-entry.ts'
import { LOG_RETENTION_MS, type LogFilter, RETENTION_MARGIN_MS } from '../contract/log-filter.ts'

export const MAX_LOG_ENTRIES = 50_000
/** Every page is one of a pull zone's 30 calls in 10 s; two windows' worth is all one question may cost. */
export const MAX_LOG_PAGES = 60
/** Leaves 4 KB a row before a page meets the 8 MB a body may have. */
export const MAX_PAGE_SIZE = 2_000
/** Rows vary in length: after a page that was too long, half of what it may have is aimed at, in steps. */
const MEANT_PAGE_BYTES = MAX_LOG_PAGE_BYTES / 2
const MAX_GROWTH = 8
/** Where more rows than these are too long by themselves, and none was read, it is no log. */
const MAX_UNREAD_ROWS = 3
/** Where the platform filters after it has cut the page, small pages would come back empty one after another. */
const FILTERED_PAGE_SIZE = 1_000

export interface FetchedPage {
  readonly page: Pick<LogPage, 'pagination' | 'query'>
  readonly entries: readonly LogEntry[]
  readonly bytes: number
}

/** How many rows of one log a page has room for, as far as is known: fewer after one that was too long, for a while. */
export interface PageRoom {
  rows: number
}

export interface LogPagesOptions extends Pick<LogQueryOptions, 'maxEntries' | 'maxPages' | 'cursor' | 'onProgress'> {
  readonly now: Date
  readonly pageStep: Dialect['pageStep']
  readonly room: PageRoom
}

/**
 * Gathers entries page by page. The range the first page says it applied is kept for the others, so that time passing
 * does not move them; entries that come twice all the same are dropped; empty pages with more behind are passed over.
 * A page that is too long is asked for again with half its rows; a row that is too long by itself is passed over.
 */
export async function collectLogPages(
  filter: LogFilter,
  { maxEntries, maxPages = MAX_LOG_PAGES, cursor, onProgress, now, pageStep, room }: LogPagesOptions,
  fetchPage: (query: LogQuery) => Promise<FetchedPage>,
): Promise<LogResult> {
  const pageSize = cursor?.pageSize ?? pageSizeFor(filter, maxEntries)
  const seen = new Set<string>()
  const entries: LogEntry[] = []
  let range = { from: insideRetention(filter.from, now), to: filter.to }
  let at: LogCursor | undefined = cursor ?? { offset: 0n, pageSize, skip: 0 }
  let refusedUntil = 0n
  let [pages, skipped] = [0, 0]

  while (at !== undefined && entries.length < maxEntries && pages < maxPages) {
    const { offset, skip }: LogCursor = at
    const limit = Math.min(pageSize, room.rows)
    pages += 1
    let fetched: FetchedPage
    try {
      fetched = await fetchPage({ ...filter, ...range, limit, offset: offset === 0n ? undefined : offset })
    } catch (error) {
      if (!isTooLong(error)) throw error
      if (skipped === MAX_UNREAD_ROWS && entries.length === 0) {
        room.rows = MAX_PAGE_SIZE
        throw error
      }
      refusedUntil = offset + BigInt(limit)
      room.rows = Math.max(1, Math.floor(limit / 2))
      if (limit === 1) {
        skipped += 1
        range = { from: range.from, to: range.to ?? now }
        at = { offset: offset + 1n, pageSize, skip: Math.max(0, skip - 1) }
      }
      onProgress?.({ pages, entries: entries.length })
      continue
    }
    if (offset + BigInt(limit) >= refusedUntil) room.rows = Math.max(room.rows, rowsAfter(fetched, limit))
    // Without the platform's word on the range, the later pages must at least not move with the clock.
    range = { from: fetched.page.query?.from ?? range.from, to: fetched.page.query?.to ?? range.to ?? now }
    let row = skip
    while (row < fetched.entries.length && entries.length < maxEntries) {
      const entry = fetched.entries[row]
      row += 1
      if (entry !== undefined && isNew(entry, seen)) entries.push(entry)
    }
    const left = row - fetched.entries.length
    at =
      left < 0 ? { offset, pageSize, skip: row } : nextPage({ offset, pageSize, skip: left }, limit, fetched, pageStep)
    onProgress?.({ pages, entries: entries.length })
  }
  const applied = { appliedFrom: range.from, appliedTo: range.to }
  return { entries, truncated: at !== undefined, next: at, pages, skipped, pageRows: room.rows, ...applied }
}

function isTooLong(error: unknown): boolean {
  return error instanceof CdnError && error.failure.kind === 'malformed' && error.failure.isTooLong === true
}

/** How many rows may be asked for after a page with so few bytes. An empty one had its rows filtered out. */
function rowsAfter({ entries, bytes }: FetchedPage, limit: number): number {
  const growth = Math.min(MAX_GROWTH, Math.floor(MEANT_PAGE_BYTES / bytes))
  return Math.min(MAX_PAGE_SIZE, (entries.length || limit) * growth)
}

function pageSizeFor(filter: LogFilter, maxEntries: number): number {
  const filteredLate = FILTERS_AFTER_PAGING.some((name) => filter[name] !== undefined && filter[name].length > 0)
  return filteredLate ? FILTERED_PAGE_SIZE : Math.min(maxEntries, MAX_PAGE_SIZE)
}

function insideRetention(from: Date | undefined, now: Date): Date | undefined {
  if (from === undefined) return undefined
  return new Date(Math.max(from.getTime(), now.getTime() - LOG_RETENTION_MS + RETENTION_MARGIN_MS))
}

/** Undefined after the last page. A page that claims to have more but would not move on counts as the last. */
function nextPage(
  { offset, pageSize, skip }: LogCursor,
  limit: number,
  { page, entries }: FetchedPage,
  pageStep: Dialect['pageStep'],
): LogCursor | undefined {
  const { returned = BigInt(entries.length), limit: taken = 0n } = page.pagination
  // The platform may take fewer rows into a page than were asked for, and says so.
  const rows = taken > 0n && taken < limit ? taken : BigInt(limit)
  const hasMore = page.pagination.hasMore ?? returned >= rows
  const step = pageStep === 'limit' ? rows : returned
  return hasMore && step > 0n ? { offset: offset + step, pageSize, skip } : undefined
}

/** A request may be logged at the edge and at the shield under one id, so the id alone does not make a duplicate. */
function isNew({ requestId, timestamp, edgeLocation, url }: LogEntry, seen: Set<string>): boolean {
  if (requestId === undefined) return true
  const key = [requestId, timestamp?.getTime() ?? '', edgeLocation ?? '', url ?? ''].join('|')
  if (seen.has(key)) return false
  seen.add(key)
  return true
}
