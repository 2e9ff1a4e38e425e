import type { Cdn } from '../cdn/cdn.ts'
import { CdnError } from '../cdn/errors.ts'
import type { LogEntry } from '../cdn/log-entry.ts'
import { MINUTE_MS } from '../shared/durations.ts'
import { COUNTS, type MinuteCounts } from '../store/minute-counts.ts'
import { countLine, emptyMinute, type MinuteTally } from './minute-tally.ts'
import type { Span } from './sampling.ts'

export interface SpanReading {
  readonly entries: readonly LogEntry[]
  /** Every minute of what was read, those without a line too. `coveredMs` is how much of it lies in what was read. */
  readonly minutes: readonly MinuteCounts[]
  /** Up to here everything was read; the end of the stretch unless there were too many lines. */
  readonly untilMs: number
  readonly pages: number
  /** How many lines a page has room for, as it is now. */
  readonly pageRows: number
}

/**
 * Reads the lines of a stretch, the oldest first, and counts them by minute, as background work. Where there are more
 * than `maxEntries`, or than `maxPages` bring, what lies before the time of the last line is read whole and the rest not at
 * all. Lines too long to be read count as time that was not. Throws `CdnError`, also where no line says when it was, and
 * `UserError` (busy).
 */
export async function readSpan(
  cdn: Pick<Cdn, 'queryLogs'>,
  pullZoneId: bigint,
  span: Span,
  options: { readonly maxEntries: number; readonly maxPages: number; readonly signal: AbortSignal },
): Promise<SpanReading> {
  const range = { from: new Date(span.fromMs), to: new Date(span.untilMs), order: 'asc' as const }
  const result = await cdn.queryLogs(pullZoneId, range, { ...options, priority: 'background' })
  const { entries, truncated, pages, skipped, pageRows, appliedFrom, appliedTo } = result
  const times = entries.flatMap(({ timestamp }) => (timestamp === undefined ? [] : timestamp.getTime()))
  if (entries.length > 0 && times.length === 0)
    throw new CdnError('queryLogs', { kind: 'malformed', status: 200, why: 'no line says when it was' })
  const fromMs = Math.max(span.fromMs, appliedFrom?.getTime() ?? span.fromMs)
  const endMs = Math.min(span.untilMs, appliedTo?.getTime() ?? span.untilMs)
  const untilMs = Math.max(fromMs, truncated ? Math.min(endMs, wholeUntil(times) ?? fromMs) : endMs)
  const share = skipped === 0 ? 1 : entries.length / (entries.length + skipped)
  const minutes = minutesOf({ fromMs, untilMs }, share)
  for (const { timestamp, cacheStatus, statusCode } of entries) {
    const atMs = timestamp?.getTime()
    if (atMs === undefined || atMs < fromMs || atMs >= untilMs) continue
    const tally = minutes.get(Math.floor(atMs / MINUTE_MS))
    if (tally !== undefined) countLine(tally, cacheStatus, statusCode)
  }
  return { entries, minutes: [...minutes.values()], untilMs, pages, pageRows }
}

export class MinuteSums {
  readonly #minutes = new Map<number, MinuteTally>()

  add(minutes: readonly MinuteCounts[]): void {
    for (const counts of minutes) {
      const sum = this.#minutes.get(counts.minute)
      if (sum === undefined) {
        this.#minutes.set(counts.minute, { ...counts })
        continue
      }
      for (const name of COUNTS) sum[name] += counts[name]
      sum.coveredMs = Math.min(MINUTE_MS, sum.coveredMs + counts.coveredMs)
    }
  }

  drop(minute: number): void {
    this.#minutes.delete(minute)
  }

  list(): readonly MinuteCounts[] {
    return [...this.#minutes.values()].toSorted((a, b) => a.minute - b.minute)
  }
}

/** The time of the last line, if lines came in the order that was asked for; else it is not known what is missing. */
function wholeUntil(times: readonly number[]): number | undefined {
  return times.every((time, index) => time >= (times[index - 1] ?? 0)) ? times.at(-1) : undefined
}

function minutesOf({ fromMs, untilMs }: Span, share: number): Map<number, MinuteTally> {
  const minutes = new Map<number, MinuteTally>()
  for (let minute = Math.floor(fromMs / MINUTE_MS); minute * MINUTE_MS < untilMs; minute += 1) {
    const startMs = Math.max(fromMs, minute * MINUTE_MS)
    const endMs = Math.min(untilMs, (minute + 1) * MINUTE_MS)
    minutes.set(minute, emptyMinute(minute, Math.floor((endMs - startMs) * share)))
  }
  return minutes
}
