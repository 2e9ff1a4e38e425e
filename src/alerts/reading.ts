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

/** The numbers behind a level. What does not apply is left out. */
export interface Numbers {
  readonly value?: number | undefined
  readonly unit?: Unit | undefined
  /** How many lines, days or keys the value is made of. */
  readonly sample?: number | undefined
  readonly threshold?: number | undefined
  readonly baseline?: number | undefined
  /** Milliseconds since 1970. */
  readonly window?: { readonly fromMs: number; readonly untilMs: number } | undefined
  /** Share of the window that was read, 0 to 1. */
  readonly covered?: number | undefined
}

/** The numbers as people are shown them: the sentence holds all of it in words. */
export interface Facts extends Numbers {
  /** Plain text, one or two sentences: value, n, interval, window, baseline, threshold. Holds no foreign text. */
  readonly sentence: string
  /** Of the value: where it lies with 95 % confidence. */
  readonly interval?: readonly [number, number] | undefined
}

/** What a kind needs beside the numbers to word its sentence. */
export type Seen = Readonly<Record<string, number | string | undefined>>

export interface Reading {
  readonly level: Level
  /** Bad enough, in two successive minutes, to be told without any wait. */
  readonly fast?: boolean | undefined
  /** With the sentence where it was worth wording at once; otherwise the kind words it when somebody reads it. */
  readonly facts: Numbers & { readonly [Name in 'sentence' | 'interval']?: Facts[Name] | undefined }
  readonly seen?: Seen | undefined
}

/** Whether a level is one that fires. */
export function isBad(level: Level): level is Severity {
  return level === 'warning' || level === 'critical' || level === 'info'
}

/** The place in `SEVERITIES`, to compare by; -1 for what is none of them. */
export function graveness(level: Level | undefined): number {
  return SEVERITIES.findIndex((severity) => severity === level)
}

/** Whether a reading takes an alert that rests no further: neither bad, nor fast. */
export function isUneventful({ level, fast }: Reading): boolean {
  return !isBad(level) && fast !== true
}
