import type { Kysely, Transaction } from 'kysely'
import { putAlertPosts } from './alert-posts.ts'
import type { AlertSubject } from './alert-records.ts'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

/** What became of the answer that an incident is not a problem; undefined when there is no such incident. */
export type Dismissal = 'dismissed' | 'already' | 'ended' | undefined

/** Who answered so, about which incident, and when. */
interface Answered {
  readonly id: string
  readonly person: string
  readonly at: Date
}

/** Of one subject, so many answers are known to a look: more than alerts that go on after them. */
const MAX_VIEW_DISMISSED = 20

/** The ids of the incidents of a subject that were dismissed last. */
export function newestDismissed(db: Kysely<Tables>, subject: AlertSubject) {
  return db
    .selectFrom('incidents')
    .select('id')
    .where('subject', '=', subject)
    .where('dismissedBy', 'is not', null)
    .orderBy('endedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_VIEW_DISMISSED)
}

/**
 * Inside of a transaction: ends an open incident, and has its message and the webhook say so. Words that wait for its thread
 * are not said any more. A look that is under way believes that it is open still, so that look is made to begin anew.
 */
export async function dismissIncident(
  rows: Transaction<Tables>,
  { id, person, at }: Answered,
  database: Database,
): Promise<Dismissal> {
  const found = await rows
    .selectFrom('incidents')
    .select(['subject', 'channelId'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (found === undefined) return undefined
  // The watch is locked first, as a look does it, so that neither waits for the other for ever.
  await rows
    .updateTable('alertWatches')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('subject', '=', found.subject)
    .execute()
  const { numUpdatedRows } = await rows
    .updateTable('incidents')
    .set((eb) => ({ endedAt: at.getTime(), dismissedBy: person, revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) {
    const row = await rows.selectFrom('incidents').select('dismissedBy').where('id', '=', id).executeTakeFirst()
    return row?.dismissedBy == null ? 'ended' : 'already'
  }
  await rows.deleteFrom('alertPosts').where('incidentId', '=', id).where('what', '=', 'reply').execute()
  const post = { incidentId: id, channelId: found.channelId, dueAt: database.clock.now() }
  // The webhook without a body: the incident itself says what of it was firing.
  await putAlertPosts(
    rows,
    [
      { ...post, what: 'card' },
      { ...post, what: 'webhook' },
    ],
    database,
  )
  return 'dismissed'
}
