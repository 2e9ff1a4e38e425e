import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Engine } from '../../src/store/engine/database.ts'
import { openSqlite } from '../../src/store/engine/sqlite-engine.ts'
import { type Store, openStore } from '../../src/store/store.ts'
import { type StoreHarness, createTestClock, silentLog } from './harness.ts'

/** A new file in a folder of its own. */
export interface SqliteHarness extends StoreHarness {
  readonly folder: string
  readonly path: string
}

export function createSqliteHarness(parent = tmpdir()): SqliteHarness {
  const folder = mkdtempSync(join(parent, 'cdn-ops-store-'))
  const path = join(folder, 'data', 'store.sqlite')
  const clock = createTestClock()
  let current: Store | undefined
  const run = <T>(work: (database: DatabaseSync) => T): T => {
    mkdirSync(dirname(path), { recursive: true })
    const database = new DatabaseSync(path)
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  return {
    folder,
    path,
    clock,
    // One process has the file, and within it one store: the last one opened.
    open: async (options = {}) => {
      await current?.close()
      current = await openStore({ url: path, clock, log: silentLog, ...options })
      return current
    },
    sql: async (statement) => run((database) => database.prepare(statement).all()),
    columns: async () =>
      run((database) =>
        database
          .prepare(`select t.name || '.' || c.name as name from sqlite_master t, pragma_table_info(t.name) c`)
          .all()
          .map(({ name }) => String(name)),
      ),
    close: async () => {
      await current?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The engine on a harness's file, for what is tested below the store. */
export function openEngine({ path, clock }: SqliteHarness): Promise<Engine> {
  return openSqlite(path, clock)
}
