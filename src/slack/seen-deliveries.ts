import type { Clock } from '../shared/clock.ts'
import { keepNewest } from '../shared/newest.ts'

/** Slack's last repetition of an event comes after five minutes. */
const REMEMBERED_MS = 10 * 60_000
const MAX_REMEMBERED = 2_000

/**
 * Deliveries of the last minutes that change nothing, so that one that Slack repeats is not answered twice. In memory
 * only: after a restart a read is answered once more rather than never. What changes something is remembered by the
 * store, together with its effect.
 */
export class SeenDeliveries {
  readonly #clock: Clock
  readonly #seen = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether a delivery comes for the first time; it is remembered then. One without an id always does. */
  isNew(id: string | undefined): boolean {
    if (id === undefined) return true
    const now = this.#clock.monotonicMs()
    const until = this.#seen.get(id)
    if (until !== undefined && until > now) return false
    this.#seen.delete(id)
    this.#seen.set(id, now + REMEMBERED_MS)
    keepNewest(this.#seen, MAX_REMEMBERED)
    return true
  }
}
