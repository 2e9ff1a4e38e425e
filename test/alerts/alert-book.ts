import {
  type AlertCommit,
  type AlertStateRecord,
  type IncidentRecord,
  type SubjectView,
  RECENT_INCIDENT_MS,
} from '../../src/store/schema/alert-records.ts'

/** What the store keeps of alerts, in memory. */
export class AlertBook {
  readonly #states = new Map<string, AlertStateRecord>()
  readonly #incidents = new Map<string, IncidentRecord>()

  view(subject: string, now: Date): Pick<SubjectView, 'states' | 'incidents'> {
    const recent = now.getTime() - RECENT_INCIDENT_MS
    return {
      states: [...this.#states.values()].filter((state) => state.subject === subject),
      incidents: [...this.#incidents.values()].filter(
        ({ endedAt, dismissedBy, ...each }) =>
          each.subject === subject &&
          (endedAt === undefined || endedAt.getTime() > recent || dismissedBy !== undefined),
      ),
    }
  }

  commit({ states = [], incidents = [] }: Pick<AlertCommit, 'states' | 'incidents'>): void {
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
  }

  /** Somebody answers that what is open is not a problem. */
  dismiss(person: string, at: Date): void {
    for (const [id, incident] of this.#incidents)
      if (incident.endedAt === undefined) this.#incidents.set(id, { ...incident, dismissedBy: person, endedAt: at })
  }
}
