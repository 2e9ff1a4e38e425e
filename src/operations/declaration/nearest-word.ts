import { distance } from 'fastest-levenshtein'

/** In words this short every letter counts: two slips in four letters make another word. */
const SHORT_WORD = 4
const SLIPS_IN_SHORT = 1
const SLIPS = 2
/** Of long words a third may be wrong. */
const LETTERS_PER_SLIP = 3

/** The word that was probably meant, whatever its case; undefined when none is near enough to be asked about. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const given = typed.trim().toLowerCase()
  return words
    .map((word) => ({ word, away: slipsBetween(given, word) ?? Infinity }))
    .filter(({ away }) => away < Infinity)
    .toSorted((a, b) => a.away - b.away)[0]?.word
}

export function sortByNearness(typed: string, words: readonly string[]): readonly string[] {
  const given = typed.trim().slice(0, LONGEST_WORD).toLowerCase()
  const ranked = words.map((word) => ({ word, away: distance(word.toLowerCase(), given) }))
  return ranked.toSorted((a, b) => a.away - b.away).map(({ word }) => word)
}

/** How many slips of the finger lie between the two, two letters the wrong way round being one; undefined for too many. */
export function countSlips(typed: string, word: string): number | undefined {
  return typed.length > LONGEST_WORD ? undefined : slipsBetween(typed.trim().toLowerCase(), word)
}

function slipsBetween(given: string, word: string): number | undefined {
  const most = slipsAllowed(word)
  if (Math.abs(word.length - given.length) > most) return undefined
  const meant = word.toLowerCase()
  const away = isTurned(given, meant) ? 1 : distance(meant, given)
  return away <= most ? away : undefined
}

/** Of a command, a flag or a name; what is longer is no slip in one. */
const LONGEST_WORD = 60

function isTurned(one: string, other: string): boolean {
  if (one.length !== other.length || one.length > LONGEST_WORD) return false
  let at = 0
  while (at < one.length && one.charAt(at) === other.charAt(at)) at += 1
  return `${one.slice(0, at)}${one.charAt(at + 1)}${one.charAt(at)}${one.slice(at + 2)}` === other
}

function slipsAllowed(word: string): number {
  if (word.length === 1) return 0
  return word.length <= SHORT_WORD ? SLIPS_IN_SHORT : Math.max(SLIPS, Math.floor(word.length / LETTERS_PER_SLIP))
}
