import type { DayFileProgress, DayFileSummary } from './cdn.ts'
import { DayLine } from './day-line.ts'
import { compileEntryFilter, type EntryMatch } from './entry-match.ts'
import { LineTally } from './line-tally.ts'
import type { LogEntry, LogField } from './log-entry.ts'
import type { DayFilter } from './log-filter.ts'

const CARRIAGE_RETURN = 13

/**
 * Reads a day file as its bytes come. Each line's cache status and code are read from the bytes and counted; only a
 * line they do not rule out is made into text, split and looked at, which keeps a gigabyte to seconds.
 */
export class DayFileReader {
  readonly #match: EntryMatch
  readonly #tally: LineTally
  readonly #fields: DayLine
  readonly #onEntry: (entry: LogEntry) => void
  #matched = 0
  #malformedLines = 0

  constructor(filter: DayFilter, allowed: readonly LogField[], onEntry: (entry: LogEntry) => void) {
    const match = compileEntryFilter(filter)
    this.#match = match
    this.#tally = new LineTally({
      wants: ({ name, isOther }, statusCode) =>
        !isOther && match.wantsCacheStatus(name) && match.wantsStatusCode(statusCode),
      take: (buffer, start, end, { statusCode }, atMs) => this.#look(buffer, start, end, statusCode, atMs),
    })
    this.#fields = new DayLine(allowed)
    this.#onEntry = onEntry
  }

  push(chunk: Buffer): void {
    this.#tally.push(chunk)
  }

  progress(): DayFileProgress {
    const { bytes, lines } = this.#tally
    return { bytes, lines, matched: this.#matched }
  }

  /** The stream is over: takes in a last line without a line feed, and sums up. */
  finish(): DayFileSummary {
    const summary = this.#tally.finish()
    return { ...summary, matched: this.#matched, malformedLines: summary.malformedLines + this.#malformedLines }
  }

  /** A line that its beginning does not rule out. */
  #look(buffer: Buffer, start: number, lineEnd: number, statusCode: number, atMs: number): void {
    if (!this.#match.wantsTime(atMs)) return
    const end = buffer[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd
    if (!this.#fields.read(buffer, start, end)) {
      this.#malformedLines += 1
    } else if (this.#match.isOfHead || this.#match.wants(this.#fields.raw())) {
      this.#matched += 1
      this.#onEntry(this.#fields.entry(atMs, statusCode))
    }
  }
}
