import type { DayFileProgress, DayFileSummary } from './cdn.ts'
import { DayLine } from './day-line.ts'
import { compileEntryFilter, type EntryMatch } from './entry-match.ts'
import { LineScanner } from './line-scanner.ts'
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
  readonly #scanner: LineScanner
  readonly #fields: DayLine
  readonly #onEntry: (entry: LogEntry) => void
  #bytes = 0
  #lines = 0
  #matched = 0
  #malformedLines = 0

  constructor(filter: DayFilter, allowed: readonly LogField[], onEntry: (entry: LogEntry) => void) {
    this.#match = compileEntryFilter(filter)
    this.#tally = new LineTally((status) => this.#match.wantsCacheStatus(status))
    this.#scanner = new LineScanner((buffer, start, end) => this.#line(buffer, start, end))
    this.#fields = new DayLine(allowed)
    this.#onEntry = onEntry
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#scanner.push(chunk)
  }

  progress(): DayFileProgress {
    return { bytes: this.#bytes, lines: this.#lines + this.#scanner.tooLongLines, matched: this.#matched }
  }

  /** The stream is over: takes in a last line without a line feed, and sums up. */
  finish(): DayFileSummary {
    this.#scanner.end()
    return {
      ...this.progress(),
      malformedLines: this.#malformedLines,
      tooLongLines: this.#scanner.tooLongLines,
      countsByCacheStatus: this.#tally.byCacheStatus(),
      bytesByCacheStatus: this.#tally.bytesByCacheStatus(),
      countsByStatusClass: this.#tally.byStatusClass(),
    }
  }

  #line(buffer: Buffer, start: number, lineEnd: number): void {
    this.#lines += 1
    const end = buffer[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd
    const tally = this.#tally
    if (!tally.count(buffer, start, end)) {
      this.#malformedLines += 1
      return
    }
    if (!tally.status.wanted || !this.#match.wantsStatusCode(tally.statusCode)) return
    this.#look(buffer, start, end)
  }

  /** A line that its beginning does not rule out. */
  #look(buffer: Buffer, start: number, end: number): void {
    const atMs = this.#tally.timeOf(buffer, this.#tally.next, end)
    if (!this.#match.wantsTime(atMs)) return
    if (!this.#fields.read(buffer, start, end)) {
      this.#malformedLines += 1
    } else if (this.#match.isOfHead || this.#match.wants(this.#fields.raw())) {
      this.#matched += 1
      this.#onEntry(this.#fields.entry(atMs, this.#tally.statusCode))
    }
  }
}
