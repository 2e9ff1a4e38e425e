import { count } from '../../block-kit/amounts.ts'
import type { TrafficTrust } from '../log/zone-record.ts'
import type { Baseline } from '../series/baseline.ts'
import type { MinuteSeries } from '../series/minute-series.ts'
import type { SampleLine } from '../state/incident.ts'
import type { Reading, Severity, Unit } from '../state/reading.ts'
import type { AlertTiming } from '../state/step.ts'

/** Something about a kind that a rule can set. Values are as people write them: 5 for 5 %, minutes for times. */
export interface Parameter {
  /** As it is typed after `--` and stands in the configuration file. */
  readonly name: ParameterName
  readonly label: string
  readonly meaning: string
  readonly unit: '%' | 'points' | 'times' | 'minutes' | 'days' | 'bytes'
  readonly default: number
  readonly min: number
  readonly max: number
}

/** Every name a parameter of any kind can have, so that one form and one grammar serve all kinds. */
export const PARAMETER_MEANINGS = {
  warning: 'From where it warns',
  critical: 'From where it is critical',
  'also-warning': 'The second threshold of a warning, where a kind has two',
  'also-critical': 'The second threshold of what is critical, where a kind has two',
  bypass: 'How much may go round the cache',
  quota: 'How much there may be',
  change: 'How much more than the day before is a jump',
  lost: 'How many of the files have to be gone since the day before',
} as const
export type ParameterName = keyof typeof PARAMETER_MEANINGS
export const PARAMETER_NAMES = Object.keys(PARAMETER_MEANINGS) as ParameterName[] // its very keys
export type Parameters = Readonly<Record<string, number>>

/** What people read of a reading before all else, on a phone perhaps nothing else. Plain text without foreign parts. */
export interface ShortWords {
  /** What is wrong, or right again, as a title goes on after a zone's name; at most 41 characters, the first clause 30. */
  readonly title: string
  /** The one number, in the measure of the worst one. */
  readonly number: string
  /** What it is to be compared with: its window, its parts, what is usual. */
  readonly beside?: string | undefined
}

interface AnyKind {
  /** As it is typed and stored: `origin-failing`. Never reused for something else. */
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
}

/** What a kind that looks at a pull zone's traffic gets to see. `at` is a minute: the first one not looked at. */
export interface TrafficView {
  readonly series: MinuteSeries
  readonly baseline: Baseline
  readonly at: number
  /** Whether reading goes well, and if not, why: failures are never "no traffic". */
  readonly trust: TrafficTrust
  /** While the alert fires: the minute at which it began, by which reading, and its severity. */
  readonly begun: Begun | undefined
  /** While it does not: the minute at which it ended last. What was before belongs to that. */
  readonly endedAt: number
}

export interface Begun {
  readonly at: number
  readonly reading: Reading
  readonly severity: Severity
}

export interface TrafficKind extends AnyKind {
  readonly subject: 'pull'
  readonly timing: AlertTiming
  /** Whether a deploy or a purge explains it: inhibited for 15 minutes after a mark. */
  readonly explainedByMarks?: boolean
  /** Whether what falls is bad: a lower value is a worse one. */
  readonly falls?: boolean
  /** Whether it decides without the worst minute of its window, which its numbers and its chart show. */
  readonly leavesOutWorst?: boolean
  /** What the minutes before `at` say. Words come later, where somebody reads them. */
  observe(view: TrafficView, parameters: Parameters): Reading
  /** A reading that this kind has made, now or before, as a sentence. */
  sentence(reading: Reading): string
  summarize(reading: Reading): ShortWords
  /** What charts show of it, for a stretch of time; undefined when nothing can be said. */
  value(series: MinuteSeries, from: number, until: number): number | undefined
  readonly unit: Unit
  /** Whether it is about a line; it is about none if not given. */
  shows?(line: SampleLine): boolean
  /** What `logs` is asked for to show the lines that it is about; MISS and STALE where nothing is said. */
  readonly logsFilter?: Readonly<Partial<Record<'cache' | 'failing', string>>>
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
  /** While it fires, where that is known: what is critical has a longer way back. */
  readonly severity?: Severity | undefined
  /** By what it began, as the kind has seen it. */
  readonly begunBy?: Reading['seen']
}

