import * as z from 'zod'
import { MINUTE_MS } from '../../shared/durations.ts'
import { count } from '../../block-kit/amounts.ts'

/** Mildest first. `info` is shown and mentions nobody. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

/** What a value is counted in; decides how it is written. A share is 0 to 1, written as a percentage. */
export const Unit = z.enum(['share', 'lines a minute', 'minutes', 'bytes', 'files', 'days', 'keys'])
export type Unit = z.output<typeof Unit>

/** The numbers behind a level as people are shown them. What does not apply is left out. */
export const Facts = z.object({
  /** Plain text, one or two sentences: value, window, baseline, threshold. Holds no foreign text. */
  sentence: z.string(),
  value: z.number().optional(),
  unit: Unit.optional(),
  sample: z.number().optional(),
  threshold: z.number().optional(),
  baseline: z.number().optional(),
  window: z.object({ fromMs: z.number(), untilMs: z.number() }).optional(),
  /** Share of the window that was read, 0 to 1. */
  covered: z.number().optional(),
})
export type Facts = Readonly<z.output<typeof Facts>>
export type Numbers = Omit<Facts, 'sentence'>

/**
 * What one look says, the worst last. `between` is neither bad enough to fire nor good enough to clear, and leaves everything as
 * it is; so does `no data`, which is never good news.
 */
export const LEVELS = ['no data', 'clear', 'between', ...SEVERITIES] as const
export type Level = (typeof LEVELS)[number]

export const Reading = z.object({
  level: z.enum(LEVELS),
  /** With the sentence where it was worth wording at once; otherwise the kind words it when somebody reads it. */
  facts: Facts.partial({ sentence: true }),
  /** What a kind needs beside the numbers to word its sentence. */
  seen: z.record(z.string(), z.union([z.number(), z.string()]).optional()).optional(),
})
export type Reading = Readonly<z.output<typeof Reading>>
export type Seen = Reading['seen']

/** Nobody is shown it: an alert stays at the reading before. */
export const NO_DATA: Reading = { level: 'no data', facts: {} }

export function isSevere(level: Level): level is Severity {
  return level === 'warning' || level === 'critical' || level === 'info'
}

export function getWindow(at: number, minutes: number): { readonly fromMs: number; readonly untilMs: number } {
  return { fromMs: (at - minutes) * MINUTE_MS, untilMs: at * MINUTE_MS }
}

/** The level of one look: bad, or else clear, or while it fires and is not yet good enough, between both. */
export function pickLevel(bad: Severity | undefined, clear: boolean, firing: boolean): Level {
  return bad ?? (clear || !firing ? 'clear' : 'between')
}

export function pickSeverity(critical: boolean, warning: boolean): Severity | undefined {
  return critical ? 'critical' : warning ? 'warning' : undefined
}

/** The place in `SEVERITIES`; -1 for what is none of them. */
export function rankSeverity(level: Level | undefined): number {
  return SEVERITIES.findIndex((severity) => severity === level)
}

/** Above 0 where the first is more severe. */
export function compareSeverity(one: Level | undefined, other: Level | undefined): number {
  return rankSeverity(one) - rankSeverity(other)
}

/** A reading without numbers that JSON cannot hold: what divides by nothing leaves a number out, and never stops the alert. */
export function dropHoles({ level, facts, seen }: Reading): Reading {
  return { level, facts: withoutHoles(facts), seen: seen && withoutHoles(seen) }
}

function withoutHoles<T extends object>(numbers: T): T {
  const isKept = (value: unknown): boolean => typeof value !== 'number' || Number.isFinite(value)
  // Every number of theirs may be left out.
  return Object.fromEntries(Object.entries(numbers).filter(([, value]) => isKept(value))) as T
}

/** `30 %`, `6.9 %`, `0.4 %`: two digits that mean something, where one number is all that is read. */
export function roundPercent(share: number): string {
  if (share > 0 && share < 0.000_1) return '<0.01 %'
  return `${Number((share * 100).toPrecision(2))} %`
}

/** `3.4`, `1,234`: whole numbers as they are, otherwise three digits that mean something; with a true minus. */
export function amount(value: number): string {
  const written = Math.abs(value) >= 100 ? count(Math.round(value)) : String(Number(value.toPrecision(3)))
  return written.replace('-', '−')
}

/** `in the last 5 min` */
export function spanWords({ window }: Numbers): string {
  return window === undefined ? 'lately' : `in the last ${Math.round((window.untilMs - window.fromMs) / MINUTE_MS)} min`
}

/** How much of the window was not read, where that is any of it. */
export function readWords({ covered }: Numbers): string | undefined {
  return covered === undefined || covered >= 0.999_5
    ? undefined
    : `${roundPercent(1 - covered)} of the log could not be read`
}
