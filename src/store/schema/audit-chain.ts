import { createHash, createHmac } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import * as z from 'zod'
import type { Secret } from '../../shared/secret.ts'
import { readRow } from './rows.ts'
import { type AuditEntriesTable, AuditEntryRow, type Tables } from './tables.ts'

export type ChainedRow = Readonly<Omit<AuditEntriesTable, 'hash'>>

/** An array in fixed order has one spelling in JSON. A field added later goes to the end, and only where it is set. */
const HASHED = ['seq', 'at', 'actor', 'team', 'operation', 'event', 'changeId', 'summary', 'detail'] as const

export type AuditChain = ReturnType<typeof createAuditChain>

/**
 * Computes the hash of an entry from its fields and the hash of the entry before it, so that no entry can be changed,
 * taken out or moved without every later hash being wrong: HMAC-SHA256 under `key`, or plain SHA-256 when there is none.
 */
export function createAuditChain(key: Secret | undefined) {
  return {
    /** Whether a key that is not in the database goes into every hash. Without one, whoever can write can also re-chain. */
    keyed: key !== undefined,
    /** 64 lower-case hexadecimal digits. `previous` is the empty string for the first entry. */
    hash(previous: string, row: ChainedRow): string {
      const digest = key === undefined ? createHash('sha256') : createHmac('sha256', key.reveal())
      return digest.update(JSON.stringify([previous, ...HASHED.map((name) => row[name])])).digest('hex')
    },
  }
}

export function fits(chain: AuditChain, previous: string, row: AuditEntriesTable): boolean {
  // SQLite would keep anything in any column.
  return AuditEntryRow.safeParse(row).success && row.hash === chain.hash(previous, row)
}

export const HEAD_ID = 1

/** The newest entry of the record: its number and its hash, which stands for all before it. 0 and '' before the first. */
export const StoredHead = z.object({ seq: z.int().min(0), hash: z.string() })
export type AuditHead = Readonly<z.output<typeof StoredHead>>

/** Throws `StoreError` of kind `corrupt` when it is gone or no head. */
export async function readHead(db: Kysely<Tables>): Promise<AuditHead> {
  const row = await db.selectFrom('auditHead').select(['seq', 'hash']).where('id', '=', HEAD_ID).executeTakeFirst()
  return readRow('audit_head', StoredHead, row)
}

/** Writes the head unchanged: that takes its lock on both engines, and reads what the last holder committed. */
export async function lockHead(rows: Transaction<Tables>): Promise<AuditHead> {
  const row = await rows
    .updateTable('auditHead')
    .set((eb) => ({ seq: eb.ref('seq') }))
    .where('id', '=', HEAD_ID)
    .returning(['seq', 'hash'])
    .executeTakeFirst()
  return readRow('audit_head', StoredHead, row)
}

export async function moveHead(rows: Transaction<Tables>, { seq, hash }: AuditHead): Promise<void> {
  await rows.updateTable('auditHead').set({ seq, hash }).where('id', '=', HEAD_ID).execute()
}
