import { StringDecoder } from 'node:string_decoder'
import type { Scrubber } from './scrubber.ts'

const MAX_LINE_CHARACTERS = 64 * 1024
const TOO_LONG = '[a line that was too long]'

/**
 * A stream of text with every secret taken out, also one that comes in several pieces: a line is held back until it is over.
 * A line of more than 64 KB is left out, since a secret could be where it would have to be cut.
 */
export class ScrubbedOutput {
  readonly #scrubber: Scrubber
  readonly #write: (text: string) => void
  readonly #decoder = new StringDecoder('utf8')
  #held = ''
  #isTooLong = false

  constructor(scrubber: Scrubber, write: (text: string) => void) {
    this.#scrubber = scrubber
    this.#write = write
  }

  write(piece: string | Uint8Array): void {
    const text = typeof piece === 'string' ? piece : this.#decoder.write(Buffer.from(piece))
    const end = text.lastIndexOf('\n') + 1
    if (end > 0) this.#release(text.slice(0, end))
    this.#hold(text.slice(end))
  }

  /** Lets out what is held back: nothing more will come. */
  end(): void {
    this.#release(this.#decoder.end())
  }

  #hold(text: string): void {
    this.#isTooLong ||= this.#held.length + text.length > MAX_LINE_CHARACTERS
    this.#held = this.#isTooLong ? '' : this.#held + text
  }

  #release(text: string): void {
    const whole = this.#isTooLong ? TOO_LONG + text.slice(text.search(/\n|$/)) : this.#held + text
    this.#held = ''
    this.#isTooLong = false
    if (whole !== '') this.#write(this.#scrubber.scrub(whole))
  }
}
