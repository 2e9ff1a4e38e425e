import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/playground/cdn/world/seeded-random.ts'

const draws = (seed: string, count = 1_000) => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => random.next())
}

describe('seededRandom', () => {
  it('draws the same for the same seed and something else for a neighbouring one', () => {
    expect(draws('world/301/1')).toEqual(draws('world/301/1'))
    const other = new Set(draws('world/301/2'))
    expect(draws('world/301/1').filter((value) => other.has(value))).toHaveLength(0)
  })

  it('spreads over the whole range', () => {
    const tenths = Array.from({ length: 10 }, () => 0)
    for (const value of draws('spread', 100_000)) tenths[Math.floor(value * 10)]! += 1
    expect(Math.min(...tenths)).toBeGreaterThan(9_500)
    expect(Math.max(...tenths)).toBeLessThan(10_500)
  })

  it('includes both ends of a range of whole numbers', () => {
    const random = seededRandom('integers')
    const drawn = new Set(Array.from({ length: 200 }, () => random.integer(3, 5)))
    expect(drawn).toEqual(new Set([3, 4, 5]))
  })

  it('chooses by weight, and never what has none', () => {
    const random = seededRandom('weights')
    const choices = [
      { value: 'often', weight: 9 },
      { value: 'never', weight: 0 },
      { value: 'seldom', weight: 1 },
    ]
    const drawn = Array.from({ length: 10_000 }, () => random.weighted(choices))
    const often = drawn.filter((value) => value === 'often').length
    expect(often).toBeGreaterThan(8_800)
    expect(often).toBeLessThan(9_200)
    expect(drawn).not.toContain('never')
  })

  it('has nothing to pick from an empty list', () => {
    expect(() => seededRandom('empty').pick([])).toThrow(RangeError)
    expect(() => seededRandom('empty').weighted([{ value: 1, weight: 0 }])).toThrow(RangeError)
  })

  it('writes as many hexadecimal digits as asked', () => {
    expect(seededRandom('hex').hex(13)).toMatch(/^[0-9a-f]{13}$/)
  })
})
