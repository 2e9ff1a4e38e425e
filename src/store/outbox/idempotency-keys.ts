import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Clock } from '../../shared/clock.ts'
import { UserError } from '../../shared/errors.ts'
import type { Tables } from '../schema/tables.ts'

/** One delivery of Slack that changes something: however often it comes, it has its effect once, and in time. */
export interface Once {
  /** What Slack gives the same value each time: the trigger of a command, for instance. */
  readonly key: string
  /** By the monotonic clock: what is not ready to be committed by then is taken back. */
  readonly notAfterMs: number
}

/** Longer than Slack repeats anything. */
export const DELIVERY_RETENTION_MS = 48 * 3_600_000

/** Notes a delivery, whatever comes of it. False when it has been noted before. */
export async function noteDelivery(rows: Transaction<Tables>, key: string, clock: Clock): Promise<boolean> {
  // A trigger lets its holder open a form for a moment, so it is not kept; and this has one length, however long a key is.
  const id = createHash('sha256').update(key).digest('hex')
  const { numInsertedOrUpdatedRows } = await rows
    .insertInto('deliveries')
    .values({ id, at: clock.now().getTime() })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Throws a `UserError` once the monotonic clock has reached that time; never where none is given. */
export function refuseWhenLate(clock: Clock, notAfterMs: number | undefined): void {
  if (notAfterMs === undefined || clock.monotonicMs() < notAfterMs) return
  throw new UserError('busy', 'This took too long to be written down, so nothing was done.', 'Ask again.')
}
