import type { Transaction } from 'kysely'
import { putMessages } from '../outbox/outbox.ts'
import {
  type AlertCommit,
  type AlertSubject,
  type IncidentRecord,
  type SubjectView,
  type IncidentWrite,
  type AlertStateRecord,
  AlertStateRow,
  IncidentRow,
  WatchRow,
  MARK_RETENTION_MS,
  MAX_ALERT_RULES,
  RECENT_INCIDENT_MS,
} from '../schema/alert-records.ts'
import { subjectsCovering, toRule } from './alert-rules.ts'
import { AS_HOLDER, type Database } from '../engine/database.ts'
import { IncidentAnswers } from './incident-answers.ts'
import { marksSince, toMark } from './marks.ts'
import { putMinutes } from './minutes.ts'
import { reader, readRow, toRow } from '../schema/rows.ts'
import { silencesAt, toSilence } from './silences.ts'
import type { Tables } from '../schema/tables.ts'

/** Which incidents: all that every given part holds for. */
export interface IncidentFilter {
  readonly open?: boolean | undefined
  readonly channelId?: string | undefined
  readonly subjects?: readonly AlertSubject[] | undefined
  /** Open at this time or later. */
  readonly since?: Date | undefined
  /** Opened at this time or earlier. */
  readonly until?: Date | undefined
  /** Listed after this one: how a page goes on. */
  readonly after?: Pick<IncidentRecord, 'id' | 'openedAt'> | undefined
  /** At most 200. */
  readonly limit: number
}

export const MAX_INCIDENT_PAGE_ROWS = 200
/** Of one subject, so many answers are known to a look: more than alerts that go on after them. */
const MAX_VIEW_DISMISSED = 20
/** Open ones and recent ones of one subject, in all channels; the newest. */
const MAX_VIEW_INCIDENTS = 500
/** Of a subject at which nobody has looked: longer than anything that could be read anew is there. */
export const WATCH_RETENTION_MS = 15 * 86_400_000

