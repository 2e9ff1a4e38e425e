import { chmodSync, closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from './store-error.ts'

/** SQLite waits for a lock by blocking the whole process, so it waits little; `Database` waits the rest politely. */
const BUSY_TIMEOUT_MS = 50
const SMALLEST_PAGE_BYTES = 512
const OWNER_ONLY = 0o600

/** The file's true path, with its folder made: two links to one file must find the same lock. */
export function truePath(file: string): string {
  const wanted = resolve(file)
  mkdirSync(dirname(wanted), { recursive: true, mode: 0o700 })
  return existsSync(wanted) ? realpathSync(wanted) : join(realpathSync(dirname(wanted)), basename(wanted))
}

function prepareFile(path: string): void {
  if (existsSync(path)) {
    const { size } = statSync(path)
    if (size === 0) throw damaged(path, 'is empty')
    // SQLite takes less than its smallest page for a new file, and would begin anew.
    if (size < SMALLEST_PAGE_BYTES) throw damaged(path, 'was cut off')
    chmodSync(path, OWNER_ONLY)
    return
  }
  // SQLite would take the log for a leftover and delete it, and with it the last transactions.
  if (existsSync(`${path}-wal`)) throw damaged(path, 'is gone, but its log is still there')
  closeSync(openSync(path, 'ax', OWNER_ONLY))
}

/**
 * Opens the file, made when it is not there, readable by its owner only. Throws `StoreError` of kind `corrupt` when it is
 * damaged or emptied, or the failure of SQLite or of the file system as it is.
 */
export function openFile(path: string): DatabaseSync {
  prepareFile(path)
  // By a connection that cannot write: one that can brings its log into the file when it is closed, damaged or not.
  const reading = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    assertSound(reading, path)
  } finally {
    reading.close()
  }
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableDoubleQuotedStringLiterals: false })
  try {
    database.exec('pragma journal_mode = wal')
    // A commit returns when the disk has it.
    database.exec('pragma synchronous = full')
    database.exec('pragma secure_delete = on')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Throws `StoreError` of kind `corrupt` when pages of the file are not what SQLite wrote. */
export function assertSound(database: DatabaseSync, path: string): void {
  const [first] = database.prepare('pragma quick_check(1)').all()
  if (first?.['quick_check'] !== 'ok') throw damaged(path, 'failed its integrity check')
}

/** The failure that only a person can mend. `what` completes "The store … ". */
export function damaged(path: string, what: string): StoreError {
  return new StoreError(
    'corrupt',
    undefined,
    `The store ${path} ${what}. Restore it from a backup; to start anew, move it and the files beside it away`,
  )
}
