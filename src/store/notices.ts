import type { Transaction } from 'kysely'
import type { Stored } from './columns.ts'
import { type Database, Unrecorded } from './database.ts'
import { inOrderOf, keepNewest, reader, toRow } from './rows.ts'
import { NoticeRow, type Tables } from './tables.ts'

/** Whoever takes notices has this long to deliver them before somebody else may try. */
export const TAKEN_MS = 60_000
const MAX_TAKEN_ROWS = 100
/** The oldest make room: what could not be delivered for so many others is of no use any more. */
export const MAX_NOTICES = 10_000
/** What Slack has refused or not taken for this long is given up. */
export const NOTICE_RETENTION_MS = 3 * 86_400_000

/**
 * What waits to be told: written together with what it is about, delivered afterwards, at least once. When a notice is
 * due is a matter of the store's clock, which all who deliver share.
 */
export class Notices extends Unrecorded {
  /** For what is told without anything else being written. */
  async put(notice: NewNotice): Promise<void> {
    await this.database.write((rows) => putNotices(rows, [notice], this.database))
  }

  /** The oldest that are due, at most 100. They are the caller's for a minute; after it somebody else may take them. */
  async take(limit: number): Promise<readonly Notice[]> {
    return this.database.write(async (rows) => {
      const now = await this.database.engine.nowMs(rows)
      const due = await rows
        .selectFrom('notices')
        .select('id')
        .where('dueAt', '<=', now)
        .orderBy('createdAt')
        .orderBy('id')
        .limit(Math.min(limit, MAX_TAKEN_ROWS))
        .execute()
      const ids = due.map(({ id }) => id)
      if (ids.length === 0) return []
      const taken = await rows
        .updateTable('notices')
        .set((eb) => ({ dueAt: now + TAKEN_MS, attempts: eb('attempts', '+', 1) }))
        .where('id', 'in', ids)
        // Somebody else may have taken it between the two statements.
        .where('dueAt', '<=', now)
        .returningAll()
        .execute()
      return this.database.readable(inOrderOf(ids, taken), toNotice)
    })
  }

  async delivered(id: string): Promise<void> {
    await this.database.write((rows) => rows.deleteFrom('notices').where('id', '=', id).execute())
  }

  /** It could not be told now: it is due again after this time. */
  async postpone(id: string, delayMs: number): Promise<void> {
    await this.database.write(async (rows) => {
      const dueAt = (await this.database.engine.nowMs(rows)) + delayMs
      await rows.updateTable('notices').set({ dueAt }).where('id', '=', id).execute()
    })
  }

  /** Gives up what could not be told for three days, and returns it, so that it is given up aloud. */
  async giveUp(now: Date): Promise<readonly Notice[]> {
    const until = now.getTime() - NOTICE_RETENTION_MS
    const rows = await this.database.write((db) =>
      db.deleteFrom('notices').where('createdAt', '<=', until).returningAll().execute(),
    )
    return this.database.readable(rows, toNotice)
  }
}

/** Inside of a transaction: the notices exist if and only if what they are about happened. */
export async function putNotices(
  rows: Transaction<Tables>,
  notices: readonly NewNotice[],
  { clock, engine }: Pick<Database, 'clock' | 'engine'>,
): Promise<void> {
  for (const notice of notices) {
    await keepNewest(rows, 'notices', { by: 'createdAt', most: MAX_NOTICES - 1 })
    const now = new Date(await engine.nowMs(rows))
    await rows
      .insertInto('notices')
      .values(toRow(NoticeRow, { ...notice, id: notice.id ?? clock.newId(), createdAt: now, dueAt: now, attempts: 0 }))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }
}

const ReadNotice = NoticeRow.omit({ dueAt: true })

const toNotice = reader('notices', ReadNotice)

/** Something that has to be told to people, kept until Slack has taken it. */
export type Notice = Stored<typeof ReadNotice>

/** A notice as it is asked for. `id` is made when it is not given; asked for again under one that still waits, it stays one. */
export interface NewNotice {
  readonly id?: string | undefined
  readonly recipient: string
  readonly message: unknown
}
