import type { Clock } from '../../../shared/clock.ts'
import { BoundedList } from '../state/bounded-list.ts'
import type { ChangeFeed } from '../state/change-feed.ts'

const ACK_DEADLINE_MS = 3_000
const MAX_DELIVERIES = 5_000

export type DeliveryType = 'slash_commands' | 'interactive' | 'events_api'

export type Outcome =
  /** `payload` is undefined for a bare acknowledgement. */
  | { readonly kind: 'acked'; readonly payload: Readonly<Record<string, unknown>> | undefined }
  | { readonly kind: 'timeout' | 'unreachable' }

export interface Delivery {
  /** What was sent again has the id of the first time. */
  readonly id: string
  readonly type: DeliveryType
  readonly payload: Readonly<Record<string, unknown>>
  readonly at: Date
  readonly outcome: Outcome['kind'] | 'pending'
  readonly ackMs: number | undefined
  /** What the first acknowledgement said, in time or late; undefined for a bare one. */
  readonly answer?: Readonly<Record<string, unknown>> | undefined
}

export interface Transport {
  /** Sends to exactly one place. False when there is none. */
  send(id: string, type: DeliveryType, payload: object, extra: object): boolean
}

interface Waiting {
  readonly delivery: Delivery
  readonly sentMs: number
  readonly settle: (outcome: Outcome) => void
}

/** Sends payloads to the app, waits at most 3 seconds for each acknowledgement and keeps a ledger of both. */
export class Deliveries {
  readonly #clock: Clock
  readonly #feed: ChangeFeed
  readonly #list = new BoundedList<Delivery>(MAX_DELIVERIES)
  readonly #waiting = new Map<string, Waiting>()
  transport: Transport | undefined
  isClosed = false
  #toLose = 0

  constructor(clock: Clock, feed: ChangeFeed) {
    this.#clock = clock
    this.#feed = feed
  }

  get all(): readonly Delivery[] {
    return this.#list.entries
  }

  /** Resolves when the app has acknowledged or the time is up; never rejects. The `id` is that of what is sent again. */
  async deliver(
    type: DeliveryType,
    payload: Readonly<Record<string, unknown>>,
    { fields = {}, id = this.#clock.newId() }: { readonly fields?: object; readonly id?: string } = {},
  ): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const at = this.#clock.now()
    const delivery = this.#list.add({ id, type, payload, at, outcome: 'pending', ackMs: undefined })
    this.#waiting.set(id, { delivery, sentMs: this.#clock.monotonicMs(), settle: resolve })
    const timer = this.#clock.after(ACK_DEADLINE_MS, () => resolve({ kind: 'timeout' }))
    if (this.transport?.send(id, type, payload, fields) !== true) resolve({ kind: 'unreachable' })
    this.#feed.changed()
    const outcome = await promise
    timer.cancel()
    if (outcome.kind === 'unreachable') this.#waiting.delete(id)
    this.#note(delivery, { outcome: outcome.kind })
    return outcome
  }

  /** Takes an acknowledgement. One that is late, repeated or unknown changes nothing but the ledger. */
  acknowledge(id: string, payload: Readonly<Record<string, unknown>> | undefined): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    this.#waiting.delete(id)
    this.#note(waiting.delivery, { ackMs: this.#clock.monotonicMs() - waiting.sentMs, answer: payload })
    if (this.#toLose > 0 && waiting.delivery.type !== 'events_api') {
      this.#toLose -= 1
      waiting.settle({ kind: 'timeout' })
      return
    }
    const isBare = payload === undefined || Object.keys(payload).length === 0
    waiting.settle({ kind: 'acked', payload: isBare ? undefined : payload })
  }

  /** Loses the next acknowledgement of what somebody did, who sees what one sees after three seconds, only sooner. */
  loseNextAck(): void {
    this.#toLose += 1
  }

  fail(id: string): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    waiting?.settle({ kind: 'unreachable' })
  }

  close(): void {
    this.isClosed = true
    for (const { settle } of this.#waiting.values()) settle({ kind: 'unreachable' })
    this.#waiting.clear()
  }

  #note(delivery: Delivery, change: Partial<Pick<Delivery, 'outcome' | 'ackMs' | 'answer'>>): void {
    Object.assign(delivery, change)
    this.#feed.changed()
  }
}
