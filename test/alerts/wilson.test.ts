import { describe, expect, it } from 'vitest'
import { countAtMost, shareOf } from '../../src/alerts/wilson.ts'

describe('the interval of a share', () => {
  it.each([
    [2, 200, 0.0027, 0.0357],
    [10, 1_000, 0.0054, 0.0183],
    [0, 50, 0, 0.0714],
    [50, 50, 0.9286, 1],
  ])('of %d in %d is from %d to %d', (part, sample, low, high) => {
    const share = shareOf(part, sample)
    expect(share.value).toBe(part / sample)
    expect(share.low).toBeCloseTo(low, 4)
    expect(share.high).toBeCloseTo(high, 4)
  })

  it('is everything where there is nothing', () => {
    expect(shareOf(0, 0)).toEqual({ value: 0, sample: 0, low: 0, high: 1 })
  })

  it('takes a part beyond the whole for the whole', () => {
    expect(shareOf(12, 10).value).toBe(1)
  })
})

describe('the bound of a count', () => {
  it.each([
    [0, 3.7],
    [3, 8.8],
    [10, 18.4],
  ])('of %d is %d', (lines, bound) => {
    expect(countAtMost(lines)).toBeCloseTo(bound, 1)
  })
})
