/** The longest line that is looked at; longer ones are passed over and counted. */
export const MAX_LINE_BYTES = 64 * 1024

const LINE_FEED = 10

/**
 * Sees whole lines as the bytes of `buffer` from `start` to before `end`, each with its line feed; valid only during the
 * call. Lines that are too long may be among them.
 */
export type OnLines = (buffer: Buffer, start: number, end: number) => void

/**
 * Cuts a stream of bytes between lines without copying those that lie whole in a chunk, which nearly all do. Never holds
 * more than one line of at most 64 KB.
 */
export class LineScanner {
  readonly #onLines: OnLines
  #parts: Buffer[] = []
  #partsLength = 0
  #skipping = false
  #tooLongLines = 0

  constructor(onLines: OnLines) {
    this.#onLines = onLines
  }

  /** Lines over 64 KB that were not handed over. */
  get tooLongLines(): number {
    return this.#tooLongLines
  }

  push(chunk: Buffer): void {
    const start = this.#finishTornLine(chunk)
    if (start < 0) return
    // Not before `start`: what finished the torn line is a line feed too.
    const end = chunk.lastIndexOf(LINE_FEED) + 1
    if (end > start) this.#onLines(chunk, start, end)
    this.#keep(chunk, end, chunk.length)
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
    const line = Buffer.concat([...this.#parts, Buffer.of(LINE_FEED)], this.#partsLength + 1)
    this.#parts = []
    this.#partsLength = 0
    this.#onLines(line, 0, line.length)
  }
}
