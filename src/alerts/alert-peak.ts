import type { Level, Reading } from './reading.ts'

interface Look {
  readonly level: Level
  readonly reading: Reading
  /** It was bad by its newest minute alone, for the second time. */
  readonly twiceFast: boolean
}

/** The worse of the worst value so far and this one. Which way is worse shows on which side of its threshold a bad value is. */
export function worse(peak: number | undefined, { level, reading, twiceFast }: Look): number | undefined {
  const { value, threshold } = reading.facts
  if (value === undefined || !Number.isFinite(value)) return peak
  if (peak === undefined) return value
  // A fast look is bad by another threshold than its facts name.
  const byThreshold = threshold !== undefined && !twiceFast && reading.level === level
  if (!byThreshold || value === threshold) return Math.abs(value) > Math.abs(peak) ? value : peak
  return value > threshold ? Math.max(peak, value) : Math.min(peak, value)
}
