import { type Transaction, sql } from 'kysely'
import {
  type AlertPost,
  AlertPostRow,
  type DeadAlertPost,
  DeadAlertPostRow,
  type NewAlertPost,
  PostRow,
} from './alert-records.ts'
import { type Database, Unrecorded } from './database.ts'
import { countRows, inOrderOf, keepNewest, reader, toRow } from './rows.ts'
import type { Tables } from './tables.ts'

/** Whoever takes posts has this long to deliver them before somebody else may try. */
export const POST_TAKEN_MS = 60_000
/** Nothing waits for longer than this: what says so was written before the clock was put back. */
const MAX_AHEAD_MS = 10 * 60_000
const MAX_TAKEN_ROWS = 100
const MAX_RESTING = 100
/** Stands for the webhook among the names of channels. */
export const WEBHOOK_LINE = 'webhook'
/** Of all channels together. The oldest replies make room first: the message itself shows the present state. */
export const MAX_ALERT_POSTS = 10_000
/** Kept to be shown; the oldest make room. */
export const MAX_DEAD_ALERT_POSTS = 1_000
const MAX_DEAD_PAGE_ROWS = 100

/** What the one message about an incident shows, and where it stands when it was posted anew. */
export interface ShownIncident {
  readonly messageTs?: string | undefined
  readonly revision: number
  /** As of when it shows the incident. */
  readonly at: Date
}

/** What Slack and the webhook still have to be told about incidents. When that is due is a matter of the store's clock. */
export class AlertPosts extends Unrecorded {
  /** Has `listener` called whenever this process puts posts, perhaps before they are committed. It must not throw. */
  onPut(listener: () => void): void {
    this.database.onPostsPut = listener
  }

  /**
   * What is to be told next, at most 100: of each channel the oldest that is due, and none while another one of it is
   * being delivered or was put off. A reply waits for a card of its incident that is as old as itself. What goes to the
   * webhook stands in a line of its own, as if all of it were one channel. They are the caller's for a minute; after it
   * somebody else may take them.
   *
   * Nothing is taken of the channels in `resting`, of which 100 are heeded at most; the webhook is `WEBHOOK_LINE` there.
   */
  async take(limit: number, resting: readonly string[] = []): Promise<readonly AlertPost[]> {
    const rows = await this.database.write(async (rows) => {
      const now = await this.database.engine.nowMs(rows)
      const ids = await heads(rows, {
        now,
        resting: resting.slice(0, MAX_RESTING),
        limit: Math.min(limit, MAX_TAKEN_ROWS),
      })
      if (ids.length === 0) return []
      const taken = await rows
        .updateTable('alertPosts')
        .set((eb) => ({ heldUntil: now + POST_TAKEN_MS, againAt: null, attempts: eb('attempts', '+', 1) }))
        .where('id', 'in', ids)
        // Somebody else may have taken it between the two statements.
        .where((eb) => eb.or([eb('heldUntil', '<=', now), eb('heldUntil', '>', now + MAX_AHEAD_MS)]))
        .returningAll()
        .execute()
      return inOrderOf(ids, taken)
    })
    const posts = this.database.readable(rows, toPost)
    // It would hold up its channel for ever.
    for (const { id } of rows) if (!posts.some((post) => post.id === id)) await this.bury(id, 'It cannot be read.')
    return posts
  }

  /**
   * It has been told, or need not be told any more. For a card it is noted what the message shows, and where it stands;
   * when the incident has moved on since, the card waits once more.
   */
  async posted(post: AlertPost, shown?: ShownIncident): Promise<void> {
    await this.database.write(async (rows) => {
      if (post.what === 'card' && (await isOutdated(rows, post, shown))) {
        const now = await this.database.engine.nowMs(rows)
        const { numUpdatedRows } = await rows
          .updateTable('alertPosts')
          .set((eb) => ({
            dueAt: eb.fn.coalesce('againAt', eb.val(now)),
            againAt: null,
            heldUntil: 0,
            attempts: 0,
            createdAt: now,
          }))
          .set({ seq: await nextSeq(rows) })
          .where('id', '=', post.id)
          .$if(shown === undefined, (query) => query.where('againAt', 'is not', null))
          .executeTakeFirstOrThrow()
        if (numUpdatedRows > 0n) return
      }
      await rows.deleteFrom('alertPosts').where('id', '=', post.id).execute()
    })
  }

  /** It could not be told now: it is due again after this time, and nothing else of its channel before. */
  async postpone(id: string, delayMs: number): Promise<void> {
    await this.database.write(async (rows) => {
      const heldUntil = (await this.database.engine.nowMs(rows)) + delayMs
      await rows.updateTable('alertPosts').set({ heldUntil }).where('id', '=', id).execute()
    })
  }

