import type { Clock } from './clock.ts'

/** A bounded map whose entries end `lifeMs` after they were set; where there would be more than `most`, the oldest go. */
export class TtlMap<V> {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #lifeMs: number
  readonly #most: number
  /** The oldest first. */
  readonly #entries = new Map<string, { readonly value: V; readonly untilMs: number }>()

  constructor(clock: Pick<Clock, 'monotonicMs'>, { lifeMs, most }: { readonly lifeMs: number; readonly most: number }) {
    this.#clock = clock
    this.#lifeMs = lifeMs
    this.#most = most
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    return entry !== undefined && entry.untilMs > this.#clock.monotonicMs() ? entry.value : undefined
  }

  /** The life of an entry that is there already begins anew. */
  set(key: string, value: V): void {
    const nowMs = this.#clock.monotonicMs()
    this.#entries.delete(key)
    this.#entries.set(key, { value, untilMs: nowMs + this.#lifeMs })
    for (const [oldest, { untilMs }] of this.#entries) {
      if (untilMs > nowMs && this.#entries.size <= this.#most) return
      this.#entries.delete(oldest)
    }
  }

  /** Sets `value` where the key has none; whether it did. */
  add(key: string, value: V): boolean {
    if (this.get(key) !== undefined) return false
    this.set(key, value)
    return true
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
