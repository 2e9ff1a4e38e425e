import { type Transaction, sql } from 'kysely'
import type { NewAlertPost } from './alert-records.ts'
import { jsonColumn } from './bounded-columns.ts'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

/** Of all channels together. The oldest replies make room first: the message itself shows the present state. */
export const MAX_ALERT_POSTS = 10_000
export const MAX_ALERT_POST_BYTES = 64 * 1_024

/**
 * Inside of a transaction: the posts wait if and only if what they are about was written. Returns how many older ones
 * had to make room.
 *
 * A card whose incident has one waiting joins it, and the earlier time counts. While that one is being delivered, or may
 * not be tried, the time is kept beside it: `AlertPosts.posted` finds it.
 */
export async function putAlertPosts(
  rows: Transaction<Tables>,
  posts: readonly NewAlertPost[],
  database: Pick<Database, 'clock' | 'engine' | 'postsPut' | 'onPostsPut'>,
): Promise<number> {
  if (posts.length === 0) return 0
  const { clock, engine } = database
  database.postsPut += 1
  database.onPostsPut()
  const now = await engine.nowMs(rows)
  // What the caller's clock says is measured from its present, so that the clocks of several processes need not agree.
  const ahead = now - clock.now().getTime()
  let seq = await nextSeq(rows)
  for (const post of posts) {
    const due = post.dueAt.getTime() + ahead
    await rows
      .insertInto('alertPosts')
      .values({
        id: clock.newId(),
        incidentId: post.incidentId,
        channelId: post.channelId,
        what: post.what,
        body: post.body === undefined ? null : jsonColumn('What is to be posted', post.body, MAX_ALERT_POST_BYTES),
        createdAt: now,
        seq: seq++,
        dueAt: due,
        againAt: null,
        heldUntil: 0,
        attempts: 0,
      })
      .onConflict((conflict) =>
        conflict
          .column('incidentId')
          // Said as in the index, and not as a parameter, for PostgreSQL to find the index by it.
          .where('what', '=', sql.lit('card'))
          .doUpdateSet((eb) => ({
            dueAt: eb
              .case()
              .when(eb.or([eb('alertPosts.heldUntil', '>', now), eb('alertPosts.dueAt', '<', due)]))
              .then(eb.ref('alertPosts.dueAt'))
              .else(due)
              .end(),
            againAt: eb
              .case()
              .when('alertPosts.heldUntil', '<=', now)
              .then(null)
              .when('alertPosts.againAt', '<', due)
              .then(eb.ref('alertPosts.againAt'))
              .else(due)
              .end(),
          })),
      )
      .execute()
  }
  return makeRoom(rows)
}

/** Greater than that of everything that waits. */
export async function nextSeq(rows: Transaction<Tables>): Promise<number> {
  const newest = await rows.selectFrom('alertPosts').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return (newest?.seq ?? 0) + 1
}

async function makeRoom(rows: Transaction<Tables>): Promise<number> {
  const { count } = await rows
    .selectFrom('alertPosts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count <= MAX_ALERT_POSTS) return 0
  const surplus = rows
    .selectFrom('alertPosts')
    .select('id')
    .orderBy(({ eb }) => eb.case('what').when('reply').then(0).when('webhook').then(1).else(2).end())
    .orderBy('createdAt')
    .orderBy('seq')
    .orderBy('id')
    .limit(count - MAX_ALERT_POSTS)
  const { numDeletedRows } = await rows.deleteFrom('alertPosts').where('id', 'in', surplus).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