export interface StorageKind extends AnyKind {
  readonly subject: 'storage'
  readonly timing: AlertTiming
  observe(view: StorageView, parameters: Parameters): Reading
  summarize(reading: Reading): ShortWords
  value(day: StorageDay): number | undefined
  readonly unit: Unit
}

/** The listing of API keys: events, each told once and never resolved. Its comparison is that of `watch/keys-watch.ts`. */
export interface KeysKind extends AnyKind {
  readonly subject: 'account'
}

export type AlertKind = TrafficKind | StorageKind | KeysKind

/** Without a field it is about two parameters that do not go together. */
interface ParameterProblem {
  readonly field: string | undefined
  readonly problem: string
}

/** What is wrong with values for a kind, as sentences for people. A critical threshold never lies before the one for a warning. */
export function parameterProblems(kind: AlertKind, overrides: Parameters): readonly ParameterProblem[] {
  const problems = Object.entries(overrides).flatMap(([field, value]) => {
    const parameter = kind.parameters.find(({ name }) => name === field)
    if (parameter === undefined) {
      const known = kind.parameters.map(({ name }) => name).join(', ')
      return [{ field, problem: `${kind.name} has no parameter ${field}. It has ${known || 'none'}.` }]
    }
    const { min, max, unit } = parameter
    if (value >= min && value <= max) return []
    return [{ field, problem: `${field} of ${kind.name} is a number from ${count(min)} to ${count(max)}, in ${unit}.` }]
  })
  if (problems.length > 0) return problems
  return listCrossed(kind, overrides).map(({ far, near, a, b, upwards }) => {
    const order = `${far} of ${kind.name} has to be at ${upwards ? 'least' : 'most'} ${near}`
    return { field: undefined, problem: `${order}: ${a} and ${b} do not go together.` }
  })
}

/** Which threshold has to lie beyond which; in which direction follows from the kind's own defaults. */
const ORDERED: readonly (readonly [ParameterName, ParameterName])[] = [
  ['critical', 'warning'],
  ['also-critical', 'also-warning'],
]

/** Pairs of thresholds that have passed each other. */
function listCrossed({ parameters }: AlertKind, overrides: Parameters) {
  return ORDERED.flatMap(([far, near]) => {
    const [one, other] = [far, near].map((wanted) => parameters.find((each) => each.name === wanted))
    if (one === undefined || other === undefined) return []
    const [a, b] = [overrides[far] ?? one.default, overrides[near] ?? other.default]
    const upwards = one.default > other.default
    return (upwards ? a >= b : a <= b) ? [] : [{ far, near, a, b, upwards }]
  })
}

/** What is set once some of it is given anew: a threshold that a given one passes goes along with it. */
export function withGiven(kind: AlertKind | undefined, before: Parameters, given: Parameters): Parameters {
  const all = { ...before, ...given }
  const passed = kind === undefined ? [] : listCrossed(kind, all)
  const moved = passed.flatMap(({ far, near, a, b }) => {
    if (given[far] !== undefined && given[near] !== undefined) return []
    return [given[far] === undefined ? [far, b] : [near, a]]
  })
  return { ...all, ...Object.fromEntries(moved) }
}

/** A parameter of which the name is known, so that nobody can ask a kind for one it has not. */
export type Named<Name extends ParameterName> = Parameter & { readonly name: Name }
export type Settings<Name extends ParameterName> = Readonly<Record<Name, number>>

/** Every value of one kind by its name: what a rule sets, otherwise the default. */
export function readSettings<Name extends ParameterName>(
  declared: readonly Named<Name>[],
  overrides: Parameters,
): Settings<Name> {
  const values = declared.map(({ name, default: standard }) => [name, overrides[name] ?? standard])
  // Each name that can be asked for is among those declared.
  return Object.fromEntries(values) as Settings<Name>
}

type Bounds = Pick<Parameter, 'unit' | 'default' | 'max'> & { readonly min?: number }

export const warningAt = (bounds: Bounds, meaning: string) => threshold('warning', 'Warning', bounds, meaning)
export const criticalAt = (bounds: Bounds, meaning: string) => threshold('critical', 'Critical', bounds, meaning)

export function threshold<Name extends ParameterName>(
  name: Name,
  label: string,
  bounds: Bounds,
  meaning: string,
): Named<Name> {
  return { name, label, meaning, min: 0, ...bounds }
}
