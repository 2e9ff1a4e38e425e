import { sql, type Transaction } from 'kysely'
import type { Stored } from '../schema/columns.ts'
import { AS_HOLDER, type Database, Unrecorded } from '../engine/database.ts'
import { countRows, keepNewest, reader, toRow } from '../schema/rows.ts'
import { DeadLetterRow, MessageRow, OutboxRow, type Tables } from '../schema/tables.ts'

/** Whoever takes messages has this long to deliver them before somebody else may try. */
export const CLAIM_MS = 60_000
/** Nothing waits for longer than this: what says so was written before the clock was put back. */
const MAX_AHEAD_MS = 10 * 60_000
const MAX_CLAIMED_ROWS = 100
const MAX_RESTING = 100
/** What Slack, or the configured address, has not taken for so long is given up. */
export const OUTBOX_RETENTION_MS = 3 * 86_400_000
/** Of all targets together. */
export const MAX_OUTBOX_ROWS = 10_000
/** Kept to be shown; the oldest make room. */
export const MAX_DEAD_LETTERS = 1_000
const MAX_LISTED_DEAD = 100
/** The target of all that goes to the configured address. */
const WEBHOOK = 'webhook'

/** Something that has to be told and that the caller has claimed. */
export interface OutboxMessage extends Stored<typeof MessageRow> {
  /** When it was claimed, by the store's clock, as all else that is said of time here. */
  readonly claimedAt: Date
}

/**
 * A message to a channel, or to a person given their user id. `id` is made when it is not given; put again under one that
 * still waits, it stays one.
 */
export interface NewNotice {
  readonly id?: string | undefined
  readonly recipient: string
  readonly message: unknown
}

/** What the one message about an incident shows, and where it stands when it was posted anew. */
export interface ShownIncident {
  readonly messageTs?: string | undefined
  readonly revision: number
  /** As of when it shows the incident, by the store's clock. */
  readonly at: Date
}

/**
 * What Slack and the webhook still have to be told: written together with what it is about, delivered afterwards, at least
 * once. When that is due is a matter of the store's clock, which all who deliver share.
 */
export class Outbox extends Unrecorded {
  /** Has `listener` called whenever this process puts messages, perhaps before they are committed. It must not throw. */
  onPut(listener: () => void): void {
    this.database.onOutboxPut = listener
  }

  /**
   * Claims what is to be delivered next, at most 100: of each target the oldest that is due, and none while another one of
   * it is claimed or was put off. A reply waits for a card of its incident that is as old as itself. A claim lasts a minute
   * and has a number, the fence: who comes back with an older one changes nothing of the row.
   *
   * Nothing is claimed for the targets in `resting`, of which 100 are heeded at most.
   */
  async claim(limit: number, resting: readonly string[] = []): Promise<readonly OutboxMessage[]> {
    // Mostly there is none, and looking for one needs no lock.
    const [any] = await this.database.read((db) => db.selectFrom('outbox').select('id').limit(1).execute())
    if (any === undefined) return []
    const rows = await this.database.write(async (rows) => {
      const now = await this.database.engine.nowMs(rows)
      const most = Math.min(limit, MAX_CLAIMED_ROWS)
      const ids = await findHeads(rows, now, most, resting.slice(0, MAX_RESTING))
      if (ids.length === 0) return []
      const claimed = await rows
        .updateTable('outbox')
        .set((eb) => ({
          heldUntil: now + CLAIM_MS,
          attempts: eb('attempts', '+', 1),
          fence: eb('fence', '+', 1),
        }))
        .where('id', 'in', ids)
        // Somebody else may have claimed it between the two statements.
        .where((eb) => eb.or([eb('heldUntil', '<=', now), eb('heldUntil', '>', now + MAX_AHEAD_MS)]))
        .returningAll()
        .execute()
      return claimed.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    }, AS_HOLDER)
    const messages = this.database.readable(rows, toMessage)
    for (const row of rows)
      // It would hold up its target for ever.
      if (!messages.some(({ id }) => id === row.id)) await this.bury(row, 'It cannot be read.')
    return messages
  }

