import type { IncidentRecord, IncidentWrite, NewAlertPost, SubjectView } from '../store/alert-records.ts'
import type { StorageDay, TrafficView } from './alert-kind.ts'
import { samplesFor, storageTrend, trafficTrend } from './illustration.ts'
import type { SampleLine } from './incident.ts'
import { followed, type Illustration } from './incidents.ts'
import type { KeyChange } from './key-changes.ts'
import { keyIncidents } from './key-incidents.ts'
import { storageSubject } from './rule-subjects.ts'
import { hashOf } from './sampling.ts'
import type { KnownState, Standing } from './standing.ts'
import type { TrafficTrust } from './traffic-trust.ts'
import { MINUTE_MS, type Traffic } from './traffic.ts'
import { allWell, type Observing, steppedAlerts, watchedAlerts } from './watched-alert.ts'

/** What follows from one look at a subject, to be committed with it. */
export interface Evaluated {
  /** Where alerts stand; undefined where they stand as they did. */
  readonly standing: Standing | undefined
  /** What of it the store does not have yet. */
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
  readonly known?: Standing | undefined
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

/** Of a zone that is well, the last reading is noted this often: nothing but lists of alerts shows it. */
const NOTED_MINUTES = 10

const NOTHING: Evaluated = { standing: undefined, states: [], incidents: [], posts: [] }

/**
 * What the rules of a pull zone make of its traffic up to a minute. A kind is looked at when its time comes; incidents are
 * brought up to date each time. Pure, apart from the ids of new incidents.
 */
export function evaluateTraffic(look: TrafficLook): Evaluated {
  const { view, series, at, trust, samples } = look
  const subject = view.rules[0]?.subject ?? view.incidents[0]?.subject
  if (subject === undefined) return NOTHING
  const quiet: TrafficView = { series, at, trust, frozenBaseline: undefined, firing: false }
  const observing: Observing = {
    observe: ({ kind, traffic }, { phase, baseline }) => {
      if (traffic === undefined || kind.subject !== 'pull' || at % kind.every !== 0) return undefined
      return traffic.observe(phase === 'firing' ? { ...quiet, frozenBaseline: baseline, firing: true } : quiet)
    },
    isWell: ({ traffic }) => traffic?.isWell(quiet) === true,
    // Each zone at minutes of its own, so that not all of them are written at once.
    notes: (at + hashOf(subject)) % NOTED_MINUTES === 0,
  }
  return evaluated(look, subject, new Date(at * MINUTE_MS), observing, {
    samplesOf: (alert) => samplesFor(alert, samples),
    // What no rule looks at any more need not be at hand.
    trendOf: (alert) =>
      view.rules.some(({ kind }) => kind === alert.kind) ? trafficTrend(alert, series, at) : undefined,
  })
}

/** What the rules of a storage zone, and those of every storage zone, make of its daily numbers. */
export function evaluateStorage(look: StorageLook): Evaluated {
  const { zoneId, days, now, onlyTime = false } = look
  const observing: Observing = {
    observe: ({ kind, parameters }, { phase, severity }) =>
      kind.subject === 'storage' && !onlyTime
        ? kind.observe(
            { days, now, firing: phase === 'firing', severity: phase === 'firing' ? severity : undefined },
            parameters,
          )
        : undefined,
    isWell: () => false,
    notes: true,
  }
  return evaluated(look, storageSubject(zoneId), now, observing, {
    samplesOf: () => [],
    trendOf: (alert) => (days.length === 0 ? undefined : storageTrend(alert, days)),
  })
}

/** What the rules about API keys make of changes: events, told once. Nothing without changes. */
export function keyEvents(look: KeysLook): Evaluated {
  return { ...NOTHING, ...keyIncidents(look) }
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
  const open = openOf(view.incidents, subject)
  if (open.length === 0 && allWell(about, observing)) return NOTHING
  const stepped = steppedAlerts(about, observing)
  const { standing, states } = stepped
  // Nearly always there is nothing to tell and nothing that was told.
  if (open.length === 0 && stepped.firing.length === 0) return { standing, states, incidents: [], posts: [] }
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
    standing,
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
