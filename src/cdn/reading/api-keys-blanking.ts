import { shownLength } from '../../shared/secret.ts'
import { JsonProblem } from '../contract/json.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LETTER_N = 0x6e
const FILLING = 0x78
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const SPACE = 0x20
const TILDE = 0x7e
/** Stands for a name, which begins as other strings do, among the first bytes of tokens. */
const NAME = 0
const [TAB, LINE_FEED, RETURN] = [0x09, 0x0a, 0x0d]
/** What numbers and words of JSON are made of. */
const BARE = new Set(Buffer.from('0123456789+-.eEtrufalsn'))

type Field = 'Key' | 'Roles' | 'other'

/**
 * Takes the keys of the account out of an answer while it is still bytes: text made of them would stay in the heap, and
 * so in every dump of it, until it happens to be collected. A string that is the value of `Key` keeps only the characters
 * that may be shown, behind as much filling as lets `redact` show them. Roles stay. Every other string that is a value
 * becomes empty. Throws {@link JsonProblem} where it is not certain what a string is: then the bytes must not become text.
 */
export function blankApiKeys(bytes: Buffer): void {
  const closing: number[] = []
  let field: Field = 'other'
  /** The first byte of the last token. */
  let before = SPACE
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB) continue
    if ((before === NAME) !== (byte === COLON)) throw uncertain()
    if (field === 'Key' && before === COLON && byte !== QUOTE && byte !== LETTER_N) {
      throw new JsonProblem('of the wrong type or missing: Items.Key')
    }
    const isName = byte === QUOTE && closing.at(-1) === CLOSE_BRACE && (before === OPEN_BRACE || before === COMMA)
    if (byte === QUOTE) {
      const end = findClosingQuote(bytes, at + 1)
      if (isName) field = fieldNamed(bytes.subarray(at + 1, end))
      else if (field === 'Key') blankKey(bytes, at + 1, end)
      else if (field === 'other' || before === COLON) emptyString(bytes, at + 1, end)
      at = end
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      closing.push(byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)
      if (byte === OPEN_BRACE || before !== COLON) field = 'other'
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (closing.pop() !== byte) throw uncertain()
      field = 'other'
    } else if (byte !== COMMA && byte !== COLON && !BARE.has(byte)) {
      throw uncertain()
    }
    before = isName ? NAME : byte
  }
  if (before === NAME) throw uncertain()
}

function uncertain(): JsonProblem {
  return new JsonProblem('Not JSON, or not as keys are sent')
}

/** A name that is spelt with escapes may be any. */
function fieldNamed(name: Buffer): Field {
  if (name.includes(BACKSLASH)) throw uncertain()
  if (name.equals(KEY)) return 'Key'
  return name.equals(ROLES) ? 'Roles' : 'other'
}

const [KEY, ROLES] = [Buffer.from('Key'), Buffer.from('Roles')]

function findClosingQuote(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  if (at >= bytes.length) throw uncertain()
  return at
}

/** Nothing is shown where a byte may not be a character of its own: no key is known to have escapes. */
function blankKey(bytes: Buffer, start: number, end: number): void {
  const shown = shownLength(end - start)
  if (shown > 0 && isPlain(bytes, start, end)) bytes.fill(FILLING, start, end - shown)
  else emptyString(bytes, start, end)
}

function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte < SPACE || byte > TILDE || byte === BACKSLASH) return false
  }
  return true
}

/** Ends a string where it begins: what was in it becomes white space behind it. */
function emptyString(bytes: Buffer, start: number, end: number): void {
  bytes[start] = QUOTE
  bytes.fill(SPACE, start + 1, end + 1)
}
