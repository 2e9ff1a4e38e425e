import { HIDDEN_AT_LEAST, SHOWN } from '../shared/secret.ts'
import {
  endOfString,
  type JsonShape,
  LONG_DIGITS,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  tooMuch,
  wordsOf,
} from './json-shape.ts'

/**
 * Takes the keys of the account out of an answer while it is still bytes: text made of them would stay in the heap, and
 * so in every dump of it, until it happens to be collected.
 */

/**
 * Reduces a page of keys in place, before any text is made of it. Of each string that is the value of `Key` the last
 * four characters stay, or none where too few others would be hidden; strings in `Roles` stay; every other string that is
 * a value becomes empty. Numbers stay as they are, byte for byte. What is no JSON is blanked as a whole. The result reads
 * as the original would after `redact`. Returns what `shapeOf` would say of it, which a second look at each byte would cost
 * as much again.
 */
export function reduceApiKeys(bytes: Buffer): JsonShape {
  const names: Name[] = []
  const words = wordsOf(bytes)
  let name: Name = 'other'
  let depth = 0
  let shape: JsonShape | undefined
  let values = 1
  let digits = 0
  let hasLongNumbers = false
  let hasFractions = false
  for (let at = startOf(bytes); at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte >= DIGIT_0 && byte <= DIGIT_9) {
      digits += 1
      if (digits === LONG_DIGITS) hasLongNumbers = true
      continue
    }
    if (byte === QUOTE) {
      const end = Math.min(endOfString(bytes, words, at + 1), bytes.length)
      if (isName(bytes, end)) name = nameOf(bytes, at + 1, end)
      else if (name === 'Key') keepLastFour(bytes, at + 1, end)
      else if (name === 'other') close(bytes, at + 1, end)
      at = end
    } else if (byte === COMMA) {
      values += 1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (depth >= 0 && depth < MAX_JSON_DEPTH) names[depth] = name
      depth += 1
      values += 1
      // Inside of a list the name goes on, for that of roles; inside of an object every value has one of its own.
      if (byte === OPEN_BRACE) name = 'other'
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1
      name = names[depth] ?? 'other'
    } else if (JSON_BYTES[byte] === 0) {
      blank(bytes)
      return { problem: undefined, hasLongNumbers: false, hasFractions: false }
    } else if (digits > 0 && FRACTION_MARKS[byte] === 1) {
      hasFractions = true
    }
    // What oversteps a bound is not parsed, but made into text all the same: so nothing of it may stay either.
    if (shape === undefined && (depth > MAX_JSON_DEPTH || values > MAX_JSON_VALUES)) shape = tooMuch(depth)
    digits = 0
  }
  return shape ?? { problem: undefined, hasLongNumbers, hasFractions }
}

/** What is kept of a value depends on the name it has. */
type Name = 'Key' | 'Roles' | 'other'

/** An escape such as `\u0041`. */
const UNICODE_ESCAPE_BYTES = 6
/** As many as tell a web page from other text that is no JSON: `<!doctype`. */
const KEPT_OF_MARKUP = 9

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const DIGIT_0 = 0x30
const DIGIT_9 = 0x39
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const LESS_THAN = 0x3c
const SPACE = 0x20
const LETTER_U = 0x75
const BLANK = 0x78
/** What a character of two bytes begins with, at least, and one of four. */
const TWO_BYTES = 0xc0
const FOUR_BYTES = 0xf0
/** All that stands outside of strings: white space, signs, numbers, and the letters of true, false and null. */
const JSON_BYTES = new Uint8Array(256)
for (const byte of Buffer.from(' \t\r\n,:0123456789+-.eEtrufalsn')) JSON_BYTES[byte] = 1
const FRACTION_MARKS = new Uint8Array(256)
for (const byte of Buffer.from('.eE')) FRACTION_MARKS[byte] = 1
const WHITE_SPACE = new Uint8Array(256)
for (const byte of Buffer.from(' \t\r\n')) WHITE_SPACE[byte] = 1
const KEY = Buffer.from('Key')
const ROLES = Buffer.from('Roles')
const BYTE_ORDER_MARK = Buffer.from('\u{FEFF}')

