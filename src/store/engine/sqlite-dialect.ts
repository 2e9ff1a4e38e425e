import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'

/** Kysely's SQLite parts over Node's own SQLite, which differs from the driver they were made for in four small things. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    super({ database: asKyselyDatabase(database) })
    this.#database = database
  }

  override createDriver(): SqliteDriver {
    return new NodeSqliteDriver(this.#database)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter()
  }
}

class NodeSqliteDriver extends SqliteDriver {
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    super({ database: asKyselyDatabase(database) })
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

function asKyselyDatabase(database: DatabaseSync): SqliteDatabase {
  return { close: () => database.close(), prepare: (text) => prepare(database, text) }
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
