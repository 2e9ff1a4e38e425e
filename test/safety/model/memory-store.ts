import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { CamelCasePlugin, Kysely } from 'kysely'
import type { Clock } from '../../../src/shared/clock.ts'
import { createStore, type Store } from '../../../src/store/store.ts'
import { silentLog } from '../../store/harness.ts'
import { migrate } from '../../../src/store/schema/migrations.ts'
import type { Tables } from '../../../src/store/schema/tables.ts'
import { sqliteError } from '../../../src/store/engine/sqlite-file.ts'
import { sqliteDialect } from '../../../src/store/engine/sqlite-engine.ts'

/** The real store over a database in memory, which can be looked into past the store. */
export interface MemoryStore {
  readonly store: Store
  /** Runs one statement past the store, at once. */
  sql(statement: string, ...parameters: readonly (string | number | null)[]): readonly Record<string, unknown>[]
  close(): Promise<void>
}

export async function createMemoryStore(clock: Clock): Promise<MemoryStore> {
  const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: false })
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(database), plugins: [new CamelCasePlugin()] })
  await migrate(kysely)
  const engine = {
    name: 'sqlite' as const,
    kysely,
    classify: sqliteError,
    nowMs: async () => clock.now().getTime(),
    cutLog: async () => true,
    close: () => kysely.destroy(),
  }
  const store = createStore(engine, { clock, log: silentLog })
  const statements = new Map<string, StatementSync>()
  return {
    store,
    sql(statement, ...parameters) {
      const prepared = statements.get(statement) ?? database.prepare(statement)
      statements.set(statement, prepared)
      return prepared.all(...parameters)
    },
    close: () => store.close(),
  }
}
