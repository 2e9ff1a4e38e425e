/** The longest line that is looked at; longer ones are passed over and counted. */
export const MAX_LINE_BYTES = 64 * 1024

const LINE_FEED = 10

/** Sees one line as the bytes of `buffer` from `start` to before `end`, without its line feed; valid only during the call. */
export type OnLine = (buffer: Buffer, start: number, end: number) => void

/**
 * Cuts a stream of bytes into lines without copying those that lie whole in a chunk, which nearly all do. Never holds
 * more than one line of at most 64 KB.
 */
export class LineScanner {
  readonly #onLine: OnLine
  #parts: Buffer[] = []
  #partsLength = 0
  #skipping = false
  #tooLongLines = 0

  constructor(onLine: OnLine) {
    this.#onLine = onLine
  }

  /** Lines that were over 64 KB. */
  get tooLongLines(): number {
    return this.#tooLongLines
  }

  push(chunk: Buffer): void {
    let start = this.#finishTornLine(chunk)
    if (start < 0) return
    for (let end = chunk.indexOf(LINE_FEED, start); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#line(chunk, start, end)
      start = end + 1
    }
    this.#keep(chunk, start, chunk.length)
  }

  /** The stream is over; a last line without a line feed is a line too. */
  end(): void {
    this.#flush()
    this.#skipping = false
  }

  /** Where the chunk's first whole line begins; -1 when the torn line goes on beyond the chunk. */
  #finishTornLine(chunk: Buffer): number {
    if (this.#partsLength === 0 && !this.#skipping) return 0
    const end = chunk.indexOf(LINE_FEED)
    if (end < 0) {
      this.#keep(chunk, 0, chunk.length)
      return -1
    }
    this.#keep(chunk, 0, end)
    this.#flush()
    this.#skipping = false
    return end + 1
  }

  /** Keeps the beginning of a line, copied so that the chunk can be let go. */
  #keep(chunk: Buffer, start: number, end: number): void {
    if (this.#skipping || start === end) return
    this.#partsLength += end - start
    if (this.#partsLength > MAX_LINE_BYTES) {
      this.#tooLongLines += 1
      this.#skipping = true
      this.#parts = []
      this.#partsLength = 0
      return
    }
    this.#parts.push(Buffer.from(chunk.subarray(start, end)))
  }

  #flush(): void {
    if (this.#partsLength === 0) return
    const line = Buffer.concat(this.#parts, this.#partsLength)
    this.#parts = []
    this.#partsLength = 0
    this.#onLine(line, 0, line.length)
  }

  #line(buffer: Buffer, start: number, end: number): void {
    if (end - start > MAX_LINE_BYTES) this.#tooLongLines += 1
    else if (end > start) this.#onLine(buffer, start, end)
  }
}
