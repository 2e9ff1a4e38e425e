import type { Kysely, Transaction } from 'kysely'
import * as z from 'zod'
import type { Clock } from '../../shared/clock.ts'
import { UserError } from '../../shared/errors.ts'
import type { Log } from '../../shared/log.ts'
import { type AuditChain, type AuditHead, lockHead, moveHead, readHead } from '../schema/audit-chain.ts'
import { type AuditEntry, type AuditEvent, AuditRow, type RecordedEntry } from '../schema/audit-entry.ts'
import { type AuditVerdict, checkAuditKey, verifyRecord } from './audit-verification.ts'
import { Instant, optional } from '../schema/columns.ts'
import { type Database, Unrecorded, type WriteOptions } from '../engine/database.ts'
import { noteDelivery, type Once, refuseWhenLate } from '../outbox/idempotency-keys.ts'
import { type NewNotice, putNotices } from '../outbox/outbox.ts'
import { reader } from '../schema/rows.ts'
import { StoreError } from '../schema/store-error.ts'
import { type AuditEntriesTable, AuditEntryRow, type Tables } from '../schema/tables.ts'

/** A transaction whose effects stand on record: rows and audit entries are committed together or not at all. */
export interface Recording {
  readonly rows: Transaction<Tables>
  readonly append: (entry: AuditEntry) => Promise<RecordedEntry>
}

/** Which entries: all that every given part holds for. */
export interface AuditFilter {
  readonly actor?: string | undefined
  readonly operation?: string | undefined
  readonly changeId?: string | undefined
  readonly events?: readonly AuditEvent[] | undefined
  /** At this time or later. */
  readonly from?: Date | undefined
  /** Before this time. */
  readonly until?: Date | undefined
}

export interface AuditQuery extends AuditFilter {
  /** At most 500. */
  readonly limit: number
  /** Only entries with a smaller number: the last `seq` of the page before. */
  readonly before?: number | undefined
}

export const MAX_AUDIT_PAGE_ROWS = 500

/** Entries that wait to be written, and how many of them one transaction takes. */
const MAX_QUEUED_ENTRIES = 5_000
const MAX_COMMITTED_TOGETHER = 120

/** The record of what was asked, decided and done. Nothing here changes or deletes an entry: it is kept for ever. */
export class AuditLog {
  readonly #database: Database
  readonly #chain: AuditChain
  readonly #queue: (PromiseWithResolvers<RecordedEntry> & { readonly entry: AuditEntry })[] = []
  #isWriting = false

  constructor(database: Database, chain: AuditChain) {
    this.#database = database
    this.#chain = chain
  }

