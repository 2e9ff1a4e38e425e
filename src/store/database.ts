import type { Kysely, Transaction } from 'kysely'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { proveRoom } from './room.ts'
import { nameOf, UnreadableRow } from './rows.ts'
import { StoreError } from './store-error.ts'
import type { Tables } from './tables.ts'
import { Turns } from './turns.ts'
import type { Writability } from './writability.ts'

type Work<T> = (within: Transaction<Tables>) => Promise<T>
/** Runs `work` in one transaction. */
type Transact = <T>(work: Work<T>) => Promise<T>

/** Asks a server for its time, in milliseconds, and compares it with this machine's. */
export type Timed = (ask: () => Promise<number>) => Promise<number>

/** All that differs between SQLite and PostgreSQL once a database is open. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  readonly kysely: Kysely<Tables>
  /** How many reads and writes there may be at once: each has a connection of its own. Left out where all share one. */
  readonly places?: { readonly reads: number; readonly writes: number }
  /** The engine's own failure as a `StoreError`; undefined for an error that is not the engine's. */
  classify(error: unknown): StoreError | undefined
  /** The clock that leases are judged by: one for everybody who shares the store. Milliseconds since 1970. */
  nowMs(within: Kysely<Tables>): Promise<number>
  /** Makes bytes that were overwritten or deleted unreadable, as far as it is in the engine's hands. */
  shred(): Promise<void>
  /**
   * One transaction without waiting for the disk: the end of the process does not undo it, that of the machine may. Left out
   * where nothing else stands still meanwhile.
   */
  readonly lightly?: Transact
  /**
   * Makes another connection to what it was connected to, after the disk under it has failed; where a connection is
   * replaced by itself there is no such thing. Throws `StoreError`, or what `classify` knows.
   */
  reopen?(): Promise<void>
  close(): Promise<void>
}

/** The tables work on this and nothing else: reading, and writing in one transaction, with bounded patience. */
export class Database {
  readonly engine: Engine
  readonly clock: Clock
  /** How often posts about alerts were put, in transactions of this process, however those ended. */
  postsPut = 0
  /** Called when that happens. */
  onPostsPut: () => void = () => undefined
  /** Why nothing more is asked of the engine: a file that failed cannot be trusted again on this connection. */
  #ended: StoreError | undefined
  #mending: Promise<void> | undefined
  #mendAtMs = 0
  #closing: Promise<void> | undefined
  readonly #writability: Writability | undefined
  readonly #log: Pick<Log, 'error'> | undefined
  /** Said once: they are found again at each look. */
  readonly #said = new Set<string>()
  readonly #reads: Turns
  /** Apart from reads, which shall not wait while one write waits for another. */
  readonly #writes: Turns
  /** A transaction that the disk has when it is over. */
  readonly #waiting: Transact = (work) => this.engine.kysely.transaction().execute(work)

  constructor(engine: Engine, clock: Clock, writability?: Writability, log?: Pick<Log, 'error'>) {
    this.engine = engine
    this.clock = clock
    this.#log = log
    this.#writability = writability
    this.#reads = new Turns(clock, engine.places?.reads ?? Number.POSITIVE_INFINITY)
    this.#writes = new Turns(clock, engine.places?.writes ?? Number.POSITIVE_INFINITY)
  }

