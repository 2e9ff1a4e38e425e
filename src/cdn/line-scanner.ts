/** The longest line that is looked at; longer ones are passed over and counted. */
export const MAX_LINE_BYTES = 64 * 1024

const LINE_FEED = 10

/** Sees one line as the bytes of `buffer` from `start` to before `end`, without its line feed; valid only during the call. */
export type OnLine = (buffer: Buffer, start: number, end: number) => void

/**
 * Cuts a stream of bytes into lines, without copying those that lie whole in a chunk. Empty lines are no lines. Never
 * holds more than the beginning of one line.
 */
export class LineScanner {
  readonly #onLine: OnLine
  /** The beginning of a line that the last chunk did not end. Of a longer line it holds the first 64 KB. */
  readonly #torn = Buffer.alloc(MAX_LINE_BYTES)
  #tornLength = 0
  #lines = 0
  #tooLongLines = 0

  constructor(onLine: OnLine) {
    this.#onLine = onLine
  }

  /** Lines that ended, those that are too long included. */
  get lines(): number {
    return this.#lines
  }

  /** Lines over 64 KB that were not handed over. */
  get tooLongLines(): number {
    return this.#tooLongLines
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      if (this.#tornLength === 0) {
        this.#see(chunk, start, end)
      } else {
        this.#keep(chunk, start, end)
        this.end()
      }
      start = end + 1
    }
    this.#keep(chunk, start, chunk.length)
  }

  /** The stream is over; a last line without a line feed is a line too. */
  end(): void {
    const length = this.#tornLength
    this.#tornLength = 0
    this.#see(this.#torn, 0, length)
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    chunk.copy(this.#torn, this.#tornLength, start, end)
    this.#tornLength += end - start
  }

  #see(buffer: Buffer, start: number, end: number): void {
    if (end === start) return
    this.#lines += 1
    if (end - start > MAX_LINE_BYTES) this.#tooLongLines += 1
    else this.#onLine(buffer, start, end)
  }
}
