import { copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { CamelCasePlugin, Kysely } from 'kysely'
import type { Clock } from '../shared/clock.ts'
import type { Engine } from './database.ts'
import { assertMigrated } from './migrations.ts'
import { NodeSqliteDialect } from './sqlite-dialect.ts'
import { assertSound, damaged, shareLock, sqliteError } from './sqlite-file.ts'
import { StoreError } from './store-error.ts'
import type { Tables } from './tables.ts'

/**
 * Opens a store's file, or a copy of it, for reading alone: nothing is written to it or beside it, and no table is
 * changed. Until it is closed, no bot starts on it.
 *
 * Throws `StoreError`: `in_use` while a bot has the file, `other` when there is none or it is of another version.
 */
export async function openSqliteForReading(file: string, clock: Clock): Promise<Engine> {
  const closing: (() => void)[] = []
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) step()
  }
  try {
    const path = existing(file)
    const lock = shareLock(path)
    closing.push(() => lock.release())
    const database = openFile(path, (step) => closing.push(step))
    assertSound(database, path)
    const kysely = new Kysely<Tables>({
      dialect: new NodeSqliteDialect(database),
      plugins: [new CamelCasePlugin()],
    })
    await assertMigrated(kysely)
    return {
      name: 'sqlite',
      kysely,
      classify: sqliteError,
      nowMs: async () => clock.now().getTime(),
      cutLog: async () => true,
      close,
    }
  } catch (error) {
    await close()
    throw sqliteError(error) ?? error
  }
}

function existing(file: string): string {
  if (!existsSync(file) || !statSync(file).isFile())
    throw new StoreError('other', undefined, `There is no file ${file}: name the store's with STORE_URL or --store`)
  const path = realpathSync(file)
  if (statSync(path).size === 0) throw damaged(path, 'is empty')
  return path
}

/**
 * What a bot that was killed has left in its log belongs to the record, but to read the log is to write beside the file:
 * so that is done with a copy. Without a log the file is all there is, and is opened as one that nobody changes.
 */
function openFile(path: string, onClose: (step: () => void) => void): DatabaseSync {
  const log = `${path}-wal`
  let database: DatabaseSync
  if (existsSync(log) && statSync(log).size > 0) {
    const folder = mkdtempSync(join(tmpdir(), 'cdn-ops-audit-'))
    onClose(() => rmSync(folder, { recursive: true, force: true }))
    const copy = join(folder, basename(path))
    copyFileSync(path, copy)
    copyFileSync(log, `${copy}-wal`)
    database = new DatabaseSync(copy)
    database.exec('pragma query_only = on')
  } else {
    const address = pathToFileURL(path)
    address.search = 'mode=ro&immutable=1'
    database = new DatabaseSync(address, { readOnly: true })
  }
  onClose(() => database.close())
  return database
}
