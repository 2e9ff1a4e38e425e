import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { StoreError, type StoreErrorKind } from '../schema/store-error.ts'

/** A failure of SQLite or of the file system under it as a `StoreError`; undefined for any other error. */
export function sqliteError(error: unknown): StoreError | undefined {
  const sqlite = SqliteFailure.safeParse(error)
  if (sqlite.success) return fromSqlite(sqlite.data)
  const system = SystemFailure.safeParse(error)
  if (system.success) return new StoreError(SYSTEM_KINDS[system.data.code] ?? 'unreachable', system.data.code)
  return undefined
}

const SqliteFailure = z.object({ code: z.literal('ERR_SQLITE_ERROR'), errcode: z.int(), message: z.string() })
const SystemFailure = z.object({ code: z.string(), syscall: z.string() })

function fromSqlite({ errcode, message }: z.output<typeof SqliteFailure>): StoreError {
  const primary = EXTENDED_CODES[errcode] ?? PRIMARY_CODES[errcode & 0xff]
  // SQLITE_ERROR is about the statement's text, which never holds values: the message is safe and the only clue.
  if (primary === undefined) return new StoreError('other', `SQLite ${errcode}${errcode === 1 ? `: ${message}` : ''}`)
  return new StoreError(primary.kind, primary.name)
}

type Codes = Readonly<Record<number, { readonly kind: StoreErrorKind; readonly name: string }>>

/** What is told apart from others of its primary code. */
const EXTENDED_CODES: Codes = {
  1_034: { kind: 'unreachable', name: 'SQLITE_IOERR_FSYNC' },
  // The same for the entry of a file in its folder.
  1_290: { kind: 'unreachable', name: 'SQLITE_IOERR_FSYNC' },
  // No room for the index of the log.
  4_874: { kind: 'full', name: 'SQLITE_IOERR_SHMSIZE' },
}

/** https://sqlite.org/rescode.html: the low byte is the primary code. */
const PRIMARY_CODES: Codes = {
  3: { kind: 'read_only', name: 'SQLITE_PERM' },
  5: { kind: 'locked', name: 'SQLITE_BUSY' },
  6: { kind: 'locked', name: 'SQLITE_LOCKED' },
  8: { kind: 'read_only', name: 'SQLITE_READONLY' },
  10: { kind: 'unreachable', name: 'SQLITE_IOERR' },
  11: { kind: 'corrupt', name: 'SQLITE_CORRUPT' },
  13: { kind: 'full', name: 'SQLITE_FULL' },
  14: { kind: 'unreachable', name: 'SQLITE_CANTOPEN' },
  26: { kind: 'corrupt', name: 'SQLITE_NOTADB' },
}

const SYSTEM_KINDS: Readonly<Record<string, StoreErrorKind>> = {
  EACCES: 'read_only',
  EPERM: 'read_only',
  EROFS: 'read_only',
  ENOSPC: 'full',
  EDQUOT: 'full',
}

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
  makeFile(path)
}

/** Under its own name only once SQLite has written to it: where a start ends before that, the next one finds no emptied store. */
function makeFile(path: string): void {
  const unfinished = `${path}.new`
  rmSync(unfinished, { force: true })
  closeSync(openSync(unfinished, 'ax', OWNER_ONLY))
  const database = new DatabaseSync(unfinished)
  try {
    database.exec('pragma journal_mode = wal')
  } finally {
    database.close()
  }
  renameSync(unfinished, path)
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

/**
 * Takes the store's file for this process, through an exclusive transaction on a second, empty SQLite file beside it.
 * The operating system ends such a lock with the process, however that ends, so none is ever left behind; the store's
 * file itself stays readable for backups. The answer lets go of it.
 *
 * Throws `StoreError` of kind `in_use` when another process has it, `other` when the lock is damaged.
 */
export function lockFile(path: string): () => void {
  const lockPath = `${path}.lock`
  closeSync(openSync(lockPath, 'a', OWNER_ONLY))
  return take(
    lockPath,
    { readOnly: false },
    // Nothing is ever written, so no journal needs to lie beside the lock.
    'pragma journal_mode = memory; begin exclusive',
    `Another process is using ${path}. Stop it first, or give this one its own file with STORE_URL`,
  )
}

/**
 * Keeps the writing process away while others read, and makes no file: where there is no lock, no process has ever had
 * the store at this place.
 *
 * Throws `StoreError` of kind `in_use` when a process has it for writing, `other` when the lock is damaged.
 */
export function shareLock(path: string): () => void {
  const lockPath = `${path}.lock`
  if (!existsSync(lockPath)) return () => undefined
  return take(
    lockPath,
    { readOnly: true },
    'begin; select count(*) from sqlite_schema',
    `The bot is using ${path}. Stop it first, or take a copy and name that`,
  )
}

function take(
  lockPath: string,
  { readOnly }: { readonly readOnly: boolean },
  statements: string,
  inUse: string,
): () => void {
  const database = new DatabaseSync(lockPath, { readOnly, timeout: 0 })
  try {
    database.exec(statements)
  } catch (error) {
    database.close()
    const { kind } = sqliteError(error) ?? {}
    if (kind === 'locked') throw new StoreError('in_use', undefined, inUse)
    // Not `corrupt`: the store itself may be sound, and must not be restored for this.
    if (kind === 'corrupt')
      throw new StoreError(
        'other',
        undefined,
        `The lock file ${lockPath} is damaged. Stop CDN Ops, then delete that file; nothing is kept in it`,
      )
    throw error
  }
  return () => database.close()
}
