import type { Words } from './alert-kind.ts'
import type { Numbers, Reading } from './reading.ts'
import { shareText } from './reading-sentence.ts'
import { shareWords } from './traffic-reading.ts'

/** So few bad lines are nothing, whatever their share. */
export const FEW_BAD_LINES = 2
/** So many lines without a bad one end an alert even where it takes more to begin one. */
const ENOUGH_TO_END = 20
const NONE_BAD = 'none bad'

/**
 * Clear, for an alert of a zone so quiet that its hour never holds the minimum: it began by the fast lane, and nothing is bad
 * any more. Undefined where that is not so.
 */
export function fewAndNoneBad(
  bad: number,
  sample: number,
  firing: boolean,
  numbers: () => Numbers,
): Reading | undefined {
  if (!firing || bad > 0 || sample < ENOUGH_TO_END) return undefined
  return { level: 'clear', facts: numbers(), seen: { why: NONE_BAD } }
}

/** The words for it; undefined for any other reading. */
export function fewWords({ facts, seen }: Reading, word: string): Words | undefined {
  if (seen?.['why'] !== NONE_BAD) return undefined
  return shareWords(facts, (share) => `${shareText(share, word)}.`)
}
