import type { SampleLine } from './incident.ts'
import type { Reading, Severity, Unit } from './reading.ts'
import type { AlertTiming } from './step.ts'
import type { MinuteSeries } from './minute-series.ts'
import type { TrafficTrust } from './traffic-trust.ts'
import type { Usual } from './usual.ts'

/** Something about a kind that a rule can set. Values are as people write them: 5 for 5 %, minutes for times. */
export interface Parameter {
  /** As it is typed after `--` and stands in the configuration file: `critical`, `window`, `minimum`. */
  readonly name: ParameterName
  readonly label: string
  readonly meaning: string
  readonly unit: '%' | 'points' | 'times' | 'minutes' | 'days' | 'bytes'
  readonly default: number
  readonly min: number
  readonly max: number
}

/** Every name a parameter of any kind can have, so that one form and one grammar serve all kinds. */
export const PARAMETER_NAMES = [
  'warning',
  'critical',
  'also-warning',
  'also-critical',
  'bypass',
  'quota',
  'change',
  'lost',
] as const
export type ParameterName = (typeof PARAMETER_NAMES)[number]
export type Parameters = Readonly<Partial<Record<ParameterName, number>>>

interface AnyKind {
  /** As it is typed and stored: `origin-failing`. Never reused for something else. */
  readonly name: string
  /** In headlines: "Origin failing". At most 40 characters. */
  readonly title: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  /** How long something has to be so before it is told, and before it is taken back. */
  timing(parameters: Parameters): AlertTiming
}

/** What a kind that looks at a pull zone's traffic gets to see. `at` is a minute: the first one not looked at. */
export interface TrafficView {
  readonly series: MinuteSeries
  readonly usual: Usual
  readonly at: number
  /** Whether reading goes well, and if not, why: failures are never "no traffic". */
  readonly trust: TrafficTrust
  /** While the alert fires: the minute at which it began, by which reading, and how grave it is. */
  readonly begun: Begun | undefined
  /** While it does not: the minute at which it ended last. What was before belongs to that. */
  readonly endedAt: number
}

export interface Begun {
  readonly at: number
  readonly reading: Reading
  readonly severity: Severity
}

export interface TrafficRule {
  /** What the minutes before `at` say. Words come later, where somebody reads them. */
  observe(view: TrafficView): Reading
  /** A reading that this rule has made, now or before, as a sentence. */
  sentence(reading: Reading): string
}

export interface TrafficKind extends AnyKind {
  readonly subject: 'pull'
  /** Whether a deploy or a purge explains it: silent for 15 minutes after a mark. */
  readonly explainedByMarks: boolean
  rule(parameters: Parameters): TrafficRule
  /** What charts show of it, for a stretch of time; undefined when nothing can be said. */
  value(series: MinuteSeries, from: number, until: number): number | undefined
  readonly unit: Unit
  shows(line: SampleLine): boolean
}

export interface StorageDay {
  readonly dayMs: number
  readonly bytes: number | undefined
  readonly files: number | undefined
}

export interface StorageView {
  /** Oldest first, a day once, at most 31. */
  readonly days: readonly StorageDay[]
  readonly now: Date
  readonly firing: boolean
  /** How grave it is said to be while it fires, where that is known: what is critical has a longer way back. */
  readonly severity?: Severity | undefined
  /** By what it began, as the kind has seen it. */
  readonly begunBy?: Reading['seen']
}

export interface StorageKind extends AnyKind {
  readonly subject: 'storage'
  observe(view: StorageView, parameters: Parameters): Reading
  value(day: StorageDay): number | undefined
  readonly unit: Unit
}

/** The listing of API keys: events, each told once and never resolved. Its comparison has a file of its own. */
export interface KeysKind extends AnyKind {
  readonly subject: 'account'
}

export type AlertKind = TrafficKind | StorageKind | KeysKind
