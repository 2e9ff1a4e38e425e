import { once } from 'node:events'
import { readByLine, readByParser } from './other-readers.ts'
import { answerDay, countLines, type Found, pickLines } from './our-readers.ts'

/** One reading in a process of its own: which, says the message that comes when everything is loaded. */

export interface Reading {
  readonly kind: 'pick' | 'count' | 'answer' | 'readline' | 'papaparse'
  readonly path: string
  readonly url: string
  readonly bytes: number
  readonly blocks: number
}

export interface ReadingResult extends Partial<Found> {
  readonly picked: number
  /** The longest that anything else would have had to wait for its turn. */
  readonly longestPauseMs: number
}

const TICK_MS = 2

process.send?.('ready')
const [reading] = (await once(process, 'message')) as [Reading]
const pauses = watchPauses()
const found = await read(reading)
const longestPauseMs = pauses.stop()
process.send?.({ ...found, longestPauseMs } satisfies ReadingResult)
// Stays until it is ended, so that its memory can be asked for.
setInterval(() => undefined, 1_000_000)

async function read({ kind, path, url, bytes, blocks }: Reading): Promise<Partial<Found> & { picked: number }> {
  switch (kind) {
    case 'pick':
      return pickLines(path, bytes)
    case 'count':
      return countLines(path, bytes)
    case 'answer':
      return answerDay(url, blocks)
    case 'readline':
      return { picked: await readByLine(path, bytes) }
    case 'papaparse':
      return { picked: await readByParser(path, bytes) }
  }
}

/** A timer that should come every two milliseconds, and how late it was. */
function watchPauses(): { readonly stop: () => number } {
  let longest = 0
  let last = performance.now()
  const tick = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last - TICK_MS)
    last = now
  }
  const timer = setInterval(tick, TICK_MS)
  return {
    stop() {
      tick()
      clearInterval(timer)
      return longest
    },
  }
}
