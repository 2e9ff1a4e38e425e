/** Deeper nesting parses, and then overflows the stack of whatever walks it. No answer of the platform needs five. */
export const MAX_JSON_DEPTH = 32
/**
 * Values of one text, counted by what separates them. A page of 2,000 log lines has half as many; a body of 8 MB has
 * room for millions, which take seconds and hundreds of megabytes to walk.
 */
export const MAX_JSON_VALUES = 100_000
/** The shortest whole number that a double may not hold has as many digits. */
export const LONG_DIGITS = 16

/** What has to be known about JSON before it is parsed. */
export interface JsonShape {
  /** Why it must not be parsed, in words that hold none of it. */
  readonly problem: string | undefined
  /** Whether 16 digits stand in a row outside of strings, so that a number may be longer than a double holds. */
  readonly hasLongNumbers: boolean
  /** Whether there is a number with a fraction or an exponent. */
  readonly hasFractions: boolean
}

/** Looks at the UTF-8 of a text once, byte for byte, since a call into the engine for each string costs more than that. */
export function shapeOf(bytes: Uint8Array): JsonShape {
  const words = wordsOf(bytes)
  let depth = 0
  let values = 1
  let digits = 0
  let hasLongNumbers = false
  let hasFractions = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) {
      at = endOfString(bytes, words, at + 1)
      digits = 0
      continue
    }
    const kind = KINDS[byte] ?? OTHER
    if (kind === DIGIT) {
      digits += 1
      if (digits === LONG_DIGITS) hasLongNumbers = true
      continue
    }
    if (kind === FRACTION && digits > 0) hasFractions = true
    digits = 0
    if (kind === CLOSING) depth -= 1
    else if (kind === OPENING || kind === SEPARATOR) {
      values += 1
      if (kind === OPENING) depth += 1
      if (depth > MAX_JSON_DEPTH || values > MAX_JSON_VALUES) return tooMuch(depth)
    }
  }
  return { problem: undefined, hasLongNumbers, hasFractions }
}

/** The same bytes four at a time, for `endOfString`; none where they do not begin at a word of memory. */
export function wordsOf(bytes: Uint8Array): Int32Array {
  const count = (bytes.byteOffset & IN_WORD) === 0 ? bytes.length >> WORD_BITS : 0
  return new Int32Array(bytes.buffer, count === 0 ? 0 : bytes.byteOffset, count)
}

/** Where the quote is that closes a string; the end of the bytes, or beyond, when there is none. */
export function endOfString(bytes: Uint8Array, words: Int32Array, start: number): number {
  let at = start
  while (at < bytes.length) {
    if ((at & IN_WORD) === 0) {
      let word = at >> WORD_BITS
      while (word < words.length && !holdsQuoteOrBackslash(words[word] ?? 0)) word += 1
      if (word << WORD_BITS > at) {
        at = word << WORD_BITS
        continue
      }
    }
    const byte = bytes[at]
    if (byte === QUOTE) return at
    at += byte === BACKSLASH ? 2 : 1
  }
  return at
}

/** Whether one of four bytes is either: a byte less one borrows from its highest bit only where it was zero. */
function holdsQuoteOrBackslash(word: number): boolean {
  const quotes = word ^ FOUR_QUOTES
  const backslashes = word ^ FOUR_BACKSLASHES
  return ((((quotes - FOUR_ONES) & ~quotes) | ((backslashes - FOUR_ONES) & ~backslashes)) & FOUR_HIGH_BITS) !== 0
}

/** What is to be said of JSON that oversteps a bound: its depth does, or else its number of values. */
export function tooMuch(depth: number): JsonShape {
  const problem =
    depth > MAX_JSON_DEPTH
      ? `JSON nested more than ${MAX_JSON_DEPTH} deep`
      : `JSON of more than ${MAX_JSON_VALUES} values`
  return { problem, hasLongNumbers: false, hasFractions: false }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** A word is four bytes: the last two bits of a place say where in its word it is. */
const WORD_BITS = 2
const IN_WORD = 3
const FOUR_QUOTES = 0x22222222
const FOUR_BACKSLASHES = 0x5c5c5c5c
const FOUR_ONES = 0x01010101
const FOUR_HIGH_BITS = 0x80808080

/** What a byte outside of strings can mean here. */
const OTHER = 0
const DIGIT = 2
const SEPARATOR = 3
const OPENING = 4
const CLOSING = 5
const FRACTION = 6
const KINDS = new Uint8Array(256)
for (const [characters, kind] of [
  ['0123456789', DIGIT],
  [',', SEPARATOR],
  ['[{', OPENING],
  [']}', CLOSING],
  ['.eE', FRACTION],
] as const) {
  for (const byte of Buffer.from(characters)) KINDS[byte] = kind
}
