import { MINUTE_MS } from '../shared/durations.ts'
import type { AlertSubject, IncidentRecord } from '../store/alert-records.ts'
import type { Changes } from '../store/changes.ts'
import type { Marks } from '../store/marks.ts'
import { readIncidentDoc } from './incident.ts'
import { namedSubject, pullSubject } from './rule-subjects.ts'

export const BEFORE_MINUTES = 30
/** The newest are the likeliest cause. */
const MAX_SHOWN = 5

export interface ChangedBefore {
  readonly atMs: number
  /** Foreign text. */
  readonly what: string
  readonly subject?: AlertSubject | undefined
}

export interface DoneBefore {
  readonly marks: Pick<Marks, 'between'>
  readonly changes: Pick<Changes, 'doneBetween'>
}

/**
 * Marks, and what this bot wrote to the platform, in the half hour before an incident began, newest first. All of them, since
 * zones share origins; where other organisations read along, only what was marked for this zone.
 */
export async function changedBefore(
  incident: Pick<IncidentRecord, 'doc' | 'subject'>,
  store: DoneBefore,
  othersRead: boolean,
): Promise<readonly ChangedBefore[]> {
  const untilMs = beganMs(incident)
  const until = new Date(untilMs)
  const from = new Date(untilMs - BEFORE_MINUTES * MINUTE_MS)
  const named = namedSubject(incident.subject)
  const zoneId = othersRead ? (named?.kind === 'pull' && named.zoneId) || '' : undefined
  const marks = await store.marks.between({ from, until, zoneId, limit: MAX_SHOWN })
  const changes = othersRead ? [] : await store.changes.doneBetween({ from, until, limit: MAX_SHOWN })
  return [
    ...marks.map(({ at, text, pullZoneId }) => ({ atMs: at.getTime(), what: text, subject: pullSubject(pullZoneId) })),
    ...changes.map(({ at, sentence }) => ({ atMs: at.getTime(), what: sentence })),
  ]
    .toSorted((one, other) => other.atMs - one.atMs)
    .slice(0, MAX_SHOWN)
}

/** When the first of its alerts began to fire: of those that it has since it began the last time. */
export function beganMs({ doc }: Pick<IncidentRecord, 'doc'>): number {
  return Math.min(...readIncidentDoc(doc).alerts.map(({ firedMs }) => firedMs))
}
