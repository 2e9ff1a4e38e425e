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

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** What is shown for a markup character that would format: alike to the eye, without meaning to Slack. */
const LOOKALIKES: Readonly<Record<string, string>> = { '*': '∗', _: '＿', '~': '∼', '`': 'ˋ', ':': '∶' }
/** A name that Slack draws as a picture, and the colon before it. Of what may be part of a time or an address only these are. */
const PICTURE = /:(?:(?!\d+:|[0-9a-f]{1,4}:)[\p{Ll}\p{Lo}\p{M}\p{N}_+'-]+|100|1234|ab?|abcd?|b|bed|bee|cd|de)(?=:)/gu
/** Where a delimiter can open markup: before it anything but a word, after it anything but a space. And where it can close it. */
const DELIMITERS = [
  ['*', /(?<![\p{L}\p{N}])\*(?=\S)/gu, /(?<=\S)\*(?![\p{L}\p{N}])/gu],
  ['_', /(?<![\p{L}\p{N}])_(?=\S)/gu, /(?<=\S)_(?![\p{L}\p{N}])/gu],
  ['~', /(?<![\p{L}\p{N}])~(?=\S)/gu, /(?<=\S)~(?![\p{L}\p{N}])/gu],
] as const
/** Stands for a whole piece of code or a control sequence, while the text around it is judged. */
const OBJECT = '\uFFFC'
const SPECIAL = /[&<>*_~`:\uFFFC]/g

/** The three characters that have a meaning anywhere in mrkdwn, as entities. */
export function escapeEntities(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)
}

/** Backticks that cannot open or close code. */
export function withoutBackticks(text: string): string {
  return text.replaceAll('`', LOOKALIKES['`'] ?? '')
}

/** Whose a UTF-16 unit is; an object is a whole piece of code or a control sequence. */
const [OURS, FOREIGN, OBJECTS] = ['w', 'f', 'o'] as const

/** Pieces as mrkdwn of at most `limit` UTF-16 units, ending in … when something was cut. */
export function renderPieces(pieces: readonly Piece[], limit: number): string {
  let [text, owners] = ['', '']
  const objects: string[] = []
  for (const piece of fitting(pieces, limit)) {
    const isObject = piece.kind === 'control' || piece.kind === 'code'
    if (isObject) objects.push(rendered(piece))
    text += isObject ? OBJECT : piece.text
    owners += isObject ? OBJECTS : (piece.kind === 'foreign' ? FOREIGN : OURS).repeat(piece.text.length)
  }
  let start = 0
  const lines = text.split('\n').map((line) => {
    const own = owners.slice(start, start + line.length)
    start += line.length + 1
    return neutralised(line, own, objects)
  })
  return lines.join('\n')
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
  return units === 0 ? undefined : { ...piece, text: piece.text.slice(0, units) }
}

function rendered(piece: Piece): string {
  if (piece.kind === 'control') return piece.mrkdwn
  return piece.kind === 'code' ? `\`${escapeEntities(piece.text)}\`` : escapeEntities(piece.text)
}

/**
 * One line with every foreign character replaced that would format it. A lone delimiter formats nothing, so names like
 * `_dmarc` and `*.example.net` stay exact; one that could pair, with our own markup or with another, is replaced.
 * Takes the line's objects off the list.
 */
function neutralised(line: string, owners: string, objects: string[]): string {
  const [{ length: quoteEnd }] = /^[>\s]*/.exec(line) ?? ['']
  const replaced = new Set<number>(DELIMITERS.flatMap((delimiter) => pairing(line, owners, delimiter)))
  const pictures = foreignPictures(line, owners)
  return line.replace(SPECIAL, (raw, index: number) => {
    if (owners[index] === OBJECTS) return objects.shift() ?? ''
    if (pictures.has(index)) return LOOKALIKES[raw] ?? ''
    if (owners[index] === FOREIGN) {
      if (raw === '`' || replaced.has(index)) return LOOKALIKES[raw] ?? ''
      // Slack quotes a line that begins with >, escaped or not.
      if (raw === '>' && index < quoteEnd) return '›'
    }
    return ENTITIES[raw] ?? raw
  })
}

/** The colons that begin a picture of which not all is ours. */
function foreignPictures(line: string, owners: string): ReadonlySet<number> {
  const drawn = line.includes(':') ? Array.from(line.matchAll(PICTURE)) : []
  const foreign = drawn.filter(({ index, 0: { length } }) => owners.slice(index, index + length + 1).includes(FOREIGN))
  return new Set(foreign.map(({ index }) => index))
}

/** Where this delimiter has to be replaced: all of them beside markup of our own, else those that close a pair. */
function pairing(line: string, owners: string, delimiter: (typeof DELIMITERS)[number]): readonly number[] {
  const [character, opens, closes] = delimiter
  if (!line.includes(character)) return []
  const opening = Array.from(line.matchAll(opens), ({ index }) => index)
  const closing = Array.from(line.matchAll(closes), ({ index }) => index)
  const able = [...opening, ...closing]
  if (able.some((index) => owners[index] === OURS)) return able
  const [first = Number.POSITIVE_INFINITY] = opening
  return closing.filter((index) => index > first)
}
