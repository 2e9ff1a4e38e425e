import type { DayFileProgress, DayFileSummary } from './cdn.ts'
import { type LineBeginning, LineTally } from './line-tally.ts'

/** Told of each line when it was, in milliseconds since 1970, its cache status (`-` for none) and its status code. */
export type OnTallied = (atMs: number, cacheStatus: string, statusCode: number) => void

/**
 * Reads of each line of a day file only its first three fields, from the bytes: no text is made of a line, so that a
 * file of gigabytes is counted by minutes in seconds and in constant memory. Lines without these fields are malformed.
 */
export class DayFileTally {
  readonly #tally = new LineTally({
    wants: () => true,
    take: (_buffer, _start, _end, beginning, atMs) => this.#take(beginning, atMs),
  })
  readonly #onLine: OnTallied
  #matched = 0
  #withoutTime = 0

  constructor(onLine: OnTallied) {
    this.#onLine = onLine
  }

  push(chunk: Buffer): void {
    this.#tally.push(chunk)
  }

  /** `matched` are the lines that were handed over. */
  progress(): DayFileProgress {
    const { bytes, lines } = this.#tally
    return { bytes, lines, matched: this.#matched }
  }

  /** The stream is over: takes in a last line without a line feed, and sums up. */
  finish(): DayFileSummary {
    const summary = this.#tally.finish()
    return { ...summary, matched: this.#matched, malformedLines: summary.malformedLines + this.#withoutTime }
  }

  #take({ status, statusCode }: LineBeginning, atMs: number): void {
    if (atMs < 0) {
      this.#withoutTime += 1
      return
    }
    this.#matched += 1
    this.#onLine(atMs, status.name, statusCode)
  }
}
