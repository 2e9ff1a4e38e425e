/** Deeper nesting parses, and then overflows the stack of whatever walks it. No answer of the platform needs five. */
export const MAX_JSON_DEPTH = 32
/**
 * Values of one text, counted by what separates them. A page of 2,000 log lines has half as many; a body of 8 MB has
 * room for millions, which take seconds and hundreds of megabytes to walk.
 */
export const MAX_JSON_VALUES = 100_000
/** The shortest whole number that a double may not hold has as many digits. */
const LONG_DIGITS = 16

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
  const { length } = bytes
  let depth = 0
  let values = 1
  let digits = 0
  let hasLongNumbers = false
  let hasFractions = false
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) {
      at += 1
      for (let inside = bytes[at]; at < length && inside !== QUOTE; inside = bytes[at]) {
        at += inside === BACKSLASH ? 2 : 1
      }
      digits = 0
    } else if (byte >= DIGIT_0 && byte <= DIGIT_9) {
      digits += 1
      if (digits === LONG_DIGITS) hasLongNumbers = true
    } else {
      if (byte === COMMA) values += 1
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth += 1
        values += 1
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1
      else if (digits > 0 && (byte === POINT || byte === LETTER_E || byte === CAPITAL_E)) hasFractions = true
      if (depth > MAX_JSON_DEPTH) return refused(`JSON nested more than ${MAX_JSON_DEPTH} deep`)
      if (values > MAX_JSON_VALUES) return refused(`JSON of more than ${MAX_JSON_VALUES} values`)
      digits = 0
    }
  }
  return { problem: undefined, hasLongNumbers, hasFractions }
}

function refused(problem: string): JsonShape {
  return { problem, hasLongNumbers: false, hasFractions: false }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const DIGIT_0 = 0x30
const DIGIT_9 = 0x39
const POINT = 0x2e
const LETTER_E = 0x65
const CAPITAL_E = 0x45
