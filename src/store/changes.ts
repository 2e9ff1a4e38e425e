import { sql, type Transaction } from 'kysely'
import type { AuditEntry } from './audit-entry.ts'
import type { AuditLog } from './audit-log.ts'
import { claimPost, noteShown, type ShownAt } from './change-posts.ts'
import { type ChangeQuery, findChange, isAnyUnderWay, listAlike, listChanges, listUnshown } from './change-queries.ts'
import { toChange, toColumns, toNewRow } from './change-row.ts'
import { takeStep } from './change-step.ts'
import { ChangeSweep } from './change-sweep.ts'
import { type Change, type ChangeMove, type ChangeUpdate, type NewChange, assertTransitions } from './change.ts'
import type { Database } from './database.ts'
import { tooSlow } from './deliveries.ts'
import { keepNewest } from './keep-newest.ts'
import { putNotices } from './notices.ts'
import type { Tables } from './tables.ts'

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

/** Requested writes. Every step but editing a draft is one transaction with its entry in the record. */
export class Changes extends ChangeSweep {
  readonly #database: Database
  readonly #audit: AuditLog

  constructor(database: Database, audit: AuditLog) {
    super(database, audit)
    this.#database = database
    this.#audit = audit
  }

  /** Begins a change as a draft, recorded when an entry is given. Refuses when the person has twenty open. */
  async create(change: NewChange, entry?: AuditEntry): Promise<ChangeCreation> {
    const { clock } = this.#database
    return this.#audit.record<ChangeCreation>(async (recording) => {
      const row = toNewRow(await this.#timed(change, recording.rows), change.id ?? clock.newId(), clock.now())
      const open = await countOpen(recording.rows, change.requestedBy)
      if (open >= MAX_OPEN_CHANGES_PER_PERSON) return { kind: 'too_many_open', open }
      const drafts = sql`requested_by = ${change.requestedBy} and state = 'draft'`
      await keepNewest(recording.rows, 'changes', { by: 'createdAt', most: MAX_DRAFTS_PER_PERSON - 1, of: drafts })
      await recording.rows.insertInto('changes').values(row).execute()
      if (entry !== undefined) await recording.append(entry)
      return { kind: 'created', change: toChange(row) }
    })
  }

  get(id: string): Promise<Change | undefined> {
    return findChange(this.#database, id)
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
    const row = await this.#database.write(async (rows) =>
      rows
        .updateTable('changes')
        .set(toColumns({ ...(await this.#timed(reviewed, rows)), values }))
        .set({ updatedAt: this.#database.clock.now().getTime() })
        .where('id', '=', id)
        .where('state', '=', 'draft')
        .returningAll()
        .executeTakeFirst(),
    )
    return row === undefined ? undefined : toChange(row)
  }

  /** Whether a change's time is over by the store's clock, which it was set by. */
  async isOver({ expiresAt }: Change): Promise<boolean> {
    return expiresAt.getTime() <= (await this.#database.read((db) => this.#database.engine.nowMs(db)))
  }

  /**
   * Notes that the message about a change shows this revision, and where it stands; what was kept to be shown in the end
   * is erased with it. A message that shows an older one than is noted already changes nothing.
   */
  async shown(id: string, shown: ShownAt): Promise<void> {
    await noteShown(this.#database, id, shown)
  }

  /**
   * Lets one process alone post the message about a change, for 45 s or until `shown` notes it: undefined while another
   * one may, or when the message is not the one that the caller knows of any more. The answer gives it back before.
   */
  claimPost(id: string, known: Pick<Change, 'messageTs'>): Promise<(() => Promise<void>) | undefined> {
    return claimPost(this.#database, id, known)
  }

  /** Changes that were asked for and whose message is out of date, the longest so first; at most 100. */
  unshown(limit: number): Promise<readonly Change[]> {
    return listUnshown(this.#database, limit)
  }

  /** Whether there is a change that somebody has to be at: it waits, is approved or being sent, or its message is out of date. */
  isAnyUnderWay(): Promise<boolean> {
    return isAnyUnderWay(this.#database)
  }

  /** Newest first unless the query says otherwise. */
  list(query: ChangeQuery): Promise<readonly Change[]> {
    return listChanges(this.#database, query)
  }

  /** The newest changes that ask for the same: done since then, or not settled, however old. At most ten. */
  alike(requestHash: string, since: Date): Promise<readonly Change[]> {
    return listAlike(this.#database, requestHash, since)
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
    const moved = await this.#audit.record(async (recording) => {
      const judgedAt = await this.#database.engine.nowMs(recording.rows)
      const set = move.set && (await this.#timed(move.set, recording.rows))
      const row = await takeStep(recording.rows, id, { ...move, set }, judgedAt)
      if (row === undefined) return undefined
      await recording.append(move.audit)
      await putNotices(recording.rows, move.notices ?? [], this.#database)
      if (this.#database.clock.monotonicMs() >= (move.notAfterMs ?? Number.POSITIVE_INFINITY)) throw tooSlow()
      return toChange(row)
    })
    if (moved !== undefined && move.set?.values !== undefined) await this.#database.engine.shred()
    return moved
  }

  /** With an end that is so far from the store's present as it is from the caller's, whose clock may be another one. */
  async #timed<Given extends Pick<ChangeUpdate, 'expiresAt'>>(given: Given, rows: Transaction<Tables>): Promise<Given> {
    if (given.expiresAt === undefined) return given
    const { clock, engine } = this.#database
    const ahead = (await engine.nowMs(rows)) - clock.now().getTime()
    return Math.abs(ahead) < SAME_CLOCK_MS
      ? given
      : { ...given, expiresAt: new Date(given.expiresAt.getTime() + ahead) }
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
