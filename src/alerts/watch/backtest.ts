import { turnOfTheLoop } from '../../shared/clock.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import {
  type AlertRule,
  type IncidentRecord,
  type IncidentWrite,
  type MarkRecord,
  type NewAlertPost,
  RECENT_INCIDENT_MS,
} from '../../store/schema/alert-records.ts'
import type { MinuteCounts } from '../../store/schema/minute-counts.ts'
import { evaluateTraffic, type KnownState } from '../incidents/evaluation.ts'
import { readIncidentDoc, type IncidentAlert } from '../state/incident.ts'
import type { ReplyBody, ReplyKind } from '../incidents/incident-reply.ts'
import { MinuteSeries } from '../series/minute-series.ts'
import { WeeklyBaseline } from '../series/baseline.ts'
import { TRUST_MINUTES } from '../log/zone-record.ts'

/** The past of a pull zone, and what it is looked at by. Minutes are whole ones since 1970. */
export interface Past {
  readonly rules: readonly AlertRule[]
  /** As they came; those that are not there were not read. The first ones may only say what is usual. */
  readonly minutes: readonly PastMinute[]
  /** The first minute that is looked at, and the one after the last. */
  readonly from: number
  readonly until: number
  /** How long after a minute has ended it is looked at. */
  readonly lagMs: number
  readonly marks: readonly MarkRecord[]
}

/** What was read of a minute. One that comes again replaces what was known of it. */
export interface PastMinute extends MinuteCounts {
  /** The first look that saw it; unless given the one after its end. */
  readonly seenAt?: number
}

export interface BacktestEvent {
  /** When its message is due, in milliseconds since 1970. */
  readonly atMs: number
  readonly event: 'begin' | 'worse' | 'better' | 'joined' | 'reminder' | 'end'
  readonly incidentId: string
  readonly alert: IncidentAlert
  /** A new message, or a reply that the channel sees: with or without a mention. */
  readonly notify: boolean
}

export type Backtest = Awaited<ReturnType<typeof backtest>>

/** So many looks are a few milliseconds: others may want to be heard in between. */
const LOOKS_AT_ONCE = 256

/**
 * What a channel would have been told of a zone's past: the same looks, steps and incidents as live, minute by minute,
 * without Slack and without a store. Silences and answers of people are none.
 */
export async function backtest({ rules, minutes, from, until, lagMs, marks }: Past) {
  const series = new MinuteSeries(Math.min(from, minutes[0]?.minute ?? from))
  const baseline = new WeeklyBaseline(series)
  const book = new IncidentBook()
  let ids = 0
  const newId = (): string => String((ids += 1))
  let known: readonly KnownState[] = []
  let coveredMs = 0
  let next = 0
  for (let at = series.from + 1; at <= until; at += 1) {
    for (let counts = minutes[next]; counts && (counts.seenAt ?? counts.minute + 1) <= at; counts = minutes[next]) {
      if (counts.minute >= Math.max(from, series.until)) coveredMs += counts.coveredMs
      series.put(counts)
      next += 1
    }
    if (at <= from) continue
    const now = new Date(at * MINUTE_MS + lagMs)
    const view = { rules, states: [], incidents: book.recent(now), silences: [], marks, watch: undefined }
    const covered = series.covered(Math.max(series.from, at - TRUST_MINUTES), at)
    const trust = { lagMs, behindMinutes: 0, covered }
    const subject = rules[0]?.subject ?? ''
    const look = { view, subject, known, series, baseline, at, trust, samples: [], now, webhook: false }
    const { states, incidents, posts } = evaluateTraffic({ ...look, newId })
    known = states
    for (const write of incidents) book.write(write, posts, now)
    if (at % LOOKS_AT_ONCE === 0) await turnOfTheLoop()
  }
  const allMs = (until - from) * MINUTE_MS
  return { events: book.events, firings: book.firings(), covered: allMs > 0 ? coveredMs / allMs : 0 }
}

class IncidentBook {
  /** Oldest first. */
  readonly events: BacktestEvent[] = []
  readonly #firings = new Map<string, IncidentAlert>()
  #incidents: readonly IncidentRecord[] = []

  /** Those that are open, and those that begin again rather than anew. */
  recent(now: Date): readonly IncidentRecord[] {
    const sinceMs = now.getTime() - RECENT_INCIDENT_MS
    this.#incidents = this.#incidents.filter(({ endedAt }) => endedAt === undefined || endedAt.getTime() > sinceMs)
    return this.#incidents
  }

  write(write: IncidentWrite, posts: readonly NewAlertPost[], now: Date): void {
    const before = this.#incidents.find(({ id }) => id === write.id)
    const { alerts } = readIncidentDoc(write.doc)
    this.events.push(...listEvents(before === undefined, write, alerts, posts, now))
    for (const alert of alerts) this.#firings.set(`${alert.ruleId} ${alert.firedMs}`, alert)
    const others = this.#incidents.filter(({ id }) => id !== write.id)
    this.#incidents = [...others, { ...write, revision: 1, shownRevision: 0 }]
  }

  /** Each alert as it was at its end, or is still; oldest first. As all looks are equally late, none has become milder. */
  firings(): readonly IncidentAlert[] {
    return [...this.#firings.values()].toSorted((a, b) => a.firedMs - b.firedMs)
  }
}

/** Of all else that is said the event is told by the card, or none. */
const EVENTS: Readonly<Partial<Record<ReplyKind, BacktestEvent['event']>>> = {
  'begins again': 'begin',
  worse: 'worse',
  joined: 'joined',
  reminder: 'reminder',
  'nobody acknowledged': 'reminder',
  flapping: 'joined',
  'de-escalated': 'better',
}

export function listEvents(
  isNew: boolean,
  { id: incidentId, endedAt }: IncidentWrite,
  [first]: readonly IncidentAlert[],
  posts: readonly NewAlertPost[],
  now: Date,
): readonly BacktestEvent[] {
  if (first === undefined) return []
  const events: BacktestEvent[] = []
  for (const { what, body, dueAt, incidentId: about } of posts) {
    if (about !== incidentId) continue
    const atMs = dueAt.getTime()
    if (what === 'card' && isNew) events.push({ atMs, event: 'begin', incidentId, alert: first, notify: true })
    if (what !== 'reply') continue
    // What `updateIncident` has just made.
    const { kind, alert, broadcast } = body as ReplyBody
    const event = EVENTS[kind]
    if (event !== undefined) events.push({ atMs, event, incidentId, alert, notify: broadcast })
  }
  if (endedAt !== undefined) events.push({ atMs: now.getTime(), event: 'end', incidentId, alert: first, notify: false })
  return events
}
