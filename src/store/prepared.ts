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

/** Where a value will be. */
class StandIn {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}
