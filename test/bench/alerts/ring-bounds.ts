const Z95 = 1.96

/** The Wilson bounds of a share. */
export function lowOf(value: number, sample: number): number {
  const squared = (Z95 * Z95) / sample
  const half = Z95 * Math.sqrt((value * (1 - value) + squared / 4) / sample)
  return value === 0 ? 0 : (value + squared / 2 - half) / (1 + squared)
}

export function highOf(value: number, sample: number): number {
  const squared = (Z95 * Z95) / sample
  const half = Z95 * Math.sqrt((value * (1 - value) + squared / 4) / sample)
  return value === 1 ? 1 : (value + squared / 2 + half) / (1 + squared)
}

export function chanceOf(rate: number, minutes: number, read: number): number {
  return Math.hypot(Math.sqrt(rate / Math.max(read, 0.1)), (rate * 0.18) / Math.sqrt(minutes))
}
