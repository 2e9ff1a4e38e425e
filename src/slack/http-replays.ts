import type { Clock } from '../shared/clock.ts'
import type { Store } from '../store/store.ts'
import { withinBudget } from './ack-budget.ts'
import { SeenDeliveries } from './seen-deliveries.ts'

/** Little enough that what has to be committed after it is still in time. */
const STORE_MS = 300

/**
 * Signed requests that were taken before, so that nobody has the same one answered twice by sending it again while its
 * time lasts. What Slack itself repeats it signs anew. The store knows also those from before a restart and those of other
 * processes. While it does not answer, those of this process alone are known, and questions are still answered; what
 * changes something cannot happen then, and happens once in any case.
 */
export class Replays {
  readonly #seen: SeenDeliveries
  readonly #store: Pick<Store, 'isFirst'>
  readonly #clock: Clock

  constructor(store: Pick<Store, 'isFirst'>, clock: Clock) {
    this.#seen = new SeenDeliveries(clock)
    this.#store = store
    this.#clock = clock
  }

  /** Whether a request with this signature comes for the first time; it is remembered then. Never rejects. */
  async isFirst(signature: string): Promise<boolean> {
    if (!this.#seen.isNew(signature)) return false
    const asking = this.#store.isFirst(`request:${signature}`).catch(() => true)
    const noted = await withinBudget(this.#clock, asking, () => undefined, STORE_MS)
    return noted.inTime ? noted.value : true
  }
}
