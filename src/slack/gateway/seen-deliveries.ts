import { type Clock, waitAtMost } from '../../shared/clock.ts'
import { TtlMap } from '../../shared/ttl-map.ts'
import type { Store } from '../../store/store.ts'

/** A signature may be made five minutes ahead, and is good for five minutes after; Slack repeats nothing later than that. */
const SEEN = { lifeMs: 11 * 60_000, most: 5_000 }
/** Short enough that what has to be committed after it is still in time. */
const STORE_MS = 300

export type SeenDeliveries = ReturnType<typeof seenDeliveries>

/**
 * What has come before, by what is the same whenever it comes again; `prefix` keeps its keys apart from those of others. With a
 * store also what came to other processes, or before a restart. While that does not answer, what came to this process alone is
 * known, and questions are still answered; what changes something cannot happen then, and happens once in any case.
 */
export function seenDeliveries(clock: Clock, prefix: string, store?: Pick<Store, 'isFirst'>) {
  const seen = new TtlMap<true>(clock, SEEN)
  return {
    /** Whether it comes for the first time. One without an id always does. Never rejects. */
    async isNew(id: string | undefined): Promise<boolean> {
      if (id === undefined) return true
      if (!seen.add(id, true)) return false
      const asking = store?.isFirst(`${prefix}:${id}`).catch(() => true)
      return asking === undefined || ((await waitAtMost(clock, STORE_MS, asking))?.value ?? true)
    },
  }
}
