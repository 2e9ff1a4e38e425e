import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sqliteError } from './sqlite-errors.ts'
import { StoreError } from './store-error.ts'

/** Held by the one process that may write to a SQLite file, or by those that only read it. */
export interface ProcessLock {
  release(): void
}

/**
 * Takes the store's file for this process, through an exclusive transaction on a second, empty SQLite file beside it.
 * The operating system ends such a lock with the process, however that ends, so none is ever left behind; the store's
 * file itself stays readable for backups.
 *
 * Throws `StoreError` of kind `in_use` when another process has it.
 */
export function lockFile(path: string): ProcessLock {
  const lockPath = `${path}.lock`
  closeSync(openSync(lockPath, 'a', 0o600))
  const database = new DatabaseSync(lockPath, { timeout: 0 })
  try {
    // Nothing is ever written, so no journal needs to lie beside the lock.
    database.exec('pragma journal_mode = memory')
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (sqliteError(error)?.kind !== 'locked') throw error
    throw new StoreError(
      'in_use',
      undefined,
      `Another process is using ${path}. Stop it first, or give this one its own file with STORE_URL`,
    )
  }
  return { release: () => database.close() }
}

/**
 * Keeps the writing process away while others read, and makes no file: where there is no lock, no process has ever had
 * the store at this place.
 *
 * Throws `StoreError` of kind `in_use` when a process has it for writing.
 */
export function shareLock(path: string): ProcessLock {
  const lockPath = `${path}.lock`
  if (!existsSync(lockPath)) return { release: () => {} }
  const database = new DatabaseSync(lockPath, { readOnly: true, timeout: 0 })
  try {
    database.exec('begin')
    database.prepare('select count(*) from sqlite_schema').get()
  } catch (error) {
    database.close()
    if (sqliteError(error)?.kind !== 'locked') throw error
    throw new StoreError('in_use', undefined, `The bot is using ${path}. Stop it first, or take a copy and name that`)
  }
  return { release: () => database.close() }
}
