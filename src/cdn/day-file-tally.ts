import type { DayFileProgress, DayFileSummary } from './cdn.ts'
import { LineScanner } from './line-scanner.ts'
import { LineTally } from './line-tally.ts'

/** Told of each line when it was, in milliseconds since 1970, its cache status (`-` for none) and its status code. */
export type OnTallied = (atMs: number, cacheStatus: string, statusCode: number) => void

/**
 * Reads of each line of a day file only its first three fields, from the bytes: no text is made of a line, so that a
 * file of gigabytes is counted by minutes in seconds and in constant memory. Lines without these fields are malformed.
 */
export class DayFileTally {
  readonly #tally = new LineTally(() => true)
  readonly #scanner: LineScanner
  readonly #onLine: OnTallied
  #bytes = 0
  #lines = 0
  #matched = 0

  constructor(onLine: OnTallied) {
    this.#onLine = onLine
    this.#scanner = new LineScanner((buffer, start, end) => this.#line(buffer, start, end))
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#scanner.push(chunk)
  }

  /** `matched` are the lines that were handed over. */
  progress(): DayFileProgress {
    return { bytes: this.#bytes, lines: this.#lines + this.#scanner.tooLongLines, matched: this.#matched }
  }

  /** The stream is over: takes in a last line without a line feed, and sums up. */
  finish(): DayFileSummary {
    this.#scanner.end()
    return {
      ...this.progress(),
      malformedLines: this.#lines - this.#matched,
      tooLongLines: this.#scanner.tooLongLines,
      countsByCacheStatus: this.#tally.byCacheStatus(),
      bytesByCacheStatus: this.#tally.bytesByCacheStatus(),
      countsByStatusClass: this.#tally.byStatusClass(),
    }
  }

  #line(buffer: Buffer, start: number, end: number): void {
    this.#lines += 1
    const tally = this.#tally
    if (!tally.count(buffer, start, end)) return
    const atMs = tally.timeOf(buffer, tally.next, end)
    if (atMs < 0) return
    this.#matched += 1
    this.#onLine(atMs, tally.status.name, tally.statusCode)
  }
}
