import { chmodSync, closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from './store-error.ts'

/** SQLite waits for a lock by blocking the whole process, so it waits little; `Database` waits the rest politely. */
const BUSY_TIMEOUT_MS = 50
const SMALLEST_PAGE_BYTES = 512
const OWNER_ONLY = 0o600
/** A commit returns when the disk has it. */
const WAIT_FOR_DISK = 'pragma synchronous = full'

/**
 * The one connection to the file of a store, which can be made anew after the disk has failed under it. Everything here
 * throws `StoreError`, or the failure of SQLite or of the file system as it is.
 */
export class SqliteFile {
  readonly #path: string
  readonly #identity: bigint
  #database: DatabaseSync

  /** Opens the file, made when it is not there, readable by its owner only. `corrupt` when it is damaged or emptied. */
  constructor(path: string) {
    this.#path = path
    prepareFile(path)
    this.#identity = inodeOf(path) ?? 0n
    this.#database = connect(path)
  }

  get database(): DatabaseSync {
    if (!this.#database.isOpen) throw new StoreError('unreachable')
    return this.#database
  }

  /**
   * Throws `corrupt` when the path has no file or another one. The system lets a process go on writing to a file that was
   * deleted, and everything written since would be gone with the process.
   */
  assertInPlace(): void {
    if (inodeOf(this.#path) !== this.#identity) throw damaged(this.#path, 'was moved or replaced while it was in use')
  }

  /**
   * Lets go of the connection and makes another one on the same file, never on a new one. After a disk has failed to keep
   * what was written, a connection's own idea of its file is worth nothing. Nothing may be under way on it.
   */
  reopen(): void {
    this.assertInPlace()
    this.close()
    this.#database = connect(this.#path)
  }

  /**
   * Transactions of `work` are in the log when they are committed, and on the disk with the next one that waits for it. Nothing
   * else may be under way on the connection.
   */
  async lightly<T>(work: () => Promise<T>): Promise<T> {
    const { database } = this
    try {
      database.exec('pragma synchronous = normal')
      return await work()
    } finally {
      this.#waitForDisk(database)
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  /** A connection that would not wait again is no longer used: as after a disk that failed, whatever was under way on it. */
  #waitForDisk(database: DatabaseSync): void {
    try {
      if (database.isOpen) database.exec(WAIT_FOR_DISK)
    } catch {
      this.close()
      throw new StoreError('unreachable')
    }
  }
}

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

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino
}

function connect(path: string): DatabaseSync {
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
    database.exec(WAIT_FOR_DISK)
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
