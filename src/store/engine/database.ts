import type { Kysely, Transaction } from 'kysely'
import type { Clock } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import { readHead } from '../schema/audit-chain.ts'
import { nameOf, UnreadableRow } from '../schema/rows.ts'
import { LeaseLostError, StoreError, type StoreErrorKind } from '../schema/store-error.ts'
import type { Tables } from '../schema/tables.ts'

/** Asks a server for its time, in milliseconds, and compares it with this machine's. */
export type Timed = (ask: () => Promise<number>) => Promise<number>

/** All that differs between SQLite and PostgreSQL once a database is open. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  readonly kysely: Kysely<Tables>
  /** How many reads and writes there may be at once; left out: any number. */
  readonly places?: { readonly reads: number; readonly writes: number }
  /** Lets others have their turn where a commit holds the process. */
  readonly beforeWrite?: () => Promise<void>
  /** The engine's own failure as a `StoreError`; undefined for an error that is not the engine's. */
  classify(error: unknown): StoreError | undefined
  /** The clock that leases are judged by: one for everybody who shares the store. Milliseconds since 1970. */
  nowMs(within: Kysely<Tables>): Promise<number>
  /**
   * Cuts off the log that holds what was overwritten or deleted, as far as it is in the engine's hands: false while somebody
   * still reads there.
   */
  cutLog(): Promise<boolean>
  /** Whether what it calls committed survives its own crash; left out where that is not in other hands. */
  readonly keepsCommits?: () => Promise<boolean>
  close(): Promise<void>
}

interface DatabaseOptions {
  readonly writability?: Writability | undefined
  readonly log?: Pick<Log, 'error' | 'warn'> | undefined
  /** See `StoreOptions`. */
  readonly onSyncFailed?: ((failure: StoreError) => void) | undefined
}

export interface WriteOptions {
  readonly ahead?: boolean
  readonly asHolder?: boolean
}

/** For what is done once for all who share the store. */
export const AS_HOLDER: WriteOptions = { asHolder: true }

type Query<Row> = (db: Kysely<Tables>) => { execute(): Promise<readonly Row[]> }

/** The tables work on this and nothing else: reading, and writing in one transaction, with bounded patience. */
export class Database {
  readonly engine: Engine
  readonly clock: Clock
  readonly log: DatabaseOptions['log']
  /** Called when messages were put into the outbox, in transactions of this process, however those end. */
  onOutboxPut: () => void = () => undefined
  /** The lease as this process has it, without a fence while another one holds it; undefined where there is none to heed. */
  lease: { readonly fence: number | undefined } | undefined
  /** Why nothing more is asked of the engine: a damaged file waits for a person, and what the disk lost for a new start. */
  #ended: StoreError | undefined
  #closing: Promise<void> | undefined
  /** Erased values are still in the log: somebody read there when it was to be cut. */
  #isCutOwed = false
  readonly #options: DatabaseOptions
  /** Said once: they are found again at each look. */
  readonly #said = new Set<string>()
  readonly #reads: Turns
  /** Apart from reads, which shall not wait while one write waits for another. */
  readonly #writes: Turns

  constructor(engine: Engine, clock: Clock, options: DatabaseOptions = {}) {
    this.engine = engine
    this.clock = clock
    this.log = options.log
    this.#options = options
    this.#reads = new Turns(clock, engine.places?.reads ?? Number.POSITIVE_INFINITY)
    this.#writes = new Turns(clock, engine.places?.writes ?? Number.POSITIVE_INFINITY)
  }

