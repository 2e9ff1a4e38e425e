import { keepNewest } from '../shared/newest.ts'

/** How often something may be done: `burst` times at once, and `perMinute` times a minute from then on. */
export interface Rate {
  readonly burst: number
  readonly perMinute: number
}

interface Bucket {
  readonly tokens: number
  readonly atMs: number
}

const MINUTE_MS = 60_000
/** Whoever was not heard of for longest is forgotten first, and has a full bucket again. */
const MAX_BUCKETS = 5_000

/** A bucket of tokens for each key: every doing takes one, time brings them back, and an empty one refuses. */
export class TokenBuckets {
  readonly #rate: Rate
  readonly #buckets = new Map<string, Bucket>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** How many keys are remembered, which is never more than 5,000. */
  get size(): number {
    return this.#buckets.size
  }

  /** Takes a token of `key`; false when there is none. `nowMs` is of a clock that never goes back. */
  take(key: string, nowMs: number): boolean {
    const { burst, perMinute } = this.#rate
    const { tokens, atMs } = this.#buckets.get(key) ?? { tokens: burst, atMs: nowMs }
    const left = Math.min(burst, tokens + ((nowMs - atMs) * perMinute) / MINUTE_MS)
    const isTaken = left >= 1
    this.#buckets.delete(key)
    this.#buckets.set(key, { tokens: isTaken ? left - 1 : left, atMs: nowMs })
    keepNewest(this.#buckets, MAX_BUCKETS)
    return isTaken
  }
}
