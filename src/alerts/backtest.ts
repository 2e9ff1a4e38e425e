import { MINUTE_MS } from '../shared/durations.ts'
import type { MarkRecord } from '../store/alert-records.ts'
import type { Parameters, TrafficKind } from './alert-kind.ts'
import { markHolds } from './held-back.ts'
import type { MinuteSeries } from './minute-series.ts'
import type { Severity } from './reading.ts'
import { type AlertState, INACTIVE, step } from './step.ts'
import { graveness } from './reading.ts'
import { storable } from './stored-state.ts'
import { coveredIn } from './traffic.ts'
import type { TrafficTrust } from './traffic-trust.ts'

/** An alert as it would have been told. Times are milliseconds since 1970. */
export interface Firing {
  readonly fromMs: number
  /** Undefined when it fires still at the end. */
  readonly untilMs?: number | undefined
  /** The gravest it was. */
  readonly severity: Severity
  /** The worst value, in the unit of the kind. */
  readonly peak?: number | undefined
}

export interface Backtest {
  /** Oldest first. */
  readonly firings: readonly Firing[]
  /**
   * How often a week it would fire if all time were like the part of which there is data; 0 where it never does, undefined
   * where it does and less than a day is known, which tells nothing of a week.
   */
  readonly perWeek: number | undefined
  /** Share of the time that was read, 0 to 1. */
  readonly covered: number
  /** Share of the looks that could say nothing, 0 to 1. */
  readonly noData: number
}

const WEEK_MINUTES = 7 * 24 * 60
/** A day. */
const LEAST_WEEKS = 1 / 7
const RELIABLE_LAG_MS = 120_000

/**
 * A kind over the past of a zone, look by look through the same `step` as the present: what would have been told by this rule
 * alone. Marks hold it back as they do now; other rules and silences do not.
 */
export function backtest(
  kind: TrafficKind,
  parameters: Parameters,
  series: MinuteSeries,
  marks: readonly Pick<MarkRecord, 'at'>[],
): Backtest {
  const timing = kind.timing(parameters)
  const rule = kind.rule(parameters)
  const trust: TrafficTrust = { lagMs: RELIABLE_LAG_MS, behindMinutes: 0, covered: 1, limited: 0 }
  const firings: Firing[] = []
  let state = INACTIVE
  let open: Firing | undefined
  let looks = 0
  let silent = 0
  for (let at = Math.ceil((series.from + 1) / kind.every) * kind.every; at <= series.until; at += kind.every) {
    const view = { series, at, trust, frozenBaseline: state.baseline, firing: state.phase === 'firing' }
    const reading = storable(rule.observe(view))
    state = step(state, reading, timing, at * MINUTE_MS).state
    looks += 1
    if (reading.level === 'no data') silent += 1
    const next = followedFiring(open, state, at * MINUTE_MS, () => isHeld(kind, state, marks, at))
    if (open !== undefined && next?.untilMs !== undefined) firings.push(next)
    open = next?.untilMs === undefined ? next : undefined
  }
  if (open !== undefined) firings.push(open)
  const noData = looks === 0 ? 1 : silent / looks
  const weeks = ((series.until - series.from) * (1 - noData)) / WEEK_MINUTES
  return {
    firings,
    perWeek: firings.length === 0 ? 0 : weeks < LEAST_WEEKS ? undefined : firings.length / weeks,
    covered: coveredIn(series, series.from, series.until),
    noData,
  }
}

/** What is told of an alert after a look, by the rules by which it enters and leaves an incident. */
function followedFiring(
  open: Firing | undefined,
  state: AlertState,
  atMs: number,
  held: () => boolean,
): Firing | undefined {
  const { phase, heldUntilMs, severity = 'warning', peak } = state
  const isShown = phase === 'firing' || heldUntilMs !== undefined
  if (open === undefined) {
    const enters = phase === 'firing' && state.clearSinceMs === undefined && !held()
    return enters ? { fromMs: state.sinceMs, severity, peak } : undefined
  }
  if (!isShown) return { ...open, untilMs: atMs }
  const graver = graveness(severity) > graveness(open.severity) ? severity : open.severity
  return { ...open, severity: graver, peak: peak ?? open.peak }
}

function isHeld(kind: TrafficKind, state: AlertState, marks: readonly Pick<MarkRecord, 'at'>[], at: number): boolean {
  const moment = new Date(at * MINUTE_MS)
  return kind.explainedByMarks && marks.some((mark) => markHolds(mark, state, moment, moment))
}
