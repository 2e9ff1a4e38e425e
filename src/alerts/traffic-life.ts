import type { Begun, Parameter, Parameters, TrafficKind, TrafficRule, TrafficView } from './alert-kind.ts'
import { graveness, type Reading, type Seen, type Severity, type Unit, windowOf } from './reading.ts'
import { MINUTE_MS } from '../shared/durations.ts'
import { timingOf } from './step.ts'
import { COLUMN } from './minute-series.ts'

export interface Finding {
  readonly severity: Severity
  readonly value: number
  readonly baseline: number
  readonly threshold: number
  readonly sample?: number | undefined
  readonly minutes: number
  readonly seen?: Seen | undefined
}

/** What a kind over traffic says of itself. The rest of its life is the same for all. */
export interface Declared<Set> extends Pick<
  TrafficKind,
  'name' | 'title' | 'summary' | 'value' | 'unit' | 'explainedByMarks' | 'shows'
> {
  readonly parameters: readonly Parameter[]
  readonly settings: (parameters: Parameters) => Set
  /** What the minutes before `at` show, by as little as proves it; undefined when nothing is wrong. */
  find(view: TrafficView, set: Set): Finding | undefined
  isOver(view: TrafficView, begun: Begun): boolean
  /** It does not end sooner; five unless said otherwise, since a single good minute says little. */
  readonly leastMinutes?: number
  /** It ends by itself after so long: what has lasted is what is usual now. */
  readonly mostMinutes?: number
  /** How long after its end it does not begin anew. */
  readonly restMinutes: number
  found(reading: Reading): string
  /** What has become usual, as in "hit ratio 71%, was 85%". */
  lasted?(reading: Reading): string
}

const LEAST_MINUTES = 5
/** What a list shows of a zone that is well is about so many of its newest minutes. */
const SHOWN_MINUTES = 10
/** Nothing is said of minutes that nobody read. */
const UNREAD_MINUTES = 5
/** Why a reading is as it is, where numbers alone do not say. */
const [UNREAD, LASTED] = ['unread', 'lasted']

/** A kind over traffic: it begins as soon as something is found, stays as grave as it was, and ends when that is over. */
export function trafficKind<Set>(declared: Declared<Set>): TrafficKind {
  const { name, title, summary, parameters, settings, value, unit, explainedByMarks, shows } = declared
  return {
    name,
    title,
    summary,
    subject: 'pull',
    parameters,
    unit,
    explainedByMarks,
    timing: () => timingOf({ clearFor: 0 }),
    rule: (given) => ruleOf(declared, settings(given)),
    value,
    shows,
  }
}

function ruleOf<Set>(declared: Declared<Set>, set: Set): TrafficRule {
  return {
    observe: (view) =>
      view.begun === undefined ? beginning(declared, view, set) : goingOn(declared, view, view.begun, set),
    sentence: (reading) => sentenceOf(declared, reading),
  }
}

function beginning<Set>(declared: Declared<Set>, view: TrafficView, set: Set): Reading {
  const { at, endedAt } = view
  if (isUnread(view)) return { ...quiet(declared, view), level: 'no data', seen: { why: UNREAD } }
  const finding = at - endedAt < declared.restMinutes ? undefined : declared.find(view, set)
  return finding === undefined ? quiet(declared, view) : readingOf(finding, declared.unit, view, finding.severity)
}

function goingOn<Set>(declared: Declared<Set>, view: TrafficView, begun: Begun, set: Set): Reading {
  const { at } = view
  const now = quiet(declared, view)
  if (declared.mostMinutes !== undefined && at - begun.at >= declared.mostMinutes) {
    const { baseline } = begun.reading.facts
    return {
      ...now,
      facts: { ...now.facts, baseline },
      seen: { why: LASTED, sinceMs: begun.at * MINUTE_MS, began: begun.reading.seen?.['why'] },
    }
  }
  if (isUnread(view)) return { ...now, level: 'no data', seen: { why: UNREAD } }
  if (at - begun.at >= (declared.leastMinutes ?? LEAST_MINUTES) && declared.isOver(view, begun)) return now
  const finding = declared.find({ ...view, endedAt: Number.NEGATIVE_INFINITY }, set)
  if (finding === undefined) return { ...now, level: 'between' }
  const severity = graveness(finding.severity) > graveness(begun.severity) ? finding.severity : begun.severity
  return readingOf(finding, declared.unit, view, severity)
}

/** Whether an alert ends by this reading because it has become what is usual. */
export function hasLasted(reading: Reading | undefined): boolean {
  return reading?.seen?.['why'] === LASTED
}

function isUnread({ series, at }: TrafficView): boolean {
  return series.total(COLUMN.known, at - UNREAD_MINUTES, at) === 0
}

function readingOf(finding: Finding, unit: Unit, { series, at }: TrafficView, severity: Severity): Reading {
  const { value, baseline, threshold, sample, minutes, seen } = finding
  const window = windowOf(at, minutes)
  const facts = { value, unit, sample, threshold, baseline, window, covered: series.covered(at - minutes, at) }
  return { level: severity, facts, seen }
}

function quiet<Set>({ value, unit }: Declared<Set>, { series, at }: TrafficView): Reading {
  const from = at - SHOWN_MINUTES
  const facts = {
    value: value(series, from, at),
    unit,
    window: windowOf(at, SHOWN_MINUTES),
    covered: series.covered(from, at),
  }
  return { level: 'clear', facts }
}

function sentenceOf<Set>(declared: Declared<Set>, reading: Reading): string {
  if (reading.seen?.['why'] === UNREAD) return 'Nothing was read in the last minutes, so nothing can be said.'
  if (hasLasted(reading) && declared.lasted !== undefined) {
    const since = new Date(Number(reading.seen?.['sinceMs'])).toISOString().slice(11, 16)
    return `New normal since ${since} UTC: ${declared.lasted(reading)}.`
  }
  return reading.facts.value === undefined ? 'No lines came lately.' : declared.found(reading)
}
