import { CHART_POINTS } from '../block-kit/limits.ts'
import { MINUTE_MS } from '../shared/durations.ts'
import type { IncidentWrite, NewAlertPost, SubjectView } from '../store/alert-records.ts'
import type { Begun, StorageDay } from './alert-kind.ts'
import { type SampleLine, type IncidentAlert, type IncidentDoc, MAX_SAMPLE_LINES } from './incident.ts'
import { type Illustration, updateIncident } from './incidents.ts'
import { storageSubject } from './rule-subjects.ts'
import { hashOf } from './sampling.ts'
import type { TrafficTrust } from './traffic-trust.ts'
import type { MinuteSeries } from './minute-series.ts'
import type { UsualOfWeek } from './usual.ts'
import { type KnownState, type Observing, steppedAlerts, watchedAlerts } from './watched-alert.ts'
import { alertKind, currentName } from './kinds.ts'
import type { AlertState } from './step.ts'

export interface Evaluated {
  readonly states: readonly KnownState[]
  /** Those of them that the store does not have yet. */
  readonly changed: readonly KnownState[]
  readonly incidents: readonly IncidentWrite[]
  readonly posts: readonly NewAlertPost[]
}

interface Looking {
  readonly view: SubjectView
  readonly now: Date
  readonly newId: () => string
  readonly webhook: boolean
}

export interface TrafficLook extends Looking {
  readonly series: MinuteSeries
  readonly usual: UsualOfWeek
  readonly known?: readonly KnownState[] | undefined
  /** A minute: the first one that is not looked at. */
  readonly at: number
  readonly trust: TrafficTrust
  /** Newest first. */
  readonly samples: readonly SampleLine[]
}

export interface StorageLook extends Looking {
  readonly zoneId: string
  /** Oldest first. */
  readonly days: readonly StorageDay[]
  /** Nothing was read: the days are those of an earlier look, or none, and only time has passed. */
  readonly onlyTime?: boolean
}

/** Of a zone that is well, the last reading is noted this often: nothing but lists of alerts shows it. */
const NOTED_MINUTES = 10

const NOTHING: Evaluated = { states: [], changed: [], incidents: [], posts: [] }

/**
 * What the rules of a pull zone make of its traffic up to a minute. A kind is looked at when its time comes; incidents are
 * brought up to date each time. Pure, apart from the ids of new incidents.
 */
export function evaluateTraffic(look: TrafficLook): Evaluated {
  const { view, series, at, trust, samples } = look
  const subject = view.rules[0]?.subject ?? view.incidents[0]?.subject
  if (subject === undefined) return NOTHING
  const usual = look.usual.at(at)
  const observing: Observing = {
    observe: ({ traffic }, state) => {
      const begun = begunOf(state)
      const endedAt = begun === undefined ? Math.floor(state.sinceMs / MINUTE_MS) : Number.NEGATIVE_INFINITY
      return traffic?.observe({ series, usual, at, trust, begun, endedAt })
    },
    // Each zone at minutes of its own, so that not all of them are written at once.
    storesQuiet: (at + hashOf(subject)) % NOTED_MINUTES === 0,
  }
  return evaluated(look, subject, new Date(at * MINUTE_MS), observing, {
    samplesOf: (alert) => samplesFor(alert, samples),
    // What no rule looks at any more need not be at hand.
    trendOf: (alert) =>
      view.rules.some(({ kind }) => currentName(kind) === currentName(alert.kind))
        ? trafficTrend(alert, series, at)
        : undefined,
  })
}

function begunOf({ phase, sinceMs, severity = 'warning', begun, last }: AlertState): Begun | undefined {
  const reading = begun?.reading ?? last?.reading
  if (phase !== 'firing' || reading === undefined) return undefined
  return { at: Math.floor((begun?.atMs ?? sinceMs) / MINUTE_MS), reading, severity }
}

/** What the rules of a storage zone, and those of every storage zone, make of its daily numbers. */
export function evaluateStorage(look: StorageLook): Evaluated {
  const { zoneId, days, now, onlyTime = false } = look
  const observing: Observing = {
    observe: ({ kind, parameters }, { phase, severity, begun }) => {
      if (kind.subject !== 'storage' || onlyTime) return undefined
      const firing = phase === 'firing'
      const told = { severity: firing ? severity : undefined, begunBy: begun?.reading.seen }
      return kind.observe({ days, now, firing, ...told }, parameters)
    },
    storesQuiet: true,
  }
  return evaluated(look, storageSubject(zoneId), now, observing, {
    samplesOf: () => [],
    trendOf: (alert) => (days.length === 0 ? undefined : storageTrend(alert, days)),
  })
}

function evaluated(
  look: Looking & Pick<TrafficLook, 'known'>,
  subject: string,
  at: Date,
  observing: Observing,
  shows: Illustration,
): Evaluated {
  const { view, known, now, newId, webhook } = look
  const about = { view, known, subject, at, now }
  const open = view.incidents.filter((each) => each.subject === subject && each.endedAt === undefined)
  const stepped = steppedAlerts(about, observing)
  const { states, changed, firing } = stepped
  if (open.length === 0 && firing.length === 0) return { ...NOTHING, states, changed }
  const watched = watchedAlerts(about, stepped)
  const channels = new Set([...view.rules, ...open].map(({ channelId }) => channelId))
  const updates = [...channels].flatMap((channelId) => {
    const own = watched.filter(({ rule }) => rule.channelId === channelId)
    return updateIncident({ ...about, ...shows, channelId, watched: own, newId, webhook }) ?? []
  })
  return {
    states,
    changed,
    incidents: updates.map(({ incident }) => incident),
    posts: updates.flatMap(({ posts }) => posts),
  }
}

const TREND_STEP_MINUTES = 3

/** The value of an alert's kind over the last hour, oldest first. */
function trafficTrend({ kind: name }: IncidentAlert, series: MinuteSeries, at: number): IncidentDoc['trend'] {
  const kind = alertKind(name)
  if (kind?.subject !== 'pull') return []
  const from = Array.from({ length: CHART_POINTS }, (_, index) => at - (CHART_POINTS - index) * TREND_STEP_MINUTES)
  return from.flatMap((minute) => pointAt(minute * MINUTE_MS, kind.value(series, minute, minute + TREND_STEP_MINUTES)))
}

function storageTrend({ kind: name }: IncidentAlert, days: readonly StorageDay[]): IncidentDoc['trend'] {
  const kind = alertKind(name)
  return kind?.subject === 'storage'
    ? days.slice(-CHART_POINTS).flatMap((day) => pointAt(day.dayMs, kind.value(day)))
    : []
}

function pointAt(atMs: number, value: number | undefined): IncidentDoc['trend'] {
  return value === undefined || !Number.isFinite(value) ? [] : [{ atMs, value }]
}

function samplesFor({ kind: name }: IncidentAlert, lines: readonly SampleLine[]): readonly SampleLine[] {
  const kind = alertKind(name)
  return kind?.subject === 'pull' ? lines.filter((line) => kind.shows(line)).slice(0, MAX_SAMPLE_LINES) : []
}
