import { describe, expect, it } from 'vitest'
import { type Random, seededRandom } from '../../src/playground/cdn/world/seeded-random.ts'
import { binomial, poisson } from './draws.ts'

const DRAWS = 20_000

/** Mean and variance of many draws. */
function moments(draw: (random: Random) => number): { readonly mean: number; readonly variance: number } {
  const random = seededRandom('draws')
  const drawn = Array.from({ length: DRAWS }, () => draw(random))
  const mean = drawn.reduce((sum, value) => sum + value, 0) / DRAWS
  return { mean, variance: drawn.reduce((sum, value) => sum + (value - mean) ** 2, 0) / DRAWS }
}

describe('what days are drawn from', () => {
  it.each([
    [10, 0.03],
    [200, 0.1],
    [100, 0.9],
    [5_000, 0.3],
    [100_000, 0.003],
  ])('has mean and variance of a binomial: n %i, p %d', (n, p) => {
    const { mean, variance } = moments((random) => binomial(random, n, p))
    const expected = n * p * (1 - p)
    expect(Math.abs(mean - n * p)).toBeLessThan(4 * Math.sqrt(expected / DRAWS) + 1e-9)
    expect(variance / expected).toBeGreaterThan(0.93)
    expect(variance / expected).toBeLessThan(1.07)
  })

  it.each([0.4, 8, 29, 31, 2_000])('has mean and variance of a Poisson draw: %d', (expected) => {
    const { mean, variance } = moments((random) => poisson(random, expected))
    expect(Math.abs(mean - expected)).toBeLessThan(4 * Math.sqrt(expected / DRAWS))
    expect(variance / expected).toBeGreaterThan(0.93)
    expect(variance / expected).toBeLessThan(1.07)
  })
})
