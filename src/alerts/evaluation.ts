import type { IncidentRecord, IncidentWrite, NewAlertPost, SubjectView } from '../store/alert-records.ts'
import type { StorageDay, TrafficView } from './alert-kind.ts'
import { samplesFor, storageTrend, trafficTrend } from './illustration.ts'
import type { SampleLine } from './incident.ts'
import { followed, type Illustration } from './incidents.ts'
import type { KeyChange } from './key-changes.ts'
import { keyIncidents } from './key-incidents.ts'
import { storageSubject } from './rule-subjects.ts'
import type { TrafficTrust } from './traffic-trust.ts'
import { MINUTE_MS, type Traffic } from './traffic.ts'
import { type Observing, steppedAlerts, watchedAlerts } from './watched-alert.ts'
import type { KnownState } from './zone-memory.ts'

/** What follows from one look at a subject, to be committed with it. */
export interface Evaluated {
  readonly states: readonly KnownState[]
  readonly incidents: readonly IncidentWrite[]
  readonly posts: readonly NewAlertPost[]
}

/** What every look needs beside the numbers. */
interface Looking {
  readonly view: SubjectView
  readonly now: Date
  readonly newId: () => string
  /** Whether posts for the configured address are made as well. */
  readonly webhook: boolean
}

export interface TrafficLook extends Looking {
  readonly series: Traffic
  /** Where alerts stand, if that is known; otherwise the states of the view count. */
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

export interface KeysLook extends Looking {
  /** What two complete listings say, or what one says against the baseline. */
  readonly changes: readonly KeyChange[]
}

const NOTHING: Evaluated = { states: [], incidents: [], posts: [] }

/**
 * What the rules of a pull zone make of its traffic up to a minute. A kind is looked at when its time comes; incidents are
 * brought up to date each time. Pure, apart from the ids of new incidents.
 */
export function evaluateTraffic(look: TrafficLook): Evaluated {
  const { view, series, at, trust, samples } = look
  const subject = view.rules[0]?.subject ?? view.incidents[0]?.subject
  if (subject === undefined) return NOTHING
  const quiet: TrafficView = { series, at, trust, frozenBaseline: undefined, firing: false }
  const observe: Observing = ({ kind, traffic }, { phase, baseline }) => {
    if (traffic === undefined || kind.subject !== 'pull' || at % kind.every !== 0) return undefined
    return traffic.observe(phase === 'firing' ? { ...quiet, frozenBaseline: baseline, firing: true } : quiet)
  }
  return evaluated(look, subject, new Date(at * MINUTE_MS), observe, {
    samplesOf: (alert) => samplesFor(alert, samples),
    // What no rule looks at any more need not be at hand.
    trendOf: (alert) =>
      view.rules.some(({ kind }) => kind === alert.kind) ? trafficTrend(alert, series, at) : undefined,
  })
}

/** What the rules of a storage zone, and those of every storage zone, make of its daily numbers. */
export function evaluateStorage(look: StorageLook): Evaluated {
  const { zoneId, days, now, onlyTime = false } = look
  const observe: Observing = ({ kind, parameters }, { phase, severity }) =>
    kind.subject === 'storage' && !onlyTime
      ? kind.observe(
          { days, now, firing: phase === 'firing', severity: phase === 'firing' ? severity : undefined },
          parameters,
        )
      : undefined
  return evaluated(look, storageSubject(zoneId), now, observe, {
    samplesOf: () => [],
    trendOf: (alert) => (days.length === 0 ? undefined : storageTrend(alert, days)),
  })
}

/** What the rules about API keys make of changes: events, told once. Nothing without changes. */
export function keyEvents(look: KeysLook): Evaluated {
  return { states: [], ...keyIncidents(look) }
}

function evaluated(
  look: Looking & Pick<TrafficLook, 'known'>,
  subject: string,
  at: Date,
  observe: Observing,
  shows: Illustration,
): Evaluated {
  const { view, known, now, newId, webhook } = look
  const about = { view, known, subject, at, now }
  const stepped = steppedAlerts(about, observe)
  const { states } = stepped
  const open = openOf(view.incidents, subject)
  // Nearly always there is nothing to tell and nothing that was told.
  if (open.length === 0 && stepped.firing.length === 0) return { states, incidents: [], posts: [] }
  const watched = watchedAlerts(about, stepped)
  const channels = new Set([...view.rules, ...open].map(({ channelId }) => channelId))
  const channelLooks = [...channels].map((channelId) =>
    followed({
      ...about,
      ...shows,
      channelId,
      watched: watched.filter(({ rule }) => rule.channelId === channelId),
      newId,
      webhook,
    }),
  )
  return {
    states,
    incidents: channelLooks.flatMap(({ incidents }) => incidents),
    posts: channelLooks.flatMap(({ posts }) => posts),
  }
}

function openOf(incidents: readonly IncidentRecord[], subject: string): readonly IncidentRecord[] {
  return incidents.length === 0
    ? incidents
    : incidents.filter((each) => each.subject === subject && each.endedAt === undefined)
}