/** Where alerts stand, and what follows from one look at a subject. */
export class Alerts extends IncidentAnswers {
  async view(subject: AlertSubject, now: Date): Promise<SubjectView> {
    const about = subjectsCovering(subject)
    return this.database.read(async (db) => {
      // The watch is read first: what is written meanwhile has a later revision, so a commit made from a mixture is refused.
      const watch = await db.selectFrom('alertWatches').selectAll().where('subject', '=', subject).executeTakeFirst()
      const rules = await db
        .selectFrom('alertRules')
        .selectAll()
        .where('subject', 'in', about)
        .orderBy('createdAt')
        .orderBy('id')
        .limit(MAX_ALERT_RULES)
        .execute()
      const states = await db
        .selectFrom('alertStates')
        .selectAll()
        .where('subject', '=', subject)
        .limit(MAX_ALERT_RULES)
        .execute()
      const dismissed = db
        .selectFrom('incidents')
        .select('id')
        .where('subject', '=', subject)
        .where('dismissedBy', 'is not', null)
        .orderBy('endedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_VIEW_DISMISSED)
      const incidents = await db
        .selectFrom('incidents')
        .selectAll()
        .where('subject', '=', subject)
        .where((eb) =>
          eb.or([
            eb('endedAt', 'is', null),
            eb('endedAt', '>', now.getTime() - RECENT_INCIDENT_MS),
            eb('id', 'in', dismissed),
          ]),
        )
        .orderBy('openedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_VIEW_INCIDENTS)
        .execute()
      const silences = await silencesAt(db, now).where('subject', 'in', about).execute()
      const marks = await marksSince(db, pullZoneOf(subject), now.getTime() - MARK_RETENTION_MS + 1).execute()
      return {
        watch: watch === undefined ? undefined : readRow('alert_watches', WatchRow, watch),
        rules: this.database.readable(rules, toRule),
        states: this.database.readable(states, toState),
        incidents: this.database.readable(incidents, toIncident),
        silences: this.database.readable(silences, toSilence),
        marks: this.database.readable(marks, toMark),
      }
    })
  }

  /**
   * Writes all that follows from one look in one transaction; false, and nothing written, when the watch is not at
   * `revision` any more: somebody else has looked, or rules were removed.
   */
  async commit(commit: AlertCommit): Promise<boolean> {
    const { entries = [] } = commit
    if (entries.length === 0) return this.database.write((rows) => applyCommit(rows, commit, this.database), AS_HOLDER)
    return this.audit.record(async ({ rows, append }) => {
      const isCommitted = await applyCommit(rows, commit, this.database)
      if (isCommitted) for (const entry of entries) await append(entry)
      return isCommitted
    }, AS_HOLDER)
  }

  async incident(id: string): Promise<IncidentRecord | undefined> {
    return this.database.first((db) => db.selectFrom('incidents').selectAll().where('id', '=', id), toIncident)
  }

  /** Newest first. */
  async incidents(filter: IncidentFilter): Promise<readonly IncidentRecord[]> {
    if (filter.subjects?.length === 0) return []
    const { open, channelId, subjects, since, until, after, limit } = filter
    return this.database.list((db) => {
      let query = db.selectFrom('incidents').selectAll()
      if (open !== undefined) query = query.where('endedAt', open ? 'is' : 'is not', null)
      if (channelId !== undefined) query = query.where('channelId', '=', channelId)
      if (subjects !== undefined) query = query.where('subject', 'in', subjects)
      if (until !== undefined) query = query.where('openedAt', '<=', until.getTime())
      if (since !== undefined)
        query = query.where((eb) => eb.or([eb('endedAt', 'is', null), eb('endedAt', '>=', since.getTime())]))
      if (after !== undefined)
        query = query.where((eb) =>
          eb(eb.refTuple('openedAt', 'id'), '<', eb.tuple(after.openedAt.getTime(), after.id)),
        )
      return query.orderBy('openedAt', 'desc').orderBy('id', 'desc').limit(Math.min(limit, MAX_INCIDENT_PAGE_ROWS))
    }, toIncident)
  }
}

const toIncident = reader('incidents', IncidentRow)
const toState = reader('alert_states', AlertStateRow)

/**
 * Inside of a transaction: writes all that follows from one look. False, and nothing written, when the watch is not at
 * the revision that the look began with. Throws RangeError when something is larger than its bound.
 */
async function applyCommit(rows: Transaction<Tables>, commit: AlertCommit, database: Database): Promise<boolean> {
  if (!(await moveWatch(rows, commit, database))) return false
  const { subject, minutes = [], states = [], incidents = [], posts = [] } = commit
  await putMinutes(rows, pullZoneOf(subject), minutes)
  await putStates(rows, states)
  for (const incident of incidents) await putIncident(rows, incident)
  await putMessages(rows, posts, database)
  return true
}

/** The number of the pull zone that a subject is; of another one there is none. */
function pullZoneOf(subject: string): string {
  return subject.startsWith(PULL) ? subject.slice(PULL.length) : ''
}

const PULL = 'pull/'

async function moveWatch(
  rows: Transaction<Tables>,
  { subject, revision, watch }: AlertCommit,
  { clock }: Database,
): Promise<boolean> {
  const at = clock.now().getTime()
  const row = { ...toRow(WatchRow, { subject, state: watch, revision: revision + 1 }), at }
  if (revision === 0) {
    const { numInsertedOrUpdatedRows } = await rows
      .insertInto('alertWatches')
      .values(row)
      .onConflict((conflict) => conflict.column('subject').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await rows
    .updateTable('alertWatches')
    .set(row)
    .where('subject', '=', subject)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Of a rule that is gone nothing is kept. */
async function putStates(rows: Transaction<Tables>, states: readonly AlertStateRecord[]): Promise<void> {
  if (states.length === 0) return
  const ids = [...new Set(states.map(({ ruleId }) => ruleId))]
  const found = await rows.selectFrom('alertRules').select('id').where('id', 'in', ids).execute()
  const known = new Set(found.map(({ id }) => id))
  for (const row of states.map((state) => toRow(AlertStateRow, state))) {
    if (!known.has(row.ruleId)) continue
    await rows
      .insertInto('alertStates')
      .values(row)
      .onConflict((conflict) => conflict.columns(['ruleId', 'subject']).doUpdateSet({ state: row.state }))
      .execute()
  }
}

/** Where its message stands and who looks after it is not the evaluation's, and stays. */
async function putIncident(rows: Transaction<Tables>, incident: IncidentWrite): Promise<void> {
  const { unacknowledge, ...written } = incident
  const row = toRow(IncidentRow, { ...written, revision: 1, shownRevision: 0 })
  await rows
    .insertInto('incidents')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        openedAt: row.openedAt,
        endedAt: row.endedAt,
        doc: row.doc,
        revision: eb('incidents.revision', '+', 1),
        ...(unacknowledge === true && { acknowledgedBy: null, acknowledgedAt: null }),
      })),
    )
    .execute()
}
