import { describe, expect, it } from 'vitest'
import { median, quantile, robustDeviation, theilSen } from '../../src/alerts/robust.ts'

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
