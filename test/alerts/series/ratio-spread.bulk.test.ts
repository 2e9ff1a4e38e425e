import { expect, it } from 'vitest'
import { buildSeries } from '../../../src/alerts/series/minute-series.ts'
import { WeeklyBaseline } from '../../../src/alerts/series/baseline.ts'
import { ordinaryMinute } from '../../operations/alerts/alerts-bench.ts'
import { DAY, NOON } from '../traffic-of-days.ts'

const FROM = NOON - 7 * DAY - 120
/** What is said where nothing is known, and the most that is said. */
const [UNKNOWN, MOST] = [0.5, 0.6]

/** Of a week with so many cacheable lines in a minute, answered from the cache in every other twenty minutes. */
function learntOf(linesAt: (minute: number) => number): number {
  const minutes = Array.from({ length: NOON - FROM }, (_, index) => {
    const lines = linesAt(index)
    const [hit, miss] = index % 40 < 20 ? [lines, 0] : [0, lines]
    return ordinaryMinute(FROM + index, { hit, miss, c2xx: lines })
  })
  return new WeeklyBaseline(buildSeries(FROM, minutes)).at(NOON).ratioSpread
}

it.each<[string, (index: number) => number, number]>([
  ['from ten lines in twenty minutes on', (index) => (index % 2 === 0 ? 1 : 0), MOST],
  ['not from five', (index) => (index % 4 === 0 ? 1 : 0), UNKNOWN],
  ['against fifty in the hours before', (index) => (index % 230 < 20 ? 2 + (index % 2) : 0), MOST],
  ['not against less', (index) => (index % 360 < 30 ? 30 : 0), UNKNOWN],
])('learns how much a hit ratio spreads %s', (_, linesAt, spread) => {
  expect(learntOf(linesAt)).toBe(spread)
})
