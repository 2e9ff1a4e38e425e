import type { Clock } from '../../shared/clock.ts'
import { MINUTE_MS } from '../../shared/durations.ts'

/** chat.postMessage: one a second for each channel, with a short burst let through. */
const CHANNEL_WINDOW_MS = 1_000
const CHANNEL_BURST = 3
const MAX_KEYS = 1_000

/** Counts calls by method, and posts by channel, in sliding windows. */
export class RateLimits {
  readonly #clock: Clock
  readonly #calls = new Map<string, number[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whole seconds the caller must wait, 0 when the call may go ahead; only then is it counted. */
  waitS(method: string, perMinute: number, channel: unknown): number {
    const windows = [{ key: method, spanMs: MINUTE_MS, calls: perMinute }]
    if (method === 'chat.postMessage' && typeof channel === 'string') {
      windows.push({
        key: `${method} ${channel}`,
        spanMs: CHANNEL_WINDOW_MS * CHANNEL_BURST,
        calls: CHANNEL_BURST,
      })
    }
    const now = this.#clock.monotonicMs()
    const waitMs = Math.max(...windows.map(({ key, spanMs, calls }) => this.#waitMs(key, spanMs, calls, now)))
    if (waitMs > 0) return Math.ceil(waitMs / 1_000)
    for (const { key } of windows) this.#count(key, now)
    return 0
  }

  #waitMs(key: string, spanMs: number, calls: number, now: number): number {
    const recent = (this.#calls.get(key) ?? []).filter((at) => now - at < spanMs)
    this.#calls.set(key, recent)
    const oldest = recent[0]
    return oldest === undefined || recent.length < calls ? 0 : oldest + spanMs - now
  }

  #count(key: string, now: number): void {
    const [first] = this.#calls.keys()
    if (this.#calls.size > MAX_KEYS && first !== undefined) this.#calls.delete(first)
    this.#calls.set(key, [...(this.#calls.get(key) ?? []), now])
  }
}
