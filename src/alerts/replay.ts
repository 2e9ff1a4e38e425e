import { MINUTE_MS } from '../shared/durations.ts'
import type {
  AlertRule,
  AlertSubject,
  IncidentRecord,
  IncidentWrite,
  MarkRecord,
  NewAlertPost,
} from '../store/alert-records.ts'
import type { MinuteCounts } from '../store/minute-counts.ts'
import { evaluateTraffic } from './evaluation.ts'
import { readIncidentDoc } from './incident-doc.ts'
import type { ReplyBody, ReplyKind } from './incident-reply.ts'
import { type IncidentAlert, SAME_INCIDENT_MS } from './incident.ts'
import { MinuteSeries } from './minute-series.ts'
import { TRUST_MINUTES } from './zone-record.ts'
import { coveredIn } from './traffic.ts'
import type { KnownState } from './watched-alert.ts'

/** The past of a pull zone, and what it is looked at by. Minutes are whole ones since 1970. */
export interface Past {
  readonly subject: AlertSubject
  readonly rules: readonly AlertRule[]
  /** Ascending; those that are not there were not read. */
  readonly minutes: readonly MinuteCounts[]
  /** The first minute, and the one after the last. */
  readonly from: number
  readonly until: number
  /** Looks before this minute only learn what is usual: nothing that they say is told. */
  readonly toldFrom?: number | undefined
  /** How long after a minute has ended it is looked at. */
  readonly lagMs: number
  readonly marks: readonly MarkRecord[]
}

/** Something that a channel would have been told. */
export interface Told {
  /** When its message is due, in milliseconds since 1970. */
  readonly atMs: number
  readonly event: 'begin' | 'worse' | 'better' | 'joined' | 'reminder' | 'end'
  readonly incidentId: string
  readonly alert: IncidentAlert
  /** A new message, or a reply that the channel sees: with or without a mention. */
  readonly aloud: boolean
}

/**
 * What a channel would have been told of a zone's past: the same looks, steps and incidents as live, minute by minute,
 * without Slack and without a store.
 */
export function replay(past: Past): readonly Told[] {
  const { subject, rules, from, until, lagMs, marks } = past
  const series = new MinuteSeries(from, until, past.minutes)
  const told: Told[] = []
  let known: readonly KnownState[] = []
  let incidents: readonly IncidentRecord[] = []
  let nextId = 1
  for (let at = from + 1; at <= until; at += 1) {
    const now = new Date(at * MINUTE_MS + lagMs)
    incidents = incidents.filter(
      ({ endedAt }) => endedAt === undefined || now.getTime() - endedAt.getTime() < SAME_INCIDENT_MS,
    )
    const view = { rules, states: [], incidents, silences: [], marks, watch: undefined }
    const covered = coveredIn(series, Math.max(from, at - TRUST_MINUTES), at)
    const trust = { lagMs, behindMinutes: 0, covered, limited: 0 }
    const newId = (): string => String(nextId++)
    const look = evaluateTraffic({ view, known, series, at, trust, samples: [], now, newId, webhook: false })
    known = look.states
    for (const write of look.incidents) {
      const before = incidents.find(({ id }) => id === write.id)
      if (at >= (past.toldFrom ?? from)) told.push(...toldOf(before, write, look.posts, now))
      incidents = [...incidents.filter(({ id }) => id !== write.id), recordOf(write)]
    }
  }
  return told
}

const EVENTS: Readonly<Record<ReplyKind, Told['event'] | undefined>> = {
  'begins again': 'begin',
  worse: 'worse',
  joined: 'joined',
  reminder: 'reminder',
  'nobody acknowledged': 'reminder',
  flapping: 'joined',
  eased: 'better',
  'ended one of several': undefined,
}

function toldOf(
  before: IncidentRecord | undefined,
  { id, endedAt, doc }: IncidentWrite,
  posts: readonly NewAlertPost[],
  now: Date,
): readonly Told[] {
  const { alerts } = readIncidentDoc(doc)
  const [first] = alerts
  if (first === undefined) return []
  const own = posts.filter(({ incidentId }) => incidentId === id)
  const told: Told[] = []
  if (before === undefined) {
    const [card] = own
    told.push({ atMs: (card?.dueAt ?? now).getTime(), event: 'begin', incidentId: id, alert: first, aloud: true })
  }
  for (const { what, body, dueAt } of own) {
    if (what !== 'reply') continue
    const { kind, alert, broadcast } = body as ReplyBody
    const event = EVENTS[kind]
    if (event !== undefined) told.push({ atMs: dueAt.getTime(), event, incidentId: id, alert, aloud: broadcast })
  }
  if (endedAt !== undefined)
    told.push({ atMs: now.getTime(), event: 'end', incidentId: id, alert: first, aloud: false })
  return told
}

function recordOf(write: IncidentWrite): IncidentRecord {
  return { ...write, revision: 1, shownRevision: 0 }
}
