import type { Kysely, Transaction } from 'kysely'
import type { Clock } from '../shared/clock.ts'
import { StoreError } from './store-error.ts'
import type { Tables } from './tables.ts'

/** All that differs between SQLite and PostgreSQL once a database is open. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  readonly kysely: Kysely<Tables>
  /** The engine's own failure as a `StoreError`; undefined for an error that is not the engine's. */
  classify(error: unknown): StoreError | undefined
  /** The clock that leases are judged by: one for everybody who shares the store. Milliseconds since 1970. */
  nowMs(within: Transaction<Tables>): Promise<number>
  /** Makes bytes that were overwritten or deleted unreadable, as far as it is in the engine's hands. */
  shred(): Promise<void>
  close(): Promise<void>
}

/** The tables work on this and nothing else: reading, and writing in one transaction, with bounded patience. */
export class Database {
  readonly engine: Engine
  readonly clock: Clock
  /** Why nothing more is asked of the engine: a file that failed cannot be trusted again on this connection. */
  #ended: StoreError | undefined
  #closing: Promise<void> | undefined

  constructor(engine: Engine, clock: Clock) {
    this.engine = engine
    this.clock = clock
  }

  /** Reads with single statements. Throws `StoreError`. */
  read<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#withPatience(() => work(this.engine.kysely))
  }

  /**
   * Runs `work` in one transaction: all of it or nothing. It may run more than once when the store was locked, so it
   * changes nothing but the store, and it must not call `read` or `write` itself: SQLite has one connection.
   *
   * Throws `StoreError`. After kind `unreachable` it is not known whether the transaction was committed.
   */
  write<T>(work: (within: Transaction<Tables>) => Promise<T>): Promise<T> {
    return this.#withPatience(() => this.engine.kysely.transaction().execute(work))
  }

  /** Lets go of the database; every later call throws. May be called twice. */
  close(): Promise<void> {
    this.#ended ??= new StoreError('unreachable', undefined, 'The store is closed')
    this.#closing ??= this.engine.close()
    return this.#closing
  }

  async #withPatience<T>(attempt: () => Promise<T>): Promise<T> {
    const giveUpAt = this.clock.monotonicMs() + PATIENCE_MS
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      if (this.#ended !== undefined) throw this.#ended
      try {
        return await attempt()
      } catch (error) {
        const failure = error instanceof StoreError ? error : this.engine.classify(error)
        if (failure === undefined) throw error
        if (this.#isFinal(failure)) this.#ended = failure
        const worthwhile = failure.kind === 'locked' && this.clock.monotonicMs() + pauseMs < giveUpAt
        if (!worthwhile) throw failure
      }
      await this.clock.sleep(pauseMs)
    }
  }

  /** A server comes back by itself and checks its own pages; a file that failed once is opened again by a restart. */
  #isFinal({ kind }: StoreError): boolean {
    return this.engine.name === 'sqlite' && (kind === 'corrupt' || kind === 'unreachable')
  }
}

/** All waiting for a lock together: whoever asked in Slack must have an answer within three seconds. */
const PATIENCE_MS = 2_000
const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 160
