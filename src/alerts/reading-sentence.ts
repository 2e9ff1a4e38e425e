import { count, counted } from '../block-kit/amounts.ts'
import { MINUTE_MS } from '../shared/durations.ts'
import type { Baseline } from './baseline.ts'
import type { Share } from './wilson.ts'

/** `4.2%` of 0 to 1, with more digits where it is small. */
export function percent(share: number): string {
  return `${digits(share * 100)}%`
}

/** `12.3 points`: the difference of two shares. */
export function points(difference: number): string {
  return `${digits(Math.abs(difference) * 100)} points`
}

/** `3.4 times`, `1,234`: a number as people read it. */
export function amount(value: number): string {
  return digits(value)
}

/** `10:00 to 10:05 UTC`: the day is that of the alert, so it is said only where the window goes over midnight. */
export function span(window: { readonly from: number; readonly until: number }): string {
  const [from, until] = [moment(window.from), moment(window.until)]
  if (from.day === until.day) return `${from.time} to ${until.time} UTC`
  return `${from.day} ${from.time} to ${until.day} ${until.time} UTC`
}

/** `4.2% of 1,240 cacheable lines were STALE (95% interval 3.2% to 5.5%)`, with these words for what they were. */
export function shareText(share: Share, were: string, noun = 'line'): string {
  return `${percent(share.value)} of ${counted(share.sample, noun)} were ${were} (95% interval ${percent(share.low)} to ${percent(share.high)})`
}

/** ` 62% of the time was read.` where it was not all of it. */
export function coverage(covered: number): string {
  return covered < 0.9995 ? ` ${percent(covered)} of the time was read.` : ''
}

/** `82% (median of 16 windows in the hours before)`. */
export function baselineText({ value, windows, from }: Baseline, written: (value: number) => string): string {
  if (from === 'when it began') return `${written(value)} (as it was when this began)`
  const where = from === 'hours before' ? 'in the hours before' : 'at the same time of the last two weeks'
  return `${written(value)} (median of ${windows} windows ${where})`
}

function moment(minute: number): { readonly day: string; readonly time: string } {
  const text = new Date(minute * MINUTE_MS).toISOString()
  return { day: text.slice(0, 10), time: text.slice(11, 16) }
}

/** Whole numbers as they are, otherwise three digits that mean something; with a true minus. */
function digits(value: number): string {
  const written = Math.abs(value) >= 100 ? count(Math.round(value)) : String(Number(value.toPrecision(3)))
  return written.replace('-', '−')
}
