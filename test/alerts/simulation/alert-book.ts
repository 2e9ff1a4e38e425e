import { readIncidentDoc } from '../../../src/alerts/incident-doc.ts'
import { type IncidentDoc, SAME_INCIDENT_MS } from '../../../src/alerts/incident.ts'
import type {
  AlertCommit,
  AlertRule,
  AlertStateRecord,
  IncidentRecord,
  MarkRecord,
  NewAlertPost,
  SubjectView,
} from '../../../src/store/alert-records.ts'

/** One call to Slack: what people saw, and when. */
export interface Told {
  readonly atMs: number
  readonly incidentId: string
  readonly channelId: string
  readonly subject: string
  readonly what: 'post' | 'edit' | 'reply'
  readonly doc: IncidentDoc
  readonly ended: boolean
  readonly body: unknown
}

/** Slack takes one message a second of a channel. */
const PACE_MS = 1_000

/** What the store and the lane do for a simulated day, in memory: the same rules, without a disk and without Slack. */
export class AlertBook {
  readonly told: Told[] = []
  readonly #rules: readonly AlertRule[]
  readonly #marks: readonly MarkRecord[]
  readonly #states = new Map<string, AlertStateRecord>()
  readonly #incidents = new Map<string, IncidentRecord>()
  readonly #freeAtMs = new Map<string, number>()
  #waiting: NewAlertPost[] = []

  constructor(rules: readonly AlertRule[], marks: readonly MarkRecord[]) {
    this.#rules = rules
    this.#marks = marks
  }

  view(subject: string, now: Date): SubjectView {
    const recent = now.getTime() - SAME_INCIDENT_MS
    return {
      rules: this.#rules.filter((rule) => rule.subject === subject),
      states: [...this.#states.values()].filter((state) => state.subject === subject),
      incidents: [...this.#incidents.values()].filter(
        ({ endedAt, dismissedBy, ...each }) =>
          each.subject === subject &&
          (endedAt === undefined || endedAt.getTime() > recent || dismissedBy !== undefined),
      ),
      silences: [],
      marks: this.#marks.filter(({ pullZoneId, at }) => subject === `pull/${pullZoneId}` && at <= now),
      watch: undefined,
    }
  }

  commit({ states = [], incidents = [], posts = [] }: Pick<AlertCommit, 'states' | 'incidents' | 'posts'>): void {
    for (const state of states) this.#states.set(`${state.ruleId}/${state.subject}`, JSON.parse(JSON.stringify(state)))
    for (const { unacknowledge, ...write } of incidents) {
      const known = this.#incidents.get(write.id)
      const acknowledged = unacknowledge === true ? { acknowledgedBy: undefined, acknowledgedAt: undefined } : {}
      const doc: unknown = JSON.parse(JSON.stringify(write.doc))
      this.#incidents.set(write.id, {
        shownRevision: 0,
        ...known,
        ...write,
        ...acknowledged,
        doc,
        endedAt: write.endedAt,
        revision: (known?.revision ?? 0) + 1,
      })
    }
    for (const post of posts) this.#queue(post)
  }

  /** Somebody answers that what is open is not a problem. */
  dismiss(person: string, at: Date): void {
    for (const [id, incident] of this.#incidents)
      if (incident.endedAt === undefined) this.#incidents.set(id, { ...incident, dismissedBy: person, endedAt: at })
  }

  /** Posts what is due by then, each channel in its order and no faster than Slack allows. */
  deliverUntil(atMs: number): void {
    for (;;) {
      const due = this.#waiting
        .map((post) => ({ post, at: Math.max(post.dueAt.getTime(), this.#freeAtMs.get(post.channelId) ?? 0) }))
        .filter(({ at }) => at <= atMs)
        .toSorted((one, other) => one.at - other.at)[0]
      if (due === undefined) return
      this.#waiting = this.#waiting.filter((post) => post !== due.post)
      this.#freeAtMs.set(due.post.channelId, due.at + PACE_MS)
      this.#deliver(due.post, due.at)
    }
  }

  #queue(post: NewAlertPost): void {
    const same = this.#waiting.find((each) => each.what === 'card' && each.incidentId === post.incidentId)
    if (post.what !== 'card' || same === undefined) this.#waiting.push(post)
    else if (post.dueAt < same.dueAt) this.#waiting[this.#waiting.indexOf(same)] = { ...same, dueAt: post.dueAt }
  }

  #deliver({ incidentId, channelId, what, body }: NewAlertPost, atMs: number): void {
    const incident = this.#incidents.get(incidentId)
    if (incident === undefined) throw new Error(`A post about the unknown incident ${incidentId}`)
    const isShown = incident.messageTs !== undefined
    if (what === 'webhook' || (what === 'card' && incident.shownRevision === incident.revision)) return
    if (what === 'reply' && !isShown) return
    const done = what === 'reply' ? 'reply' : isShown ? 'edit' : 'post'
    this.told.push({
      atMs,
      incidentId,
      channelId,
      subject: incident.subject,
      what: done,
      doc: readIncidentDoc(incident.doc),
      ended: incident.endedAt !== undefined,
      body,
    })
    if (what === 'card')
      this.#incidents.set(incidentId, {
        ...incident,
        messageTs: incident.messageTs ?? `${this.told.length}.0`,
        shownRevision: incident.revision,
      })
  }
}
