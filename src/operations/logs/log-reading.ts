import { bytes, count, counted } from '../../block-kit/amounts.ts'
import type { DayFileSummary, LogCursor } from '../../cdn/cdn.ts'
import { utcDay } from '../../cdn/dates.ts'
import type { LogEntry } from '../../cdn/log-entry.ts'
import { DAY_MS } from '../../shared/durations.ts'
import type { OperationContext } from '../operation.ts'
import { type LogGrouping, type LogQuestion, MAX_FILE_LINES } from './log-fields.ts'
import { dayFilter, logFilter } from './log-request.ts'

const READ_LINES = 1_000
const READ_LINES_GROUPED = 10_000

export interface LogReading {
  /** In the order asked for: the lines to list and, where a file was asked for, to put into it. */
  readonly lines: readonly LogEntry[]
  readonly counts: LogCounts
  readonly complete: boolean
  readonly from: Date | undefined
  readonly to: Date | undefined
  /** Lines left out because they are too long to be read; a day file counts its own. */
  readonly skipped: number
  readonly next: LogCursor | undefined
  readonly pages: number
  readonly dayFile: DayFileSummary | undefined
}

export async function readLog(question: LogQuestion, context: OperationContext): Promise<LogReading> {
  return question.day === undefined ? readLines(question, context) : readDay(question, question.day, context)
}

async function readLines(question: LogQuestion, context: OperationContext): Promise<LogReading> {
  const { by, csv, limit = MAX_FILE_LINES, continueAt, pullZone } = question
  const maxEntries = csv === true ? limit : by === undefined ? READ_LINES : READ_LINES_GROUPED
  const result = await context.cdn.queryLogs(pullZone.id, logFilter(question, context.now), {
    maxEntries,
    cursor: continueAt,
    ...callOptions(context),
    onProgress: ({ pages, entries }) =>
      context.progress(`Read ${counted(entries, 'matching line')} in ${counted(pages, 'answer')}`),
  })
  const tally = new LogTally(by)
  for (const entry of result.entries) tally.add(entry)
  return {
    lines: result.entries,
    counts: tally.counts(),
    complete: !result.truncated,
    skipped: result.skipped,
    from: result.appliedFrom,
    to: result.appliedTo,
    next: result.next,
    pages: result.pages,
    dayFile: undefined,
  }
}

async function readDay(question: LogQuestion, day: Date, context: OperationContext): Promise<LogReading> {
  const { by, csv, limit = MAX_FILE_LINES, pullZone, since, until } = question
  const tally = new LogTally(by)
  const newest = new NewestLines(csv === true ? limit : READ_LINES)
  const onEntry = (entry: LogEntry): void => {
    tally.add(entry)
    newest.add(entry)
  }
  const dayFile = await context.cdn.streamDayFile(pullZone.id, utcDay(day), dayFilter(question), onEntry, {
    ...callOptions(context),
    onProgress: ({ lines, matched, bytes: read }) =>
      context.progress(`Read ${bytes(BigInt(read))}, ${counted(lines, 'line')}, of which ${count(matched)} match`),
  })
  const lines = newest.list()
  return {
    lines,
    counts: tally.counts(),
    complete: true,
    skipped: 0,
    from: since ?? day,
    to: until ?? new Date(day.getTime() + DAY_MS),
    next: undefined,
    pages: 1,
    dayFile,
  }
}

function callOptions(context: OperationContext) {
  return {
    signal: context.signal,
    priority: 'person',
    onWaiting: () =>
      context.progress('Waiting for a free slot: the platform takes 30 log requests in 10 seconds for a pull zone'),
  } as const
}

/** Sorting once in every quarter of `max` lines costs little, and no more than a quarter too many are kept. */
const SLACK = 1.25

