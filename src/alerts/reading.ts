import { MINUTE_MS } from '../shared/durations.ts'

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
  /** Plain text, one or two sentences: value, window, baseline, threshold. Holds no foreign text. */
  readonly sentence: string
}

/** What a kind needs beside the numbers to word its sentence. */
export type Seen = Readonly<Record<string, number | string | undefined>>

export interface Reading {
  readonly level: Level
  /** With the sentence where it was worth wording at once; otherwise the kind words it when somebody reads it. */
  readonly facts: Numbers & { readonly sentence?: string | undefined }
  readonly seen?: Seen | undefined
}

/** Whether a level is one that fires. */
export function isBad(level: Level): level is Severity {
  return level === 'warning' || level === 'critical' || level === 'info'
}

/** The minutes that end with `at`, in milliseconds. */
export function windowOf(at: number, minutes: number): { readonly fromMs: number; readonly untilMs: number } {
  return { fromMs: (at - minutes) * MINUTE_MS, untilMs: at * MINUTE_MS }
}

/** The level of one look: bad, or else clear, or while it fires and is not yet good enough, between both. */
export function levelOf(bad: Severity | undefined, clear: boolean, firing: boolean): Level {
  return bad ?? (clear || !firing ? 'clear' : 'between')
}

/** The gravest severity that holds. */
export function gravest(critical: boolean, warning: boolean): Severity | undefined {
  return critical ? 'critical' : warning ? 'warning' : undefined
}

/** The place in `SEVERITIES`, to compare by; -1 for what is none of them. */
export function graveness(level: Level | undefined): number {
  return SEVERITIES.findIndex((severity) => severity === level)
}
