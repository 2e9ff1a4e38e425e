import { systemClock, type Clock, type Timer } from '../../shared/clock.ts'

/**
 * A clock whose wall time can be made to run faster. It neither jumps nor goes back, and stays ahead by what it gained.
 * Timers and measured durations go by real time: deadlines, waits for answers and rate limits stay what they are.
 */
export class FastClock implements Clock {
  readonly #real: Clock
  /** The moment of the last change of speed, by the real clock and by this one. */
  #origin: { readonly realMs: number; readonly ownMs: number }
  #factor = 1

  constructor(real: Clock = systemClock) {
    this.#real = real
    this.#origin = { realMs: real.monotonicMs(), ownMs: real.now().getTime() }
  }

  get factor(): number {
    return this.#factor
  }

  /** Changes the speed from now on; 1 is that of real time. */
  setFactor(factor: number): void {
    this.#origin = { realMs: this.#real.monotonicMs(), ownMs: this.#ownMs() }
    this.#factor = factor
  }

  now(): Date {
    return new Date(this.#ownMs())
  }

  monotonicMs(): number {
    return this.#real.monotonicMs()
  }

  after(delayMs: number, work: () => void): Timer {
    return this.#real.after(delayMs, work)
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    await this.#real.sleep(delayMs, signal)
  }

  newId(): string {
    return this.#real.newId()
  }

  #ownMs(): number {
    const { realMs, ownMs } = this.#origin
    return ownMs + (this.#real.monotonicMs() - realMs) * this.#factor
  }
}