  /** One entry by itself: committed together with others that wait for the chain, or with what has to be told of it. */
  async append(entry: AuditEntry, notices: readonly NewNotice[] = [], once?: Once): Promise<RecordedEntry> {
    if (notices.length > 0)
      return this.record(async (recording) => {
        await putNotices(recording.rows, notices, this.#database)
        return recording.append(entry)
      }, once)
    AuditRow.parse(entry)
    if (this.#queue.length >= MAX_QUEUED_ENTRIES) throw new StoreError('busy')
    const recorded = Promise.withResolvers<RecordedEntry>()
    this.#queue.push({ ...recorded, entry })
    if (!this.#isWriting) void this.#writeQueue()
    return recorded.promise
  }

  /** Never rejects: each entry says what became of it. */
  async #writeQueue(): Promise<void> {
    this.#isWriting = true
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, MAX_COMMITTED_TOGETHER)
      const write = ({ append }: Recording) => Promise.all(batch.map(({ entry }) => append(entry)))
      try {
        const recorded = await this.record(write, { ahead: true })
        for (const [place, entry] of recorded.entries()) batch[place]?.resolve(entry)
      } catch (error) {
        // Where nothing answers, those behind would wait in vain for as long again.
        const isGone = error instanceof StoreError && error.kind === 'unreachable'
        for (const { reject } of isGone ? [...batch, ...this.#queue.splice(0)] : batch) reject(error)
      }
    }
    this.#isWriting = false
  }

  /**
   * Runs `work` in one transaction in which entries can be appended. It starts by locking the head of the chain, so
   * recorded transactions happen one after the other: no two of them deadlock, and what one counts stays true.
   *
   * With what `Once` has it happens for the first of its deliveries only. Throws UserError `repeated` for a later one, and
   * `busy` when it was too late to commit; nothing is written then.
   */
  async record<T>(
    work: (recording: Recording) => Promise<T>,
    { key, notAfterMs, ...options }: WriteOptions & Partial<Once> = {},
  ): Promise<T> {
    return this.#database.write(async (rows) => {
      let head = await lockHead(rows)
      const added: AuditEntriesTable[] = []
      if (key !== undefined && !(await noteDelivery(rows, key, this.#database.clock)))
        throw new UserError('repeated', 'This was done already, and not a second time.')
      const result = await work({
        rows,
        append: async (entry) => {
          const bare = { seq: head.seq + 1, ...AuditRow.parse(entry) }
          const row = { ...bare, hash: this.#chain.hash(head.hash, bare) }
          added.push(row)
          head = row
          return toEntry(row)
        },
      })
      // At the end, since each statement is a way to the server and back. Of ten values each, SQLite takes 3,276 in one.
      if (added.length > 0) {
        await rows.insertInto('auditEntries').values(added).execute()
        await moveHead(rows, head)
      }
      refuseWhenLate(this.#database.clock, notAfterMs)
      return result
    }, options)
  }

  /** Newest first. */
  async list({ limit, before, ...filter }: AuditQuery): Promise<readonly RecordedEntry[]> {
    const rows = await this.#database.read((db) => {
      const query = filtered(db, filter).orderBy('seq', 'desc').limit(Math.min(limit, MAX_AUDIT_PAGE_ROWS))
      return (before === undefined ? query : query.where('seq', '<', before)).execute()
    })
    return rows.map((row) => this.#shown(row))
  }

  /** Everything, oldest first, in pages of at most 500. What is appended meanwhile may be in it. */
  async *pages(filter: AuditFilter = {}): AsyncGenerator<readonly RecordedEntry[]> {
    for (let after = 0; ;) {
      const rows = await this.#database.read((db) =>
        filtered(db, filter).where('seq', '>', after).orderBy('seq').limit(MAX_AUDIT_PAGE_ROWS).execute(),
      )
      const last = rows.at(-1)
      if (last === undefined) return
      yield rows.map((row) => this.#shown(row))
      after = last.seq
    }
  }

  /** One that cannot be read stands for itself: a record without it would look whole. */
  #shown(row: AuditEntriesTable): RecordedEntry {
    const [entry] = this.#database.readable([row], toEntry)
    return (
      entry ?? { ...Spoilt.parse(row), event: 'unreadable', summary: 'This entry cannot be read: see audit verify.' }
    )
  }

  /** Recomputes the chain. With a head that was noted elsewhere it also shows whether the newest entries were cut off. */
  verify({ expect }: { readonly expect?: AuditHead | undefined } = {}): Promise<AuditVerdict> {
    return verifyRecord(this.#database, this.#chain, expect)
  }

  /** Throws `StoreError`, whose message says what to do, when this is not the key that the record was made with. */
  checkKey(): Promise<void> {
    return checkAuditKey(this.#database, this.#chain)
  }

  /** What to note elsewhere, for `verify` to expect later. */
  head(): Promise<AuditHead> {
    return this.#database.read(readHead)
  }

  /**
   * Resolves when the head can be read, the least that anything recorded needs; while the store is known not to take
   * writes, only when it takes one again.
   */
  async check(): Promise<void> {
    if (this.#database.isWritable) await this.#database.read(readHead)
    else await this.#database.write(lockHead)
  }
}

export class StorePart extends Unrecorded {
  protected readonly audit: AuditLog

  constructor(database: Database, audit: AuditLog) {
    super(database)
    this.audit = audit
  }
}

function filtered(db: Kysely<Tables>, { actor, operation, changeId, events, from, until }: AuditFilter) {
  let query = db.selectFrom('auditEntries').selectAll()
  if (actor !== undefined) query = query.where('actor', '=', actor)
  if (operation !== undefined) query = query.where('operation', '=', operation)
  if (changeId !== undefined) query = query.where('changeId', '=', changeId)
  if (events !== undefined) query = query.where('event', 'in', events)
  if (from !== undefined) query = query.where('at', '>=', from.getTime())
  if (until !== undefined) query = query.where('at', '<', until.getTime())
  return query
}

const Entry = AuditEntryRow.extend({ at: Instant, changeId: optional(z.string()), detail: optional(z.string()) })

const Unknown = z.string().catch('?')
const Spoilt = z.object({
  seq: z.coerce.number().catch(0),
  at: Instant.catch(new Date(0)),
  actor: Unknown,
  team: Unknown,
  operation: Unknown,
  hash: Unknown,
})

const toEntry: (row: object) => RecordedEntry = reader('audit_entries', Entry)

const COUNTED_MS = 60_000
/** Of persons and operations at once. Beyond that each refusal is an entry. */
const MAX_COUNTED = 1_000

/**
 * Refusals of which one person can cause any number: the first is put on record at once, and more of the same operation as
 * one entry a minute with their number. A crash takes that number only.
 */
export class RepeatedRefusals {
  readonly #parts: { readonly audit: AuditLog; readonly clock: Clock; readonly log: Pick<Log, 'error'> }
  readonly #counted = new Map<string, { last: AuditEntry; times: number }>()

  constructor(audit: AuditLog, clock: Clock, log: Pick<Log, 'error'>) {
    this.#parts = { audit, clock, log }
  }

  /** Throws `StoreError` when it is the first and cannot be put on record. */
  async append(entry: AuditEntry): Promise<void> {
    const key = JSON.stringify([entry.actor, entry.operation])
    const counted = this.#counted.get(key)
    if (counted !== undefined) return void Object.assign(counted, { last: entry, times: counted.times + 1 })
    if (this.#counted.size < MAX_COUNTED) this.#count(key, entry)
    await this.#parts.audit.append(entry)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#counted.keys()].map((key) => this.#write(key)))
  }

  #count(key: string, last: AuditEntry): void {
    this.#counted.set(key, { last, times: 0 })
    this.#parts.clock.after(COUNTED_MS, () => void this.#write(key))
  }

  async #write(key: string): Promise<void> {
    const { last, times = 0 } = this.#counted.get(key) ?? {}
    this.#counted.delete(key)
    if (last === undefined || times === 0) return
    this.#count(key, last)
    const detail = `Refused ${times === 1 ? 'once more' : `${times} more times`} within a minute.`
    await this.#parts.audit.append({ ...last, detail }).catch((error: unknown) => {
      this.#parts.log.error({ err: error, operation: last.operation, times }, 'refusals could not be recorded')
    })
  }
}
