/**
 * How much of a page is read at a stretch: some fifty rows. Text and rows of that size are gone before the collector has to
 * carry them anywhere, and nothing waits long for them.
 */
const PIECE_BYTES = 32 * 1024
/**
 * A row that makes its piece longer than this is no usual one. This also bounds what is parsed before its shape is looked at:
 * however deep it is, and however many values it has, such a piece takes a few hundredths of a second.
 */
const MAX_PIECE_BYTES = 8 * PIECE_BYTES

/** A page of log rows in parts that can be parsed one by one. */
export interface LogPieces {
  /** The bytes of some rows each, with the commas between them. */
  readonly pieces: readonly Buffer[]
  /** The page up to its rows, closed there: JSON if the list of rows is the page's own. */
  readonly head: string
  /** The page without its rows. */
  readonly envelope: string
}

/**
 * Cuts a page where its rows seem to end. A string may look like the end of a row, but then what is cut off there is no JSON:
 * so where every part can be parsed, each row is whole, and none was made of a string. Undefined for a page of another form
 * than the platform sends, which has to be parsed as a whole.
 */
export function logPieces(body: Buffer): LogPieces | undefined {
  const start = endOf(body, DATA)
  const end = body.lastIndexOf(LAST_ROW_END) + 1
  const nameEnd = endOf(body, NAME_END, start)
  if (start === 0 || end <= start || nameEnd === 0 || nameEnd > start + MAX_NAME_BYTES) return undefined
  const pieces = cut(body.subarray(start, end), Buffer.concat([ROW_END, body.subarray(start, nameEnd)]))
  const behind = body.toString('utf8', end)
  if (pieces === undefined || OTHER_DATA.test(behind)) return undefined
  const before = body.toString('utf8', 0, start)
  return { pieces, head: `${before}]}`, envelope: `${before}${behind}` }
}

/**
 * Whether rows are no deeper than they should be: each is an object with nothing in it that has fields or items of its own.
 * False as well where a text has a bracket, since only the number of brackets is looked at.
 */
export function areFlat(piece: Buffer, rows: number): boolean {
  return !piece.includes(OPEN_BRACKET) && countOf(piece, OPEN_BRACE, rows + 1) === rows
}

const DATA = '"data":['
const LAST_ROW_END = '}]'
/** The last list of that name counts; in a spelling with escapes it may have any. */
const OTHER_DATA = /"data"|\\/
const NAME_END = '":'
const ROW_END = Buffer.from('},')
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
/** From the brace of a row to behind its first name. */
const MAX_NAME_BYTES = 64

/** Rows begin alike, with a quote: what looks like the end of one row and the beginning of the next is never in a string. */
function cut(rows: Buffer, between: Buffer): readonly Buffer[] | undefined {
  const pieces: Buffer[] = []
  let start = 0
  while (start < rows.length) {
    const found = rows.indexOf(between, start + PIECE_BYTES)
    const end = found < 0 ? rows.length : found + 1
    if (end - start > MAX_PIECE_BYTES) return undefined
    pieces.push(rows.subarray(start, end))
    start = end + 1
  }
  return pieces
}

/** Where it ends that stands there next; 0 where it does not. */
function endOf(bytes: Buffer, text: string, from = 0): number {
  const at = bytes.indexOf(text, from)
  return at < 0 ? 0 : at + text.length
}

function countOf(bytes: Buffer, byte: number, most: number): number {
  let count = 0
  for (let at = bytes.indexOf(byte); at >= 0 && count < most; at = bytes.indexOf(byte, at + 1)) count += 1
  return count
}
