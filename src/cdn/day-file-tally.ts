import type { DayFileProgress, DayFileSummary } from './cdn.ts'
import { LineScanner } from './line-scanner.ts'
import { LineTally } from './line-tally.ts'

const SEPARATOR = 0x7c
const DIGIT_ZERO = 0x30
/** Milliseconds since 1970 have 13 digits until the year 2286; a number of more than 15 is none. */
const MAX_TIME_DIGITS = 15

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
      countsByStatusClass: this.#tally.byStatusClass(),
    }
  }

  #line(buffer: Buffer, start: number, end: number): void {
    this.#lines += 1
    const head = this.#tally.count(buffer, start, end)
    if (head === undefined) return
    const atMs = timeAt(buffer, head.next, end)
    if (atMs === undefined) return
    this.#matched += 1
    this.#onLine(atMs, head.status.name, head.statusCode)
  }
}

/** The number that makes up the field at a place; undefined when the field is no number or is the line's last. */
function timeAt(buffer: Buffer, start: number, end: number): number | undefined {
  const limit = Math.min(end, start + MAX_TIME_DIGITS + 1)
  let number = 0
  for (let at = start; at < limit; at += 1) {
    const byte = buffer[at] ?? 0
    if (byte === SEPARATOR) return at > start ? number : undefined
    const digit = byte - DIGIT_ZERO
    if (digit < 0 || digit > 9) return undefined
    number = number * 10 + digit
  }
  return undefined
}
