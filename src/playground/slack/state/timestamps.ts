import type { Clock } from '../../../shared/clock.ts'

const MICROS_PER_MS = 1_000

/** Slack's message timestamps: seconds and microseconds, such as `1795198000.000100`, each given out once. */
export class Timestamps {
  readonly #clock: Clock
  #lastMicros = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  next(): string {
    this.#lastMicros = Math.max(this.#clock.now().getTime() * MICROS_PER_MS, this.#lastMicros + 1)
    const digits = String(this.#lastMicros)
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`
  }
}
