import type { Cdn, LogResult } from '../../src/cdn/contract/cdn.ts'
import type { LogEntry } from '../../src/cdn/contract/log-entry.ts'
import type { LogFilter } from '../../src/cdn/contract/log-filter.ts'
import type { Clock } from '../../src/shared/clock.ts'

const MINUTE_MS = 60_000
const PAGE_LINES = 2_000

/** What was asked of the log. Times in milliseconds since 1970. */
export interface AskedLog {
  readonly pullZoneId: bigint
  readonly fromMs: number
  readonly untilMs: number
  readonly maxEntries: number
  readonly pages: number
}

/** The log of one zone: evenly spaced lines, so many in each minute, each there a while after its time. */
export class ScriptedLog {
  readonly asked: AskedLog[] = []
  /** Lines of a minute. */
  perMinute: (minute: number) => number = () => 60
  /** How long after its time a line is there, by its place in the minute, 0 to below 1. */
  lateMs: (place: number) => number = () => 0
  entry: (atMs: number) => Partial<LogEntry> = () => ({})
  /** Thrown instead of an answer, for each query in turn; undefined answers. */
  failures: (Error | undefined)[] = []
  /** Done while a query is under way: it is answered after that. */
  during: (asked: AskedLog) => void | Promise<unknown> = () => undefined
  readonly #clock: Pick<Clock, 'now'>

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  get cdn(): Pick<Cdn, 'queryLogs'> {
    return {
      queryLogs: async (pullZoneId, filter, { maxEntries, maxPages = Number.POSITIVE_INFINITY, priority }) => {
        if (priority !== 'background') throw new Error('Whoever counts leaves slots to people')
        return this.#answer(pullZoneId, filter, Math.min(maxEntries, maxPages * PAGE_LINES))
      },
    }
  }

  /** Pages that were read in all. */
  get pages(): number {
    return this.asked.reduce((sum, { pages }) => sum + pages, 0)
  }

  async #answer(
    pullZoneId: bigint,
    { from = new Date(0), to = new Date(0), order }: LogFilter,
    maxEntries: number,
  ): Promise<LogResult> {
    const failure = this.failures.shift()
    if (order !== 'asc') throw new Error('Counting asks for the oldest lines first')
    const answer = linesAnswered(this.#lines(from.getTime(), to.getTime()), from, to, maxEntries)
    const asked = { pullZoneId, fromMs: from.getTime(), untilMs: to.getTime(), maxEntries, pages: answer.pages }
    this.asked.push(asked)
    await this.during(asked)
    if (failure !== undefined) throw failure
    return answer
  }

  #lines(fromMs: number, untilMs: number): readonly LogEntry[] {
    const nowMs = this.#clock.now().getTime()
    const lines: LogEntry[] = []
    for (let minute = Math.floor(fromMs / MINUTE_MS); minute * MINUTE_MS < untilMs; minute += 1) {
      const amount = this.perMinute(minute)
      for (let index = 0; index < amount; index += 1) {
        const place = index / amount
        const atMs = minute * MINUTE_MS + Math.floor(place * MINUTE_MS)
        if (atMs < fromMs || atMs >= untilMs || atMs + this.lateMs(place) > nowMs) continue
        lines.push({ timestamp: new Date(atMs), cacheStatus: 'HIT', statusCode: 200, ...this.entry(atMs) })
      }
    }
    return lines
  }
}

/** The first lines of a stretch, as the platform answers. */
export function linesAnswered(lines: readonly LogEntry[], from: Date, to: Date, maxEntries: number): LogResult {
  const entries = lines.slice(0, maxEntries)
  const truncated = entries.length < lines.length
  const pages = Math.max(1, Math.ceil(entries.length / PAGE_LINES))
  const rest = { skipped: 0, pageRows: PAGE_LINES }
  return { entries, truncated, next: undefined, pages, appliedFrom: from, appliedTo: to, ...rest }
}
