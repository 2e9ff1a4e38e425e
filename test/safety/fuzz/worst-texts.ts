import fc from 'fast-check'
import { cpuOf } from '../../support/cpu-spent.ts'

/** What readers of text look for: what opens and closes, separates and escapes, and how keys, addresses and times begin. */
const MARKS: readonly string[] = [
  ' \n\t\'"“”‘’«»`<>&|@#!:;,./\\=+-_*~?%(){}[]$^—0'.split(''),
  ['--', '://', '//', '&lt;', '<@U1|', '<http:', '<!here|', '```', '\\"', '\\\\', '::', ', ', '="'],
  ['eyJ', 'sk-', 'SG.', 'xoxb-', 'Bearer ', 'Basic ', '-----BEGIN ', 'key-', 'a://', 'a:b@', 'AKIA', '0a1b2c3d-'],
  ['1h', '1.5 d', '2026-11-', '12:', 'T0', 'help', 'alpn=', 'mailto:', 'xn--', ':a', 'ies', '\uD83D', '\u200B'],
  ['é', '界', '\uFE0F', '🙂'],
].flat()
/** How a mark stands among other text. */
const AROUND: readonly ((mark: string) => string)[] = [
  (mark) => mark,
  (mark) => `${mark}a`,
  (mark) => `a${mark}`,
  (mark) => `${mark} `,
  (mark) => `${mark}a `,
  (mark) => `${mark}a${mark}a `,
  (mark) => `a${mark}a${mark} `,
]
const BEFORE = ['', '', '', '"', "'", '“', 'a', '<', 'https://', 'eyJ', '-----BEGIN ', '--url=', '. ', '“a ']
const BEHIND = ['', '', '', '!', '"', "'", '\n', '>', '@', '\\', ' ']

/** How a text is made: what it begins with, what is repeated, and what it ends with. */
export interface Recipe {
  readonly before: string
  readonly piece: string
  readonly behind: string
  /** Each piece ends with two or three letters of its own, so that none is there twice. */
  readonly counted: boolean
}

const mark = fc.constantFrom(...MARKS)
const around = fc.constantFrom(...AROUND)
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(mark, around).map(([each, put]) => put(each)) },
  { weight: 4, arbitrary: fc.tuple(mark, mark, around).map(([one, other, put]) => put(`${one}${other}`)) },
  { weight: 3, arbitrary: fc.tuple(mark, mark, around).map(([one, other, put]) => `${put(one)}${put(other)}`) },
  { weight: 2, arbitrary: fc.array(mark, { minLength: 3, maxLength: 5 }).map((marks) => marks.join('')) },
)

/** Each of these, or of all marks there are, in each surrounding. */
export function piecesOf(marks: readonly string[] = MARKS): readonly Recipe[] {
  return marks.flatMap((each) => AROUND.map((put) => ({ before: '', piece: put(each), behind: '', counted: false })))
}

/** Every two marks side by side. */
export function pairs(): readonly Recipe[] {
  return MARKS.flatMap((one) =>
    MARKS.map((other) => ({ before: '', piece: `${one}${other}`, behind: '', counted: false })),
  )
}

/** So many by chance; the same ones for the same seed. */
export function recipes(count: number, seed: number): readonly Recipe[] {
  const [before, behind] = [fc.constantFrom(...BEFORE), fc.constantFrom(...BEHIND)]
  const made = fc.record({ before, piece, behind, counted: fc.boolean() })
  return fc.sample(made, { numRuns: count, seed })
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

function letters(count: number): string {
  const high = Math.floor(count / LETTERS.length)
  return (high === 0 ? 'a' : letters(high - 1)) + LETTERS.charAt(count % LETTERS.length)
}

function textOf({ before, piece: repeated, behind, counted }: Recipe, length: number): string {
  const room = length - before.length - behind.length
  const pieces = Array.from({ length: Math.ceil(room / repeated.length) }, (_, index) =>
    counted ? letters(index) + repeated : repeated,
  )
  return before + pieces.join('').slice(0, room) + behind
}

/**
 * Collections of garbage and code that is not compiled yet are not the reader's. So the best of some runs counts, and what
 * is too slow is measured again, as often as this: a reader that really is does not become faster.
 */
const RUNS = 5
const ROUNDS = 8

function bestMs(read: (text: string) => unknown, text: string): number {
  return Math.min(...Array.from({ length: RUNS }, () => cpuOf(() => read(text))))
}

/** Of what is read here nothing is longer, or it is cut before. */
const LONGEST = 4_000
/** So much CPU reading that may take. */
const MOST_MS = 5
/** From half of it on, a text of this length may take so many times as much as one of half; linear is 2. */
const COMPARED_MS = MOST_MS / 2
const MOST_TIMES = 2.5
/** One run of half a text that takes no more proves that it is not slow; only what looks slow is measured well. */
const LOOKS_SLOW_MS = 1

/**
 * The first recipe by which a text of 4,000 characters takes too long to read, or more than it may beside half of it, in
 * words; undefined when there is none.
 */
export function tooSlow(read: (text: string) => unknown, all: readonly Recipe[]): string | undefined {
  for (const recipe of all) {
    const half = textOf(recipe, LONGEST / 2)
    if (cpuOf(() => read(half)) < LOOKS_SLOW_MS || cpuOf(() => read(half)) < LOOKS_SLOW_MS) continue
    const whole = textOf(recipe, LONGEST)
    let [halfMs, wholeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    const isSlow = (): boolean => wholeMs > MOST_MS || (wholeMs > COMPARED_MS && wholeMs / halfMs > MOST_TIMES)
    for (let round = 0; round === 0 || (round < ROUNDS && isSlow()); round += 1) {
      halfMs = Math.min(halfMs, bestMs(read, half))
      wholeMs = Math.min(wholeMs, bestMs(read, whole))
    }
    if (!isSlow()) continue
    const times = (wholeMs / halfMs).toFixed(1)
    return `${JSON.stringify(recipe)}: ${wholeMs.toFixed(1)} ms for ${LONGEST} characters, ${times} times that of half`
  }
  return undefined
}
