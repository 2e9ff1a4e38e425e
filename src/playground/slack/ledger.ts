import type { Clock } from '../../shared/clock.ts'
import { BoundedList } from './bounded-list.ts'
import type { ChangeFeed } from './change-feed.ts'

const MAX_CALLS = 5_000

/** One call an app made: a Web API method, or a post to a response_url or an upload address. */
export interface Call {
  /** A Web API method, `response_url` or `upload`. */
  readonly method: string
  /** The arguments as parsed: JSON written in strings is unfolded; for an upload `{ bytes }`. */
  readonly args: Readonly<Record<string, unknown>>
  /** The body of the answer, or undefined when the connection was reset or left hanging. */
  readonly answer: unknown
  readonly status: number
  readonly at: Date
}

/** Every call the app made, oldest first, the newest 5,000. */
export class Ledger {
  readonly #clock: Clock
  readonly #feed: ChangeFeed
  readonly #list = new BoundedList<Call>(MAX_CALLS)

  constructor(clock: Clock, feed: ChangeFeed) {
    this.#clock = clock
    this.#feed = feed
  }

  get calls(): readonly Call[] {
    return this.#list.entries
  }

  write(call: Omit<Call, 'at'>): void {
    this.#list.add({ ...call, at: this.#clock.now() })
    this.#feed.changed()
  }
}
