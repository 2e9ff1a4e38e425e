import type { Transaction } from 'kysely'
import type { AuditEntry } from './audit-entry.ts'
import type { AuditLog } from './audit-log.ts'
import { stateColumns, toChange, toColumns, toNewRow } from './change-row.ts'
import { ChangeSweep, type SweepStep } from './change-sweep.ts'
import {
  CHANGE_STATES,
  type Change,
  type ChangeMove,
  type ChangeState,
  type ChangeUpdate,
  type NewChange,
  assertTransitions,
} from './change.ts'
import type { Database } from './database.ts'
import type { ChangesTable, Tables } from './tables.ts'

export interface ChangeQuery {
  /** All states unless given. */
  readonly states?: readonly ChangeState[] | undefined
  readonly requestedBy?: string | undefined
  /** Leaves out what was never asked for: forms given up before there was anything to confirm. */
  readonly askedFor?: boolean | undefined
  /** At most 100. */
  readonly limit: number
  /** Only changes older than this one: the last of the page before. */
  readonly before?: Pick<Change, 'createdAt' | 'id'> | undefined
}

/** A change that has begun, or how many the person already has open. */
export type ChangeCreation =
  | { readonly kind: 'created'; readonly change: Change }
  | { readonly kind: 'too_many_open'; readonly open: number }

const MAX_CHANGE_PAGE_ROWS = 100
/** Changes of one person that wait, are approved or are being sent. */
export const MAX_OPEN_CHANGES_PER_PERSON = 20
/** Forms of one person; the oldest, which Slack can show no more, make room. */
export const MAX_DRAFTS_PER_PERSON = 20
/** Identical requests looked for: enough to say that there are more than one. */
const MAX_SIMILAR_ROWS = 10

/** Requested writes. Every step but editing a draft is one transaction with its entry in the record. */
export class Changes {
  readonly #database: Database
  readonly #audit: AuditLog
  readonly #sweep: ChangeSweep

  constructor(database: Database, audit: AuditLog) {
    this.#database = database
    this.#audit = audit
    this.#sweep = new ChangeSweep(database, audit)
  }