/** Keeps the newest lines of a stream of any length and order, newest first. Lines without a time count as oldest. */
export class NewestLines {
  readonly #max: number
  #kept: LogEntry[] = []
  /** Once `max` lines are kept, one that is no newer than the oldest of them has no place. */
  #oldest = Number.NEGATIVE_INFINITY

  constructor(max: number) {
    this.#max = max
  }

  add(entry: LogEntry): void {
    if (timeOf(entry) <= this.#oldest) return
    this.#kept.push(entry)
    if (this.#kept.length <= this.#max * SLACK) return
    this.#kept = this.#newest()
    this.#oldest = timeOf(this.#kept.at(-1))
  }

  list(): readonly LogEntry[] {
    return this.#newest()
  }

  #newest(): LogEntry[] {
    return this.#kept.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, this.#max)
  }
}

function timeOf(entry: LogEntry | undefined): number {
  return entry?.timestamp?.getTime() ?? 0
}

/** Different values counted apart; the lines of any further ones are counted together. */
const MAX_GROUPS = 10_000
const MAX_STATUSES = 64
const MAX_NAME_LENGTH = 300

export interface LogGroup {
  readonly name: string
  readonly lines: number
  readonly bytes: bigint
}

export interface LogCounts {
  readonly lines: number
  readonly bytes: bigint
  readonly byCacheStatus: readonly LogGroup[]
  /** Lines by what was asked for, the most frequent first; empty when nothing was. */
  readonly groups: readonly LogGroup[]
  /** Lines of groups beyond the bound, which stand in none of `groups`. */
  readonly ungrouped: number
}

/** Counts lines as they come, in bounded memory: by cache status, and by one more property where asked for. */
export class LogTally {
  readonly #by: LogGrouping | undefined
  readonly #statuses = new Map<string, Sum>()
  readonly #groups = new Map<string, Sum>()
  readonly #all: Sum = { lines: 0, bytes: 0n }
  #ungrouped = 0

  constructor(by: LogGrouping | undefined) {
    this.#by = by
  }

  add(entry: LogEntry): void {
    addTo(this.#all, entry)
    countLine(this.#statuses, entry.cacheStatus ?? 'unknown', entry, MAX_STATUSES)
    if (this.#by === undefined) return
    if (!countLine(this.#groups, groupOf(entry, this.#by), entry, MAX_GROUPS)) this.#ungrouped += 1
  }

  counts(): LogCounts {
    return {
      ...this.#all,
      byCacheStatus: sorted(this.#statuses),
      groups: sorted(this.#groups),
      ungrouped: this.#ungrouped,
    }
  }
}

/** Host and path of a line without its query, which would tell apart what belongs together. */
export function pathOf({ url, host = '', path = '' }: LogEntry): string {
  const address = url === undefined ? `${host}${path}` : url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  return address.replace(/[?#].*$/s, '')
}

interface Sum {
  lines: number
  bytes: bigint
}

function groupOf(entry: LogEntry, by: LogGrouping): string {
  const value = {
    path: () => pathOf(entry),
    status: () => entry.statusCode?.toString(),
    edge: () => entry.edgeLocation,
    country: () => entry.countryCode,
  }[by]()
  return value === undefined || value === '' ? 'unknown' : value.slice(0, MAX_NAME_LENGTH)
}

/** False when the name is new and there is no room for another. */
function countLine(sums: Map<string, Sum>, name: string, entry: LogEntry, max: number): boolean {
  const sum = sums.get(name)
  if (sum === undefined && sums.size >= max) return false
  const added = sum ?? { lines: 0, bytes: 0n }
  addTo(added, entry)
  sums.set(name, added)
  return true
}

function addTo(sum: Sum, { bytesSent = 0n }: LogEntry): void {
  sum.lines += 1
  sum.bytes += bytesSent
}

function sorted(sums: ReadonlyMap<string, Sum>): readonly LogGroup[] {
  return [...sums].map(([name, sum]) => ({ name, ...sum })).sort((a, b) => b.lines - a.lines)
}
