import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'

/** The connection that statements go to. It may be another one later, as long as nothing is under way. */
export interface SqliteSource {
  /** Throws when there is none now. */
  readonly database: DatabaseSync
  /** Called before each transaction; throws when nothing may be written. */
  assertInPlace?(): void
  /** Closes it; by default that of `database`. */
  close?(): void
}

/** Kysely's SQLite parts over Node's own SQLite, which differs from the driver they were made for in four small things. */
export class NodeSqliteDialect implements Dialect {
  readonly #source: SqliteSource

  constructor(source: SqliteSource) {
    this.#source = source
  }

  createDriver(): SqliteDriver {
    return new NodeSqliteDriver(this.#source)
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler()
  }

  createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter()
  }

  createIntrospector(kysely: Kysely<unknown>): SqliteIntrospector {
    return new SqliteIntrospector(kysely)
  }
}

class NodeSqliteDriver extends SqliteDriver {
  readonly #source: SqliteSource

  constructor(source: SqliteSource) {
    super({ database: asKyselyDatabase(source) })
    this.#source = source
  }

  /** Takes the write lock at once: a transaction that first reads could otherwise lose it half-way, without waiting. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    this.#source.assertInPlace?.()
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** SQLite ends a transaction by itself when the disk is full; rolling back again would hide that error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#source.database.isTransaction) await super.rollbackTransaction(connection)
  }
}

/** SQLite can undo table definitions, so a migration that was cut short leaves nothing. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** The program has a few dozen different statements; lists of varying length make a few more. */
const MAX_STATEMENTS = 200

function asKyselyDatabase(source: SqliteSource): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  let preparedFor: DatabaseSync | undefined
  return {
    close: () => {
      statements.clear()
      if (source.close === undefined) source.database.close()
      else source.close()
    },
    prepare: (text) => {
      const { database } = source
      if (database !== preparedFor) statements.clear()
      preparedFor = database
      const known = statements.get(text)
      if (known !== undefined) return known
      if (statements.size >= MAX_STATEMENTS) statements.clear()
      const statement = prepare(database, text)
      statements.set(text, statement)
      return statement
    },
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
