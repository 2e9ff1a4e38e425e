import { createAuditChain } from './audit-chain.ts'
import { AuditLog } from './audit-log.ts'
import { Database } from './database.ts'
import { openPostgresForReading } from './postgres-engine.ts'
import { openSqliteForReading } from './sqlite-reading.ts'
import { type StoreOptions, isPostgres } from './store.ts'

/** The record as a tool beside the bot may have it: nothing in it can be written. */
export interface RecordReader {
  readonly audit: Pick<AuditLog, 'verify' | 'pages'>
  close(): Promise<void>
}

/** Opens the record of a store for reading alone. Throws `StoreError`, whose message says what to do. */
export async function openRecord({
  url,
  clock,
  log,
  auditKey,
}: Pick<StoreOptions, 'url' | 'clock' | 'log' | 'auditKey'>): Promise<RecordReader> {
  const engine = isPostgres(url) ? await openPostgresForReading(url, log) : await openSqliteForReading(url, clock)
  const database = new Database(engine, clock, undefined, log)
  return { audit: new AuditLog(database, createAuditChain(auditKey)), close: () => database.close() }
}
