import { AS_HOLDER, Unrecorded } from './engine/database.ts'
import { keepNewest } from './schema/rows.ts'

/** A minute less than Slack takes them. */
export const ADDRESS_RETENTION_MS = 29 * 60_000
/** The oldest make room, at each round of maintenance. */
export const MAX_ADDRESSES = 2_000

/** Slack's response addresses, sealed by whoever keeps them: each by the id of the change whose form was begun with it. */
export class ResponseAddresses extends Unrecorded {
  /** A change keeps the first that it is given. */
  async put(id: string, sealed: string): Promise<void> {
    const row = { id, sealed, expiresAt: this.database.clock.now().getTime() + ADDRESS_RETENTION_MS }
    await this.database.write((rows) =>
      rows
        .insertInto('responseAddresses')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute(),
    )
  }

  /** Undefined when there is none, or its time is over. */
  async get(id: string): Promise<string | undefined> {
    const nowMs = this.database.clock.now().getTime()
    return this.database.first(
      (db) => db.selectFrom('responseAddresses').select('sealed').where('id', '=', id).where('expiresAt', '>', nowMs),
      ({ sealed }) => sealed,
    )
  }

  /** Deletes those whose time is over, and the oldest beyond {@link MAX_ADDRESSES}. */
  async prune(now: Date): Promise<void> {
    await this.database.write(async (rows) => {
      await rows.deleteFrom('responseAddresses').where('expiresAt', '<=', now.getTime()).execute()
      await keepNewest(rows, 'responseAddresses', { by: 'expiresAt', most: MAX_ADDRESSES })
    }, AS_HOLDER)
  }
}
