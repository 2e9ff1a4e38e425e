import type { Expression, ExpressionBuilder, Kysely, SqlBool, UpdateObject } from 'kysely'
import * as z from 'zod'
import { StorePart } from '../audit/audit-log.ts'
import { AS_HOLDER } from '../engine/database.ts'
import { type NewNotice, putNotices } from '../outbox/outbox.ts'
import type { AuditEntry } from '../schema/audit-entry.ts'
import { type Change, ChangeRow, type ChangeState, type ChangeUpdate, isFinal, TRANSITIONS } from '../schema/change.ts'
import { reader } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'

/** Who sends, and for how long that is believed without a sign of life. Longer than the call's own deadline. */
export interface Lease {
  readonly holder: string
  readonly durationMs: number
}

/** One step in the life of a change, with its entry in the record. `sending` needs a lease, nothing else has one. */
export type ChangeMove = {
  /** The states it may be in now. From any other, the move is lost. */
  readonly from: readonly ChangeState[]
  /** What it has to be bound to still: another page of its form may have come in between. Not compared when absent. */
  readonly boundTo?: string | undefined
  readonly set?: ChangeUpdate | undefined
  readonly now: Date
  readonly audit: AuditEntry
  /** By the monotonic clock: what is not ready to be committed by then is taken back. Not looked at when absent. */
  readonly notAfterMs?: number | undefined
  /** What has to be told because of it, to be delivered later; committed with the step. */
  readonly notices?: readonly NewNotice[] | undefined
} & (
  | { readonly to: 'sending'; readonly lease: Lease }
  | { readonly to: Exclude<ChangeState, 'draft' | 'sending'>; readonly lease?: undefined }
)

/** Throws RangeError when the table has no such way: that is a fault in the program, not a lost race. */
export function assertTransitions({ from, to }: Pick<ChangeMove, 'from' | 'to'>): void {
  if (from.length === 0) throw new RangeError(`A move to ${to} names no state to come from`)
  for (const state of from) {
    if (!TRANSITIONS[state].includes(to)) throw new RangeError(`A change cannot go from ${state} to ${to}`)
  }
}

export const toChange: (row: object) => Change = reader('changes', ChangeRow)

/** The columns an update names, and no others. Throws RangeError when its values are larger than 64 KB. */
export function toColumns(update: ChangeUpdate): UpdateObject<Tables, 'changes'> {
  const columns = Object.entries(z.encode(ChangeRow.partial(), update))
  const named = new Set(Object.entries(update).flatMap(([name, value]) => (value === undefined ? [] : [name])))
  return Object.fromEntries(columns.filter(([name]) => named.has(name)))
}

/** The columns that follow from the state gone to. `judgedAtMs` is by the store's clock: leases are measured with it. */
export function stateColumns(
  eb: ExpressionBuilder<Tables, 'changes'>,
  { to, lease, now }: Pick<ChangeMove, 'to' | 'lease' | 'now'>,
  judgedAtMs: number,
): UpdateObject<Tables, 'changes'> {
  return {
    state: to,
    updatedAt: now.getTime(),
    leaseHolder: lease?.holder ?? null,
    leaseUntil: lease === undefined ? null : judgedAtMs + lease.durationMs,
    ...(to === 'sending' && { sentAt: now.getTime() }),
    ...(isFinal(to) && { endedAt: now.getTime() }),
    revision: eb('revision', '+', 1),
    // An approval does not ask anew for what waits.
    ...((to === 'waiting' || to === 'approved') && {
      requestedAt: eb.fn.coalesce('requestedAt', eb.val(now.getTime())),
    }),
  }
}

/** What is written when the program itself ends or settles a change: made from the change as it was found. */
export type SweepStep = (found: Change) => Pick<ChangeMove, 'audit' | 'set' | 'notices'>

/** Forms that were never finished: they can be confirmed for ten minutes, and what was typed into them may be secret. */
export const DRAFT_RETENTION_MS = 3_600_000
/** Changes that have ended. Their entries in the record stay. */
export const CHANGE_RETENTION_MS = 400 * 24 * 3_600_000

