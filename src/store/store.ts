import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Secret } from '../shared/secret.ts'
import { Answers } from './answers.ts'
import { createAuditChain } from './audit-chain.ts'
import { AuditLog } from './audit-log.ts'
import { Changes } from './changes.ts'
import { Database, type Engine } from './database.ts'
import { openPostgres } from './postgres-engine.ts'
import { openSqlite } from './sqlite-engine.ts'
import { ZoneNames } from './zone-names.ts'

/** What outlives a restart. Every method throws `StoreError` when the database does not do its part. */
export interface Store {
  readonly changes: Changes
  readonly audit: AuditLog
  readonly zones: ZoneNames
  readonly answers: Answers
  /** Resolves when the store answers; for the health page. */
  check(): Promise<void>
  /** Deletes what has outlived its retention; to be called now and then. Zone names and the record are kept. */
  prune(now: Date): Promise<void>
  /** Ends the connections and lets go of the file. May be called twice. */
  close(): Promise<void>
}

export interface StoreOptions {
  /** A path for SQLite, or `postgres://…`. */
  readonly url: string
  readonly clock: Clock
  readonly log: Log
  /** What the record is chained with. Without it the record shows mistakes, not forgery. */
  readonly auditKey?: Secret | undefined
}

/** Opens the store and brings its tables up to date. Throws `StoreError`, whose message says what to do. */
export async function openStore({ url, clock, log, auditKey }: StoreOptions): Promise<Store> {
  const engine = isPostgres(url) ? await openPostgres(url, log) : await openSqlite(url, clock, log)
  return createStore(engine, clock, auditKey)
}

/** The store on a database that is already open. */
export function createStore(engine: Engine, clock: Clock, auditKey?: Secret): Store {
  const database = new Database(engine, clock)
  const audit = new AuditLog(database, createAuditChain(auditKey))
  const changes = new Changes(database, audit)
  const answers = new Answers(database)
  return {
    audit,
    changes,
    zones: new ZoneNames(database, audit),
    answers,
    check: () => audit.check(),
    prune: async (now) => {
      await answers.prune(now)
      await changes.prune(now)
    },
    close: () => database.close(),
  }
}

function isPostgres(url: string): boolean {
  return url.startsWith('postgres://') || url.startsWith('postgresql://')
}
