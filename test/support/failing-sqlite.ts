import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** https://sqlite.org/rescode.html, as SQLite reports what the disk did. */
export const SQLITE_CODES = {
  other: 1,
  locked: 5,
  readOnly: 8,
  corrupt: 11,
  full: 13,
  write: 778,
  fsync: 1_034,
} as const

export interface SqliteFault {
  readonly code: keyof typeof SQLITE_CODES
  /** Statements that it happens to; the commit of a transaction unless given. */
  readonly at?: RegExp
  /** Only in transactions that run such a statement. */
  readonly within?: RegExp
  /** The statement is carried out, and fails all the same: what an fsync after writing may mean. */
  readonly carriedOut?: boolean
}

const BEGIN = /^begin/i
const COMMIT = /^commit$/i

/**
 * Has SQLite fail as it does on a failing disk, for every connection of this process that may write, until `mend`. What is
 * not said to fail works. In place only between `install` and `remove`.
 */
export class FailingSqlite {
  #fault: SqliteFault | undefined
  #isWithin = false
  /** How often it failed. */
  failed = 0
  readonly #prepare = methodOf('prepare')
  readonly #exec = methodOf('exec')

  install(): void {
    const fails = (sql: string): boolean => {
      const { at = COMMIT, within } = this.#fault ?? {}
      if (BEGIN.test(sql)) this.#isWithin = false
      if (within?.test(sql) === true) this.#isWithin = true
      return this.#fault !== undefined && (within === undefined || this.#isWithin) && at.test(sql)
    }
    const fail = (database: DatabaseSync, carryOut: () => void): never => this.#fail(database, carryOut)
    const isNamed = (sql: string) => this.#fault?.at?.test(sql) === true
    const { prototype } = DatabaseSync
    const prepare = this.#prepare
    const exec = this.#exec
    prototype.prepare = function (this: DatabaseSync, sql, ...rest): StatementSync {
      const statement = prepare.call(this, sql, ...rest)
      for (const name of ['all', 'run'] as const) {
        // A boundary: the watched method takes and gives what the method itself does.
        const method = statement[name].bind(statement) as (...parameters: readonly unknown[]) => never
        statement[name] = (...parameters: readonly unknown[]) => {
          return fails(sql) ? fail(this, () => method(...parameters)) : method(...parameters)
        }
      }
      return statement
    }
    prototype.exec = function (this: DatabaseSync, sql) {
      if (isNamed(sql)) fail(this, () => undefined)
      exec.call(this, sql)
    }
  }

  remove(): void {
    DatabaseSync.prototype.prepare = this.#prepare
    DatabaseSync.prototype.exec = this.#exec
  }

  /** From now on it fails like this. */
  break(fault: SqliteFault): void {
    this.#fault = fault
  }

  mend(): void {
    this.#fault = undefined
  }

  /** SQLite ends the transaction itself when the disk fails. */
  #fail(database: DatabaseSync, carryOut: () => void): never {
    const { code = 'write', carriedOut = false } = this.#fault ?? {}
    this.failed += 1
    if (carriedOut) carryOut()
    if (database.isTransaction) this.#exec.call(database, 'rollback')
    throw Object.assign(new Error('the disk failed'), { code: 'ERR_SQLITE_ERROR', errcode: SQLITE_CODES[code] })
  }
}

function methodOf<Name extends 'prepare' | 'exec'>(name: Name): DatabaseSync[Name] {
  return Object.getOwnPropertyDescriptor(DatabaseSync.prototype, name)?.value as DatabaseSync[Name] // as Node has it
}
