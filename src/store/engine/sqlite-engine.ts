import { copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import {
  CamelCasePlugin,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  sql,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'
import { type Clock, turnOfTheLoop } from '../../shared/clock.ts'
import type { Engine } from './database.ts'
import { assertMigrated, migrate } from '../schema/migrations.ts'
import { assertSound, damaged, lockFile, openFile, shareLock, sqliteError, truePath } from './sqlite-file.ts'
import { StoreError, type StoreErrorKind } from '../schema/store-error.ts'
import type { Tables } from '../schema/tables.ts'

/**
 * Opens the store in a file, made with its folder when it is not there, readable by its owner only.
 *
 * Throws `StoreError`: `in_use` when another process has the file, `corrupt` when it is damaged or emptied. A damaged
 * file is never replaced by a new one: it holds the record of what was done.
 */
export async function openSqlite(file: string, clock: Clock, prepareTables = migrate): Promise<Engine> {
  const open: Open = async (onClose) => {
    const path = truePath(file)
    onClose(lockFile(path))
    const database = openFile(path)
    onClose(() => database.close())
    const kysely = kyselyOn(database)
    await prepareTables(kysely)
    // SQLite holds the process while the disk writes. Between two commits others have their turn.
    const places = { reads: Number.POSITIVE_INFINITY, writes: 1 }
    return { kysely, places, beforeWrite: turnOfTheLoop, cutLog: () => cutLog(kysely) }
  }
  return toEngine(open, clock, ({ kind, code }) => {
    const remedy = REMEDIES[kind]
    return remedy === undefined ? undefined : new StoreError(kind, code, `The store ${file} ${remedy}`)
  })
}

type OnClose = (step: () => void) => void
type Open = (onClose: OnClose) => Promise<Pick<Engine, 'kysely' | 'places' | 'beforeWrite' | 'cutLog'>>

/** What was taken is let go of, the last first, when it is closed or cannot be opened. */
async function toEngine(
  open: Open,
  clock: Clock,
  remedied: (failure: StoreError) => StoreError | undefined = () => undefined,
): Promise<Engine> {
  const closing: (() => void)[] = []
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) step()
  }
  try {
    const opened = await open((step) => closing.push(step))
    return { ...opened, name: 'sqlite', classify: sqliteError, nowMs: async () => clock.now().getTime(), close }
  } catch (error) {
    await close()
    const failure = sqliteError(error)
    throw (failure && remedied(failure)) ?? failure ?? error
  }
}

function kyselyOn(database: DatabaseSync): Kysely<Tables> {
  return new Kysely({ dialect: sqliteDialect(database), plugins: [new CamelCasePlugin()] })
}

/** What to do about a file that cannot be opened, where the failure itself does not say. */
const REMEDIES: Readonly<Partial<Record<StoreErrorKind, string>>> = {
  locked: 'is locked by another program. Wait until that is done with it',
  full: 'cannot be opened, because its disk is full. Make room',
  read_only: 'cannot be written to. Give this process the right to write to it and to its folder',
  corrupt:
    'is no database, or a damaged one. Restore it from a backup; to start anew, move it and the files beside it away',
  unreachable: 'cannot be opened: its disk failed. See to the disk, then start again',
}

/** Pages are zeroed where they are freed (secure_delete); their old images stay in the write-ahead log until it is cut. */
async function cutLog(kysely: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ readonly busy: number }>`pragma wal_checkpoint(truncate)`.execute(kysely)
  return rows[0]?.busy === 0
}

/**
 * Opens a store's file, or a copy of it, for reading alone: nothing is written to it or beside it, and no table is
 * changed. Until it is closed, no bot starts on it.
 *
 * Throws `StoreError`: `in_use` while a bot has the file, `other` when there is none or it is of another version.
 */
export async function openSqliteForReading(file: string, clock: Clock): Promise<Engine> {
  return toEngine(async (onClose) => {
    const path = existing(file)
    onClose(shareLock(path))
    const database = openReadOnly(path, onClose)
    assertSound(database, path)
    const kysely = kyselyOn(database)
    await assertMigrated(kysely)
    return { kysely, cutLog: async () => true }
  }, clock)
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
function openReadOnly(path: string, onClose: OnClose): DatabaseSync {
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

/** Kysely's SQLite parts over Node's own SQLite, which differs from the driver they were made for in four small things. */
export function sqliteDialect(database: DatabaseSync): Dialect {
  return {
    createDriver: () => new NodeSqliteDriver(database),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

class NodeSqliteDriver extends SqliteDriver {
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    super({ database: { close: () => database.close(), prepare: (text) => prepare(database, text) } })
    this.#database = database
  }

  /** Takes the write lock at once: a transaction that first reads could otherwise lose it half-way, without waiting. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** SQLite ends a transaction by itself when the disk is full; rolling back again would hide that error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection)
  }
}

/** SQLite can undo table definitions, so a migration that was cut short leaves nothing. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function prepare(database: DatabaseSync, text: string): SqliteStatement {
  const statement = database.prepare(text)
  // A stored number that JavaScript cannot hold would throw in place of the row; so it stays a bigint, which schemas refuse.
  statement.setReadBigInts(true)
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...bindable(parameters)).map(withNumbers),
    run: (parameters) => statement.run(...bindable(parameters)),
    iterate: (parameters) => statement.iterate(...bindable(parameters)).map(withNumbers),
  }
}

function withNumbers(row: Record<string, unknown>): Record<string, unknown> {
  // Of a zone's past there are thousands of rows a minute, so nothing is made for each column.
  for (const column of Object.keys(row)) {
    const value = row[column]
    if (typeof value !== 'bigint') continue
    const number = Number(value)
    if (Number.isSafeInteger(number)) row[column] = number
  }
  return row
}

/** A Date or an object in first place would be taken for named parameters and shift the rest without an error. */
function bindable(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => {
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
      return value
    throw new TypeError(`SQLite cannot take a ${typeof value} as a value`)
  })
}
