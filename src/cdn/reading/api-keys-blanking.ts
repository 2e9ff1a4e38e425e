import { shownLength } from '../../shared/secret.ts'
import { JsonProblem } from '../../shared/json.ts'

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
/** Stands for a name, which begins as other strings do, among the first bytes of tokens. */
const NAME = 0
const [TAB, LINE_FEED, RETURN] = [0x09, 0x0a, 0x0d]
/** Whether a byte may be one of a number or a word of JSON, and whether it is a character of its own in a string. */
const [BARE = [], PLAIN = []] = [/[-+.\deEtrufalsn]/, /[ !#-[\]-~]/].map((bytes) =>
  Array.from({ length: 256 }, (_, byte) => bytes.test(String.fromCharCode(byte))),
)
const [KEY, ROLES] = [Buffer.from('Key'), Buffer.from('Roles')]

/**
 * Takes the keys of the account out of an answer while it is still bytes: text made of them would stay in the heap, and
 * so in every dump of it, until it happens to be collected. A string that is the value of `Key` keeps only the characters
 * that may be shown, behind as much filling as lets `redact` show them. Roles stay. Every other string that is a value
 * becomes empty. Throws {@link JsonProblem} where it is not certain what a string is: then the bytes must not become text.
 */
export function blankApiKeys(bytes: Buffer): void {
  const closing: number[] = []
  let field: Buffer | undefined
  /** The first byte of the last token. */
  let before = SPACE
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte <= SPACE && (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB)) continue
    if ((before === NAME) !== (byte === COLON)) throw uncertain()
    if (field === KEY && before === COLON && byte !== QUOTE && byte !== LETTER_N) {
      throw new JsonProblem('of the wrong type or missing: Items.Key')
    }
    const start = at
    const isName = byte === QUOTE && closing.at(-1) === CLOSE_BRACE && (before === OPEN_BRACE || before === COMMA)
    if (byte === QUOTE) {
      let plainEnd = start + 1
      while (PLAIN[bytes[plainEnd] ?? 0] === true) plainEnd += 1
      at = findClosingQuote(bytes, plainEnd)
      // A name that is spelt with escapes may be any.
      if (isName && bytes[plainEnd] !== QUOTE && bytes.subarray(plainEnd, at).includes(BACKSLASH)) throw uncertain()
      if (isName) field = [KEY, ROLES].find((name) => name.equals(bytes.subarray(start + 1, at)))
      else if (field === KEY && at === plainEnd) blankKey(bytes, start + 1, at)
      else if (field !== ROLES || before === COLON) emptyString(bytes, start + 1, at)
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      closing.push(byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)
      if (byte === OPEN_BRACE || before !== COLON) field = undefined
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (closing.pop() !== byte) throw uncertain()
      field = undefined
    } else if (byte !== COMMA && byte !== COLON) {
      if (BARE[byte] !== true) throw uncertain()
      while (BARE[bytes[at + 1] ?? 0] === true) at += 1
    }
    before = isName ? NAME : byte
  }
  if (before === NAME) throw uncertain()
}

function uncertain(): JsonProblem {
  return new JsonProblem('Not JSON, or not as keys are sent')
}

function findClosingQuote(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  if (at >= bytes.length) throw uncertain()
  return at
}

function blankKey(bytes: Buffer, start: number, end: number): void {
  const shown = shownLength(end - start)
  if (shown === 0) emptyString(bytes, start, end)
  else for (let at = start; at < end - shown; at += 1) bytes[at] = FILLING
}

/** Ends a string where it begins: what was in it becomes white space behind it. */
function emptyString(bytes: Buffer, start: number, end: number): void {
  bytes[start] = QUOTE
  bytes.fill(SPACE, start + 1, end + 1)
}
