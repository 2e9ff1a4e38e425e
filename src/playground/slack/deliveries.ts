import type { Clock } from '../../shared/clock.ts'
import { BoundedList } from './bounded-list.ts'
import type { ChangeFeed } from './change-feed.ts'

/** How long an app has to acknowledge a command, an interaction or an event. */
const ACK_DEADLINE_MS = 3_000
const MAX_DELIVERIES = 5_000
/** Late acknowledgements are noted as long as no more than this many envelopes are unanswered. */
const MAX_UNANSWERED = 1_000

/** The kinds of envelopes, by the names Socket Mode gives them. */
export type DeliveryType = 'slash_commands' | 'interactive' | 'events_api'

/** What became of one envelope. */
export type Outcome =
  /** `payload` is undefined for a bare acknowledgement. */
  | { readonly kind: 'acked'; readonly payload: Readonly<Record<string, unknown>> | undefined }
  | { readonly kind: 'timeout' }
  /** `isFinal` when the app said that an event shall not come again. */
  | { readonly kind: 'unreachable'; readonly isFinal?: boolean }

/** One line of the ledger of deliveries. */
export interface Delivery {
  readonly id: string
  readonly type: DeliveryType
  readonly payload: Readonly<Record<string, unknown>>
  readonly at: Date
  readonly outcome: Outcome['kind'] | 'pending'
  /** Milliseconds until the first acknowledgement, in time or late. */
  readonly ackMs: number | undefined
}

/** The way to the app: Socket Mode, or signed HTTP requests. */
export interface Transport {
  /** Sends to exactly one place. False when there is none. */
  send(id: string, type: DeliveryType, payload: object, extra: object): boolean
}

interface Waiting {
  readonly sentMs: number
  readonly settle: (outcome: Outcome) => void
}

/** Sends payloads to the app, waits at most 3 seconds for each acknowledgement and keeps a ledger of both. */
export class Deliveries {
  readonly #clock: Clock
  readonly #feed: ChangeFeed
  readonly #list = new BoundedList<Delivery>(MAX_DELIVERIES)
  readonly #waiting = new Map<string, Waiting>()

  constructor(clock: Clock, feed: ChangeFeed) {
    this.#clock = clock
    this.#feed = feed
  }

  /** Oldest first, the newest 5,000. */
  get all(): readonly Delivery[] {
    return this.#list.entries
  }

  /** Resolves when the app has acknowledged or the time is up; never rejects. */
  async deliver(
    transport: Transport,
    type: DeliveryType,
    payload: Readonly<Record<string, unknown>>,
    extra: object = {},
  ): Promise<Outcome> {
    const id = this.#clock.newId()
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.#list.add({ id, type, payload, at: this.#clock.now(), outcome: 'pending', ackMs: undefined })
    this.#waiting.set(id, { sentMs: this.#clock.monotonicMs(), settle: resolve })
    this.#forgetOldest()
    const timer = this.#clock.after(ACK_DEADLINE_MS, () => resolve({ kind: 'timeout' }))
    if (!transport.send(id, type, payload, extra)) resolve({ kind: 'unreachable' })
    this.#feed.changed()
    const outcome = await promise
    timer.cancel()
    if (outcome.kind === 'unreachable') this.#waiting.delete(id)
    this.#note(id, { outcome: outcome.kind })
    return outcome
  }

  /** Takes an acknowledgement. One that is late, repeated or unknown changes nothing but the ledger. */
  acknowledge(id: string, payload: Readonly<Record<string, unknown>> | undefined): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    this.#waiting.delete(id)
    this.#note(id, { ackMs: this.#clock.monotonicMs() - waiting.sentMs })
    const isBare = payload === undefined || Object.keys(payload).length === 0
    waiting.settle({ kind: 'acked', payload: isBare ? undefined : payload })
  }

  /** Gives a delivery up that could not be made or was answered with an error. */
  fail(id: string, isFinal: boolean): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    waiting?.settle({ kind: 'unreachable', isFinal })
  }

  /** Ends every wait, as a closing workspace does. */
  close(): void {
    for (const { settle } of this.#waiting.values()) settle({ kind: 'unreachable' })
    this.#waiting.clear()
  }

  #forgetOldest(): void {
    const [oldest] = this.#waiting
    if (oldest === undefined || this.#waiting.size <= MAX_UNANSWERED) return
    this.#waiting.delete(oldest[0])
    oldest[1].settle({ kind: 'timeout' })
  }

  #note(id: string, change: Partial<Pick<Delivery, 'outcome' | 'ackMs'>>): void {
    this.#list.replace(
      (delivery) => delivery.id === id,
      (delivery) => ({ ...delivery, ...change }),
    )
    this.#feed.changed()
  }
}