  /** Reads with single statements. Throws `StoreError`. */
  read<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#withPatience(() => this.#reads.run(() => work(this.engine.kysely)))
  }

  /** What `toRecord` makes of each row of a query; a row that it cannot take is left out, see `readable`. */
  async list<Row extends object, Read>(query: Query<Row>, toRecord: (row: Row) => Read): Promise<readonly Read[]> {
    return this.readable(await this.read((db) => query(db).execute()), toRecord)
  }

  /** The same of the first row; undefined when there is none. Throws `StoreError` where it cannot be read. */
  async first<Row extends object, Read>(query: Query<Row>, toRecord: (row: Row) => Read): Promise<Read | undefined> {
    const [row] = await this.read((db) => query(db).execute())
    return row && toRecord(row)
  }

  /**
   * Runs `work` in one transaction: all of it or nothing. It may run more than once when the store was locked, so it
   * changes nothing but the store, and it must not call `read` or `write` itself: SQLite has one connection.
   *
   * Throws `StoreError`. After kind `unanswered` it is not known whether the transaction was committed.
   *
   * One at a time may go `ahead` of all that wait: what audit entries are written with. With `asHolder` nothing is written,
   * and `LeaseLostError` thrown, unless this process still holds the lease when it commits.
   */
  async write<T>(
    work: (within: Transaction<Tables>) => Promise<T>,
    { ahead = false, asHolder = false }: WriteOptions = {},
  ): Promise<T> {
    let committing = false
    const { lease } = this
    const attempt = async (within: Transaction<Tables>): Promise<T> => {
      committing = false
      // It may have failed for another call while this one waited for its turn.
      if (this.#ended !== undefined) throw this.#ended
      if (asHolder && lease !== undefined) await keepLease(within, lease.fence)
      const result = await work(within)
      if (!this.isWritable) await proveRoom(within)
      committing = true
      return result
    }
    try {
      const begin = async (): Promise<T> => {
        await this.engine.beforeWrite?.()
        return this.engine.kysely.transaction().execute(attempt)
      }
      const result = await this.#withPatience(ahead ? begin : () => this.#writes.run(begin))
      this.#options.writability?.succeeded()
      return result
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      // A row that cannot be read says nothing of writing, unless each entry needs it.
      const isAboutWriting =
        error instanceof UnreadableRow ? error.table === 'audit_head' : !(error instanceof LeaseLostError)
      if (isAboutWriting && this.#closing === undefined) this.#options.writability?.failed(error.kind)
      throw committing && error.kind === 'unreachable' ? new StoreError('unanswered', error.code) : error
    }
  }

  /** What was overwritten or deleted before leaves the log at once, or with `settleErasure` while somebody reads there. */
  async erase(): Promise<void> {
    if (!this.#isCutOwed) await this.settleErasure()
  }

  /**
   * For each round of maintenance: cuts the log, whoever was to do that before. Says once that it cannot, until it could.
   * Never throws: what it follows is committed.
   */
  async settleErasure(): Promise<void> {
    let failure: StoreError | undefined
    const isCut = await this.engine.cutLog().catch((error: unknown) => {
      failure = this.engine.classify(error)
      if (failure !== undefined) this.#endAfter(failure)
      return false
    })
    if (!isCut && !this.#isCutOwed && this.#closing === undefined)
      this.log?.warn(
        { err: failure },
        'erased values are still in the log of the store: they go when nobody else reads it',
      )
    this.#isCutOwed = !isCut
  }

  /** Writes as much as anything usual does, and takes it away again. Throws `StoreError` where that cannot be done now. */
  async prove(): Promise<void> {
    await this.write(async (within) => {
      await proveRoom(within)
      await this.engine.nowMs(within)
    })
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
        this.log?.error({ err: error, row: nameOf(row) }, 'a row cannot be read: it is left out')
      }
    }
    return all
  }

  /** Whether the last that was heard of writing is that it works. */
  get isWritable(): boolean {
    return this.#options.writability?.isWritable ?? true
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
        this.#endAfter(failure)
        const worthwhile = failure.kind === 'locked' && this.clock.monotonicMs() + pauseMs < giveUpAt
        if (!worthwhile) throw failure
      }
      await this.clock.sleep(pauseMs)
    }
  }

  /** A server comes back by itself and checks its own pages; a file is not trusted any more when it is damaged or not kept. */
  #endAfter(failure: StoreError): void {
    const isDamaged = failure.kind === 'corrupt' && !(failure instanceof UnreadableRow)
    if (this.engine.name !== 'sqlite' || (this.#closing ?? this.#ended) !== undefined) return
    if (!isDamaged && !failure.isSyncFailure) return
    this.#ended = failure
    // Reading may find it first, and operators are told all the same.
    this.#options.writability?.failed(failure.kind)
    if (failure.isSyncFailure) this.#options.onSyncFailed?.(failure)
  }
}

