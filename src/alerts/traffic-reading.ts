import { MINUTE_MS } from '../shared/durations.ts'
import type { Words } from './alert-kind.ts'
import type { Baseline } from './baseline.ts'
import type { Level, Numbers, Reading, Severity, Unit } from './reading.ts'
import { coverage, span } from './reading-sentence.ts'
import { coveredIn, type Traffic } from './traffic.ts'
import { inMilliseconds } from './window.ts'
import { type Share, shareFrom } from './wilson.ts'

/** The level of one look: bad, or else clear, or while it fires and is not yet good enough, between both. */
export function levelOf(bad: Severity | undefined, clear: boolean, firing: boolean): Level {
  return bad ?? (clear || !firing ? 'clear' : 'between')
}

/** The gravest severity that holds. */
export function gravest(critical: boolean, warning: boolean): Severity | undefined {
  return critical ? 'critical' : warning ? 'warning' : undefined
}

/** How grave a level is, if it is bad: what `levelOf` was given. */
export function badOf(level: Level): Severity | undefined {
  return level === 'critical' || level === 'warning' || level === 'info' ? level : undefined
}

/** The newest minutes up to `at`, and what was made of them. */
export interface Window {
  readonly series: Traffic
  readonly at: number
  readonly minutes: number
}

/** The numbers about a window; those that do not apply are left undefined. */
export function numbersOf(
  { series, at, minutes }: Window,
  unit: Unit | undefined,
  value?: number,
  sample?: number,
  threshold?: number,
  baseline?: number,
): Numbers {
  const from = at - minutes
  const covered = coveredIn(series, from, at)
  return { value, unit, sample, threshold, baseline, window: inMilliseconds(from, at), covered }
}

/** Nothing can be said, for a reason that the kind has words for. */
export function noData(why: string, numbers: Numbers): Reading {
  return { level: 'no data', facts: numbers, seen: { why } }
}

/** The words for why nothing can be said. */
export function noDataWords({ facts, seen }: Reading, reasons: Readonly<Record<string, string>>): Words {
  return { sentence: inTime(facts, `No data: ${reasons[String(seen?.['why'])] ?? 'nothing is known'}.`) }
}

/** A sentence with the time of its window and, where not all was read, how much was. */
export function inTime({ window, covered }: Numbers, sentence: string): string {
  if (window === undefined) return sentence
  const minutes = { from: window.fromMs / MINUTE_MS, until: window.untilMs / MINUTE_MS }
  return `${sentence} From ${span(minutes)}.${coverage(covered ?? 0)}`
}

/** The share that numbers are about, with where it lies. */
function shareOfNumbers({ value = 0, sample = 0 }: Numbers): Share {
  return shareFrom(value, sample)
}

/** Words about a share: the sentence with its time, and where the share lies. */
export function shareWords(facts: Numbers, sentence: (share: Share) => string): Words {
  const share = shareOfNumbers(facts)
  return { sentence: inTime(facts, sentence(share)), interval: [share.low, share.high] }
}

/** A number of what was seen; NaN where it is missing. */
export function seenNumber({ seen }: Pick<Reading, 'seen'>, name: string): number {
  const number = seen?.[name]
  return typeof number === 'number' ? number : Number.NaN
}

/** What was usual when something was read. */
export function seenBaseline(reading: Reading): Baseline {
  const { facts, seen } = reading
  const from = BASELINES.find((each) => each === seen?.['from']) ?? 'hours before'
  return { value: facts.baseline ?? Number.NaN, windows: seenNumber(reading, 'windows'), from }
}

const BASELINES = ['hours before', 'same hour of the week', 'when it began'] as const
