import type { Clock } from '../../../src/shared/clock.ts'
import { sqliteError } from '../../../src/store/sqlite-file.ts'
import { createStore, type Store } from '../../../src/store/store.ts'
import { silentLog } from '../../store/harness.ts'
import { takeEmptyDatabase } from './empty-database.ts'

/** The real store over a database in memory, which can be looked into past the store. */
export interface MemoryStore {
  readonly store: Store
  /** Runs one statement past the store, at once. */
  sql(statement: string, ...parameters: readonly (string | number | null)[]): readonly Record<string, unknown>[]
  /** The database may be another store's then: nothing may be done with this one any more. */
  close(): Promise<void>
}

export async function createMemoryStore(clock: Clock): Promise<MemoryStore> {
  const empty = await takeEmptyDatabase()
  const engine = {
    name: 'sqlite' as const,
    kysely: empty.kysely,
    classify: sqliteError,
    nowMs: async () => clock.now().getTime(),
    cutLog: async () => true,
    close: () => empty.giveBack(),
  }
  const store = createStore(engine, { clock, log: silentLog })
  return {
    store,
    sql: (statement, ...parameters) => empty.prepared(statement).all(...parameters),
    close: () => store.close(),
  }
}
