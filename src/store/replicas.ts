import { Unrecorded } from './engine/database.ts'
import type { Stored } from './schema/columns.ts'
import { reader, readRow, toRow } from './schema/rows.ts'
import { LeaseRow, ReplicaRow } from './schema/tables.ts'

/** So long the lease holds after each renewal: the most that a dead holder delays what it did in the background. */
export const LEASE_MS = 10_000
/** A lease ends no later than this: what says so was written before the clock was put back. */
const MAX_AHEAD_MS = 60_000
/** A replica that was not heard of for so long is none any more. */
export const GONE_MS = 30_000
/** So long an ended lease is left to those who can reach Slack. */
const PATIENCE_MS = 5_000
/** Slack allows ten links, and each replica has two. */
export const MAX_REPLICAS = 5
const MAX_LISTED = 20

export interface ReplicaRecord extends Stored<typeof ReplicaRow> {}

export type Standing = Awaited<ReturnType<Replicas['beat']>>

const toReplica = reader('replicas', ReplicaRow)

/**
 * The processes that share a store, and the lease: whoever holds it does what is done once for all of them. Only where the
 * store is shared.
 */
export class Replicas extends Unrecorded {
  /**
   * Says that a replica is there; renews its lease, or takes one that has ended. One that is not fit, since it cannot reach
   * Slack, takes a lease only that nobody else wants; one that lets go gives its own up, so that another one may have it.
   */
  async beat(
    self: Pick<ReplicaRecord, 'id' | 'name' | 'version' | 'configuration'>,
    { isFit = true, letsGo = false }: { readonly isFit?: boolean; readonly letsGo?: boolean } = {},
  ) {
    return this.database.write(async (rows) => {
      const now = await this.database.engine.nowMs(rows)
      const row = toRow(ReplicaRow, { ...self, startedAt: new Date(now), seenAt: new Date(now) })
      const { configuration, seenAt } = row
      await rows
        .insertInto('replicas')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ configuration, seenAt }))
        .execute()
      await rows
        .deleteFrom('replicas')
        .where('seenAt', '<=', now - GONE_MS)
        .execute()
      const untilAt = now + LEASE_MS
      const renewed = await rows
        .updateTable('lease')
        .set(letsGo ? { holder: '', untilAt: now } : { untilAt })
        .where('holder', '=', self.id)
        .returning('fence')
        .executeTakeFirst()
      if (renewed === undefined)
        await rows
          .updateTable('lease')
          .set((eb) => ({ holder: self.id, untilAt, sinceAt: now, fence: eb('fence', '+', 1) }))
          .where((eb) =>
            eb.or([eb('untilAt', '<=', isFit ? now : now - PATIENCE_MS), eb('untilAt', '>', now + MAX_AHEAD_MS)]),
          )
          .execute()
      const lease = await rows.selectFrom('lease').selectAll().executeTakeFirst()
      const replicas = await rows
        .selectFrom('replicas')
        .selectAll()
        .orderBy('startedAt')
        .orderBy('id')
        .limit(MAX_LISTED)
        .execute()
      const { fence, holder, sinceAt } = readRow('lease', LeaseRow, lease)
      return {
        /** Of the lease while whoever asks holds it: grows whenever it changes hands. */
        fence: holder === self.id ? fence : undefined,
        holder: holder === '' ? undefined : holder,
        /** Since when that one holds it. */
        since: sinceAt,
        /** All that were heard of lately, the first to start first; at most 20. */
        replicas: this.database.readable(replicas, toReplica),
      }
    })
  }

  /** It goes, and whoever waits for the lease need not wait for its end. */
  async leave(id: string): Promise<void> {
    await this.database.write(async (rows) => {
      await rows.updateTable('lease').set({ holder: '', untilAt: 0 }).where('holder', '=', id).execute()
      await rows.deleteFrom('replicas').where('id', '=', id).execute()
    })
  }

  /** From now on this process writes what needs the lease under this fence only; without one, none of it. */
  holdAs(fence: number | undefined): void {
    this.database.lease = { fence }
  }
}
