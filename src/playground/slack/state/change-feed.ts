import type { Clock } from '../../../shared/clock.ts'

export class ChangeFeed {
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  changed(): void {
    for (const listener of this.#listeners) listener()
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Resolves with the first value of `look` that is neither undefined nor false: at once, or at a later change.
   * Rejects after `timeoutMs`, and with what `look` throws.
   */
  async until<T>(look: () => T | undefined | false, timeoutMs: number): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const attempt = () => {
      try {
        const seen = look()
        if (seen !== undefined && seen !== false) resolve(seen)
      } catch (error) {
        reject(error)
      }
    }
    const unsubscribe = this.subscribe(attempt)
    const timer = this.#clock.after(timeoutMs, () =>
      reject(new Error(`Not seen within ${timeoutMs} ms: ${look.toString()}`)),
    )
    attempt()
    try {
      return await promise
    } finally {
      unsubscribe()
      timer.cancel()
    }
  }
}
