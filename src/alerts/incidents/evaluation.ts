import { CHART_POINTS } from '../../block-kit/limits.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import type { AlertRule, AlertStateRecord, IncidentWrite, NewAlertPost } from '../../store/schema/alert-records.ts'
import type { Begun, StorageDay } from '../kinds/alert-kind.ts'
import { bindRule, type BoundRule, listCurrentRules } from '../kinds/current-rules.ts'
import { findAlertKind, toCurrentName } from '../kinds/kinds.ts'
import { hashText } from '../log/poll-plan.ts'
import type { TrafficTrust } from '../log/zone-record.ts'
import type { WeeklyBaseline } from '../series/baseline.ts'
import type { MinuteSeries } from '../series/minute-series.ts'
import {
  type IncidentAlert,
  type IncidentDoc,
  MAX_SAMPLE_LINES,
  type SampleLine,
  sortSamples,
} from '../state/incident.ts'
import { dropHoles, isSevere, NO_DATA, type Reading } from '../state/reading.ts'
import { type AlertEvent, type AlertState, INACTIVE, readAlertState, step, type Stepped } from '../state/step.ts'
import { type ChannelLook, type Illustration, updateIncident } from './update-incident.ts'
import { findInhibitingKind, findInhibition, INHIBITING_KIND } from './inhibition.ts'
export interface KnownState extends AlertStateRecord {
  readonly state: AlertState
}

export interface Evaluated {
  readonly states: readonly KnownState[]
  /** Those of them that the store does not have yet. */
  readonly changed: readonly KnownState[]
  readonly incidents: readonly IncidentWrite[]
  readonly posts: readonly NewAlertPost[]
}

interface Look extends Pick<ChannelLook, 'view' | 'subject' | 'now' | 'newId' | 'webhook'> {
  /** The states after the look before, where they are known; those of the view count otherwise. */
  readonly known?: readonly KnownState[] | undefined
}

export interface TrafficLook extends Look {
  readonly series: MinuteSeries
  readonly baseline: WeeklyBaseline
  /** A minute: the first one that is not looked at. */
  readonly at: number
  readonly trust: TrafficTrust
  readonly samples: readonly SampleLine[]
}

export interface StorageLook extends Look {
  /** Oldest first. */
  readonly days: readonly StorageDay[]
  /** Nothing was read: the days are those of an earlier look, or none, and only time has passed. */
  readonly onlyTime?: boolean
}

export interface Observing {
  /** Undefined when its kind is not due. */
  readonly observe: (rule: BoundRule, state: AlertState) => Reading | undefined
  /** Whether a look at which nothing happens is stored as well, for whoever asks what was read last. */
  readonly storesQuiet: boolean
}

/** In the steady state the last reading is noted this often: nothing but lists of alerts shows it. */
const NOTED_MINUTES = 10

/**
 * What the rules of a pull zone make of its traffic up to a minute. A kind is looked at when its time comes; incidents are
 * brought up to date each time. Pure, apart from the ids of new incidents.
 */
export function evaluateTraffic(look: TrafficLook): Evaluated {
  const { series, at, trust, samples } = look
  const baseline = look.baseline.at(at)
  const observing: Observing = {
    observe({ kind, parameters }, state) {
      if (kind.subject !== 'pull') return undefined
      const begun = readBegun(state)
      const endedAt = begun === undefined ? Math.floor(state.sinceMs / MINUTE_MS) : Number.NEGATIVE_INFINITY
      return kind.observe({ series, baseline, at, trust, begun, endedAt }, parameters)
    },
    // Each zone at minutes of its own, so that not all of them are written at once.
    storesQuiet: (at + hashText(look.subject)) % NOTED_MINUTES === 0,
  }
  return evaluate(look, new Date(at * MINUTE_MS), observing, {
    pickSamples: (alert) => pickSamples(alert, samples),
    drawTrend: (alert) => drawTraffic(alert, series, at),
  })
}

function readBegun({ phase, sinceMs, severity = 'warning', begun, last }: AlertState): Begun | undefined {
  const reading = begun?.reading ?? last?.reading
  if (phase !== 'firing' || reading === undefined) return undefined
  return { at: Math.floor((begun?.atMs ?? sinceMs) / MINUTE_MS), reading, severity }
}

/** What the rules of a storage zone, and those of every storage zone, make of its daily numbers. */
export function evaluateStorage(look: StorageLook): Evaluated {
  const { days, now, onlyTime = false } = look
  const observing: Observing = {
    observe({ kind, parameters }, { phase, severity, begun }) {
      if (kind.subject !== 'storage' || onlyTime) return undefined
      const firing = phase === 'firing'
      const view = { days, now, firing, severity: firing ? severity : undefined, begunBy: begun?.reading.seen }
      return kind.observe(view, parameters)
    },
    storesQuiet: true,
  }
  return evaluate(look, now, observing, {
    pickSamples: () => [],
    drawTrend: (alert) => (days.length === 0 ? undefined : drawStorage(alert, days)),
  })
}

