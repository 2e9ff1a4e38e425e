import fc from 'fast-check'
import { NAUGHTY_STRINGS } from '../../fixtures/naughty-strings.ts'

/** How much longer than in CI the fuzzing is: `SAFETY_RUNS=10` makes a million of a hundred thousand. */
const TIMES = Number(process.env['SAFETY_RUNS'] ?? '1')
/** No input may keep this thread's core busy for longer, in the best of three runs: what is quadratic takes far more. */
const SLOWEST_MS = 100
const LONGEST = 12_000

/**
 * Checks so many inputs, each within 100 ms of computing, and says how many there were. Throws with the smallest input that fails, and
 * the seed to find it by.
 */
export function fuzz<T>(inputs: fc.Arbitrary<T>, runs: number, check: (input: T) => void): number {
  let checked = 0
  fc.assert(
    fc.property(inputs, (input) => {
      let best = timed(check, input)
      for (let again = 0; again < 2 && best > SLOWEST_MS; again += 1) best = Math.min(best, timed(check, input))
      if (best > SLOWEST_MS) throw new Error(`This takes ${Math.round(best)} ms of computing`)
      checked += 1
    }),
    { numRuns: Math.round(runs * TIMES) },
  )
  return checked
}

function timed<T>(check: (input: T) => void, input: T): number {
  const began = process.threadCpuUsage()
  check(input)
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1_000
}

/** What the readers of commands, dates, records, logs and markup look for. */
const PARTS = [
  ...'<>&|!@#*_~`\\"\'“”=+-—%aZ09.:;,/?({[]} \t\n\r'.split(''),
  '1h',
  '--',
  '<!channel>',
  '<@U0EVIL0001>',
  '<https://evil.example|',
  '&lt;',
  '&amp',
  '```',
  '\u202E',
  '\u200B',
  '\uD83D',
  '🙂',
]

/** Any text a stranger could send: short and odd, put together of parts, naughty, or one part thousands of times. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 30, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 40, arbitrary: fc.string({ unit: fc.constantFrom(...PARTS), maxLength: 20 }) },
  { weight: 29, arbitrary: fc.constantFrom(...NAUGHTY_STRINGS) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...PARTS, 'ab ', '1a', ' a=', '"a" '), fc.constantFrom('', 'x', '!', '"', '<'))
      .map(([part, end]) => `${part.repeat(LONGEST / part.length)}${end}`),
  },
)
