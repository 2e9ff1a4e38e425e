import { type Transaction, sql } from 'kysely'
import { putAlertPosts } from './alert-post-queue.ts'
import type { AlertRule } from './alert-records.ts'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

/**
 * Inside of a transaction: removes rules with their states. An incident that no rule is left for ends with them: what
 * was told of it says so, and what was not told yet is not told any more. Webhooks that wait stay, and one more says that it
 * is over.
 *
 * A look that is under way knows the rules still, so it is made to begin anew.
 */
export async function removeRules(
  rows: Transaction<Tables>,
  removed: readonly AlertRule[],
  database: Database,
): Promise<void> {
  if (removed.length === 0) return
  const subjects = [...new Set(removed.map(({ subject }) => subject))]
  await rows
    .updateTable('alertWatches')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where((eb) =>
      eb.or([
        eb('subject', 'in', subjects),
        ...(subjects.includes('storage/*') ? [eb('subject', 'like', 'storage/%')] : []),
      ]),
    )
    .execute()
  for (const { id } of removed) await rows.deleteFrom('alertRules').where('id', '=', id).execute()
  for (const channelId of new Set(removed.map((rule) => rule.channelId))) await endForsaken(rows, channelId, database)
}

async function endForsaken(rows: Transaction<Tables>, channelId: string, database: Database): Promise<void> {
  const now = database.clock.now()
  const ended = await rows
    .updateTable('incidents')
    .set((eb) => ({ endedAt: now.getTime(), revision: eb('revision', '+', 1) }))
    .where('channelId', '=', channelId)
    .where('endedAt', 'is', null)
    .where((incident) =>
      incident.not(
        incident.exists(
          incident
            .selectFrom('alertRules')
            .select('alertRules.id')
            .whereRef('alertRules.channelId', '=', 'incidents.channelId')
            .where((rule) =>
              rule.or([
                rule('alertRules.subject', '=', rule.ref('incidents.subject')),
                rule.and([
                  rule('alertRules.subject', '=', 'storage/*'),
                  rule('incidents.subject', 'like', 'storage/%'),
                ]),
              ]),
            ),
        ),
      ),
    )
    .returning(['id', 'messageTs'])
    .execute()
  const held = await database.engine.nowMs(rows)
  for (const { id, messageTs } of ended) {
    await rows.deleteFrom('alertPosts').where('incidentId', '=', id).where('what', '=', 'reply').execute()
    if (messageTs === null)
      // One that is being delivered right now will find that its incident has moved on, and is due once more.
      await rows
        .deleteFrom('alertPosts')
        .where('incidentId', '=', id)
        .where('what', '=', sql.lit('card'))
        .where('heldUntil', '<=', held)
        .execute()
    else await putAlertPosts(rows, [{ incidentId: id, channelId, what: 'card', dueAt: now }], database)
    // Without a body: the incident itself says what of it was firing.
    await putAlertPosts(rows, [{ incidentId: id, channelId, what: 'webhook', dueAt: now }], database)
  }
}
