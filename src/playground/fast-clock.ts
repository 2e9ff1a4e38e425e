import { sleepOn, systemClock, type Clock, type Timer } from '../shared/clock.ts'

/** What a fast clock's timers and measured durations go by. */
type TimerPace =
  /** Real time: deadlines, waits for answers and rate limits stay what they are. */
  | 'real'
  /** The clock's own time: what waits for a minute waits for a second at 60 times the speed. */
  | 'scaled'

const MIN_FACTOR = 1
/** An hour in a second and a bit; beyond that, timers would be due before they are set. */
const MAX_FACTOR = 3_000

interface Waiting {
  readonly dueMs: number
  readonly run: () => void
  real: Timer | undefined
}

/**
 * A clock whose wall time can be made to run faster while it runs. Its time is continuous: a change of speed neither
 * jumps nor goes back. It never falls behind real time, and stays ahead by what it gained.
 */
export class FastClock implements Clock {
  readonly #pace: TimerPace
  readonly #real: Clock
  readonly #waiting = new Set<Waiting>()
  /** The moment of the last change of speed, by the real clock and by this one. */
  #origin: { readonly realMs: number; readonly ownMs: number }
  readonly #startMs: number
  #factor = 1

  constructor(pace: TimerPace, real: Clock = systemClock) {
    this.#pace = pace
    this.#real = real
    this.#origin = { realMs: real.monotonicMs(), ownMs: 0 }
    this.#startMs = real.now().getTime()
  }

  /** How many times faster than real time it runs. */
  get factor(): number {
    return this.#factor
  }

  /** Changes the speed from now on. Throws RangeError below 1, which is real time, and above 3,000. */
  setFactor(factor: number): void {
    if (!(factor >= MIN_FACTOR && factor <= MAX_FACTOR)) {
      throw new RangeError(`A clock runs ${MIN_FACTOR} to ${MAX_FACTOR} times as fast as time, not ${factor} times`)
    }
    this.#origin = { realMs: this.#real.monotonicMs(), ownMs: this.#ownMs() }
    this.#factor = factor
    for (const waiting of this.#waiting) this.#schedule(waiting)
  }

  now(): Date {
    return new Date(this.#startMs + this.#ownMs())
  }

  /** Goes at the pace of the timers, so that a timer and the time measured around it always agree. */
  monotonicMs(): number {
    return this.#pace === 'real' ? this.#real.monotonicMs() : this.#ownMs()
  }

  after(delayMs: number, work: () => void): Timer {
    if (this.#pace === 'real') return this.#real.after(delayMs, work)
    const waiting: Waiting = {
      dueMs: this.#ownMs() + delayMs,
      run: () => {
        this.#waiting.delete(waiting)
        work()
      },
      real: undefined,
    }
    this.#waiting.add(waiting)
    this.#schedule(waiting)
    return {
      cancel: () => {
        waiting.real?.cancel()
        this.#waiting.delete(waiting)
      },
    }
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    if (this.#pace === 'real') {
      await this.#real.sleep(delayMs, signal)
      return
    }
    await sleepOn(this, delayMs, signal)
  }

  newId(): string {
    return this.#real.newId()
  }

  /** Milliseconds of this clock's time since it was made. */
  #ownMs(): number {
    const { realMs, ownMs } = this.#origin
    return ownMs + (this.#real.monotonicMs() - realMs) * this.#factor
  }

  #schedule(waiting: Waiting): void {
    waiting.real?.cancel()
    const leftMs = Math.max(0, waiting.dueMs - this.#ownMs())
    waiting.real = this.#real.after(Math.ceil(leftMs / this.#factor), waiting.run)
  }
}
