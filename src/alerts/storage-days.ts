import { count } from '../block-kit/amounts.ts'
import { DAY_MS } from '../shared/durations.ts'
import type { StorageDay } from './alert-kind.ts'
import type { Facts, Reading } from './reading.ts'

const GB = 1_000_000_000

/** A UTC day as `2026-11-20`. */
export function dayText(dayMs: number): string {
  return new Date(dayMs).toISOString().slice(0, 10)
}

/** `12.3 GB`. */
export function gigabytes(bytes: number): string {
  const value = bytes / GB
  return `${value >= 100 ? count(Math.round(value)) : String(Number(value.toPrecision(3)))} GB`
}

/** What facts say of a number of days, the newest last. */
export function daysWindow(days: readonly StorageDay[]): Pick<Facts, 'sample' | 'window'> {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return { sample: 0 }
  return { sample: days.length, window: { fromMs: first.dayMs, untilMs: last.dayMs + DAY_MS } }
}

/** Nothing can be said of a storage zone, and why. */
export function noDays(days: readonly StorageDay[], why: string): Reading {
  return { level: 'no data', facts: { ...daysWindow(days), sentence: `No data: ${why}.` } }
}
