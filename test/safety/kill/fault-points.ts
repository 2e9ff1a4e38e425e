import { writeSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type pg from 'pg'
import { ANY_TAG, tagsOf } from './transaction-tags.ts'

/**
 * Loaded into the bot's process before the bot itself (`--import`): watches every transaction of both engines, names it by
 * what it writes, and stops the process just before the n-th of a name is committed, or just after. Variables say which:
 * `FAULT_POINT=sending:before`, `FAULT_NTH`, `FAULT_SIGNAL`. The bot knows nothing of it.
 */

const STANDARD_ERROR = 2
const [wantedTag = '', wantedSide = ''] = (process.env['FAULT_POINT'] ?? '').split(':')
const wantedNth = Number(process.env['FAULT_NTH'] ?? 1)
const signal = process.env['FAULT_SIGNAL'] === 'SIGSTOP' ? 'SIGSTOP' : 'SIGKILL'
let seen = 0

/** One connection: which transaction is open on it, and what that has written. */
class Watch {
  #tags: Set<string> | undefined
  #isWanted = false

  before(sql: string, parameters: readonly unknown[]): void {
    if (/^(begin|start transaction)/i.test(sql)) this.#tags = new Set()
    else if (/^rollback$/i.test(sql)) this.#tags = undefined
    else if (/^commit$/i.test(sql)) this.#committing()
    else for (const tag of tagsOf(sql, parameters)) this.#tags?.add(tag)
  }

  after(sql: string): void {
    if (!/^commit$/i.test(sql)) return
    if (this.#isWanted && wantedSide === 'after') strike()
    this.#tags = undefined
    this.#isWanted = false
  }

  #committing(): void {
    const tags = this.#tags ?? new Set()
    const matches = tags.has(wantedTag) || (wantedTag === ANY_TAG && tags.size > 0)
    if (matches) seen += 1
    this.#isWanted = matches && seen === wantedNth
    if (this.#isWanted && wantedSide === 'before') strike()
  }
}

function strike(): void {
  writeSync(STANDARD_ERROR, 'fault point reached\n')
  process.kill(process.pid, signal)
}

function watchSqlite(): void {
  const watches = new WeakMap<DatabaseSync, Watch>()
  const { prototype } = DatabaseSync
  const prepare = Object.getOwnPropertyDescriptor(prototype, 'prepare')?.value as typeof prototype.prepare // as Node has it
  prototype.prepare = function (this: DatabaseSync, sql, ...rest): StatementSync {
    const watch = watches.get(this) ?? new Watch()
    watches.set(this, watch)
    const statement = prepare.call(this, sql, ...rest)
    for (const name of ['all', 'run'] as const) {
      // A boundary: the watched method takes and gives what the method itself does.
      const method = statement[name].bind(statement) as (...parameters: readonly unknown[]) => never
      statement[name] = (...parameters: readonly unknown[]) => {
        watch.before(sql, parameters)
        const result = method(...parameters)
        watch.after(sql)
        return result
      }
    }
    return statement
  }
}

function watchPostgres(driver: typeof pg): void {
  const watches = new WeakMap<object, Watch>()
  // A boundary: of all the forms of `query`, the program uses text with parameters and awaits the answer.
  type Query = (this: object, sql: unknown, parameters?: readonly unknown[], ...rest: readonly unknown[]) => unknown
  const prototype = driver.Client.prototype as unknown as { query: Query }
  const { query } = prototype
  prototype.query = function (sql, parameters, ...rest) {
    if (typeof sql !== 'string') return query.call(this, sql, parameters, ...rest)
    const watch = watches.get(this) ?? new Watch()
    watches.set(this, watch)
    watch.before(sql, parameters ?? [])
    const result = query.call(this, sql, parameters, ...rest)
    if (!(result instanceof Promise)) return result
    return result.then((value: unknown) => {
      watch.after(sql)
      return value
    })
  }
}

if (wantedTag !== '') {
  watchSqlite()
  // A bot on a file never loads it.
  if (process.env['STORE_URL']?.startsWith('postgres') === true) watchPostgres((await import('pg')).default)
}
