import * as z from 'zod'
import { StoreError, type StoreErrorKind } from './store-error.ts'

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