  /** It is given up, and kept for a week so that it can be shown. */
  async bury(id: string, reason: string): Promise<void> {
    await this.database.write(async (rows) => {
      const row = await rows.deleteFrom('alertPosts').where('id', '=', id).returningAll().executeTakeFirst()
      if (row === undefined) return
      const { seq: _seq, againAt: _againAt, heldUntil: _heldUntil, ...rest } = row
      const deadAt = await this.database.engine.nowMs(rows)
      await rows
        .insertInto('deadAlertPosts')
        .values({ ...rest, deadAt, ...toRow(DeadAlertPostRow.pick({ reason: true }), { reason }) })
        .execute()
      await keepNewest(rows, 'deadAlertPosts', { by: 'deadAt', most: MAX_DEAD_ALERT_POSTS })
    })
  }

  /** What was given up, the last first; at most 100. */
  async dead(limit: number): Promise<readonly DeadAlertPost[]> {
    return this.database.list((db) => {
      const all = db.selectFrom('deadAlertPosts').selectAll().orderBy('deadAt', 'desc').orderBy('id', 'desc')
      return all.limit(Math.min(limit, MAX_DEAD_PAGE_ROWS))
    }, toDeadPost)
  }

  async waiting(): Promise<{ readonly count: number; readonly oldest: Date | undefined }> {
    const { count, oldest } = await this.database.read((db) =>
      db
        .selectFrom('alertPosts')
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<number | null>('createdAt').as('oldest')])
        .executeTakeFirstOrThrow(),
    )
    return { count, oldest: oldest === null ? undefined : new Date(oldest) }
  }
}

const toPost = reader('alert_posts', PostRow)
const toDeadPost = reader('dead_alert_posts', DeadAlertPostRow)

interface Asked {
  readonly now: number
  readonly resting: readonly string[]
  readonly limit: number
}

/** Of each line the first that is due, the oldest first. */
async function heads(rows: Transaction<Tables>, { now, resting, limit }: Asked): Promise<readonly string[]> {
  const line = (table: 'post' | 'held') =>
    sql`case ${sql.ref(`${table}.what`)} when 'webhook' then ${sql.lit(WEBHOOK_LINE)} else ${sql.ref(`${table}.channelId`)} end`
  const far = now + MAX_AHEAD_MS
  const { rows: found } = await sql<{ readonly id: string }>`
    select id from (
      select id, created_at, seq, row_number() over (
        partition by ${line('post')} order by created_at, seq, id
      ) as place
      from alert_posts post
      where (due_at <= ${now} or due_at > ${far}) and (held_until <= ${now} or held_until > ${far})
        and ${line('post')} not in (
          select ${line('held')} from alert_posts held where held.held_until > ${now} and held.held_until <= ${far}
        )
        ${resting.length === 0 ? sql`` : sql`and ${line('post')} not in (${sql.join(resting)})`}
        and not (post.what = 'reply' and exists (
          select 1 from alert_posts card
          where card.incident_id = post.incident_id and card.what = 'card' and card.created_at <= post.created_at
        ))
    ) lines
    where place = 1
    order by created_at, seq, id
    limit ${limit}`.execute(rows)
  return found.map(({ id }) => id)
}

/** Notes what was shown, and whether the incident has moved on from it. Waits for whoever is moving it on just then. */
async function isOutdated(
  rows: Transaction<Tables>,
  { incidentId }: AlertPost,
  shown: ShownIncident | undefined,
): Promise<boolean> {
  if (shown !== undefined)
    await rows
      .updateTable('incidents')
      .set((eb) => ({
        shownRevision: shown.revision,
        postedAt: eb.fn.coalesce('postedAt', eb.val(shown.at.getTime())),
        ...(shown.messageTs !== undefined && { messageTs: shown.messageTs }),
      }))
      .where('id', '=', incidentId)
      // Whoever was so slow that somebody else has shown more changes nothing.
      .where('shownRevision', '<=', shown.revision)
      .execute()
  const incident = await rows
    .updateTable('incidents')
    .set((eb) => ({ shownRevision: eb.ref('shownRevision') }))
    .where('id', '=', incidentId)
    .returning(['revision', 'shownRevision'])
    .executeTakeFirst()
  return incident !== undefined && incident.revision > incident.shownRevision
}

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
  database: Pick<Database, 'clock' | 'engine' | 'onPostsPut'>,
): Promise<number> {
  if (posts.length === 0) return 0
  const { clock, engine } = database
  database.onPostsPut()
  const now = await engine.nowMs(rows)
  // What the caller's clock says is measured from its present, so that the clocks of several processes need not agree.
  const ahead = now - clock.now().getTime()
  const fresh = { createdAt: new Date(now), heldUntil: 0, attempts: 0 }
  let seq = await nextSeq(rows)
  for (const post of posts) {
    const due = post.dueAt.getTime() + ahead
    await rows
      .insertInto('alertPosts')
      .values({
        ...toRow(AlertPostRow, { ...post, ...fresh, id: clock.newId(), seq: seq++ }),
        dueAt: due,
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
async function nextSeq(rows: Transaction<Tables>): Promise<number> {
  const newest = await rows.selectFrom('alertPosts').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return (newest?.seq ?? 0) + 1
}

async function makeRoom(rows: Transaction<Tables>): Promise<number> {
  const count = await countRows(rows, 'alertPosts')
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
