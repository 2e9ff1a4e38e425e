import { type Clock, systemClock, type Timer } from '../../src/shared/clock.ts'
import { sleepOn } from './turned-clock.ts'

/**
 * A clock that goes as time does, and that a test can put forward: timers which fall due on the way run at once. With
 * it, what waits for minutes is tested in moments, over real sockets.
 */
export class HurriedClock implements Clock {
  readonly #waiting = new Set<HurriedTimer>()
  #aheadMs = 0

  now(): Date {
    return new Date(systemClock.now().getTime() + this.#aheadMs)
  }

  monotonicMs(): number {
    return systemClock.monotonicMs() + this.#aheadMs
  }

  after(delayMs: number, work: () => void): Timer {
    const timer: HurriedTimer = { dueMs: this.monotonicMs() + delayMs, run: () => undefined, real: undefined }
    timer.run = () => {
      this.#forget(timer)
      work()
    }
    timer.real = systemClock.after(delayMs, timer.run)
    this.#waiting.add(timer)
    return { cancel: () => this.#forget(timer) }
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    await sleepOn(this, delayMs, signal)
  }

  newId(): string {
    return systemClock.newId()
  }

  /** Puts the clock forward. What falls due runs before this returns, in the order it was due. */
  turn(ms: number): void {
    this.#aheadMs += ms
    const now = this.monotonicMs()
    const due = [...this.#waiting].filter(({ dueMs }) => dueMs <= now).toSorted((a, b) => a.dueMs - b.dueMs)
    for (const timer of due) if (this.#waiting.has(timer)) timer.run()
    for (const timer of this.#waiting) this.#setAnew(timer, timer.dueMs - now)
  }

  #setAnew(timer: HurriedTimer, leftMs: number): void {
    timer.real?.cancel()
    timer.real = systemClock.after(Math.max(0, leftMs), timer.run)
  }

  #forget(timer: HurriedTimer): void {
    timer.real?.cancel()
    this.#waiting.delete(timer)
  }
}

interface HurriedTimer {
  readonly dueMs: number
  run: () => void
  real: Timer | undefined
}
