import { bytes, count, counted } from '../../block-kit/amounts.ts'
import type { DayFileSummary, LogCursor } from '../../cdn/cdn.ts'
import { utcDay } from '../../cdn/dates.ts'
import type { LogEntry } from '../../cdn/log-entry.ts'
import { DAY_MS } from '../../shared/durations.ts'
import type { OperationContext } from '../operation.ts'
import { type LogQuestion, MAX_FILE_LINES } from './log-fields.ts'
import { dayFilter, logFilter } from './log-request.ts'
import { type LogCounts, LogTally } from './log-tally.ts'

/** Lines read for the counts when a page of them is listed. */
const READ_LINES = 1_000
/** Lines read for the counts when they are grouped. */
const READ_LINES_GROUPED = 10_000

/** What was read of a log, from either version. */
export interface LogReading {
  /** In the order asked for: the lines to list and, where a file was asked for, to put into it. */
  readonly lines: readonly LogEntry[]
  /** Over every matching line that was read. */
  readonly counts: LogCounts
  /** Every matching line of the range was read and counted. */
  readonly complete: boolean
  readonly from: Date | undefined
  readonly to: Date | undefined
  /** Lines left out because they are too long to be read; a day file counts its own. */
  readonly skipped: number
  /** Where version 2 would go on. */
  readonly next: LogCursor | undefined
  /** Answers of the platform it took. */
  readonly pages: number
  /** What only the file of a day tells. */
  readonly dayFile: DayFileSummary | undefined
}

/** Reads what a question needs: some of the newest lines with version 2, a whole day with version 1. */
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
