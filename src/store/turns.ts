import type { Clock } from '../shared/clock.ts'
import { StoreError } from './store-error.ts'

/** More than people can ask for in the time that one of them waits, and that time: Slack wants an answer within three seconds. */
const MAX_WAITING = 2_000
const MAX_WAIT_MS = 2_000

/** Lets so many in at once; the others wait in line. In a driver's own line a burst looks like a server that is gone. */
export class Turns {
  readonly #clock: Clock
  readonly #waiting = new Set<PromiseWithResolvers<void>>()
  #free: number

  constructor(clock: Clock, places: number) {
    this.#clock = clock
    this.#free = places
  }

  /** Throws `StoreError` of kind `busy`, and nothing was begun, when the line is too long or does not move on. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await this.#wait()
    try {
      return await work()
    } finally {
      // Whoever waits longest has the place at once, so that nobody new comes first.
      const [next] = this.#waiting
      if (next === undefined) this.#free += 1
      else {
        this.#waiting.delete(next)
        next.resolve()
      }
    }
  }

  async #wait(): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) throw new StoreError('busy')
    const turn = Promise.withResolvers<void>()
    this.#waiting.add(turn)
    const timer = this.#clock.after(MAX_WAIT_MS, () => {
      if (this.#waiting.delete(turn)) turn.reject(new StoreError('busy'))
    })
    await turn.promise.finally(() => timer.cancel())
  }
}
