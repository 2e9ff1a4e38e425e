import { type AuditChain, createAuditChain, fits } from './audit-chain.ts'
import type { Database } from './database.ts'
import { StoreError } from './store-error.ts'
import type { AuditEntriesTable } from './tables.ts'

/**
 * Throws `StoreError` when the record was made with another key than `chain` has, or with none. Going on would leave a
 * record of two keys, which can never be proven any more. A record of which one end only does not fit was changed in
 * the database: that is for `verify` to say.
 */
export async function checkAuditKey(database: Database, chain: AuditChain): Promise<void> {
  const [first] = await database.read((db) =>
    db.selectFrom('auditEntries').selectAll().orderBy('seq').limit(1).execute(),
  )
  if (first === undefined || fits(chain, '', first)) return
  const [newest, before] = await database.read((db) =>
    db.selectFrom('auditEntries').selectAll().orderBy('seq', 'desc').limit(2).execute(),
  )
  if (newest !== undefined && before !== undefined && fits(chain, before.hash, newest)) return
  throw new StoreError('other', undefined, told(chain, first))
}

function told(chain: AuditChain, first: AuditEntriesTable): string {
  if (!chain.keyed) return `The record was made with a key, and AUDIT_KEY is not set. ${WITH_ITS_KEY}`
  if (fits(createAuditChain(undefined), '', first))
    return 'The record was made without a key, and AUDIT_KEY is set: all of it would look forged. Take AUDIT_KEY away; a key can begin with a new record only'
  return `The record was made with another key than AUDIT_KEY is. ${WITH_ITS_KEY}`
}

const WITH_ITS_KEY =
  'Start with the key that it was made with. If that is the one, the first entry was changed, which “audit verify” looks into without the bot'