  /** Begins a change as a draft, recorded when an entry is given. Refuses when the person has twenty open. */
  async create(change: NewChange, entry?: AuditEntry): Promise<ChangeCreation> {
    const { clock } = this.#database
    const row = toNewRow(change, change.id ?? clock.newId(), clock.now())
    return this.#audit.record<ChangeCreation>(async (recording) => {
      const open = await countOpen(recording.rows, change.requestedBy)
      if (open >= MAX_OPEN_CHANGES_PER_PERSON) return { kind: 'too_many_open', open }
      await dropOldestDrafts(recording.rows, change.requestedBy)
      await recording.rows.insertInto('changes').values(row).execute()
      if (entry !== undefined) await recording.append(entry)
      return { kind: 'created', change: toChange(row) }
    })
  }

  async get(id: string): Promise<Change | undefined> {
    const row = await this.#database.read((db) =>
      db.selectFrom('changes').selectAll().where('id', '=', id).executeTakeFirst(),
    )
    return row === undefined ? undefined : toChange(row)
  }

  /**
   * Replaces the values of a draft, and with them what its review shows and how long it may be confirmed. Undefined,
   * and nothing changed, when it is no draft any more.
   */
  async saveDraft(
    id: string,
    values: Change['values'],
    reviewed: Pick<ChangeUpdate, 'hash' | 'sentence' | 'expiresAt'> = {},
  ): Promise<Change | undefined> {
    const columns = { ...toColumns({ ...reviewed, values }), updatedAt: this.#database.clock.now().getTime() }
    return this.#update(id, ['draft'], columns)
  }

  /** Notes where the change is shown, in whatever state it is. Undefined when there is no such change. */
  async attach(
    id: string,
    shown: Pick<ChangeUpdate, 'viewExternalId' | 'messageChannel' | 'messageTs'>,
  ): Promise<Change | undefined> {
    return this.#update(id, CHANGE_STATES, { ...toColumns(shown), updatedAt: this.#database.clock.now().getTime() })
  }

  /** Newest first. */
  async list({ states, requestedBy, askedFor, limit, before }: ChangeQuery): Promise<readonly Change[]> {
    if (states?.length === 0) return []
    const rows = await this.#database.read((db) => {
      let query = db.selectFrom('changes').selectAll()
      if (states !== undefined) query = query.where('state', 'in', states)
      if (requestedBy !== undefined) query = query.where('requestedBy', '=', requestedBy)
      if (askedFor === true) query = query.where('sentence', 'is not', null)
      if (before !== undefined) {
        const createdAt = before.createdAt.getTime()
        query = query.where((eb) =>
          eb.or([eb('createdAt', '<', createdAt), eb.and([eb('createdAt', '=', createdAt), eb('id', '<', before.id)])]),
        )
      }
      return query
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(Math.min(limit, MAX_CHANGE_PAGE_ROWS))
        .execute()
    })
    return rows.map(toChange)
  }

  /**
   * Takes one step: compares the state, sets the new one and appends the entry, all or nothing. Undefined when the
   * change is gone, is in none of the `from` states, or, on the way to `sending`, has expired by the store's clock.
   *
   * Only who gets the change back may act on it. Throws RangeError for a step that `TRANSITIONS` does not have.
   */
  async move(id: string, move: ChangeMove): Promise<Change | undefined> {
    assertTransitions(move)
    const update = toColumns(move.set ?? {})
    const moved = await this.#audit.record(async (recording) => {
      const judgedAt = await this.#database.engine.nowMs(recording.rows)
      const row = await recording.rows
        .updateTable('changes')
        .set({ ...update, ...stateColumns(move, judgedAt) })
        .where('id', '=', id)
        .where('state', 'in', move.from)
        .$if(move.to === 'sending', (query) => query.where('expiresAt', '>', judgedAt))
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return undefined
      await recording.append(move.audit)
      return toChange(row)
    })
    if (moved !== undefined && update.values !== undefined) await this.#database.engine.shred()
    return moved
  }

  /**
   * Moves to `unknown` what nobody is sending any more, and returns it: with SQLite, everything in `sending` that
   * `holder` did not begin, for no other process lives; with PostgreSQL, everything whose lease is over by the server's
   * clock. Nothing is ever sent again from here.
   */
  recover(holder: string, now: Date, step: SweepStep): Promise<readonly Change[]> {
    return this.#sweep.recover(holder, now, step)
  }

  /** Moves to `expired` what waited or was approved for too long, and returns it. */
  expire(now: Date, step: SweepStep): Promise<readonly Change[]> {
    return this.#sweep.expire(now, step)
  }

  /** The newest changes with this hash that were touched since then and have happened or may still happen. */
  async recentByHash(hash: string, since: Date): Promise<readonly Change[]> {
    const rows = await this.#database.read((db) =>
      db
        .selectFrom('changes')
        .selectAll()
        .where('hash', '=', hash)
        .where('updatedAt', '>=', since.getTime())
        .where('state', 'in', ['waiting', 'approved', 'sending', 'done', 'unknown'])
        .orderBy('updatedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_SIMILAR_ROWS)
        .execute(),
    )
    return rows.map(toChange)
  }

  /** Deletes abandoned drafts and changes that ended long ago; returns how many. What is `unknown` waits for a person. */
  prune(now: Date): Promise<number> {
    return this.#sweep.prune(now)
  }

  async #update(
    id: string,
    states: readonly ChangeState[],
    columns: Partial<ChangesTable>,
  ): Promise<Change | undefined> {
    const row = await this.#database.write((rows) =>
      rows
        .updateTable('changes')
        .set(columns)
        .where('id', '=', id)
        .where('state', 'in', states)
        .returningAll()
        .executeTakeFirst(),
    )
    return row === undefined ? undefined : toChange(row)
  }
}

async function countOpen(rows: Transaction<Tables>, person: string): Promise<number> {
  const { count } = await rows
    .selectFrom('changes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('requestedBy', '=', person)
    .where('state', 'in', ['waiting', 'approved', 'sending'])
    .executeTakeFirstOrThrow()
  return count
}

async function dropOldestDrafts(rows: Transaction<Tables>, person: string): Promise<void> {
  const surplus = rows
    .selectFrom('changes')
    .select('id')
    .where('requestedBy', '=', person)
    .where('state', '=', 'draft')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_DRAFTS_PER_PERSON)
    .offset(MAX_DRAFTS_PER_PERSON - 1)
  await rows.deleteFrom('changes').where('id', 'in', surplus).execute()
}
