import fc from 'fast-check'
import { NAUGHTY_STRINGS } from '../../fixtures/naughty-strings.ts'

/** How much longer than in CI the fuzzing is: `SAFETY_RUNS=10` makes a million of a hundred thousand. */
const TIMES = Number(process.env['SAFETY_RUNS'] ?? '1')
const LONGEST = 12_000

/** Checks so many inputs. Throws with the smallest input that fails, and the seed to find it by. */
export function expectForAll<T>(inputs: fc.Arbitrary<T>, runs: number, check: (input: T) => void): void {
  fc.assert(fc.property(inputs, check), { numRuns: Math.round(runs * TIMES) })
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
