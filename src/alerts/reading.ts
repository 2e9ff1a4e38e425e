/** How grave an alert is, mildest first. `info` is shown and mentions nobody. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

/**
 * What one look says. `between` is neither bad enough to fire nor good enough to clear, and leaves everything as it is;
 * so does `no data`, which is never good news.
 */
export type Level = 'no data' | 'clear' | 'between' | Severity

/** What a value is counted in; decides how it is written. */
export type Unit =
  | 'share' // 0 to 1, written as a percentage
  | 'points' // difference of two shares, 0 to 1, written as percentage points
  | 'times'
  | 'z'
  | 'lines'
  | 'lines a minute'
  | 'minutes'
  | 'bytes'
  | 'files'
  | 'days'
  | 'keys'

/** The numbers behind a level. What does not apply is left out; the sentence holds all of it in words. */
export interface Facts {
  /** Plain text, one or two sentences: value, n, interval, window, baseline, threshold. Holds no foreign text. */
  readonly sentence: string
  readonly value?: number
  readonly unit?: Unit
  /** How many lines, days or keys the value is made of. */
  readonly sample?: number
  /** Of the value: where it lies with 95 % confidence. */
  readonly interval?: readonly [number, number]
  readonly threshold?: number
  readonly baseline?: number
  /** Milliseconds since 1970. */
  readonly window?: { readonly fromMs: number; readonly untilMs: number }
  /** Share of the window that was read, 0 to 1. */
  readonly covered?: number
}

export interface Reading {
  readonly level: Level
  /** Bad enough, in two successive minutes, to be told without any wait. */
  readonly fast?: boolean
  readonly facts: Facts
}
