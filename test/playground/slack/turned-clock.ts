import { systemClock, type Clock } from '../../../src/shared/clock.ts'

/** A clock that stands still until a test turns it, running what falls due on the way. */
export class TurnedClock implements Clock {
  #nowMs = Date.UTC(2026, 10, 20, 12)
  #timers: { readonly dueMs: number; readonly work: () => void }[] = []

  now(): Date {
    return new Date(this.#nowMs)
  }

  monotonicMs(): number {
    return this.#nowMs
  }

  after(delayMs: number, work: () => void): { cancel(): void } {
    const timer = { dueMs: this.#nowMs + delayMs, work }
    this.#timers.push(timer)
    return { cancel: () => (this.#timers = this.#timers.filter((other) => other !== timer)) }
  }

  async sleep(delayMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.after(delayMs, resolve)
    await promise
  }

  newId(): string {
    return systemClock.newId()
  }

  /** Moves time on by `ms`, timer by timer. */
  turn(ms: number): void {
    const endMs = this.#nowMs + ms
    for (let next = this.#next(endMs); next !== undefined; next = this.#next(endMs)) {
      const due = next
      this.#timers = this.#timers.filter((timer) => timer !== due)
      this.#nowMs = due.dueMs
      due.work()
    }
    this.#nowMs = endMs
  }

  #next(endMs: number) {
    return this.#timers.filter((timer) => timer.dueMs <= endMs).toSorted((a, b) => a.dueMs - b.dueMs)[0]
  }
}
