import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  median,
  quantile,
  robustDeviation,
  scoreCount,
  scoreShare,
  theilSen,
} from '../../../src/alerts/series/statistics.ts'

describe('the surprise of a share', () => {
  it('is the number of lines times how far apart both shares are', () => {
    // 100 x (0.1 ln 10 + 0.9 ln (0.9 / 0.99))
    expect(scoreShare(10, 100, 0.01)).toBeCloseTo(14.448, 3)
    expect(scoreShare(20, 200, 0.01)).toBeCloseTo(2 * scoreShare(10, 100, 0.01), 9)
    expect(scoreShare(5, 5, 0.5)).toBeCloseTo(5 * Math.LN2, 9)
  })

  it('is nothing up to the usual share, and of no lines', () => {
    expect([scoreShare(1, 100, 0.01), scoreShare(0, 100, 0.01), scoreShare(0, 0, 0.01)]).toEqual([0, 0, 0])
  })

  it('never becomes less by a bad line more, and is never less than nothing', () => {
    const cases = fc.tuple(
      fc.integer({ min: 1, max: 5_000 }),
      fc.double({ min: 1e-4, max: 0.9, noNaN: true }),
      fc.nat(),
    )
    fc.assert(
      fc.property(cases, ([lines, share, part]) => {
        const bad = part % lines
        const surprise = scoreShare(bad, lines, share)
        expect(surprise).toBeGreaterThanOrEqual(-1e-9)
        expect(scoreShare(bad + 1, lines, share)).toBeGreaterThanOrEqual(surprise - 1e-9)
      }),
    )
  })

  it('bounds chance: as many bad lines or more are no more likely than it says', () => {
    const tail = (bad: number, lines: number, share: number): number => {
      let [sum, ways] = [0, 1]
      for (let k = 0; k <= lines; k += 1) {
        if (k >= bad) sum += ways * share ** k * (1 - share) ** (lines - k)
        ways = (ways * (lines - k)) / (k + 1)
      }
      return sum
    }
    for (const [bad, lines, share] of [
      [4, 20, 0.05],
      [6, 30, 0.02],
      [30, 60, 0.3],
    ] as const)
      expect(tail(bad, lines, share)).toBeLessThanOrEqual(Math.exp(-scoreShare(bad, lines, share)))
  })
})

describe('the surprise of a number of lines', () => {
  it('is nothing where as many come as are expected, and grows to either side', () => {
    for (const dispersion of [1, 1.2, 8]) {
      expect(scoreCount(50, 50, dispersion)).toBeCloseTo(0, 9)
      const down = [50, 40, 30, 10, 0].map((count) => scoreCount(count, 50, dispersion))
      const up = [50, 60, 90, 500].map((count) => scoreCount(count, 50, dispersion))
      for (const grows of [down, up]) expect(grows).toEqual(grows.toSorted((a, b) => a - b))
    }
  })

  it('of no lines is about what is expected where they come one by one, and far less in clumps', () => {
    expect(scoreCount(0, 20, 1)).toBeCloseTo(20, 0)
    // 20 ln 2: a mean of 20 with the dispersion 2 has the size 20.
    expect(scoreCount(0, 20, 2)).toBeCloseTo(20 * Math.LN2, 9)
    expect(scoreCount(0, 20, 10)).toBeCloseTo((20 / 9) * Math.log(10), 9)
  })

  it('is nothing where nothing is expected', () => {
    expect([scoreCount(0, 0, 2), scoreCount(5, 0, 2)]).toEqual([0, 0])
  })
})

describe('robust numbers', () => {
  it('have a median, of an even number between the two in the middle', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(median([])).toBeUndefined()
  })

  it('have quantiles between what is there', () => {
    expect(quantile([10, 20, 30, 40, 50], 0.9)).toBeCloseTo(46)
    expect(quantile([7], 0.1)).toBe(7)
  })

  it('spread as far as most of them do, whatever a few do', () => {
    expect(robustDeviation([1, 2, 3, 4, 1_000_000])).toBeCloseTo(1.4826)
    expect(robustDeviation([5, 5, 5])).toBe(0)
    expect(robustDeviation([])).toBe(0)
    expect(robustDeviation([1, -1, 2], 0)).toBeCloseTo(1.4826)
  })

  it('have a slope that single points do not change', () => {
    const points = [0, 1, 2, 3, 4, 5, 6].map((x) => ({ x, y: 10 + 2 * x }))
    expect(theilSen(points)).toBe(2)
    expect(theilSen(points.with(6, { x: 6, y: 900 }))).toBe(2)
    expect(
      theilSen([
        { x: 1, y: 1 },
        { x: 1, y: 5 },
      ]),
    ).toBeUndefined()
  })
})
