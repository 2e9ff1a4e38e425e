import { beginning } from './plain-text.ts'

/**
 * What a piece of mrkdwn is made of. Keeping the pieces apart until the end is what makes cutting and escaping exact:
 * a cut never splits an entity or a control sequence, and foreign text is judged where it really stands.
 */
export type Piece =
  /** Written in the source: its `*_~` and backticks are markup. */
  | { readonly kind: 'written'; readonly text: string }
  /** From outside, already visible: nothing in it may become markup. */
  | { readonly kind: 'foreign'; readonly text: string }
  /** From outside, shown as inline code on one line. */
  | { readonly kind: 'code'; readonly text: string }
  /** One of Slack's control sequences, built and checked by us. Never cut. */
  | { readonly kind: 'control'; readonly mrkdwn: string; readonly plain: string }

/** One character on its way out, with what it needs to be judged among its neighbours. */
interface Unit {
  readonly raw: string
  readonly escaped: string
  readonly foreign: boolean
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** What is shown for a markup character that would format: alike to the eye, without meaning to Slack. */
const LOOKALIKES: Readonly<Record<string, string>> = { '*': '∗', _: '＿', '~': '∼', '`': 'ˋ', ':': '∶' }
/** A name that Slack draws as a picture, and the colon before it. Of what may be part of a time or an address only these are. */
const PICTURE = /:(?:(?!\d+:|[0-9a-f]{1,4}:)[\p{Ll}\p{Lo}\p{M}\p{N}_+'-]+|100|1234|ab?|abcd?|b|bed|bee|cd|de)(?=:)/gu
const DELIMITERS = ['*', '_', '~'] as const
const WORD = /[\p{L}\p{N}]/u
const BLANK = /^\s$/u

/** The three characters that have a meaning anywhere in mrkdwn, as entities. */
export function escapeEntities(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)
}

/** Backticks that cannot open or close code. */
export function withoutBackticks(text: string): string {
  return text.replaceAll('`', LOOKALIKES['`'] ?? '')
}

/** Pieces as mrkdwn of at most `limit` UTF-16 units, ending in … when something was cut. */
export function renderPieces(pieces: readonly Piece[], limit: number): string {
  return fitting(pieces, limit)
    .reduce<Unit[][]>(toLines, [[]])
    .map((line) => neutralised(line))
    .join('\n')
}

/** Pieces as a person would read them aloud: no markup, no escapes, no pictures of ours. */
export function plainPieces(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      if (piece.kind === 'control') return piece.plain
      // A delimiter between two letters or two spaces is not markup but a name or a sum.
      return piece.kind === 'written'
        ? piece.text.replace(/:[a-z][a-z0-9_]*: ?|(?<![\p{L}\p{N}])[*_~`]+(?! )|(?<! )[*_~`]+(?![\p{L}\p{N}])/gu, '')
        : piece.text
    })
    .join('')
}

function fitting(pieces: readonly Piece[], limit: number): readonly Piece[] {
  if (pieces.reduce((sum, piece) => sum + rendered(piece).length, 0) <= limit) return pieces
  const kept: Piece[] = []
  let left = limit - 1
  for (const piece of pieces) {
    const whole = rendered(piece).length
    if (whole > left) {
      const part = piece.kind === 'control' ? undefined : shortened(piece, left)
      if (part !== undefined) kept.push(part)
      break
    }
    kept.push(piece)
    left -= whole
  }
  return [...kept, { kind: 'written', text: '…' }]
}

/** The piece with as many characters as leave its rendered form within `limit`, or nothing when not even one does. */
function shortened(piece: Exclude<Piece, { kind: 'control' }>, limit: number): Piece | undefined {
  const marks = piece.kind === 'code' ? 2 : 0
  let length = 0
  let units = 0
  for (const character of piece.text) {
    length += (ENTITIES[character] ?? character).length
    if (length + marks > limit) break
    units += character.length
  }
  return units === 0 ? undefined : { ...piece, text: beginning(piece.text, units) }
}

function rendered(piece: Piece): string {
  if (piece.kind === 'control') return piece.mrkdwn
  return piece.kind === 'code' ? `\`${escapeEntities(piece.text)}\`` : escapeEntities(piece.text)
}

function toLines(lines: Unit[][], piece: Piece): Unit[][] {
  const add = (unit: Unit): void => void lines.at(-1)?.push(unit)
  if (piece.kind === 'control' || piece.kind === 'code') {
    add({ raw: '', escaped: rendered(piece), foreign: false })
    return lines
  }
  for (const raw of piece.text) {
    if (raw === '\n') lines.push([])
    else add({ raw, escaped: ENTITIES[raw] ?? raw, foreign: piece.kind === 'foreign' })
  }
  return lines
}

/**
 * One line with every foreign character replaced that would format it. A lone delimiter formats nothing, so names like
 * `_dmarc` and `*.example.net` stay exact; one that could pair, with our own markup or with another, is replaced.
 */
function neutralised(line: readonly Unit[]): string {
  const quoteEnd = line.findIndex((unit) => unit.raw !== '>' && !BLANK.test(unit.raw))
  const isQuote = (index: number): boolean => quoteEnd === -1 || index < quoteEnd
  const replaced = new Set<number>()
  for (const delimiter of DELIMITERS) for (const index of pairing(line, delimiter)) replaced.add(index)
  const pictures = foreignPictures(line)
  return line
    .map((unit, index) => {
      if (pictures.has(index)) return LOOKALIKES[unit.raw] ?? ''
      if (!unit.foreign) return unit.escaped
      if (unit.raw === '`' || replaced.has(index)) return LOOKALIKES[unit.raw] ?? ''
      // Slack quotes a line that begins with >, escaped or not.
      return unit.raw === '>' && isQuote(index) ? '›' : unit.escaped
    })
    .join('')
}

/** The colons that begin a picture of which not all is ours. */
function foreignPictures(line: readonly Unit[]): ReadonlySet<number> {
  const text = line.map(({ raw }) => (raw.length === 1 ? raw : ' ')).join('')
  const drawn = Array.from(text.matchAll(PICTURE), ({ index, 0: { length } }) => ({ index, end: index + length + 1 }))
  return new Set(
    drawn.filter(({ index, end }) => line.slice(index, end).some(({ foreign }) => foreign)).map(({ index }) => index),
  )
}

/** Where this delimiter has to be replaced: all of them beside markup of our own, else those that close a pair. */
function pairing(line: readonly Unit[], delimiter: string): readonly number[] {
  const places = line.flatMap((unit, index) => (unit.raw === delimiter ? [index] : []))
  const opening = places.filter((index) => isOpening(line, index))
  const closing = places.filter((index) => isClosing(line, index))
  const able = [...opening, ...closing]
  if (able.some((index) => line[index]?.foreign === false)) return able
  const [first = Number.POSITIVE_INFINITY] = opening
  return closing.filter((index) => index > first)
}

/** Before it anything but a word, after it anything but a space. */
function isOpening(line: readonly Unit[], index: number): boolean {
  return !WORD.test(line[index - 1]?.raw ?? '') && !BLANK.test(line[index + 1]?.raw ?? ' ')
}

/** Before it anything but a space, after it anything but a word. */
function isClosing(line: readonly Unit[], index: number): boolean {
  return !BLANK.test(line[index - 1]?.raw ?? ' ') && !WORD.test(line[index + 1]?.raw ?? '')
}
