import type { AnswerOf, ManagementCall, RequestOf } from './endpoints.ts'
import type { LogEntry } from './log-entry.ts'
import type { EntryFilter, LogFilter } from './log-filter.ts'

/** A method for each management call of the endpoint table. */
type ManagementCalls = {
  readonly [Name in ManagementCall]: (request: RequestOf<Name>, options?: CallOptions) => Promise<AnswerOf<Name>>
}

/**
 * The platform as the rest of the program sees it: one method per call. `CdnClient` is it over HTTP.
 *
 * Every method throws `UserError` when a stated rule is broken (then nothing was sent) and `CdnError` when the call
 * fails. Reads may be repeated by the client; a write is sent once, and each call of it has its own effect.
 */
export interface Cdn extends ManagementCalls {
  queryLogs(pullZoneId: bigint, filter: LogFilter, options: LogQueryOptions): Promise<LogResult>
  /**
   * Reads the raw file of one UTC day (`YYYY-MM-DD`) from end to end and hands over each matching line. The file is
   * not kept: memory stays constant whatever its size.
   */
  streamDayFile(
    pullZoneId: bigint,
    day: string,
    filter: EntryFilter,
    onEntry: (entry: LogEntry) => void,
    options?: DayFileOptions,
  ): Promise<DayFileSummary>
  /**
   * Reads the same file for counts alone: each line is told in the file's order. Cheaper than `streamDayFile`, since
   * only the head of each line is read.
   */
  tallyDayFile(pullZoneId: bigint, day: string, onLine: OnTallied, options?: DayFileOptions): Promise<DayFileSummary>
}

/** Told of each line when it was, in milliseconds since 1970, its cache status (`-` for none) and its status code. */
export type OnTallied = (atMs: number, cacheStatus: string, statusCode: number) => void

export interface CallOptions {
  /** Gives up when aborted: `CdnError` with the reason `aborted`. */
  readonly signal?: AbortSignal | undefined
}

/** What concerns the limit on log calls, which everybody who looks at a pull zone shares. */
export interface LogCallOptions extends CallOptions {
  /** People go first; background work gets a fifth of the limit. `person` unless given. */
  readonly priority?: LogPriority | undefined
  /** Called once when a slot has not been free for a second, so that the person can be told. */
  readonly onWaiting?: (() => void) | undefined
}

export type LogPriority = 'person' | 'background'

export interface LogQueryOptions extends LogCallOptions {
  /** At most this many entries, 1 to 50,000. */
  readonly maxEntries: number
  /** At most so many requests, those whose answers were too long included; 60 unless given. */
  readonly maxPages?: number | undefined
  /** Goes on where an earlier result ended; give the same filter, with `from` and `to` as that result applied them. */
  readonly cursor?: LogCursor | undefined
  readonly onProgress?: ((progress: { readonly pages: number; readonly entries: number }) => void) | undefined
}

/** A place in a query's rows: the page that starts at `offset` rows, `skip` entries into it. */
export interface LogCursor {
  readonly offset: bigint
  readonly pageSize: number
  readonly skip: number
}

export interface LogResult {
  /** In the order asked for, without duplicates. */
  readonly entries: readonly LogEntry[]
  /** There is more than was read; `next` says where. */
  readonly truncated: boolean
  readonly next: LogCursor | undefined
  /** Pages asked for, empty and too long ones included. */
  readonly pages: number
  /** Lines left out because each of them alone is longer than an answer may be. */
  readonly skipped: number
  /** How many rows a page of this log has room for, as it is now. */
  readonly pageRows: number
  /** The range the platform says it applied, kept for all pages. */
  readonly appliedFrom: Date | undefined
  readonly appliedTo: Date | undefined
}

export interface DayFileOptions extends LogCallOptions {
  readonly onProgress?: ((progress: DayFileProgress) => void) | undefined
}

export interface DayFileProgress {
  readonly lines: number
  readonly matched: number
  /** Bytes after inflating. */
  readonly bytes: number
}

export interface DayFileSummary extends DayFileProgress {
  /** Lines without the fields a line must have. Not matched, not counted by status. */
  readonly malformedLines: number
  /** Lines over 64 KB, which were passed over unread. */
  readonly tooLongLines: number
  /** How many lines have each cache status, over the whole file and not only what matched. */
  readonly countsByCacheStatus: ReadonlyMap<string, number>
  /** How many lines have each class of status code (`2xx`), over the whole file. */
  readonly countsByStatusClass: ReadonlyMap<string, number>
}