/** Steps taken for many changes at once, because of time or a crash and not because of a person. */
export class ChangeSweep extends StorePart {
  /**
   * Moves to `unknown` what nobody is sending any more, and returns it: everything in `sending` whose lease is over by the
   * store's clock, and with SQLite at once what `holder` did not begin, for no other process lives. Nothing is ever sent
   * again from here.
   */
  async recover(holder: string, now: Date, step: SweepStep): Promise<readonly Change[]> {
    const isAlone = this.database.engine.name === 'sqlite'
    return this.#sweep('unknown', now, step, (eb, judgedAt) => [
      eb('state', '=', 'sending'),
      eb.or([eb('leaseUntil', '<=', judgedAt), ...(isAlone ? [eb('leaseHolder', '!=', holder)] : [])]),
    ])
  }

  /** Moves to `expired` what waited or was approved for too long by the store's clock, and returns it. */
  async expire(now: Date, step: SweepStep): Promise<readonly Change[]> {
    return this.#sweep('expired', now, step, (eb, judgedAt) => [
      eb('state', 'in', ['waiting', 'approved']),
      eb('expiresAt', '<=', judgedAt),
    ])
  }

  /** Deletes abandoned drafts and changes that ended long ago. What is `unknown` waits for a person. */
  async prune(now: Date): Promise<void> {
    await this.database.write(
      (rows) =>
        // Who approved them goes with them.
        rows
          .deleteFrom('changes')
          .where((eb) =>
            eb.or([
              eb.and([eb('state', '=', 'draft'), eb('updatedAt', '<=', now.getTime() - DRAFT_RETENTION_MS)]),
              // Only what has ended has such a time, and an index finds it: this is asked every minute.
              eb('endedAt', '<=', now.getTime() - CHANGE_RETENTION_MS),
            ]),
          )
          .execute(),
      AS_HOLDER,
    )
  }

  /**
   * One transaction per batch, until none is left: what was moved before a failure stays moved and on record. What cannot
   * be read is left for a person to look at, and holds up nothing else.
   */
  async #sweep(
    to: 'unknown' | 'expired',
    now: Date,
    step: SweepStep,
    isMeant: (eb: ExpressionBuilder<Tables, 'changes'>, judgedAt: number) => Expression<SqlBool>[],
  ): Promise<readonly Change[]> {
    const swept: Change[] = []
    const skipped: string[] = []
    const find = async (rows: Kysely<Tables>): Promise<readonly Tables['changes'][]> => {
      const judgedAt = await this.database.engine.nowMs(rows)
      const found = rows.selectFrom('changes').selectAll().limit(BATCH_ROWS)
      const meant = found.where((eb) => eb.and(isMeant(eb, judgedAt)))
      return meant.$if(skipped.length > 0, (query) => query.where('id', 'not in', skipped)).execute()
    }
    for (;;) {
      // Most rounds find nothing, and looking for it without the lock of the record writes nothing.
      if ((await this.database.read((db) => find(db))).length === 0) break
      const batch = await this.audit.record(async ({ rows, append }) => {
        const found = await find(rows)
        const read = this.database.readable(found, toChange)
        const steps = this.database.readable(read, (change) => ({ id: change.id, ...step(change) }))
        const moved: Change[] = []
        for (const { id, audit, set = {}, notices = [] } of steps) {
          // The batch was read under the lock of the record's head, so no move can have come in between.
          const row = await rows
            .updateTable('changes')
            .set((eb) => ({ ...toColumns(set), ...stateColumns(eb, { to, now }, now.getTime()) }))
            .where('id', '=', id)
            .returningAll()
            .executeTakeFirstOrThrow()
          await append(audit)
          await putNotices(rows, notices, this.database)
          moved.push(toChange(row))
        }
        return { found, moved }
      }, AS_HOLDER)
      swept.push(...batch.moved)
      skipped.push(...batch.found.map(({ id }) => id).filter((id) => !batch.moved.some((moved) => moved.id === id)))
      if (batch.found.length < BATCH_ROWS) break
    }
    if (swept.length > 0) await this.database.erase()
    return swept
  }
}

const BATCH_ROWS = 100
