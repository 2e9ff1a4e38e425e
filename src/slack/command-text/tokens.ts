/** One word of a command line. `start` and `end` are offsets in the typed text, quotes included. */
export interface Token {
  readonly start: number
  readonly end: number
  /** What the word says: quotes off, backslash escapes read. */
  readonly text: string
  /** Where the value begins when the word is `--flag=value`; the same as `start` otherwise. */
  readonly valueStart: number
  /** The flag's name in lower case, without dashes, when the word begins with `--`, an em dash or an en dash. */
  readonly flag: string | undefined
  readonly flagValue: string | undefined
  /** The whole word, or the whole value of a flag, stood in quotes. */
  readonly quoted: boolean
}

/** A quote that nothing closes: what stands from `position` on cannot be told apart. */
export interface OpenQuote {
  readonly quote: string
  /** Counted from 1, as people count. */
  readonly position: number
}

/**
 * Splits typed text at white space. A quote opens a word or the value of `--flag=`, never the middle of a word, so
 * `it's` needs no care. Keyboards that turn `"` into curly quotes and `--` into a dash are understood, and only where
 * these delimit: inside a value nothing is changed. In quotes a backslash stands before a quote or a backslash,
 * outside also before a space; elsewhere it is an ordinary character, as the escapes of DNS need it.
 */
export function tokenize(text: string) {
  const tokens: Token[] = []
  const findClosing = closingsOf(text)
  let at = skipSpace(text, 0)
  while (at < text.length) {
    const token = readToken(text, at, findClosing)
    if ('quote' in token) return { tokens, openQuote: token }
    tokens.push(token)
    at = skipSpace(text, token.end)
  }
  return { tokens, openQuote: undefined }
}

/** For each opening quote what may close it, the likeliest first: a keyboard may have changed only one of a pair. */
const CLOSERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['"', ['"', '”']],
  ['“', ['”', '"', '“']],
  ['”', ['”', '"']],
  ['„', ['“', '”', '"']],
  ['«', ['»']],
  ["'", ["'", '’']],
  ['‘', ['’', "'"]],
  ['’', ['’', "'"]],
  ['‚', ['‘', '’', "'"]],
])
const QUOTES = new Set([...CLOSERS.keys(), '»'])
/** What `isEscape` finds. */
const ESCAPED = new RegExp(String.raw`\\([\\${[...QUOTES].join('')}])`, 'g')
const FLAG = /(?:--|[—–])(?<name>\p{L}[\p{L}\p{N}_-]*)(?<equals>=)?/uy
const APOSTROPHES = new Set(["'", '’'])
const SPACE = /\s/

function readToken(text: string, start: number, findClosing: FindClosing): Token | OpenQuote {
  FLAG.lastIndex = start
  const match = FLAG.exec(text)
  const flagEnd = start + (match?.[0].length ?? 0)
  const equals = match?.groups?.['equals'] !== undefined
  // `--a.b` names no flag that could exist: the word is an ordinary value.
  const flag = equals || endsWord(text, flagEnd) ? match?.groups?.['name']?.toLowerCase() : undefined
  const valueStart = flag === undefined ? start : flagEnd
  const word = readWord(text, valueStart, findClosing)
  if ('quote' in word) return word
  if (flag === undefined) return { start, valueStart, flag, flagValue: undefined, ...word }
  return { start, valueStart, flag, flagValue: equals ? word.text : undefined, ...word }
}

type Word = Pick<Token, 'end' | 'text' | 'quoted'>

function readWord(text: string, start: number, findClosing: FindClosing): Word | OpenQuote {
  const quote = text.charAt(start)
  const closers = CLOSERS.get(quote)
  if (closers === undefined) return readBare(text, start)
  const close = closers.map((closer) => findClosing(start + 1, closer)).find((found) => found !== undefined)
  if (close === undefined) return { quote, position: start + 1 }
  const inner = text.slice(start + 1, close).replace(ESCAPED, '$1')
  const tail = readBare(text, close + 1)
  return { end: tail.end, text: inner + tail.text, quoted: tail.end === close + 1 }
}

type FindClosing = ReturnType<typeof closingsOf>

/**
 * Finds the next place of a closer. An apostrophe looks like a closing quote, so among those one at the end of a word is preferred: `'it's ours'`. What was
 * found for one quote is kept for the next, so that the text is gone through once, however many quotes it has.
 */
function closingsOf(text: string): (from: number, closer: string) => number | undefined {
  const found = new Map<string, number>()
  // `wanted` is a closer, with a space behind it where a word has to end there.
  const next = (from: number, wanted: string): number | undefined => {
    const isWanted = (at: number): boolean =>
      wanted.startsWith(text.charAt(at)) && (wanted.length === 1 || endsWord(text, at + 1))
    let at = Math.max(from, found.get(wanted) ?? 0)
    while (at < text.length && !isWanted(at)) at += isEscape(text, at) ? 2 : 1
    found.set(wanted, at)
    return at < text.length ? at : undefined
  }
  return (from, closer) => (APOSTROPHES.has(closer) ? next(from, `${closer} `) : undefined) ?? next(from, closer)
}

function readBare(text: string, start: number): Word {
  let value = ''
  let at = start
  while (at < text.length && !SPACE.test(text.charAt(at))) {
    if (isEscape(text, at) || (text.charAt(at) === '\\' && text.charAt(at + 1) === ' ')) at++
    value += text.charAt(at)
    at++
  }
  return { end: at, text: value, quoted: false }
}

function isEscape(text: string, at: number): boolean {
  const next = text.charAt(at + 1)
  return text.charAt(at) === '\\' && (next === '\\' || QUOTES.has(next))
}

function endsWord(text: string, at: number): boolean {
  return at >= text.length || SPACE.test(text.charAt(at))
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && SPACE.test(text.charAt(at))) at++
  return at
}
