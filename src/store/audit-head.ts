import type { Kysely, Transaction } from 'kysely'
import * as z from 'zod'
import { Prepared } from './prepared.ts'
import { readRow } from './rows.ts'
import type { Tables } from './tables.ts'

/** The newest entry of the record: its number and its hash, which stands for all before it. 0 and '' before the first. */
export interface AuditHead {
  readonly seq: number
  readonly hash: string
}

/** The one row of its table. */
export const HEAD_ID = 1

/** The head as it is stored. */
export const StoredHead = z.object({ seq: z.int().min(0), hash: z.string() })

/** Throws `StoreError` of kind `corrupt` when it is gone or no head. */
export async function readHead(db: Kysely<Tables>): Promise<AuditHead> {
  const row = await db.selectFrom('auditHead').select(['seq', 'hash']).where('id', '=', HEAD_ID).executeTakeFirst()
  return readRow('audit_head', StoredHead, row)
}

/** Writes the head unchanged: that takes its lock on both engines, and reads what the last holder committed. */
export async function lockHead(rows: Transaction<Tables>): Promise<AuditHead> {
  const [row] = await LOCKED.rows(rows, {})
  return readRow('audit_head', StoredHead, row)
}

const LOCKED = new Prepared((db) =>
  db
    .updateTable('auditHead')
    .set((eb) => ({ seq: eb.ref('seq') }))
    .where('id', '=', HEAD_ID)
    .returning(['seq', 'hash']),
)

/** Puts another head in its place; the lock is held. */
export async function moveHead(rows: Transaction<Tables>, { seq, hash }: AuditHead): Promise<void> {
  await MOVED.rows(rows, { seq, hash })
}

const MOVED = new Prepared((db, { seq, hash }: { readonly seq: number; readonly hash: string }) =>
  db.updateTable('auditHead').set({ seq, hash }).where('id', '=', HEAD_ID),
)