  /** It has been delivered, or need not be any more. For a card it is noted what the message shows, and where it stands. */
  async delivered({ id, fence, incidentId = '' }: OutboxMessage, shown?: ShownIncident): Promise<void> {
    await this.database.write(async (rows) => {
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
      await rows.deleteFrom('outbox').where('id', '=', id).where('fence', '=', fence).execute()
    })
  }

  /**
   * It could not be delivered now, and is due again after this time. Nothing else of its target is before, so that the
   * order stays; unless it is put off `alone`.
   */
  async postpone({ id, fence }: OutboxMessage, delayMs: number, alone = false): Promise<void> {
    await this.database.write(async (rows) => {
      const until = (await this.database.engine.nowMs(rows)) + delayMs
      await rows
        .updateTable('outbox')
        .set(alone ? { heldUntil: 0, dueAt: until } : { heldUntil: until })
        .where('id', '=', id)
        .where('fence', '=', fence)
        .execute()
    })
  }

  /** It is given up, and kept for a week so that it can be shown. */
  async bury({ id, fence }: Pick<OutboxMessage, 'id' | 'fence'>, reason: string): Promise<void> {
    await this.database.write(async (rows) => {
      const row = await rows
        .deleteFrom('outbox')
        .where('id', '=', id)
        .where('fence', '=', fence)
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return
      const { seq: _seq, heldUntil: _heldUntil, target: _target, fence: _fence, ...rest } = row
      const deadAt = await this.database.engine.nowMs(rows)
      await rows
        .insertInto('deadLetters')
        .values({ ...rest, deadAt, ...toRow(DeadLetterRow.pick({ reason: true }), { reason }) })
        .execute()
      await keepNewest(rows, 'deadLetters', { by: 'deadAt', most: MAX_DEAD_LETTERS })
    })
  }

  /** What was given up of incidents, the last first; at most 100. */
  async deadPosts(): Promise<readonly Stored<typeof DeadPostRow>[]> {
    return this.database.list((db) => {
      const all = db.selectFrom('deadLetters').selectAll().orderBy('deadAt', 'desc').orderBy('id', 'desc')
      return all.where('incidentId', 'is not', null).limit(MAX_LISTED_DEAD)
    }, toDeadPost)
  }

  /** How much waits to be told of incidents, and since when. */
  async waitingPosts(): Promise<{ readonly count: number; readonly oldest: Date | undefined }> {
    const { count, oldest } = await this.database.read((db) =>
      db
        .selectFrom('outbox')
        .where('incidentId', 'is not', null)
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<number | null>('createdAt').as('oldest')])
        .executeTakeFirstOrThrow(),
    )
    return { count, oldest: oldest === null ? undefined : new Date(oldest) }
  }
}

const readMessage = reader('outbox', MessageRow)
const toMessage = (row: Tables['outbox']): OutboxMessage => {
  return { ...readMessage(row), claimedAt: new Date(row.heldUntil - CLAIM_MS) }
}
const DeadPostRow = DeadLetterRow.extend({ what: DeadLetterRow.shape.what.exclude(['notice', 'digest']) })
const toDeadPost = reader('dead_letters', DeadPostRow)

/** Of each target the first that is due, the oldest first: by their numbers, since a clock may be put back while they wait. */
async function findHeads(rows: Transaction<Tables>, now: number, limit: number, resting: readonly string[]) {
  const far = now + MAX_AHEAD_MS
  const { rows: found } = await sql<{ readonly id: string }>`
    select id from (
      select id, seq, created_at, row_number() over (partition by target order by seq, created_at, id) as place
      from outbox message
      where (due_at <= ${now} or due_at > ${far}) and (held_until <= ${now} or held_until > ${far})
        and target not in (select target from outbox where held_until > ${now} and held_until <= ${far})
        ${resting.length === 0 ? sql`` : sql`and target not in (${sql.join(resting)})`}
        and not (what = 'reply' and exists (
          select 1 from outbox card
          where card.incident_id = message.incident_id and card.what = 'card'
            and (card.created_at <= message.created_at or card.seq < message.seq)
        ))
    ) due
    where place = 1
    order by seq, created_at, id
    limit ${limit}`.execute(rows)
  return found.map(({ id }) => id)
}

