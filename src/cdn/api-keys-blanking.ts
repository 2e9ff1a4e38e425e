import { shownLength } from '../shared/secret.ts'
import { JsonBounds, JsonProblem, LONG_DIGITS } from './json.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LETTER_N = 0x6e
const LETTER_U = 0x75
const BLANK = 0x78
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const SPACE = 0x20
/** A token is known by its first byte. A name, which begins as other strings do, is known by one that begins none. */
const NAME = 0
/** An escape such as `\u0041`. */
const UNICODE_ESCAPE_BYTES = 6
const MAX_ASCII = 0x7f
const WHITE_SPACE = tableOf(' \t\r\n')
const NUMBER = tableOf('0123456789+-.eE')
const HEX = tableOf('0123456789abcdefABCDEF')
const SHORT_ESCAPES = tableOf('"\\/bfnrt')
/** What stands for itself in a string, or is part of a character that does. */
const ORDINARY = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH),
)
/** Those of one byte. */
const PLAIN = ORDINARY.map((is, byte) => (byte <= MAX_ASCII ? is : 0))
const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word))
const [KEY, ROLES] = [Buffer.from('Key'), Buffer.from('Roles')]

/**
 * Takes the keys of the account out of an answer while it is still bytes: text made of them would stay in the heap, and
 * so in every dump of it, until it happens to be collected. Of a string that is the value of `Key` the characters that
 * may be shown stay, behind as much filling as lets `redact` show them. Roles stay. Every other string that is a value
 * becomes empty. Says whether a number may be longer than a double holds. Throws {@link JsonProblem} for too much of JSON,
 * and wherever it does not make certain what a string is: then the bytes must not become text.
 */
export function blankApiKeys(bytes: Buffer): boolean {
  const bounds = new JsonBounds()
  let isLong = false
  const closing: number[] = []
  let field: Field = 'other'
  let before = SPACE
  let next = 0
  for (let at = 0; at < bytes.length; at = next) {
    const byte = bytes[at] ?? 0
    next = at + 1
    if (WHITE_SPACE[byte] === 1) continue
    if ((before === NAME) !== (byte === COLON)) throw uncertain()
    if (field === 'Key' && before === COLON && byte !== QUOTE && byte !== LETTER_N) {
      throw new JsonProblem('of the wrong type or missing: Items.Key')
    }
    const isName = byte === QUOTE && closing.at(-1) === CLOSE_BRACE && (before === OPEN_BRACE || before === COMMA)
    if (byte === QUOTE) {
      const isKey = field === 'Key' && !isName
      const end = isKey ? blankKey(bytes, at + 1) : endOfString(bytes, at + 1)
      if (isName) field = fieldNamed(bytes, at + 1, end)
      else if (field === 'other' || (before === COLON && !isKey)) empty(bytes, at + 1, end)
      next = end + 1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      bounds.open()
      closing.push(byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)
      if (byte === OPEN_BRACE || before !== COLON) field = 'other'
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      bounds.close()
      if (closing.pop() !== byte) throw uncertain()
      field = 'other'
    } else if (byte === COMMA) {
      bounds.separate()
    } else if (byte !== COLON) {
      next = endOfBare(bytes, at)
      if (next - at >= LONG_DIGITS) isLong = true
    }
    before = isName ? NAME : byte
  }
  if (before === NAME) throw uncertain()
  if (isLong) bounds.checkLossless()
  return isLong
}

type Field = 'Key' | 'Roles' | 'other'

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256)
  for (const byte of Buffer.from(characters)) table[byte] = 1
  return table
}

function uncertain(): JsonProblem {
  return new JsonProblem('Not JSON, or not as keys are sent')
}

/** A name that is spelt with escapes may be any. */
function fieldNamed(bytes: Buffer, start: number, end: number): Field {
  for (let at = start; at < end; at += 1) if (bytes[at] === BACKSLASH) throw uncertain()
  if (end - start === KEY.length && isThere(bytes, start, KEY)) return 'Key'
  return end - start === ROLES.length && isThere(bytes, start, ROLES) ? 'Roles' : 'other'
}

function isThere(bytes: Buffer, start: number, word: Buffer): boolean {
  for (let at = 0; at < word.length; at += 1) if (bytes[start + at] !== word[at]) return false
  return true
}

/**
 * Blanks the value of a key, and says where the quote is that closes it. Nothing is shown where a byte may not be a
 * character of its own: no key is known to have escapes.
 */
function blankKey(bytes: Buffer, start: number): number {
  let at = start
  while (PLAIN[bytes[at] ?? 0] === 1) at += 1
  const shown = shownLength(at - start)
  if (bytes[at] === QUOTE && shown > 0) {
    bytes.fill(BLANK, start, at - shown)
    return at
  }
  const end = endOfString(bytes, at)
  empty(bytes, start, end)
  return end
}

/** Ends a string where it begins: what was in it becomes white space behind it. */
function empty(bytes: Buffer, start: number, end: number): void {
  bytes[start] = QUOTE
  bytes.fill(SPACE, start + 1, end + 1)
}

/** Where the quote is that closes a string. What is blanked nobody parses any more: so what it has is checked here. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    while (ORDINARY[bytes[at] ?? 0] === 1) at += 1
    if (bytes[at] === QUOTE) return at
    if (bytes[at] !== BACKSLASH) throw uncertain()
    at += lengthOfEscape(bytes, at)
  }
}

function lengthOfEscape(bytes: Buffer, at: number): number {
  if (SHORT_ESCAPES[bytes[at + 1] ?? 0] === 1) return 2
  const digits = bytes.subarray(at + 2, at + UNICODE_ESCAPE_BYTES)
  if (bytes[at + 1] !== LETTER_U || !digits.every((digit) => HEX[digit] === 1)) throw uncertain()
  return UNICODE_ESCAPE_BYTES
}

/** Where a number or a word of JSON ends: nothing else may stand outside of strings. */
function endOfBare(bytes: Buffer, start: number): number {
  let end = start
  while (NUMBER[bytes[end] ?? 0] === 1) end += 1
  if (end > start) return end
  const word = WORDS.find((each) => isThere(bytes, start, each))
  if (word === undefined) throw uncertain()
  return start + word.length
}
