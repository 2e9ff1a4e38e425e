import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

/** A file with its tables: to make them anew takes as long as all else that opening does. */
let template: Promise<Buffer> | undefined

async function makeTemplate(): Promise<Buffer> {
  const folder = mkdtempSync(join(FOLDER, 'cdn-ops-template-'))
  const path = join(folder, 'store.sqlite')
  const engine = await openSqlite(path, createTestClock())
  await engine.close()
  const bytes = readFileSync(path)
  rmSync(folder, { recursive: true })
  return bytes
}

/** In memory where the machine has such a folder. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export function createSqliteHarness(parent = FOLDER): SqliteHarness {
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
      template ??= makeTemplate()
      const made = await template
      if (!existsSync(dirname(path))) {
        mkdirSync(dirname(path))
        writeFileSync(path, made)
      }
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
    // The file is not there until it is opened, or written to past the store.
    dropTables: async () => undefined,
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
