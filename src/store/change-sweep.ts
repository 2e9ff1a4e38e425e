import type { Transaction } from 'kysely'
import type { AuditEntry } from './audit-entry.ts'
import type { AuditLog, Recording } from './audit-log.ts'
import { stateColumns, toChange, toColumns } from './change-row.ts'
import { CHANGE_STATES, type Change, type ChangeUpdate, isFinal } from './change.ts'
import type { Database } from './database.ts'
import type { ChangesTable, Tables } from './tables.ts'

/** What is written when the program itself ends or settles a change: made from the change as it was found. */
export type SweepStep = (found: Change) => { readonly audit: AuditEntry; readonly set?: ChangeUpdate | undefined }

/** Forms that were never finished: they can be confirmed for ten minutes, and what was typed into them may be secret. */
export const DRAFT_RETENTION_MS = 3_600_000
/** Changes that have ended. Their entries in the record stay. */
export const CHANGE_RETENTION_MS = 400 * 24 * 3_600_000

/** Steps taken for many changes at once, because of time or a crash and not because of a person. */
export class ChangeSweep {
  readonly #database: Database
  readonly #audit: AuditLog

  constructor(database: Database, audit: AuditLog) {
    this.#database = database
    this.#audit = audit
  }

  /** See `Changes.recover`. */
  async recover(holder: string, now: Date, step: SweepStep): Promise<readonly Change[]> {
    const { engine } = this.#database
    return this.#sweep('unknown', now, step, async (rows) => {
      const judgedAt = await engine.nowMs(rows)
      return rows
        .selectFrom('changes')
        .selectAll()
        .where('state', '=', 'sending')
        .where((eb) => (engine.name === 'sqlite' ? eb('leaseHolder', '!=', holder) : eb('leaseUntil', '<=', judgedAt)))
        .limit(BATCH_ROWS)
        .execute()
    })
  }

  /** See `Changes.expire`. */
  async expire(now: Date, step: SweepStep): Promise<readonly Change[]> {
    return this.#sweep('expired', now, step, (rows) =>
      rows
        .selectFrom('changes')
        .selectAll()
        .where('state', 'in', ['waiting', 'approved'])
        .where('expiresAt', '<=', now.getTime())
        .limit(BATCH_ROWS)
        .execute(),
    )
  }

  /** See `Changes.prune`. */
  async prune(now: Date): Promise<number> {
    const { numDeletedRows } = await this.#database.write((rows) =>
      rows
        .deleteFrom('changes')
        .where((eb) =>
          eb.or([
            eb.and([eb('state', '=', 'draft'), eb('updatedAt', '<=', now.getTime() - DRAFT_RETENTION_MS)]),
            eb.and([
              eb('state', 'in', CHANGE_STATES.filter(isFinal)),
              eb('endedAt', '<=', now.getTime() - CHANGE_RETENTION_MS),
            ]),
          ]),
        )
        .executeTakeFirstOrThrow(),
    )
    if (numDeletedRows > 0n) await this.#database.engine.shred()
    return Number(numDeletedRows)
  }

  /** One transaction per batch, until none is left: what was moved before a failure stays moved and on record. */
  async #sweep(
    to: 'unknown' | 'expired',
    now: Date,
    step: SweepStep,
    find: (rows: Transaction<Tables>) => Promise<readonly ChangesTable[]>,
  ): Promise<readonly Change[]> {
    const swept: Change[] = []
    for (;;) {
      const batch = await this.#audit.record(async (recording) => {
        const moved: Change[] = []
        for (const row of await find(recording.rows)) moved.push(await moveOne(recording, toChange(row), to, now, step))
        return moved
      })
      swept.push(...batch)
      if (batch.length < BATCH_ROWS) break
    }
    if (swept.length > 0) await this.#database.engine.shred()
    return swept
  }
}

const BATCH_ROWS = 100

async function moveOne(
  { rows, append }: Recording,
  found: Change,
  to: 'unknown' | 'expired',
  now: Date,
  step: SweepStep,
): Promise<Change> {
  const { audit, set = {} } = step(found)
  // The batch was read under the lock of the record's head, so no move can have come in between.
  const row = await rows
    .updateTable('changes')
    .set({ ...toColumns(set), ...stateColumns({ to, now }, now.getTime()) })
    .where('id', '=', found.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await append(audit)
  return toChange(row)
}
