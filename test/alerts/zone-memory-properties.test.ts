import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { boundRule } from '../../src/alerts/bound-rule.ts'
import { ALERT_KINDS } from '../../src/alerts/kinds.ts'
import { emptyMinute } from '../../src/alerts/minute-tally.ts'
import { MinuteSeries } from '../../src/alerts/minute-series.ts'
import { ZoneMemory } from '../../src/alerts/zone-memory.ts'
import type { MinuteCounts } from '../../src/store/minute-counts.ts'
import { rule } from './evaluated-zone.ts'
import { TRUSTED } from '../support/minute-lines.ts'

const FIRST = 29_600_000
const PAST_MINUTES = 15 * 1_440
const RULES = [
  ...ALERT_KINDS.filter(({ subject }) => subject === 'pull').map(({ name }) => rule(name)),
  // People may give parts of minutes and hours.
  rule('bypass-share', { parameters: { window: 7.5, 'baseline-hours': 6.7 } }),
  rule('error-budget', { parameters: { window: 2.5, 'long-window': 7.3 } }),
]
const RUNS = 12

/** What a poll brings, and what happens to the memory after it. */
const poll = fc.record({
  minutes: fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 45 })),
  /** So many earlier minutes are read again, and some have late lines. */
  again: fc.integer({ min: 0, max: 40 }),
  late: fc.integer({ min: 0, max: 3 }),
  lines: fc.constantFrom(0, 2, 40, 900),
  bad: fc.constantFrom(0, 0, 0.02, 0.5),
  covered: fc.constantFrom(0, 0.2, 1, 1),
  isLost: fc.boolean(),
  /** Minutes that are over, but whose lines are waited for. */
  lag: fc.integer({ min: 0, max: 11 }),
})

function counts(minute: number, lines: number, bad: number, covered: number): MinuteCounts {
  const part = Math.round(lines * covered * (0.9 + ((minute * 7) % 10) / 50))
  const failing = Math.round(part * bad)
  const miss = Math.round(part * 0.1)
  const tally = emptyMinute(minute, Math.round(covered * 60_000))
  return { ...tally, hit: part, miss, stale: failing, bypass: miss % 3, c5xx: failing, c2xx: part + miss + (miss % 3) }
}

it('what is held in memory says of each minute what all minutes of the store say', async () => {
  const levels = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(poll, { minLength: 5, maxLength: 25 }), fc.boolean(), async (polls, isOld) => {
      const kept = new Map<number, MinuteCounts>()
      const from = FIRST - (isOld ? PAST_MINUTES : 600)
      for (let minute = from; minute < FIRST; minute += 1) {
        if (minute % 97 > 4) kept.set(minute, counts(minute, 200, 0.001, 1))
      }
      const read = async (_: string, start: number, end: number): Promise<readonly MinuteCounts[]> =>
        [...kept.values()]
          .filter(({ minute }) => minute >= start && minute < end)
          .toSorted((one, other) => one.minute - other.minute)
      const memory = new ZoneMemory({ read }, '301')
      let at = FIRST
      for (const [revision, { minutes, again, late, lines, bad, covered, isLost, lag }] of polls.entries()) {
        const older = Array.from({ length: again }, (_, index) => kept.get(at - again + index)).filter(
          (each) => each !== undefined,
        )
        const seen = older.map((each) => (each.minute % 4 < late ? { ...each, hit: each.hit + 3 } : each))
        const fresh = Array.from({ length: minutes }, (_, index) => counts(at + index, lines, bad, covered))
        const looks = Array.from({ length: minutes }, (_, index) => at + 1 + index)
        at += minutes
        const wanted = {
          rules: RULES,
          revision,
          looks,
          fresh: [...seen, ...fresh].filter((each) => each.coveredMs > 0),
        }
        const { series, news } = await memory.take({ ...wanted, until: at + lag })
        for (const each of news) kept.set(each.minute, each)
        const plain = new MinuteSeries(from - 60, at + 2, kept.values())
        for (const look of looks.slice(-2)) {
          for (const firing of [false, true]) {
            const view = { at: look, trust: TRUSTED, frozenBaseline: undefined, firing }
            for (const each of RULES) {
              const observed = boundRule(each)?.traffic?.observe({ ...view, series })
              expect(observed).toEqual(boundRule(each)?.traffic?.observe({ ...view, series: plain }))
              levels.add(`${each.kind} ${observed?.level}`)
            }
          }
        }
        if (!isLost) memory.settle(revision + 1)
      }
    }),
    { numRuns: RUNS },
  )
  // It proves nothing where nothing can be said.
  expect([...levels].filter((level) => !level.endsWith('no data')).length).toBeGreaterThan(RULES.length)
})
