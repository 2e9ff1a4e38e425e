import { MINUTE_MS } from '../shared/durations.ts'
import type { Numbers } from './reading.ts'
import { count } from '../block-kit/amounts.ts'

/** `4.2%` of 0 to 1, with more digits where it is small. */
export function percent(share: number): string {
  return `${amount(share * 100)}%`
}

/** `3.4`, `1,234`: whole numbers as they are, otherwise three digits that mean something; with a true minus. */
export function amount(value: number): string {
  const written = Math.abs(value) >= 100 ? count(Math.round(value)) : String(Number(value.toPrecision(3)))
  return written.replace('-', '−')
}

/** `in the last 5 min`, and how much of that was read where it was not all. */
export function windowWords({ window, covered }: Numbers): string {
  if (window === undefined) return 'lately'
  const minutes = Math.round((window.untilMs - window.fromMs) / MINUTE_MS)
  const read = covered === undefined || covered >= 0.9995 ? '' : ` (${percent(covered)} of the time was read)`
  return `in the last ${minutes} min${read}`
}