type Writing = Pick<Database, 'clock' | 'engine' | 'log' | 'onOutboxPut'>

/** Inside of a transaction: the notices exist if and only if what they are about happened. */
export async function putNotices(
  rows: Transaction<Tables>,
  notices: readonly NewNotice[],
  database: Writing,
): Promise<void> {
  const dueAt = database.clock.now()
  const messages = notices.map(({ id, recipient, message }) => {
    return { id, what: 'notice', channelId: recipient, body: message, dueAt } as const
  })
  await putMessages(rows, messages, database)
}

/** A notice or a post about an incident. */
export interface NewMessage extends Pick<
  Stored<typeof MessageRow>,
  'what' | 'channelId' | 'incidentId' | 'body' | 'dueAt'
> {
  readonly id?: string | undefined
}

/**
 * Inside of a transaction: the messages wait if and only if what they are about was written; the log says when older ones
 * had to make room. A card joins the one of its incident that nobody has claimed yet, and the earlier time counts.
 */
export async function putMessages(
  rows: Transaction<Tables>,
  messages: readonly NewMessage[],
  { clock, engine, log, onOutboxPut }: Writing,
): Promise<void> {
  if (messages.length === 0) return
  onOutboxPut()
  const now = await engine.nowMs(rows)
  // What the caller's clock says is measured from its present, so that the clocks of several processes need not agree.
  const ahead = now - clock.now().getTime()
  const fresh = { createdAt: new Date(now), heldUntil: 0, attempts: 0, fence: 0 }
  let seq = await nextSeq(rows)
  for (const { id = clock.newId(), ...message } of messages) {
    const dueAt = message.dueAt.getTime() + ahead
    if (message.what === 'card' && (await joinCard(rows, message.incidentId ?? '', dueAt))) continue
    const target = message.what === 'webhook' ? WEBHOOK : message.channelId
    await rows
      .insertInto('outbox')
      .values({ ...toRow(OutboxRow, { ...message, ...fresh, id, target, seq: seq++ }), dueAt })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }
  const dropped = await makeRoom(rows)
  if (dropped > 0) log?.warn({ dropped }, 'too much waits to be told: the oldest messages made room')
}

/** One that was claimed may show the incident as it was then, so it is not joined. */
async function joinCard(rows: Transaction<Tables>, incidentId: string, dueAt: number): Promise<boolean> {
  const { numUpdatedRows } = await rows
    .updateTable('outbox')
    .set((eb) => ({ dueAt: eb.case().when('dueAt', '<', dueAt).then(eb.ref('dueAt')).else(dueAt).end() }))
    .where('incidentId', '=', incidentId)
    .where('what', '=', 'card')
    .where('fence', '=', 0)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Greater than that of everything that waits. */
async function nextSeq(rows: Transaction<Tables>): Promise<number> {
  const newest = await rows.selectFrom('outbox').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return (newest?.seq ?? 0) + 1
}

/** Replies and webhooks go first: the message about an incident shows its present state without them. */
async function makeRoom(rows: Transaction<Tables>): Promise<number> {
  const count = await countRows(rows, 'outbox')
  if (count <= MAX_OUTBOX_ROWS) return 0
  const surplus = rows
    .selectFrom('outbox')
    .select('id')
    .orderBy(({ eb }) => eb.case('what').when('reply').then(0).when('webhook').then(1).else(2).end())
    .orderBy('seq')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(count - MAX_OUTBOX_ROWS)
  const { numDeletedRows } = await rows.deleteFrom('outbox').where('id', 'in', surplus).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Inside of a transaction: nothing more is said in the thread of an incident, but for what people did about it. */
export async function dropReplies(rows: Transaction<Tables>, incidentId: string): Promise<void> {
  await rows
    .deleteFrom('outbox')
    .where('incidentId', '=', incidentId)
    .where('what', '=', 'reply')
    .where('id', 'not in', rows.selectFrom('incidentEvents').select('id').where('incidentId', '=', incidentId))
    .execute()
}
