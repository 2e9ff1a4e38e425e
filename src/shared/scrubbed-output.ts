import { StringDecoder } from 'node:string_decoder'
import type { Scrubber } from './scrubber.ts'

const MAX_LINE_CHARACTERS = 64 * 1024
const TOO_LONG = '[a line that was too long]'

/**
 * A stream of text with every secret taken out, also one that comes in several pieces: a line is held back until it is over.
 * A line of more than 64 KB is left out, since a secret could be where it would have to be cut.
 */
export function scrubbedOutput(scrubber: Scrubber, write: (text: string) => void) {
  const decoder = new StringDecoder('utf8')
  let held = ''
  let isTooLong = false
  const release = (text: string): void => {
    const whole = isTooLong ? TOO_LONG + text.slice(text.search(/\n|$/)) : held + text
    held = ''
    isTooLong = false
    if (whole !== '') write(scrubber.scrub(whole))
  }
  return {
    write(piece: string | Uint8Array): void {
      const text = typeof piece === 'string' ? piece : decoder.write(Buffer.from(piece))
      const end = text.lastIndexOf('\n') + 1
      if (end > 0) release(text.slice(0, end))
      isTooLong ||= held.length + text.length - end > MAX_LINE_CHARACTERS
      held = isTooLong ? '' : held + text.slice(end)
    },
    /** Lets out what is held back: nothing more will come. */
    end: () => release(decoder.end()),
  }
}
