import type { MinuteSeries } from '../series/minute-series.ts'
import {
  amount,
  compareSeverity,
  getWindow,
  isSevere,
  NO_DATA,
  type Reading,
  type Seen,
  type Severity,
  readWords,
  spanWords,
} from '../state/reading.ts'
import {
  type Begun,
  type Named,
  type ParameterName,
  readSettings,
  type Settings,
  type ShortWords,
  type TrafficKind,
  type TrafficView,
} from './alert-kind.ts'

export interface Finding {
  readonly severity: Severity
  /** What decides. */
  readonly value: number
  /** What people are shown of the window in its place, where that is another. */
  readonly shown?: { readonly value: number; readonly sample: number } | undefined
  readonly baseline: number
  readonly threshold: number
  readonly sample?: number | undefined
  readonly minutes: number
  readonly seen?: Seen | undefined
}

type Common = 'subject' | 'timing' | 'observe' | 'sentence' | 'summarize'

/** What a kind over traffic says of itself. The rest of its life is the same for all. */
interface Declared<Name extends ParameterName> extends Omit<TrafficKind, Common | 'parameters'> {
  readonly parameters: readonly Named<Name>[]
  /** What the minutes before `at` show, by as little as proves it; undefined when nothing is wrong. */
  find(view: TrafficView, set: Settings<Name>): Finding | undefined
  isOver(view: TrafficView, begun: Begun): boolean
  /** It does not end sooner. */
  readonly leastMinutes?: number
  /** It ends by itself after so long: what has lasted is the steady state now. */
  readonly mostMinutes?: number
  /** How long after its end it does not begin anew. */
  readonly restMinutes: number
  /** The title while it fires. */
  problem(reading: Reading): string
  /** The title once it is over, and once it is what is usual now. */
  readonly over: string
  readonly usualNow?: string
  number(reading: Reading): string
  /** Beside its window: its parts, and what is usual. */
  compared(reading: Reading): readonly string[]
  /** What words need of a stretch of time beside the value. */
  readonly see?: (series: MinuteSeries, from: number, until: number) => Seen
}

/** A single good minute says little. */
const LEAST_MINUTES = 5
/** The lookback window of a value that a list shows while the zone is in its steady state. */
const SHOWN_MINUTES = 10
/** So soon after its end that one would hold what is over: the newest alone say where things stand. */
const NEWEST_MINUTES = 3
const UNREAD_MINUTES = 5
/** Why a reading is as it is, where numbers alone do not say. */
const LASTED = 'lasted'

/** A kind over traffic: it begins as soon as something is found, never de-escalates, and ends when that is over. */
export function trafficKind<Name extends ParameterName>(declared: Declared<Name>): TrafficKind {
  const { unit, see, value, leastMinutes = LEAST_MINUTES, mostMinutes = Infinity, restMinutes } = declared
  return {
    ...declared,
    subject: 'pull',
    timing: { clearForMs: 0 },
    observe(view, overrides) {
      const set = readSettings(declared.parameters, overrides)
      return view.begun === undefined ? observeInactive(view, set) : observeFiring(view, view.begun, set)
    },
    sentence(reading) {
      const { number, beside } = summarize(reading)
      const read = readWords(reading.facts)
      return `${hasLasted(reading) ? 'New normal: ' : ''}${number} ${beside}${read === undefined ? '' : ` (${read})`}.`
    },
    summarize,
  }

  function observeInactive(view: TrafficView, set: Settings<Name>): Reading {
    const sinceEnd = view.at - view.endedAt
    const clear = readClear(view, sinceEnd < SHOWN_MINUTES ? NEWEST_MINUTES : SHOWN_MINUTES)
    if (isUnread(view)) return NO_DATA
    const finding = sinceEnd < restMinutes ? undefined : declared.find(view, set)
    return finding === undefined ? clear : readFinding(finding, view)
  }

  function observeFiring(view: TrafficView, begun: Begun, set: Settings<Name>): Reading {
    const minutes = view.at - begun.at
    const began = begun.reading.seen?.['why']
    if (isUnread(view)) return NO_DATA
    const clear = readClear(view, SHOWN_MINUTES, { began })
    if (minutes >= mostMinutes) {
      const { baseline } = begun.reading.facts
      return { ...clear, facts: { ...clear.facts, baseline }, seen: { ...clear.seen, why: LASTED } }
    }
    if (minutes >= leastMinutes && declared.isOver(view, begun)) return readClear(view, NEWEST_MINUTES, { began })
    const finding = declared.find({ ...view, endedAt: Number.NEGATIVE_INFINITY }, set)
    return finding === undefined ? { ...clear, level: 'between' } : readFinding(finding, view)
  }

  /** No milder than it began, or has become since. */
  function readFinding(finding: Finding, { series, at, begun }: TrafficView): Reading {
    const { minutes, severity, seen, shown, ...found } = finding
    const level = begun !== undefined && compareSeverity(begun.severity, severity) > 0 ? begun.severity : severity
    const window = getWindow(at, minutes)
    const facts = { ...found, ...shown, unit, window, covered: series.covered(at - minutes, at) }
    const isOther = shown !== undefined && shown.value !== found.value
    // Nobody is told of a limit above what it was crossed by.
    if (isOther) facts.threshold = Math.min(facts.threshold, facts.value)
    const decided = isOther ? { decided: found.value } : {}
    return { level, facts, seen: { ...see?.(series, at - minutes, at), ...seen, ...decided } }
  }

  function readClear({ series, at }: TrafficView, wanted: number, seen?: Seen): Reading {
    // Where few lines come, the newest minutes may hold none.
    const newest = value(series, at - wanted, at)
    const minutes = newest === undefined ? SHOWN_MINUTES : wanted
    const from = at - minutes
    const window = getWindow(at, minutes)
    const facts = { value: newest ?? value(series, from, at), unit, window, covered: series.covered(from, at) }
    return { level: 'clear', facts, seen: { ...see?.(series, from, at), ...seen } }
  }

  function summarize(reading: Reading): ShortWords {
    const { level, facts } = reading
    const title = isSevere(level) ? declared.problem(reading) : hasLasted(reading) ? declared.usualNow : undefined
    const isKnown = facts.value !== undefined
    return {
      title: title ?? declared.over,
      number: isKnown ? declared.number(reading) : 'no requests',
      beside: [spanWords(facts), ...(isKnown ? declared.compared(reading) : [])].join(' · '),
    }
  }
}

export function rateWords(perMinute: number): string {
  return perMinute === 0 ? 'no requests' : `${amount(perMinute)} requests a minute`
}

export function hasLasted(reading: Reading | undefined): boolean {
  return reading?.seen?.['why'] === LASTED
}

function isUnread({ series, at }: TrafficView): boolean {
  return series.total('known', at - UNREAD_MINUTES, at) === 0
}