/** `at` is the moment that is looked at, not later than `now`. */
function evaluate(look: Look, at: Date, observing: Observing, shows: Illustration): Evaluated {
  const { view, subject, now, newId, webhook } = look
  const stepped = stepAlerts(look, at.getTime(), observing)
  const states = stepped.map(({ after }) => after)
  const changed = stepped.filter(({ before, after }) => after !== before).map(({ after }) => after)
  const firing = listFiring(stepped)
  if (view.incidents.length === 0 && firing.length === 0) return { states, changed, incidents: [], posts: [] }
  const alerts = stepped.map(({ rule, after: { state }, event }) => {
    return { rule, state, event, inhibition: findInhibition(rule, state, { view, subject, firing, at, now }) }
  })
  const channels = new Set([...view.rules, ...view.incidents].map(({ channelId }) => channelId))
  const updates = [...channels].flatMap((channelId) => {
    const watched = alerts.filter(({ rule }) => rule.channelId === channelId)
    return updateIncident({ view, subject, channelId, watched, at, now, newId, webhook, ...shows }) ?? []
  })
  const incidents = updates.map(({ incident }) => incident)
  return { states, changed, incidents, posts: updates.flatMap(({ posts }) => posts) }
}

export interface SteppedAlert {
  readonly rule: AlertRule
  readonly before: KnownState
  /** The same as before where the store need not hear of it. */
  readonly after: KnownState
  readonly event: AlertEvent | undefined
}

/** Takes every rule one step on: those whose alerts decide whether others can be trusted come first. Rules of unknown kinds are left out. */
export function stepAlerts(
  look: Pick<Look, 'view' | 'subject' | 'known'>,
  atMs: number,
  { observe, storesQuiet }: Observing,
): readonly SteppedAlert[] {
  const stepped: SteppedAlert[] = []
  for (const { rule, bound } of bindRules(look.view.rules)) {
    const before = readKnownState(look, rule.id)
    const inhibiting = findInhibitingKind(rule.kind, listFiring(stepped))
    const observed = observe(bound, before.state)
    const reading = observed === undefined || inhibiting === undefined ? observed : NO_DATA
    const { phase, heldUntilMs, seenMs = atMs } = before.state
    // Then a look that is not bad leaves it as it is, but for when that was and what was read.
    const isSettled = !storesQuiet && phase === 'inactive' && heldUntilMs === undefined && atMs > seenMs
    const { state, event }: Stepped =
      reading === undefined || (isSettled && !isSevere(reading.level))
        ? { state: before.state }
        : step(before.state, dropHoles(reading), bound.kind.timing, atMs)
    stepped.push({ rule, before, after: state === before.state ? before : { ...before, state }, event })
  }
  return stepped
}

function listFiring(stepped: readonly SteppedAlert[]): readonly string[] {
  return stepped.filter(({ after }) => after.state.phase === 'firing').map(({ rule }) => rule.kind)
}

function bindRules(rules: readonly AlertRule[]) {
  const isFirst = ({ kind }: AlertRule): number => Number(toCurrentName(kind) === INHIBITING_KIND)
  // All of them look at the same thing.
  const ordered = listCurrentRules(rules, () => '').toSorted((a, b) => isFirst(b) - isFirst(a))
  return ordered.flatMap((rule) => {
    const bound = bindRule(rule)
    return bound === undefined ? [] : [{ rule, bound }]
  })
}

function readKnownState(
  { view, subject, known }: Pick<Look, 'view' | 'subject' | 'known'>,
  ruleId: string,
): KnownState {
  const there = known?.find((each) => each.ruleId === ruleId)
  if (there !== undefined) return there
  const stored = view.states.find((each) => each.ruleId === ruleId && each.subject === subject)
  return { ruleId, subject, state: known === undefined ? readAlertState(stored) : INACTIVE }
}

const TREND_STEP_MINUTES = 3
function drawTraffic({ kind: name }: IncidentAlert, series: MinuteSeries, at: number): IncidentDoc['trend'] {
  const kind = findAlertKind(name)
  if (kind?.subject !== 'pull') return []
  const from = Array.from({ length: CHART_POINTS }, (_, index) => at - (CHART_POINTS - index) * TREND_STEP_MINUTES)
  return from.flatMap((minute) =>
    drawPoint(minute * MINUTE_MS, kind.value(series, minute, minute + TREND_STEP_MINUTES)),
  )
}

function drawStorage({ kind: name }: IncidentAlert, days: readonly StorageDay[]): IncidentDoc['trend'] {
  const kind = findAlertKind(name)
  if (kind?.subject !== 'storage') return []
  return days.slice(-CHART_POINTS).flatMap((day) => drawPoint(day.dayMs, kind.value(day)))
}

function drawPoint(atMs: number, value: number | undefined): IncidentDoc['trend'] {
  return value === undefined || !Number.isFinite(value) ? [] : [{ atMs, value }]
}

/** Lines are kept for long: what came well before it fired shows something else. */
const SAMPLED_BEFORE_MS = 10 * MINUTE_MS

function pickSamples({ kind: name, firedMs }: IncidentAlert, lines: readonly SampleLine[]): readonly SampleLine[] {
  const kind = findAlertKind(name)
  if (kind?.subject !== 'pull') return []
  const own = lines.filter((line) => line.atMs >= firedMs - SAMPLED_BEFORE_MS && kind.shows?.(line) === true)
  return sortSamples(own).slice(0, MAX_SAMPLE_LINES)
}
