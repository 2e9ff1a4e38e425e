import type { Transaction } from 'kysely'
import { putAlertPosts } from './alert-post-queue.ts'
import type { AlertCommit, AlertStateRecord, IncidentWrite } from './alert-records.ts'
import { jsonColumn } from './bounded-columns.ts'
import type { Database } from './database.ts'
import { toIncidentRow } from './incident-row.ts'
import { putMinutes } from './minutes.ts'
import type { Tables } from './tables.ts'

/** Of a reader's state and of an alert's, as JSON. */
const MAX_ALERT_STATE_BYTES = 64 * 1_024

/**
 * Inside of a transaction: writes all that follows from one look. Undefined, and nothing written, when the watch is not
 * at the revision that the look began with; else how many older posts had to make room. Throws RangeError when
 * something is larger than its bound.
 */
export async function applyCommit(
  rows: Transaction<Tables>,
  commit: AlertCommit,
  database: Database,
): Promise<number | undefined> {
  if (!(await moveWatch(rows, commit, database))) return undefined
  const { subject, minutes = [], states = [], incidents = [], posts = [] } = commit
  if (minutes.length > 0) await putMinutes(rows, pullZoneOf(subject), minutes)
  await putStates(rows, states)
  for (const incident of incidents) await putIncident(rows, incident)
  return putAlertPosts(rows, posts, database)
}

/** The number of the pull zone that a subject is. Throws TypeError when it is none: nothing else has minutes. */
function pullZoneOf(subject: string): string {
  const [, id] = /^pull\/(.+)$/.exec(subject) ?? []
  if (id === undefined) throw new TypeError('Only pull zones have minutes')
  return id
}

async function moveWatch(
  rows: Transaction<Tables>,
  { subject, revision, watch }: AlertCommit,
  { clock }: Database,
): Promise<boolean> {
  const columns = { state: jsonColumn('The state of a watch', watch, MAX_ALERT_STATE_BYTES), at: clock.now().getTime() }
  if (revision === 0) {
    const { numInsertedOrUpdatedRows } = await rows
      .insertInto('alertWatches')
      .values({ subject, ...columns, revision: 1 })
      .onConflict((conflict) => conflict.column('subject').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await rows
    .updateTable('alertWatches')
    .set({ ...columns, revision: revision + 1 })
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
  for (const { ruleId, subject, state } of states) {
    if (!known.has(ruleId)) continue
    const json = jsonColumn('The state of an alert', state, MAX_ALERT_STATE_BYTES)
    await rows
      .insertInto('alertStates')
      .values({ ruleId, subject, state: json })
      .onConflict((conflict) => conflict.columns(['ruleId', 'subject']).doUpdateSet({ state: json }))
      .execute()
  }
}

/** Where its message stands and who looks after it is not the evaluation's, and stays. */
async function putIncident(rows: Transaction<Tables>, incident: IncidentWrite): Promise<void> {
  const row = toIncidentRow(incident)
  await rows
    .insertInto('incidents')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        openedAt: row.openedAt,
        endedAt: row.endedAt,
        doc: row.doc,
        revision: eb('incidents.revision', '+', 1),
        ...(incident.unacknowledge === true && { acknowledgedBy: null, acknowledgedAt: null }),
      })),
    )
    .execute()
}
