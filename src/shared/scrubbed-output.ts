import { StringDecoder } from 'node:string_decoder'
import type { Scrubber } from './scrubber.ts'

/** A line that goes on for longer is let out in parts. */
const MAX_HELD_CHARACTERS = 64 * 1024

/**
 * A stream of text with every secret taken out, also one that comes in several pieces: a line that is not over yet is held
 * back, of a very long one only as much as could still become a secret.
 */
export class ScrubbedOutput {
  readonly #scrubber: Scrubber
  readonly #write: (text: string) => void
  readonly #decoder = new StringDecoder('utf8')
  #held = ''

  constructor(scrubber: Scrubber, write: (text: string) => void) {
    this.#scrubber = scrubber
    this.#write = write
  }

  write(piece: string | Uint8Array): void {
    const text = typeof piece === 'string' ? piece : this.#decoder.write(Buffer.from(piece))
    // What is held ends no line, so only the piece is looked at: a long line in tiny pieces would be read for each of them.
    const end = text.lastIndexOf('\n') + 1
    const before = this.#held.length
    this.#held += text
    if (end > 0) this.#release(before + end)
    if (this.#held.length > MAX_HELD_CHARACTERS) this.#release(this.#safeEnd())
  }

  /** Lets out what is held back: nothing more will come. */
  end(): void {
    this.#held += this.#decoder.end()
    this.#release(this.#held.length)
  }

  /** Behind it may be the beginning of a secret; nor may the cut go through one. */
  #safeEnd(): number {
    const end = Math.max(0, this.#held.length - this.#scrubber.longest)
    return this.#scrubber.spans(this.#held).find((span) => span.start < end && span.end > end)?.end ?? end
  }

  #release(end: number): void {
    if (end === 0) return
    const text = this.#scrubber.scrub(this.#held.slice(0, end))
    this.#held = this.#held.slice(end)
    this.#write(text)
  }
}
