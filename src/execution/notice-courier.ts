import type { Message } from '../block-kit/message.ts'
import type { Notice } from '../store/notices.ts'
import { StoreError } from '../store/store-error.ts'
import type { Executor } from './executor.ts'
import { NotDelivered, type Notifier } from '../alerts/notifier.ts'

/** So few that they can be delivered while they are this process's alone, even when Slack is slow. */
const MAX_AT_ONCE = 10
/** Short of the minute for which they are this process's alone, so that nobody else delivers the same. */
const DELIVER_WITHIN_MS = 45_000
/** What is left waits for the next round. */
const MAX_BATCHES = 10
/** How long a notice waits after each failure, the last one for all further. */
const PAUSES_MS: readonly number[] = [10_000, 60_000, 300_000, 900_000]

/** Delivers what waits to be told, at least once each, and says aloud what it gives up. */
export class NoticeCourier {
  readonly #executor: Executor
  readonly #notifier: Notifier

  constructor(executor: Executor, notifier: Notifier) {
    this.#executor = executor
    this.#notifier = notifier
  }

  /** One round over all that is due, until the bot stops. Throws StoreError. */
  async deliver(stopping?: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#executor.options
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      if (!(await this.#batch(stopping))) break
    }
    if (stopping?.aborted === true) return
    for (const { id, recipient } of await store.notices.giveUp(clock.now())) {
      log.error({ notice: id, recipient }, 'a notice was given up: Slack did not take it for days')
    }
  }

  /** Whether more may be due. What was taken and not delivered in time is due again when its minute is over. */
  async #batch(stopping: AbortSignal | undefined): Promise<boolean> {
    const { store, clock, inFlight } = this.#executor.options
    const takenMs = clock.monotonicMs()
    const taken = await store.notices.take(MAX_AT_ONCE)
    for (const notice of taken) {
      if (stopping?.aborted === true || clock.monotonicMs() - takenMs >= DELIVER_WITHIN_MS) return false
      await inFlight.owed(() => this.#one(notice))
    }
    return taken.length === MAX_AT_ONCE
  }

  async #one({ id, recipient, message, attempts }: Notice): Promise<void> {
    const { store, log } = this.#executor.options
    try {
      await this.#notifier.post(recipient, message as Message) // written by this program, checked on its way out
      await store.notices.delivered(id)
    } catch (error) {
      if (error instanceof StoreError) throw error
      const refused = error instanceof NotDelivered ? error : undefined
      if (refused?.final === true) {
        log.error({ notice: id, recipient, reason: refused.message }, 'a notice cannot be delivered: it is given up')
        return store.notices.delivered(id)
      }
      // A bug concerns this one: those behind it must not wait for its end.
      if (refused === undefined) log.error({ err: error, notice: id, recipient }, 'a notice failed: it is tried again')
      const pauseMs = refused?.retryAfterMs ?? PAUSES_MS[attempts - 1] ?? PAUSES_MS.at(-1) ?? 0
      await store.notices.postpone(id, pauseMs)
    }
  }
}