/** Nobody else takes the lease before this is committed. Its renewal does not wait for that: it leaves the key as it is. */
async function keepLease(within: Transaction<Tables>, fence: number | undefined): Promise<void> {
  if (fence === undefined) throw new LeaseLostError()
  const lease = await within
    .selectFrom('lease')
    .select('fence')
    .where('fence', '=', fence)
    .forKeyShare()
    .executeTakeFirst()
  if (lease === undefined) throw new LeaseLostError()
}

/** A part of the store whose steps do not stand on record. */
export class Unrecorded {
  protected readonly database: Database

  constructor(database: Database) {
    this.database = database
  }
}

/**
 * Writes as much as anything usual does, and takes it away again in the same transaction. To commit nothing, or a change
 * in place, proves little: a full disk takes that too, and a store that said it can be written would refuse the next entry.
 * So it would without the head of the record.
 */
async function proveRoom(within: Transaction<Tables>): Promise<void> {
  await readHead(within)
  await within
    .insertInto('remembered')
    .values({ name: ROOM, value: JSON.stringify('x'.repeat(ROOM_BYTES)), at: 0 })
    .execute()
  await within.deleteFrom('remembered').where('name', '=', ROOM).execute()
}

/** Lets so many in at once; the others wait in line. In a driver's own line a burst looks like a server that is gone. */
class Turns {
  readonly #clock: Clock
  readonly #waiting = new Set<PromiseWithResolvers<void>>()
  #free: number

  constructor(clock: Clock, places: number) {
    this.#clock = clock
    this.#free = places
  }

  /** Throws `StoreError` of kind `busy`, and nothing was begun, when the line is too long or does not move on. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await this.#wait()
    try {
      return await work()
    } finally {
      // Whoever waits longest has the place at once, so that nobody new comes first.
      const [next] = this.#waiting
      if (next === undefined) this.#free += 1
      else {
        this.#waiting.delete(next)
        next.resolve()
      }
    }
  }

  async #wait(): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) throw new StoreError('busy')
    const turn = Promise.withResolvers<void>()
    this.#waiting.add(turn)
    const timer = this.#clock.after(MAX_WAIT_MS, () => {
      if (this.#waiting.delete(turn)) turn.reject(new StoreError('busy'))
    })
    await turn.promise.finally(() => timer.cancel())
  }
}

/** All waiting for a lock together: whoever asked in Slack must have an answer within three seconds. */
const PATIENCE_MS = 2_000
const FIRST_PAUSE_MS = 10
const MAX_SAID = 1_000
const LONGEST_PAUSE_MS = 160
/** More than people can ask for in the time that one of them waits, and that time: Slack wants an answer within three seconds. */
const MAX_WAITING = 2_000
const MAX_WAIT_MS = 2_000
/** As much as the largest of the usual transactions needs. */
const ROOM_BYTES = 64 * 1_024
const ROOM = 'room'

/** Whether the store takes writes, and what failed last when it does not. */
export type WritableState = { readonly writable: true } | { readonly writable: false; readonly why: StoreErrorKind }

/**
 * How long the store may refuse for reasons that concern one statement or pass by themselves, such as a lock of a
 * backup, before it counts as not writable.
 */
export const PASSING_MS = 10_000

const PASSING: ReadonlySet<StoreErrorKind> = new Set(['locked', 'busy', 'other'])

/**
 * Follows the writes of a process and tells when the store stops taking them, and when it takes them again: each once.
 * A full disk, a damaged file or a server out of reach count at once; what may pass counts when a second write fails
 * with it ten seconds after the first and none has succeeded in between.
 */
export class Writability {
  readonly #clock: Clock
  readonly #tell: (state: WritableState) => void
  #writable = true
  #failingSinceMs: number | undefined

  constructor(clock: Clock, tell: (state: WritableState) => void) {
    this.#clock = clock
    this.#tell = tell
  }

  get isWritable(): boolean {
    return this.#writable
  }

  succeeded(): void {
    this.#failingSinceMs = undefined
    if (this.#writable) return
    this.#writable = true
    this.#tell({ writable: true })
  }

  failed(why: StoreErrorKind): void {
    const now = this.#clock.monotonicMs()
    this.#failingSinceMs ??= now
    if (!this.#writable || (PASSING.has(why) && now - this.#failingSinceMs < PASSING_MS)) return
    this.#writable = false
    this.#tell({ writable: false, why })
  }
}