  /** Reads with single statements. Throws `StoreError`. */
  read<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#withPatience(() => this.#reads.run(() => work(this.engine.kysely)))
  }

  /**
   * Runs `work` in one transaction: all of it or nothing. It may run more than once when the store was locked, so it
   * changes nothing but the store, and it must not call `read` or `write` itself: SQLite has one connection.
   *
   * Throws `StoreError`. After kind `unanswered` it is not known whether the transaction was committed.
   *
   * One at a time may go `ahead` of all that wait: what audit entries are written with.
   */
  write<T>(work: Work<T>, ahead = false): Promise<T> {
    return this.#write(work, () => this.#waiting, ahead)
  }

  /** The same for what is worth little once the machine has failed: then it may be gone, though all of it or nothing. */
  writeLightly<T>(work: Work<T>): Promise<T> {
    const { lightly } = this.engine
    // What the disk has not seen proves nothing about it: while writing fails, this waits as well.
    return this.#write(work, () => (lightly !== undefined && this.isWritable ? lightly : this.#waiting))
  }

  async #write<T>(work: Work<T>, transact: () => Transact, ahead = false): Promise<T> {
    let committing = false
    const attempt = async (within: Transaction<Tables>): Promise<T> => {
      committing = false
      // It may have failed for another call while this one waited for its turn.
      if (this.#ended !== undefined) throw this.#ended
      const result = await work(within)
      if (!this.isWritable) await proveRoom(within)
      committing = true
      return result
    }
    try {
      const begin = (): Promise<T> => transact()(attempt)
      const result = await this.#withPatience(ahead ? begin : () => this.#writes.run(begin))
      this.#writability?.succeeded()
      return result
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      // A row that cannot be read says nothing of writing, unless each entry needs it.
      const isAboutWriting = !(error instanceof UnreadableRow) || error.table === 'audit_head'
      if (isAboutWriting && this.#closing === undefined) this.#writability?.failed(error.kind)
      throw committing && error.kind === 'unreachable' ? new StoreError('unanswered', error.code) : error
    }
  }

  /** What `read` makes of each row. One that it cannot take is named in the log, once, and left out. */
  readable<Row extends object, Read>(rows: readonly Row[], read: (row: Row) => Read): readonly Read[] {
    const all: Read[] = []
    for (const row of rows) {
      try {
        all.push(read(row))
      } catch (error) {
        const said = `${nameOf(row)} ${String(error)}`
        if (this.#said.has(said) || this.#said.size >= MAX_SAID) continue
        this.#said.add(said)
        this.#log?.error({ err: error, row: nameOf(row) }, 'a row cannot be read: it is left out')
      }
    }
    return all
  }

  /** Whether the last that was heard of writing is that it works. */
  get isWritable(): boolean {
    return this.#writability?.isWritable ?? true
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
      await this.#mend()
      try {
        return await attempt()
      } catch (error) {
        const failure = error instanceof StoreError ? error : this.engine.classify(error)
        if (failure === undefined) throw error
        if (this.#isFinal(failure) && !(failure instanceof UnreadableRow)) this.#end(failure)
        const worthwhile = failure.kind === 'locked' && this.clock.monotonicMs() + pauseMs < giveUpAt
        if (!worthwhile) throw failure
      }
      await this.clock.sleep(pauseMs)
    }
  }

  /** A server comes back by itself and checks its own pages; a file that failed once is not trusted as it is. */
  #isFinal({ kind }: StoreError): boolean {
    return this.engine.name === 'sqlite' && (kind === 'corrupt' || kind === 'unreachable')
  }

  #end(failure: StoreError): void {
    if (this.#closing !== undefined) return
    this.#ended = failure
    this.#mendAtMs = this.clock.monotonicMs() + MEND_PAUSE_MS
    // Reading may find it first, and operators are told all the same.
    this.#writability?.failed(failure.kind)
  }

  /**
   * A file whose disk failed is opened again, now and then, by one call for all; a damaged one stays as it is until
   * somebody has seen to it and starts the bot anew. Throws what ended it while it cannot be used.
   */
  async #mend(): Promise<void> {
    if (this.#ended === undefined) return
    const isOver = this.#closing !== undefined || this.#ended.kind !== 'unreachable' || !('reopen' in this.engine)
    if (isOver || this.clock.monotonicMs() < this.#mendAtMs) throw this.#ended
    this.#mending ??= this.#reopen().finally(() => (this.#mending = undefined))
    await this.#mending
  }

  async #reopen(): Promise<void> {
    try {
      await this.engine.reopen?.()
      if (this.#closing === undefined) this.#ended = undefined
    } catch (error) {
      const failure = error instanceof StoreError ? error : this.engine.classify(error)
      if (failure === undefined) throw error
      // What else keeps it from being opened, such as a lock, passes as well: it is tried again.
      this.#end(failure.kind === 'corrupt' ? failure : new StoreError('unreachable', failure.code))
      throw failure
    }
  }
}

/** All waiting for a lock together: whoever asked in Slack must have an answer within three seconds. */
const PATIENCE_MS = 2_000
const FIRST_PAUSE_MS = 10
const MAX_SAID = 1_000
const LONGEST_PAUSE_MS = 160
/** Between two tries to open a file again: its check reads all of it. */
export const MEND_PAUSE_MS = 5_000
