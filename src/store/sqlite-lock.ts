import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sqliteError } from './sqlite-errors.ts'
import { StoreError } from './store-error.ts'

/** Held by the one process that may use a SQLite file. */
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
