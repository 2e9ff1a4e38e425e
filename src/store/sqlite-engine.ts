import { chmodSync, closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CamelCasePlugin, Kysely, sql } from 'kysely'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Engine } from './database.ts'
import { migrate } from './migrations.ts'
import { NodeSqliteDialect } from './sqlite-dialect.ts'
import { sqliteError } from './sqlite-errors.ts'
import { lockFile } from './sqlite-lock.ts'
import { StoreError } from './store-error.ts'
import type { Tables } from './tables.ts'

/**
 * Opens the store in a file, made with its folder when it is not there, readable by its owner only.
 *
 * Throws `StoreError`: `in_use` when another process has the file, `corrupt` when it is damaged or emptied. A damaged
 * file is never replaced by a new one: it holds the record of what was done.
 */
export async function openSqlite(file: string, clock: Clock, log: Log): Promise<Engine> {
  try {
    return await open(file, clock, log)
  } catch (error) {
    throw sqliteError(error) ?? error
  }
}

async function open(file: string, clock: Clock, log: Log): Promise<Engine> {
  const path = prepareFolder(file)
  const lock = lockFile(path)
  let database: DatabaseSync | undefined
  try {
    prepareFile(path)
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableDoubleQuotedStringLiterals: false })
    prepareConnection(database, path)
    const kysely = new Kysely<Tables>({ dialect: new NodeSqliteDialect(database), plugins: [new CamelCasePlugin()] })
    await migrate(kysely)
    return {
      name: 'sqlite',
      kysely,
      classify: sqliteError,
      nowMs: async () => clock.now().getTime(),
      shred: () => cutLog(kysely, log),
      close: async () => {
        await kysely.destroy()
        lock.release()
      },
    }
  } catch (error) {
    if (database?.isOpen === true) database.close()
    lock.release()
    throw error
  }
}

/** SQLite waits for a lock by blocking the whole process, so it waits little; `Database` waits the rest politely. */
const BUSY_TIMEOUT_MS = 50
const OWNER_ONLY = 0o600

/** The file's true path: two links to one file must find the same lock. */
function prepareFolder(file: string): string {
  const wanted = resolve(file)
  mkdirSync(dirname(wanted), { recursive: true, mode: 0o700 })
  return existsSync(wanted) ? realpathSync(wanted) : join(realpathSync(dirname(wanted)), basename(wanted))
}

function prepareFile(path: string): void {
  if (existsSync(path)) {
    if (statSync(path).size === 0) throw damaged(path, 'is empty')
    chmodSync(path, OWNER_ONLY)
    return
  }
  // SQLite would take the log for a leftover and delete it, and with it the last transactions.
  if (existsSync(`${path}-wal`)) throw damaged(path, 'is gone, but its log is still there')
  closeSync(openSync(path, 'ax', OWNER_ONLY))
}

function prepareConnection(database: DatabaseSync, path: string): void {
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  database.exec('pragma secure_delete = on')
  const [first] = database.prepare('pragma quick_check(1)').all()
  if (first?.['quick_check'] !== 'ok') throw damaged(path, 'failed its integrity check')
}

function damaged(path: string, what: string): StoreError {
  return new StoreError(
    'corrupt',
    undefined,
    `The store ${path} ${what}. Restore it from a backup; to start anew, move it and the files beside it away`,
  )
}

/**
 * Pages are zeroed where they are freed (secure_delete); their old images stay in the write-ahead log until it is cut.
 * What it follows is committed, so a failure here is only noted: the next cut does it.
 */
async function cutLog(kysely: Kysely<Tables>, log: Log): Promise<void> {
  try {
    await sql`pragma wal_checkpoint(truncate)`.execute(kysely)
  } catch (error) {
    log.warn({ error: sqliteError(error)?.message ?? 'not from SQLite' }, 'Erased values are still in the store log')
  }
}
