import type { Clock } from '../../../src/shared/clock.ts'

/** A clock that stands still until it is turned. What sleeps on it wakes when it is turned far enough. */
export class TurnedClock implements Clock {
  #ms: number
  #ids = 0
  readonly #sleepers = new Set<{ readonly atMs: number; readonly wake: () => void }>()

  constructor(start: string) {
    this.#ms = Date.parse(start)
  }

  get sleeping(): number {
    return this.#sleepers.size
  }

  now(): Date {
    return new Date(this.#ms)
  }

  monotonicMs(): number {
    return this.#ms
  }

  turn(byMs: number): void {
    this.#ms += byMs
    for (const sleeper of this.#sleepers) {
      if (sleeper.atMs > this.#ms) continue
      this.#sleepers.delete(sleeper)
      sleeper.wake()
    }
  }

  after(delayMs: number, work: () => void): { cancel(): void } {
    const sleeper = { atMs: this.#ms + delayMs, wake: work }
    this.#sleepers.add(sleeper)
    return { cancel: () => void this.#sleepers.delete(sleeper) }
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = this.after(delayMs, resolve)
      signal?.addEventListener('abort', () => {
        timer.cancel()
        reject(new Error('Woken by its signal'))
      })
    })
  }

  newId(): string {
    this.#ids += 1
    return this.#ids.toString(16).padStart(32, '0')
  }
}
