import type { Facts, Reading, Severity, Unit } from './reading.ts'
import type { AlertTiming } from './step.ts'
import type { Column, Traffic } from './traffic.ts'
import type { TrafficTrust } from './traffic-trust.ts'

/** Something about a kind that a rule can set. Values are as people write them: 5 for 5 %, minutes for times. */
export interface Parameter {
  /** As it is typed after `--` and stands in the configuration file: `critical`, `window`, `minimum`. */
  readonly name: ParameterName
  /** At most 60 characters. */
  readonly label: string
  /** What it means, as a sentence. */
  readonly meaning: string
  readonly unit: '%' | 'points' | 'times' | 'z' | 'lines' | 'minutes' | 'hours' | 'days' | 'bytes'
  readonly default: number
  readonly min: number
  readonly max: number
}

/** Every name a parameter of any kind can have, so that one form and one grammar serve all kinds. */
export const PARAMETER_NAMES = [
  'warning',
  'critical',
  'window',
  'long-window',
  'for',
  'clear',
  'clear-for',
  'minimum',
  'minimum-bad',
  'baseline-hours',
  'times',
  'quota',
  'objective',
  'change',
  'also-warning',
  'also-critical',
  'also-clear',
  'limited',
] as const
export type ParameterName = (typeof PARAMETER_NAMES)[number]
export type Parameters = Readonly<Partial<Record<ParameterName, number>>>

interface AnyKind {
  /** As it is typed and stored: `stale-share`. Never reused for something else. */
  readonly name: string
  /** In headlines: "STALE share". At most 40 characters. */
  readonly title: string
  /** What it watches and why that matters, as a sentence. */
  readonly summary: string
  readonly parameters: readonly Parameter[]
  /** How long something has to be so before it is told, and before it is taken back. */
  timing(parameters: Parameters): AlertTiming
}

/** What a kind that looks at a pull zone's traffic gets to see. `at` is a minute: the first one not looked at. */
export interface TrafficView {
  readonly series: Traffic
  readonly at: number
  /** Whether reading goes well, and if not, why: failures are never "no traffic". */
  readonly trust: TrafficTrust
  /** The baseline at the moment the alert began to fire: what it has to come back to. */
  readonly frozenBaseline: number | undefined
  readonly firing: boolean
}

/** What a kind sums up of the past, so that this much is at hand and no more. All are minutes back from the one that is looked at. */
export interface Reach {
  /** How much of the newest minutes was read is at hand in any case. */
  readonly columns: readonly Column[]
  /** How many of the newest minutes. */
  readonly minutes: number
  /** Farther back: where sums up to the newest minutes begin or end as well. */
  readonly edges?: readonly number[]
  /** Stretches farther back that are summed up by themselves, where they are known. */
  readonly apart?: readonly { readonly from: number; readonly until: number }[]
}

/** A kind with its parameters set, for as many looks as there are. */
export interface TrafficRule {
  /** What the minutes before `at` say. Words come later, where somebody reads them. */
  observe(view: TrafficView): Reading
  /** Words a reading that this rule has made, now or before. */
  words(reading: Reading): Words
}

/** What people are shown of a reading beside its numbers. */
export type Words = Pick<Facts, 'sentence' | 'interval'>

/** A kind over the minutes of a pull zone's log. */
export interface TrafficKind extends AnyKind {
  readonly subject: 'pull'
  /** How often it is looked at, in minutes. */
  readonly every: number
  /** How far back it looks, at what. */
  reach(parameters: Parameters): Reach
  /** While these fire for the same zone this one says nothing and stays as it is. */
  readonly inhibitedBy: readonly string[]
  /** Whether a deploy or a purge explains it: silent for 15 minutes after a mark. */
  readonly explainedByMarks: boolean
  rule(parameters: Parameters): TrafficRule
  /** What charts show of it, for a stretch of time; undefined when nothing can be said. Of columns that are in its reach. */
  value(traffic: Traffic, from: number, until: number): number | undefined
  readonly unit: Unit
}

/** One UTC day of a storage zone. */
export interface StorageDay {
  /** Milliseconds since 1970 at its start. */
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
}

/** A kind over the daily statistics of a storage zone. */
export interface StorageKind extends AnyKind {
  readonly subject: 'storage'
  observe(view: StorageView, parameters: Parameters): Reading
  /** Of the newest day, for charts. */
  value(day: StorageDay): number | undefined
  readonly unit: Unit
}

/** The listing of API keys: events, each told once and never resolved. Its comparison has a file of its own. */
export interface KeysKind extends AnyKind {
  readonly subject: 'account'
}

export type AlertKind = TrafficKind | StorageKind | KeysKind
