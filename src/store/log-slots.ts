import { sql } from 'kysely'
import { Unrecorded } from './engine/database.ts'

/** Longer than a request waits for its answer: a replica that died with a slot gives it back by this. */
const HOLD_MS = 60_000
/** No slot is taken for longer: what says so was written before the clock was put back. */
const MAX_AHEAD_MS = 2 * HOLD_MS
/** Whoever found none looks again after this at the latest, since a slot may be given back before its time. */
const LONGEST_WAIT_MS = 1_000
const SHORTEST_WAIT_MS = 20

/** Which of all the slots of a zone somebody may have: of the first `most` one, while more than `left` of all are free. */
export interface SlotShare {
  readonly all: number
  readonly most: number
  readonly left: number
}

/** A slot that is taken, or how long to wait before the next try. */
export type SlotAnswer =
  | { readonly taken: true; readonly giveBack: (afterMs: number) => Promise<void> }
  | { readonly taken: false; readonly waitMs: number }

/** The log limit's slots as rows, by the clock of the database, for all replicas together. */
export class LogSlots extends Unrecorded {
  /** One statement where a slot is free. Throws `StoreError`. */
  async take(pullZoneId: bigint, share: SlotShare): Promise<SlotAnswer> {
    const zone = String(pullZoneId)
    let taken = await this.#tryTake(zone, share)
    if (taken === undefined) {
      const waitMs = await this.#waitMs(zone, share)
      if (waitMs !== undefined) return { taken: false, waitMs }
      await this.#begin(zone, share.all)
      taken = await this.#tryTake(zone, share)
    }
    if (taken === undefined) return { taken: false, waitMs: SHORTEST_WAIT_MS }
    const { slot, freeAt } = taken
    return { taken: true, giveBack: (afterMs) => this.#giveBack(zone, slot, freeAt, afterMs) }
  }

  async #tryTake(zone: string, { most, left }: SlotShare) {
    const free = sql`pull_zone_id = ${zone} and (free_at <= present.ms or free_at > present.ms + ${MAX_AHEAD_MS})`
    const { rows } = await this.database.write((within) =>
      sql<{ readonly slot: number; readonly freeAt: number }>`
        with present as (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms),
        chosen as (
          select slot from log_slots, present where ${free} and slot < ${most}
            and (select count(*) from log_slots, present where ${free}) > ${left}
          order by slot desc limit 1 for update of log_slots skip locked
        )
        update log_slots set free_at = present.ms + ${HOLD_MS} from present, chosen
        where pull_zone_id = ${zone} and log_slots.slot = chosen.slot
        returning log_slots.slot, free_at`.execute(within),
    )
    return rows[0]
  }

  async #begin(zone: string, all: number): Promise<void> {
    await this.database.write((within) =>
      within
        .insertInto('logSlots')
        .values(Array.from({ length: all }, (_, slot) => ({ pullZoneId: zone, slot, freeAt: 0 })))
        .onConflict((conflict) => conflict.columns(['pullZoneId', 'slot']).doNothing())
        .execute(),
    )
  }

  /** Until one of the first `most` is free, and more than `left` of all are. Undefined where the zone has no slots yet. */
  async #waitMs(zone: string, { most, left }: SlotShare): Promise<number | undefined> {
    return this.database.read(async (db) => {
      const slots = await db
        .selectFrom('logSlots')
        .select(['slot', 'freeAt'])
        .where('pullZoneId', '=', zone)
        .orderBy('freeAt')
        .execute()
      if (slots.length === 0) return undefined
      const own = slots.find(({ slot }) => slot < most)?.freeAt ?? 0
      const leftMs = Math.max(own, slots[left]?.freeAt ?? 0) - (await this.database.engine.nowMs(db))
      return Math.min(Math.max(leftMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS)
    })
  }

  /** Unless it has been given back by time, and somebody else has it. */
  async #giveBack(zone: string, slot: number, freeAt: number, afterMs: number): Promise<void> {
    await this.database.write(async (within) => {
      const now = await this.database.engine.nowMs(within)
      await within
        .updateTable('logSlots')
        .set({ freeAt: now + afterMs })
        .where('pullZoneId', '=', zone)
        .where('slot', '=', slot)
        .where('freeAt', '=', freeAt)
        .execute()
    })
  }
}
