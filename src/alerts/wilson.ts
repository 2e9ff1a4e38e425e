/** Of the normal distribution: 95 % lie within so many deviations. */
const Z95 = 1.96

/** A part of a whole, and where its share lies with 95 % confidence. */
export interface Share {
  /** 0 to 1; 0 of nothing. */
  readonly value: number
  readonly sample: number
  readonly low: number
  readonly high: number
}

/**
 * The share of `part` in `sample` with its Wilson score interval, which holds for few lines and for shares near 0 and 1 as
 * well. Of nothing, it lies anywhere. A part beyond the whole counts as the whole.
 */
export function shareOf(part: number, sample: number): Share {
  return sample <= 0 ? shareFrom(0, 0) : shareFrom(Math.min(Math.max(part / sample, 0), 1), sample)
}

/** The same of a share that is known already: `value` 0 to 1. */
export function shareFrom(value: number, sample: number): Share {
  if (sample <= 0) return { value: 0, sample: 0, low: 0, high: 1 }
  const squared = (Z95 * Z95) / sample
  const middle = value + squared / 2
  const half = Z95 * Math.sqrt((value * (1 - value) + squared / 4) / sample)
  const low = value === 0 ? 0 : Math.max(0, (middle - half) / (1 + squared))
  const high = value === 1 ? 1 : Math.min(1, (middle + half) / (1 + squared))
  return { value, sample, low, high }
}

/**
 * The most that may have been usual where so many lines came, with 97.5 % confidence: Byar's approximation of the bound of a
 * Poisson count. Of 0 it is 3.7.
 */
export function countAtMost(lines: number): number {
  const next = lines + 1
  return next * (1 - 1 / (9 * next) + Z95 / (3 * Math.sqrt(next))) ** 3
}
