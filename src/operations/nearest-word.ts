import { distance } from 'fastest-levenshtein'

/** In words this short every letter counts: two slips in three letters make another word. */
const SHORT_WORD = 3
const SLIPS_IN_SHORT = 1
const SLIPS = 2
/** Of long words a third may be wrong. */
const LETTERS_PER_SLIP = 3

/** The word that was probably meant, whatever its case; undefined when none is near enough to be asked about. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const wanted = typed.trim().toLowerCase()
  return words
    .filter((word) => Math.abs(word.length - wanted.length) <= slipsAllowed(word))
    .map((word) => ({ word, away: distance(word.toLowerCase(), wanted) }))
    .filter(({ word, away }) => away <= slipsAllowed(word))
    .toSorted((a, b) => a.away - b.away)[0]?.word
}

function slipsAllowed(word: string): number {
  return word.length <= SHORT_WORD ? SLIPS_IN_SHORT : Math.max(SLIPS, Math.floor(word.length / LETTERS_PER_SLIP))
}
