import type { Message } from '../block-kit/message.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { type Outbox, OUTBOX_RETENTION_MS, type OutboxMessage, type ShownIncident } from '../store/outbox/outbox.ts'
import { StoreError } from '../store/schema/store-error.ts'
import { NotDelivered, type Notifier } from './notifier.ts'

const AT_ONCE = 8
/** Slack takes about one message a second in a channel. */
const REST_MS = 1_000
/** How often the outbox is polled: what this process puts wakes it. */
const POLL_MS = 1_000
/** The backoff after each failure, the last one for all further. */
const BACKOFF_MS: readonly number[] = [5_000, 15_000, 30_000, 60_000]
/** However long Slack wants to be left alone, it is asked again after this time. */
const MAX_BACKOFF_MS = 60_000
/** The same after a fault of this program, which seldom passes soon and is in the log each time. The outbox takes ten minutes. */
const FAULT_BACKOFF_MS: readonly number[] = [5_000, 15_000, 60_000, 300_000]
/** What fails by a fault of this program fails again; a few times, because not all faults last. */
const MAX_FAULTS = 5
/** Refusals of what a message says, or of the message it would stand under: no other time and no other channel would help. */
const INVALID: ReadonlySet<string> = new Set([
  'msg_too_long',
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_arguments',
  'invalid_charset',
  'invalid_form_data',
  'no_text',
  'thread_not_found',
  'message_not_found',
  'cannot_reply_to_message',
  'restricted_action_non_threadable_channel',
  'restricted_action_thread_locked',
])
/** Messages that Slack has taken and the store has not noted, so that they are noted and not repeated. */
const MAX_UNNOTED = 1_000

/** What came of a message; without `shown` where it has none that is edited later. */
export type Delivered =
  | { readonly kind: 'taken'; readonly shown?: ShownIncident }
  | { readonly kind: 'not needed' }
  | { readonly kind: 'given up'; readonly reason: string }

/** Delivers what is about incidents: implemented by alerts, above. */
export interface PostDelivery {
  /** Throws `NotDelivered` where Slack, or the configured address, did not take it. */
  deliver(message: OutboxMessage, incidentId: string): Promise<Delivered>
  /** Called when Slack does not take anything in the channel of a message: why it is given up; undefined to try again. */
  loseChannel(message: OutboxMessage, refusal: NotDelivered): Promise<string | undefined>
}

interface Options {
  readonly outbox: Pick<Outbox, 'claim' | 'onPut' | 'delivered' | 'postpone' | 'bury'>
  readonly notifier: Pick<Notifier, 'post'>
  readonly incidents: PostDelivery
  readonly clock: Clock
  readonly log: Log
}

/**
 * Delivers the outbox: what is due goes out in order within a target and at most once a second there, several targets at
 * once. Each message at least once, given up only with an entry in the log. One per process.
 */
export class Dispatcher {
  readonly #options: Options
  readonly #inFlight = new Map<string, Promise<void>>()
  /** Until when a target is left alone, by the monotonic clock. */
  readonly #restsUntil = new Map<string, number>()
  readonly #unnoted = new Map<string, ShownIncident | undefined>()
  /** Aborted by what is put, and by what ends, since the outbox was looked at. */
  #nap = new AbortController()
  #storeFails = false

