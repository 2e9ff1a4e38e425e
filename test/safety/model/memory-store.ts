import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { CamelCasePlugin, Kysely } from 'kysely'
import type { Clock } from '../../../src/shared/clock.ts'
import { createStore, type Store } from '../../../src/store/store.ts'
import { silentLog } from '../../store/harness.ts'
import { migrate } from '../../../src/store/schema/migrations.ts'
import type { Tables } from '../../../src/store/schema/tables.ts'
import { sqliteError } from '../../../src/store/engine/sqlite-file.ts'
import { sqliteDialect } from '../../../src/store/engine/sqlite-engine.ts'

/** The real store over a database in memory, which can be looked into past the store. */
export interface MemoryStore {
  readonly store: Store
  /** Runs one statement past the store, at once. */
  sql(statement: string, ...parameters: readonly (string | number | null)[]): readonly Record<string, unknown>[]
  /** The database may be another store's then: nothing may be done with this one any more. */
  close(): Promise<void>
}

export async function createMemoryStore(clock: Clock): Promise<MemoryStore> {
  const empty = await takeEmptyDatabase()
  const engine = {
    name: 'sqlite' as const,
    kysely: empty.kysely,
    classify: sqliteError,
    nowMs: async () => clock.now().getTime(),
    cutLog: async () => true,
    close: () => empty.giveBack(),
  }
  const store = createStore(engine, { clock, log: silentLog })
  return {
    store,
    sql: (statement, ...parameters) => empty.prepared(statement).all(...parameters),
    close: () => store.close(),
  }
}

/**
 * Thousands of sequences each begin with an empty store. Making its tables each time would take a good part of their time; so
 * a database that is done with is emptied, and is the next one's.
 */
const unused: EmptyDatabase[] = []

/** A database in memory as a start leaves it: all tables, and in them what the migrations put there. */
async function takeEmptyDatabase(): Promise<EmptyDatabase> {
  return unused.pop() ?? EmptyDatabase.create()
}

class EmptyDatabase {
  readonly kysely: Kysely<Tables>
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  /** What empties it, table by table, and what puts the rows there that were there at first. */
  readonly #emptying: string

  private constructor(database: DatabaseSync, kysely: Kysely<Tables>) {
    this.#database = database
    this.kysely = kysely
    this.#emptying = emptying(database)
  }

  static async create(): Promise<EmptyDatabase> {
    const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: false })
    const kysely = new Kysely<Tables>({
      dialect: sqliteDialect(database),
      plugins: [new CamelCasePlugin()],
    })
    await migrate(kysely)
    return new EmptyDatabase(database, kysely)
  }

  prepared(statement: string): StatementSync {
    const known = this.#statements.get(statement) ?? this.#database.prepare(statement)
    this.#statements.set(statement, known)
    return known
  }

  /** Empties it for the next one. One in the middle of a transaction is closed instead: somebody may go on with that. */
  async giveBack(): Promise<void> {
    if (this.#database.isTransaction) return this.kysely.destroy()
    this.#database.exec(this.#emptying)
    unused.push(this)
  }
}

function emptying(database: DatabaseSync): string {
  const tables = database.prepare(`select name from sqlite_schema where type = 'table'`).all()
  const statements = tables.flatMap(({ name }) => {
    const table = `"${String(name)}"`
    const rows = database.prepare(`select * from ${table}`).all()
    return [`delete from ${table}`, ...rows.map((row) => `insert into ${table} values (${literals(database, row)})`)]
  })
  return ['begin', 'pragma defer_foreign_keys = on', ...statements, 'commit'].join(';\n')
}

function literals(database: DatabaseSync, row: Record<string, unknown>): string {
  const quoted = database.prepare('select quote(?) as literal')
  return Object.values(row)
    .map((value) => String(quoted.get(value as string | number | null)?.['literal'])) // as SQLite gave it
    .join(', ')
}
