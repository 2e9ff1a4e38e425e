import type { Kysely } from 'kysely'
import * as z from 'zod'
import { subjectsCovering, toRule } from './alert-rule-row.ts'
import {
  type AlertStateRecord,
  type AlertSubject,
  MARK_RETENTION_MS,
  MAX_ALERT_RULES,
  type SubjectView,
  type WatchRecord,
} from './alert-records.ts'
import type { Database } from './database.ts'
import { toIncident } from './incident-row.ts'
import { marksSince, toMark } from './marks.ts'
import { Json, readRow } from './rows.ts'
import { silencesAt, toSilence } from './silences.ts'
import type { Tables } from './tables.ts'

/** An incident that ended longer ago is no concern of a new look. */
export const RECENT_INCIDENT_MS = 6 * 3_600_000
/** Open ones and recent ones of one subject, in all channels; the newest. */
const MAX_VIEW_INCIDENTS = 500

/**
 * See `Alerts.view`. The watch is read first: whatever is written while the rest is read has a later revision, so a
 * commit made from a mixture is refused.
 */
export async function readView(
  database: Database,
  subject: AlertSubject,
  now: Date,
  knows: (revision: number) => boolean,
): Promise<SubjectView> {
  const about = subjectsCovering(subject)
  return database.read(async (db) => {
    const watch = await db.selectFrom('alertWatches').selectAll().where('subject', '=', subject).executeTakeFirst()
    const rules = await db
      .selectFrom('alertRules')
      .selectAll()
      .where('subject', 'in', about)
      .orderBy('createdAt')
      .orderBy('id')
      .limit(MAX_ALERT_RULES)
      .execute()
    const areKnown = knows(watch?.revision ?? 0)
    const states = areKnown ? [] : await readStates(db, subject)
    const incidents = await db
      .selectFrom('incidents')
      .selectAll()
      .where('subject', '=', subject)
      .where((eb) => eb.or([eb('endedAt', 'is', null), eb('endedAt', '>', now.getTime() - RECENT_INCIDENT_MS)]))
      .orderBy('openedAt', 'desc')
      .orderBy('id', 'desc')
      .limit(MAX_VIEW_INCIDENTS)
      .execute()
    const silences = await silencesAt(db, now).where('subject', 'in', about).execute()
    const marks = await marksSince(
      db,
      subject.startsWith('pull/') ? subject.slice('pull/'.length) : '',
      now.getTime() - MARK_RETENTION_MS + 1,
    ).execute()
    return {
      watch: watch === undefined ? undefined : toWatch(watch),
      rules: database.readable(rules, toRule),
      states: database.readable(states, toState),
      incidents: database.readable(incidents, toIncident),
      silences: database.readable(silences, toSilence),
      marks: database.readable(marks, toMark),
    }
  })
}

function readStates(db: Kysely<Tables>, subject: AlertSubject) {
  return db.selectFrom('alertStates').selectAll().where('subject', '=', subject).limit(MAX_ALERT_RULES).execute()
}

const StoredWatch = z.object({ subject: z.string(), state: Json, revision: z.int() })
const StoredState = z.object({ ruleId: z.string(), subject: z.string(), state: Json })

function toWatch(row: unknown): WatchRecord {
  return readRow('alert_watches', StoredWatch, row)
}

function toState(row: unknown): AlertStateRecord {
  return readRow('alert_states', StoredState, row)
}
