import { describe, expect, it } from 'vitest'
import { median, medianDeviation, scoreCount, scoreShare, theilSen } from '../../../src/alerts/series/statistics.ts'

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

  it('spread as far as most of them do, whatever a few do', () => {
    expect(medianDeviation([1, 2, 3, 4, 1_000_000])).toBe(1)
    expect(medianDeviation([5, 5, 5])).toBe(0)
    expect(medianDeviation([])).toBe(0)
  })

  it('have a slope that single points do not change', () => {
    const points = [0, 1, 2, 3, 4, 5, 6].map((x) => ({ x, y: 10 + 2 * x }))
    expect(theilSen(points)).toBe(2)
    expect(theilSen(points.with(6, { x: 6, y: 900 }))).toBe(2)
    expect(theilSen([1, 5].map((y) => ({ x: 1, y })))).toBeUndefined()
  })
})
