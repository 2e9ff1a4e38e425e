import { sql, type Transaction } from 'kysely'
import * as z from 'zod'
import { assertTransitions, type ChangeMove, ChangeSweep, stateColumns, toChange, toColumns } from './change-steps.ts'
import {
  CHANGE_STATES,
  type Change,
  ChangeRow,
  type ChangeState,
  type ChangeUpdate,
  type NewChange,
  isFinal,
} from '../schema/change.ts'
import { Instant } from '../schema/columns.ts'
import { refuseWhenLate } from '../outbox/idempotency-keys.ts'
import { putNotices } from '../outbox/outbox.ts'
import { countRows, keepNewest, reader, toRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'

/** A change that has begun, or how many the person already has open. */
export type ChangeCreation =
  | { readonly kind: 'created'; readonly change: Change }
  | { readonly kind: 'too_many_open'; readonly open: number }

/** Changes of one person that wait, are approved or are being sent. */
export const MAX_OPEN_CHANGES_PER_PERSON = 20
/** Forms of one person; the oldest, which Slack can show no more, make room. */
export const MAX_DRAFTS_PER_PERSON = 20
/** So little may be the way to the store and back. */
const SAME_CLOCK_MS = 1_000

export interface ChangeQuery {
  /** All states unless given. */
  readonly states?: readonly ChangeState[] | undefined
  readonly requestedBy?: string | undefined
  /** Leaves out what was never asked for: forms given up before there was anything to confirm. */
  readonly askedFor?: boolean | undefined
  /** Not settled, or ended at this time or later. */
  readonly since?: Date | undefined
  /** Begun at this time or earlier. */
  readonly until?: Date | undefined
  /** At most 100. */
  readonly limit: number
  readonly oldestFirst?: boolean
  /** Only changes older than this one: the last of the page before. */
  readonly before?: Pick<Change, 'createdAt' | 'id'> | undefined
}

/** What a message about a change shows, and where the message is; no place where nobody takes a message about it. */
export interface ShownAt {
  readonly revision: number
  readonly channel?: string | undefined
  readonly ts?: string | undefined
}

const MAX_CHANGE_PAGE_ROWS = 100
/** In place of rows that cannot be read, so that a page of fewer rows is the last. */
const SPARE_ROWS = 10
/** Identical requests looked for: enough to say that there are more than one. */
const MAX_SIMILAR_ROWS = 10
/** Longer than it may take to post: one place after the other, and Slack has ten seconds to answer. */
const POSTING_MS = 45_000

/** Requested writes. Every step but editing a draft is one transaction with its entry in the record. */
export class Changes extends ChangeSweep {
  /** Begins a change as a draft. Refuses when the person has twenty open. */
  async create(change: NewChange): Promise<ChangeCreation> {
    const { clock } = this.database
    return this.audit.record<ChangeCreation>(async ({ rows }) => {
      const now = clock.now()
      const begun = { state: 'draft', createdAt: now, updatedAt: now, revision: 0, shownRevision: 0 } as const
      const timed = await this.#timed(change, rows)
      const row = toRow(ChangeRow, { ...timed, ...begun, id: change.id ?? clock.newId() })
      const isOpen = sql`requested_by = ${change.requestedBy} and state in ('waiting', 'approved', 'sending')`
      const open = await countRows(rows, 'changes', isOpen)
      if (open >= MAX_OPEN_CHANGES_PER_PERSON) return { kind: 'too_many_open', open }
      const drafts = sql`requested_by = ${change.requestedBy} and state = 'draft'`
      await keepNewest(rows, 'changes', { by: 'createdAt', most: MAX_DRAFTS_PER_PERSON - 1, of: drafts })
      await rows
        .insertInto('changes')
        .values({ ...row, announcingUntil: null })
        .execute()
      return { kind: 'created', change: toChange(row) }
    })
  }

  async get(id: string): Promise<Change | undefined> {
    return this.database.first((db) => db.selectFrom('changes').selectAll().where('id', '=', id), toChange)
  }

  /** Those whose id is this or begins like this, two at most: more than one is too many to say which is meant. */
  async find(beginning: string): Promise<readonly Change[]> {
    return this.database.list(
      // Ids are hexadecimal, so whatever begins like this comes before a letter that is none of theirs.
      (db) =>
        db.selectFrom('changes').selectAll().where('id', '>=', beginning).where('id', '<', `${beginning}g`).limit(2),
      toChange,
    )
  }

  /**
   * Replaces the values of a draft, and with them what its review shows and how long it may be confirmed. Undefined,
   * and nothing changed, when it is no draft any more.
   */
  async saveDraft(
    id: string,
    values: Change['values'],
    reviewed: Pick<ChangeUpdate, 'hash' | 'requestHash' | 'sentence' | 'expiresAt'> = {},
  ): Promise<Change | undefined> {
    const row = await this.database.write(async (rows) =>
      rows
        .updateTable('changes')
        .set(toColumns({ ...(await this.#timed(reviewed, rows)), values }))
        .set({ updatedAt: this.database.clock.now().getTime() })
        .where('id', '=', id)
        .where('state', '=', 'draft')
        .returningAll()
        .executeTakeFirst(),
    )
    // What was typed before may be secret, and is in the log still.
    if (row !== undefined) await this.database.erase()
    return row && toChange(row)
  }

  /** Whether a change's time is over by the store's clock, which it was set by. */
  async isOver({ expiresAt }: Change): Promise<boolean> {
    return expiresAt.getTime() <= (await this.database.read((db) => this.database.engine.nowMs(db)))
  }

  /**
   * Notes that the message about a change shows this revision, and where it stands; what was kept to be shown in the end
   * is erased with it. False, and nothing is noted, where another process has shown a newer one meanwhile.
   */
  async shown(id: string, { revision, channel, ts }: ShownAt): Promise<boolean> {
    const { numUpdatedRows } = await this.database.write((rows) =>
      rows
        .updateTable('changes')
        .set((eb) => ({
          shownRevision: revision,
          announcingUntil: null,
          ...(channel !== undefined && ts !== undefined && { messageChannel: channel, messageTs: ts }),
          answer: eb
            .case()
            .when(eb.and([eb('revision', '=', revision), eb('state', 'in', CHANGE_STATES.filter(isFinal))]))
            .then(null)
            .else(eb.ref('answer'))
            .end(),
        }))
        .where('id', '=', id)
        .where('shownRevision', '<=', revision)
        .executeTakeFirstOrThrow(),
    )
    return numUpdatedRows > 0n
  }

  /**
   * Lets one process alone post or edit the message about a change, for 45 s or until `shown` notes it: undefined while
   * another one may, or when the message is not the one that the caller knows of any more, or shows something newer. The
   * answer gives it back before.
   */
  async claimMessage(
    id: string,
    { messageTs, revision }: Pick<Change, 'messageTs' | 'revision'>,
  ): Promise<(() => Promise<void>) | undefined> {
    const { engine } = this.database
    // A process that has the file has it alone, and does one thing after the other for each change.
    if (engine.name === 'sqlite') return async () => undefined
    const until = await this.database.write(async (rows) => {
      const now = await engine.nowMs(rows)
      const row = await rows
        .updateTable('changes')
        .set({ announcingUntil: now + POSTING_MS })
        .where('id', '=', id)
        .where('messageTs', 'is not distinct from', messageTs ?? null)
        .where('shownRevision', '<=', revision)
        .where((eb) => eb.or([eb('announcingUntil', 'is', null), eb('announcingUntil', '<=', now)]))
        .returning('announcingUntil')
        .executeTakeFirst()
      return row?.announcingUntil ?? undefined
    })
    if (until === undefined) return undefined
    return async () => {
      await this.database.write((rows) =>
        rows
          .updateTable('changes')
          .set({ announcingUntil: null })
          .where('id', '=', id)
          .where('announcingUntil', '=', until)
          .execute(),
      )
    }
  }

  /** Changes that were asked for and whose message is out of date, the longest so first; at most 100. */
  async unshown(limit: number): Promise<readonly Change[]> {
    return this.database.list(
      (db) =>
        db
          .selectFrom('changes')
          .selectAll()
          .where('requestedAt', 'is not', null)
          .whereRef('shownRevision', '<', 'revision')
          .orderBy('updatedAt')
          .orderBy('id')
          .limit(Math.min(limit, MAX_CHANGE_PAGE_ROWS)),
      toChange,
    )
  }

  /** Newest first unless the query says otherwise. */
  async list(wanted: ChangeQuery): Promise<readonly Change[]> {
    const { states, requestedBy, askedFor, since, until, oldestFirst, limit, before } = wanted
    if (states?.length === 0) return []
    const found = await this.database.list((db) => {
      let query = db.selectFrom('changes').selectAll()
      if (states !== undefined) query = query.where('state', 'in', states)
      if (requestedBy !== undefined) query = query.where('requestedBy', '=', requestedBy)
      if (askedFor === true) query = query.where('sentence', 'is not', null)
      if (until !== undefined) query = query.where('createdAt', '<=', until.getTime())
      if (since !== undefined)
        query = query.where((eb) => eb.or([eb('endedAt', 'is', null), eb('endedAt', '>=', since.getTime())]))
      if (before !== undefined)
        query = query.where((eb) =>
          eb(eb.refTuple('createdAt', 'id'), '<', eb.tuple(before.createdAt.getTime(), before.id)),
        )
      const order = oldestFirst === true ? 'asc' : 'desc'
      return query
        .orderBy('createdAt', order)
        .orderBy('id', order)
        .limit(Math.min(limit, MAX_CHANGE_PAGE_ROWS) + SPARE_ROWS)
    }, toChange)
    return found.slice(0, Math.min(limit, MAX_CHANGE_PAGE_ROWS))
  }

  /** What was done to the platform in a stretch of time with both its ends, newest first: when, and what. */
  async doneBetween(stretch: { readonly from: Date; readonly until: Date; readonly limit: number }) {
    const { from, until, limit } = stretch
    return this.database.list(
      (db) =>
        db
          .selectFrom('changes')
          .select(['endedAt as at', 'sentence'])
          .where('endedAt', '>=', from.getTime())
          .where('endedAt', '<=', until.getTime())
          .where('state', '=', 'done')
          .where('sentence', 'is not', null)
          .orderBy('endedAt', 'desc')
          .orderBy('id', 'desc')
          .limit(limit),
      toDone,
    )
  }

  /** The newest changes that ask for the same: done since then, or not settled, however old. At most ten. */
  async alike(requestHash: string, since: Date): Promise<readonly Change[]> {
    return this.database.list(
      (db) =>
        db
          .selectFrom('changes')
          .selectAll()
          .where('requestHash', '=', requestHash)
          .where((eb) =>
            eb.or([
              eb('state', 'in', ['waiting', 'approved', 'sending', 'unknown']),
              eb.and([eb('state', '=', 'done'), eb('updatedAt', '>=', since.getTime())]),
            ]),
          )
          .orderBy('updatedAt', 'desc')
          .orderBy('id', 'desc')
          .limit(MAX_SIMILAR_ROWS),
      toChange,
    )
  }

  /**
   * Takes one step: compares the state, sets the new one and appends the entry, all or nothing. Undefined when the
   * change is gone, is in none of the `from` states or bound to something else, or, on the way to `sending`, has expired
   * by the store's clock.
   *
   * Only who gets the change back may act on it. Throws RangeError for a step that `TRANSITIONS` does not have, and
   * UserError `busy` when it was too late to commit.
   */
  async move(id: string, move: ChangeMove): Promise<Change | undefined> {
    assertTransitions(move)
    const moved = await this.audit.record(async (recording) => {
      const judgedAt = await this.database.engine.nowMs(recording.rows)
      const set = move.set && (await this.#timed(move.set, recording.rows))
      const { from, to, boundTo } = move
      const row = await recording.rows
        .updateTable('changes')
        .set((eb) => ({ ...toColumns(set ?? {}), ...stateColumns(eb, move, judgedAt) }))
        .where('id', '=', id)
        .where('state', 'in', from)
        .$if(boundTo !== undefined, (query) => query.where('hash', '=', boundTo ?? null))
        .$if(to === 'sending', (query) => query.where('expiresAt', '>', judgedAt))
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return undefined
      await recording.append(move.audit)
      await putNotices(recording.rows, move.notices ?? [], this.database)
      refuseWhenLate(this.database.clock, move.notAfterMs)
      return toChange(row)
    })
    if (moved !== undefined && move.set?.values !== undefined) await this.database.erase()
    return moved
  }

  /** With an end that is so far from the store's present as it is from the caller's, whose clock may be another one. */
  async #timed<Given extends Pick<ChangeUpdate, 'expiresAt'>>(given: Given, rows: Transaction<Tables>): Promise<Given> {
    if (given.expiresAt === undefined) return given
    const { clock, engine } = this.database
    const ahead = (await engine.nowMs(rows)) - clock.now().getTime()
    return Math.abs(ahead) < SAME_CLOCK_MS
      ? given
      : { ...given, expiresAt: new Date(given.expiresAt.getTime() + ahead) }
  }
}

const toDone = reader('changes', z.object({ at: Instant, sentence: z.string() }))
