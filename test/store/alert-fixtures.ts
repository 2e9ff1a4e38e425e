import { COUNTS, type MinuteCounts } from '../../src/store/schema/minute-counts.ts'
import type {
  AlertCommit,
  AlertRule,
  IncidentWrite,
  NewAlertPost,
  SilenceRecord,
} from '../../src/store/schema/alert-records.ts'
import type { Clock } from '../../src/shared/clock.ts'
import type { OutboxMessage } from '../../src/store/outbox/outbox.ts'
import type { Store } from '../../src/store/store.ts'

export const OPENED = new Date('2026-11-20T10:00:00.001Z')

export function rule(id: string, more: Partial<AlertRule> = {}): AlertRule {
  return {
    id,
    kind: 'origin-failing',
    subject: 'pull/301',
    channelId: 'C1',
    parameters: { critical: 20, window: 5 },
    createdBy: 'U1',
    createdAt: OPENED,
    ...more,
  }
}

export function silence(id: string, more: Partial<SilenceRecord> = {}): SilenceRecord {
  const until = new Date(OPENED.getTime() + 3_600_000)
  return { id, subject: 'pull/301', from: OPENED, until, by: 'U1', ...more }
}

export function incident(id: string, more: Partial<IncidentWrite> = {}): IncidentWrite {
  return { id, subject: 'pull/301', channelId: 'C1', openedAt: OPENED, doc: { alerts: [id] }, ...more }
}

/** One minute in which every count is another number. */
export function minute(at: number, more: Partial<MinuteCounts> = {}): MinuteCounts {
  const counts = Object.fromEntries(COUNTS.map((name, place) => [name, at + place]))
  return { minute: at, coveredMs: 60_000, ...(counts as Omit<MinuteCounts, 'minute' | 'coveredMs'>), ...more }
}

/** A commit to `pull/301` at whatever revision its watch has. */
export async function look(store: Store, clock: Clock, more: Partial<AlertCommit> = {}): Promise<boolean> {
  const { watch } = await store.alerts.view(more.subject ?? 'pull/301', clock.now())
  return store.alerts.commit({ subject: 'pull/301', revision: watch?.revision ?? 0, watch: { cursor: 1 }, ...more })
}

/** A post about incident `i1` that is due at once. */
export function newPost(clock: Clock, more: Partial<NewAlertPost> = {}): NewAlertPost {
  return { incidentId: 'i1', channelId: 'C1', what: 'reply', dueAt: clock.now(), ...more }
}

/** What was taken, as `what incident`, or the body of a reply. */
export function told(posts: readonly OutboxMessage[]): readonly unknown[] {
  return posts.map(({ what, incidentId = '', body }) => body ?? `${what} ${incidentId}`)
}
