import type { Clock } from '../../shared/clock.ts'

/** What the contract states: this many requests to one pull zone's log in any such stretch of time, both versions together. */
const LOG_REQUESTS_MAX = 30
const LOG_WINDOW_MS = 10_000

/** Ids are the caller's choice, so the number of those remembered needs a bound. */
const MAX_ZONES = 1_000

/** A sliding window for each pull zone. A refused request does not count. */
export class LogRateLimit {
  readonly #clock: Clock
  /** When the admitted requests of the last window came, oldest first, by pull zone. */
  readonly #admitted = new Map<string, number[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  admits(pullZoneId: string): boolean {
    const now = this.#clock.monotonicMs()
    const recent = (this.#admitted.get(pullZoneId) ?? []).filter((at) => at > now - LOG_WINDOW_MS)
    const admitted = recent.length < LOG_REQUESTS_MAX
    if (admitted) recent.push(now)
    if (this.#admitted.size >= MAX_ZONES) this.#admitted.clear()
    this.#admitted.set(pullZoneId, recent)
    return admitted
  }
}
