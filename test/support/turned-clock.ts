import type { Clock } from '../../src/shared/clock.ts'

interface Due {
  readonly atMs: number
  readonly work: () => void
}

/** A clock that stands still until it is turned, which runs what falls due on the way. */
export class TurnedClock implements Clock {
  #nowMs: number
  #due: Due[] = []
  #ids = 0

  constructor(now = '2026-11-20T12:00:00Z') {
    this.#nowMs = Date.parse(now)
  }

  now(): Date {
    return new Date(this.#nowMs)
  }

  monotonicMs(): number {
    return this.#nowMs
  }

  after(delayMs: number, work: () => void) {
    const due = { atMs: this.#nowMs + delayMs, work }
    this.#due.push(due)
    return { cancel: () => void (this.#due = this.#due.filter((other) => other !== due)) }
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    await sleepOn(this, delayMs, signal)
  }

  newId(): string {
    this.#ids += 1
    // Whichever part of an id is used, no two are alike; and as a number from 0 to 1 it is about a half.
    const digits = this.#ids.toString(16)
    return `8${digits.padStart(7, '0')}${digits.padStart(24, '0')}`
  }

  /** Lets time pass, and runs what falls due in its order. */
  turn(byMs: number): void {
    const endMs = this.#nowMs + byMs
    for (;;) {
      const next = this.#due.filter(({ atMs }) => atMs <= endMs).toSorted((a, b) => a.atMs - b.atMs)[0]
      if (next === undefined) break
      this.#due = this.#due.filter((due) => due !== next)
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.work()
    }
    this.#nowMs = endMs
  }

  /** How many timers are set. */
  get timers(): number {
    return this.#due.length
  }
}

/** `sleep` for a clock of another kind, made of its `after`. */
export async function sleepOn(clock: Pick<Clock, 'after'>, delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = clock.after(delayMs, resolve)
  const giveUp = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', giveUp, { once: true })
  try {
    await promise
  } finally {
    timer.cancel()
    signal?.removeEventListener('abort', giveUp)
  }
}
