import type { Reading } from './reading.ts'
import { shareText } from './reading-sentence.ts'
import { factsOf, shareNumbers } from './traffic-reading.ts'
import type { Window } from './window.ts'
import type { Share } from './wilson.ts'

/** So few bad lines are nothing, whatever their share. */
export const FEW_BAD_LINES = 2
/** So many lines without a bad one end an alert even where it takes more to begin one. */
const ENOUGH_TO_END = 20

/**
 * Clear, for an alert of a zone so quiet that its hour never holds the minimum: it began by the fast lane, and nothing is bad
 * any more. Undefined where that is not so.
 */
export function fewAndNoneBad(
  window: Window,
  bad: number,
  share: Share,
  firing: boolean,
  word: string,
): Reading | undefined {
  if (!firing || bad > 0 || share.sample < ENOUGH_TO_END) return undefined
  const facts = factsOf(window, `${shareText(share, word)}.`, shareNumbers(share))
  return { level: 'clear', facts }
}
