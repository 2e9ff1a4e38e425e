import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** What a statement is filled with, by name. */
export type Values = Readonly<Record<string, string | number | null>>

/**
 * A statement whose text is made once for each database, and which runs with other values each time. Making the text takes
 * longer than SQLite takes to run it; so this is for what stands between a person and what they wait for.
 */
export class Prepared<Given extends Values, Row> {
  readonly #build: (db: Kysely<Tables>, given: Given) => Compilable<Row>
  readonly #made = new WeakMap<object, CompiledQuery<Row>>()
  readonly #names = new Map<string, string>()

  /** `build` may do nothing with a value but put it in the place of one: it is called with stand-ins. */
  constructor(build: (db: Kysely<Tables>, given: Given) => Compilable<Row>) {
    this.#build = build
  }

  /** Runs it, within a transaction or by itself. */
  async rows(db: Kysely<Tables>, given: Given): Promise<readonly Row[]> {
    const made = this.#madeFor(db)
    const parameters = made.parameters.map((value) => (value instanceof StandIn ? given[value.name] : value))
    const { rows } = await db
      .getExecutor()
      .provideConnection((one) => one.executeQuery<object>({ ...made, parameters }))
    return rows.map((row) => this.#named(row))
  }

  /** A row with the names that the tables have here, as the plugin of the database would give it. */
  #named(row: object): Row {
    const named: Record<string, unknown> = {}
    for (const [column, value] of Object.entries(row)) named[this.#nameOf(column)] = value
    return named as Row // the statement says what it returns
  }

  #nameOf(column: string): string {
    const known = this.#names.get(column)
    if (known !== undefined) return known
    const name = column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    this.#names.set(column, name)
    return name
  }

  /** A transaction has the adapter of the database that it is in. */
  #madeFor(db: Kysely<Tables>): CompiledQuery<Row> {
    const { adapter } = db.getExecutor()
    const known = this.#made.get(adapter)
    if (known !== undefined) return known
    const standIns = new Proxy({}, { get: (_, name) => new StandIn(String(name)) }) as Given // see `build`
    const made = this.#build(db, standIns).compile()
    this.#made.set(adapter, made)
    return made
  }
}

/** Rows of one statement. */
const ROWS_AT_ONCE = 12

/** How to insert rows of a table within a transaction, however many: by one statement for each, and one for several. */
export function prepareInsert<Table extends 'answers' | 'auditEntries'>(
  table: Table,
  columns: readonly (keyof Tables[Table] & string)[],
): (db: Kysely<Tables>, rows: readonly Tables[Table][]) => Promise<void> {
  // What stands for each value, by place and column.
  const names = Array.from({ length: ROWS_AT_ONCE }, (_, place) => columns.map((column) => `${column}${place}`))
  const inserting = (count: number): Prepared<Values, unknown> =>
    new Prepared((db, given) => {
      const rows = names.slice(0, count).map((row) => row.map((name, at) => [columns[at], given[name]]))
      return db.insertInto(table).values(rows.map((row) => Object.fromEntries(row) as never)) // every column is there
    })
  const one = inserting(1)
  const several = inserting(ROWS_AT_ONCE)
  const given = (rows: readonly Tables[Table][]): Values =>
    Object.fromEntries(rows.flatMap((row, place) => columns.map((column, at) => [names[place]?.[at], row[column]])))
  return async (db, rows) => {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const some = rows.slice(from, from + ROWS_AT_ONCE)
      if (some.length === ROWS_AT_ONCE) await several.rows(db, given(some))
      else for (const row of some) await one.rows(db, given([row]))
    }
  }
}

/** Where a value will be. */
class StandIn {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}