function startOf(bytes: Buffer): number {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
}

function isName(bytes: Buffer, closingQuote: number): boolean {
  let at = closingQuote + 1
  while (WHITE_SPACE[bytes[at] ?? 0] === 1) at += 1
  return bytes[at] === COLON
}

/** A name may be spelt with escapes; one too long to be known is not looked at. */
function nameOf(bytes: Buffer, start: number, end: number): Name {
  if (isSpelt(bytes, start, end, KEY)) return 'Key'
  if (isSpelt(bytes, start, end, ROLES)) return 'Roles'
  if (end - start > ROLES.length * UNICODE_ESCAPE_BYTES || isPlain(bytes, start, end)) return 'other'
  const spelt = bytes
    .toString('latin1', start, end)
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  return spelt === 'Key' || spelt === 'Roles' ? spelt : 'other'
}

function isSpelt(bytes: Buffer, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false
  for (let at = 0; at < name.length; at += 1) if (bytes[start + at] !== name[at]) return false
  return true
}

function keepLastFour(bytes: Buffer, start: number, end: number): void {
  const from = isUsual(bytes, start, end) ? end - SHOWN : startOfShown(bytes, start, end)
  if (from === undefined || end >= bytes.length) return close(bytes, start, end)
  // One less where what is shown begins with a character of two units: then as many units are hidden all the same.
  const to = Math.min(start + HIDDEN_AT_LEAST, from)
  for (let at = start; at < to; at += 1) bytes[at] = BLANK
  for (let at = from; at < end; at += 1) bytes[to + at - from] = bytes[at] ?? 0
  close(bytes, to + end - from, end)
}

/**
 * Whether the last four bytes are the four characters shown, and at least twelve others stand before them: for that, no
 * escape may reach into either.
 */
function isUsual(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < SHOWN + HIDDEN_AT_LEAST) return false
  return isPlain(bytes, start, start + HIDDEN_AT_LEAST) && isPlain(bytes, end - SHOWN - UNICODE_ESCAPE_BYTES, end)
}

/** Whether each byte is a character of its own. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === BACKSLASH || byte >= TWO_BYTES) return false
  }
  return true
}

/** Where the last four units of a text begin; undefined when too few others would be hidden. */
function startOfShown(bytes: Buffer, start: number, end: number): number | undefined {
  const units = new Uint32Array(SHOWN)
  let length = 0
  for (let at = start; at < end; at += bytesOfCharacter(bytes, at)) {
    units[length % SHOWN] = at
    length += 1
    // As text counts, a character of four bytes is two units, and the second may be the first one shown.
    if ((bytes[at] ?? 0) < FOUR_BYTES) continue
    units[length % SHOWN] = at
    length += 1
  }
  return length < SHOWN + HIDDEN_AT_LEAST ? undefined : (units[length % SHOWN] ?? start)
}

function bytesOfCharacter(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0
  if (lead === BACKSLASH) return bytes[at + 1] === LETTER_U ? UNICODE_ESCAPE_BYTES : 2
  if (lead >= FOUR_BYTES) return 4
  if (lead >= 0xe0) return 3
  return lead >= TWO_BYTES ? 2 : 1
}

/** Ends the string at `at` instead of `end`: what was between becomes white space behind it. */
function close(bytes: Buffer, at: number, end: number): void {
  if (at < bytes.length) bytes[at] = QUOTE
  const last = Math.min(end, bytes.length - 1)
  for (let blank = at + 1; blank <= last; blank += 1) bytes[blank] = SPACE
}

function blank(bytes: Buffer): void {
  let start = 0
  while (WHITE_SPACE[bytes[start] ?? 0] === 1) start += 1
  bytes.fill(BLANK, bytes[start] === LESS_THAN ? start + KEPT_OF_MARKUP : 0)
}