  constructor(options: Options) {
    this.#options = options
    options.outbox.onPut(() => this.#nap.abort())
  }

  /** Delivers until it is told to stop, and then ends what is under way. Never throws. */
  async run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      this.#nap = new AbortController()
      const started = await this.startDue()
      if (started.length === 0 || this.#inFlight.size >= AT_ONCE) await this.#rest(stopping)
    }
    await Promise.all(this.#inFlight.values())
  }

  /** Begins what is due to targets that rest no more, one message each, and returns what is under way. */
  async startDue(): Promise<readonly Promise<void>[]> {
    const room = AT_ONCE - this.#inFlight.size
    if (room <= 0) return []
    const now = this.#options.clock.monotonicMs()
    for (const [target, until] of this.#restsUntil) if (until <= now) this.#restsUntil.delete(target)
    const resting = new Set([...this.#inFlight.keys(), ...this.#restsUntil.keys()])
    const claimed = await this.#guarded(() => this.#options.outbox.claim(room, [...resting]))
    return (claimed ?? []).map((message) => this.#begin(message))
  }

  #begin(message: OutboxMessage): Promise<void> {
    const working = this.#guarded(() => this.#deliver(message)).finally(() => {
      this.#inFlight.delete(message.target)
      this.#nap.abort()
    })
    this.#inFlight.set(message.target, working)
    return working
  }

  /** Until something may be due, something ends, or something is put. */
  async #rest(stopping: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const now = clock.monotonicMs()
    const napMs = Math.min(POLL_MS, ...this.#restsUntil.values().map((until) => Math.max(until - now, 1)))
    await clock.sleep(napMs, AbortSignal.any([stopping, this.#nap.signal])).catch(() => undefined)
  }

  /** That the store does not answer is said once, however long it lasts. Never rejects. */
  async #guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { log } = this.#options
    try {
      const done = await work()
      if (this.#storeFails) log.info('the store answers again: messages are delivered')
      this.#storeFails = false
      return done
    } catch (error) {
      if (!(error instanceof StoreError)) log.error({ err: error }, 'delivering a message failed')
      else if (!this.#storeFails) log.warn({ err: error }, 'the store does not answer: messages are delivered later')
      this.#storeFails ||= error instanceof StoreError
      return undefined
    }
  }

  /**
   * Throws StoreError: then the message comes again when its claim is over. What the store can never read is a fault like
   * any other, so that it does not hold up its target for ever.
   */
  async #deliver(message: OutboxMessage): Promise<void> {
    if (this.#unnoted.has(message.id)) return this.#note(message, this.#unnoted.get(message.id))
    const { outbox } = this.#options
    let end: Delivered | undefined
    try {
      end = await this.#send(message)
    } catch (error) {
      if (error instanceof StoreError && error.kind !== 'corrupt') throw error
      await this.#failed(message, error)
    }
    if (message.what !== 'webhook' && end?.kind !== 'not needed')
      this.#restsUntil.set(message.target, this.#options.clock.monotonicMs() + REST_MS)
    if (end?.kind === 'taken') await this.#note(message, end.shown)
    if (end?.kind === 'not needed') await outbox.delivered(message)
    if (end?.kind === 'given up') await this.#bury(message, end.reason)
  }

  async #send(message: OutboxMessage): Promise<Delivered> {
    const { notifier, incidents } = this.#options
    if (message.incidentId !== undefined) return incidents.deliver(message, message.incidentId)
    await notifier.post(message.channelId, message.body as Message) // written by this program, checked on its way out
    return { kind: 'taken' }
  }

  /** From here on Slack has it: should the store fail now, it is only noted when it comes again. */
  async #note(message: OutboxMessage, shown: ShownIncident | undefined): Promise<void> {
    this.#unnoted.set(message.id, shown)
    const [oldest] = this.#unnoted.keys()
    if (this.#unnoted.size > MAX_UNNOTED && oldest !== undefined) this.#unnoted.delete(oldest)
    await this.#options.outbox.delivered(message, shown)
    this.#unnoted.delete(message.id)
  }

  async #failed(message: OutboxMessage, error: unknown): Promise<void> {
    const { outbox, log } = this.#options
    const about = describe(message)
    const isOld = message.claimedAt.getTime() - message.createdAt.getTime() > OUTBOX_RETENTION_MS
    if (error instanceof NotDelivered) {
      const why = await this.#whyHopeless(message, error)
      if (why !== undefined) return this.#bury(message, why)
      const whoRefused = message.what === 'webhook' ? 'the configured address' : 'Slack'
      if (isOld) return this.#bury(message, `Not taken for days by ${whoRefused}: ${error.message}`)
      log.warn({ ...about, reason: error.message }, `${whoRefused} did not take a message: it is tried again`)
      const delayMs = error.retryAfterMs ?? backoff(BACKOFF_MS, message)
      // Where one kind of message is not permitted, another one may be.
      return outbox.postpone(message, Math.min(delayMs, MAX_BACKOFF_MS), error.final === 'until permitted')
    }
    log.error({ ...about, err: error }, 'a message could not be delivered')
    // A notice may be all that somebody hears of what was done; a card is drawn anew when its incident moves on.
    const isOver = message.incidentId === undefined ? isOld : message.attempts >= MAX_FAULTS
    if (isOver) return this.#bury(message, 'It failed by a fault of CDN Ops; see the log')
    await outbox.postpone(message, backoff(FAULT_BACKOFF_MS, message), true)
  }

  /** Why no other try would help. */
  async #whyHopeless(message: OutboxMessage, refusal: NotDelivered): Promise<string | undefined> {
    if (INVALID.has(refusal.message)) return `Slack refuses it as it is: ${refusal.message}`
    if (message.what !== 'notice') return this.#options.incidents.loseChannel(message, refusal)
    return refusal.final === true ? `Slack will never take it: ${refusal.message}` : undefined
  }

  async #bury(message: OutboxMessage, reason: string): Promise<void> {
    await this.#options.outbox.bury(message, reason)
    this.#options.log.error({ ...describe(message), reason }, 'a message was given up')
  }
}

function describe({ id: message, what, channelId: channel, incidentId: incident }: OutboxMessage) {
  return { message, what, channel, incident }
}

function backoff(delays: readonly number[], { attempts }: OutboxMessage): number {
  return delays[attempts - 1] ?? delays.at(-1) ?? 0
}
