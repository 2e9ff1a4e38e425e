import { UserError } from '../../shared/errors.ts'
import { type Clock, waitAtMost } from '../../shared/clock.ts'

const MAX_IN_ALL = 200
const MAX_PER_PERSON = 6

/** What is being worked on right now: bounds it, for all and for each person, and lets a stop wait for its end. */
export class InFlight {
  readonly #clock: Clock
  readonly #perPerson = new Map<string, number>()
  readonly #waiting = new Set<() => void>()
  /** Of people: what is bounded. */
  #asked = 0
  #all = 0
  #stopping = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get count(): number {
    return this.#all
  }

  /** Runs `work` as the person's. Throws UserError `busy` when too much is under way, or when the bot is stopping. */
  async run<T>(personId: string, work: () => Promise<T>): Promise<T> {
    if (this.#stopping)
      throw new UserError('busy', 'CDN Ops is being restarted. Nothing was done.', 'Ask again in a minute.')
    const own = this.#perPerson.get(personId) ?? 0
    if (own >= MAX_PER_PERSON) {
      throw new UserError(
        'busy',
        `${own} of your requests are still under way. This one was not started.`,
        'Ask again when one has ended.',
      )
    }
    if (this.#asked >= MAX_IN_ALL)
      throw new UserError('busy', 'CDN Ops has all it can work on. Nothing was done.', 'Ask again in a minute.')
    this.#perPerson.set(personId, own + 1)
    this.#asked += 1
    try {
      return await this.track(work)
    } finally {
      const left = (this.#perPerson.get(personId) ?? 1) - 1
      if (left > 0) this.#perPerson.set(personId, left)
      else this.#perPerson.delete(personId)
      this.#asked -= 1
    }
  }

  /**
   * Runs what has to be done in any case, such as telling somebody how their request ended: a stop waits for
   * it, but it is never refused itself.
   */
  async track<T>(work: () => Promise<T>): Promise<T> {
    this.#all += 1
    try {
      return await work()
    } finally {
      this.#all -= 1
      if (this.#all === 0) {
        for (const ended of this.#waiting) ended()
        this.#waiting.clear()
      }
    }
  }

  /**
   * Waits until all has ended or `atMostMs` are over. True when all has ended. Takes nothing new from now on, unless what
   * comes can only be a step of what has come.
   */
  async drain(atMostMs: number, takesMore = false): Promise<boolean> {
    this.#stopping = !takesMore
    if (this.count === 0) return true
    const ended = Promise.withResolvers<void>()
    this.#waiting.add(ended.resolve)
    await waitAtMost(this.#clock, atMostMs, ended.promise)
    return this.count === 0
  }
}
