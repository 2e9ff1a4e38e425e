import type { AlertPost } from '../store/alert-records.ts'
import { type AlertPosts, WEBHOOK_LINE } from '../store/alert-posts.ts'
import { StoreError } from '../store/store-error.ts'
import { PostDelivery, type PostDeliveryOptions } from './post-delivery.ts'

/** Channels that are posted to at the same time. */
const AT_ONCE = 8
/** Slack takes about one message a second in a channel. */
const REST_MS = 1_000
/** How often it is looked whether something is due. */
const NAP_MS = 1_000
/** While nothing waits: what is put wakes it. */
const EMPTY_NAP_MS = 60_000

export interface DeliveryLaneOptions extends PostDeliveryOptions {
  readonly store: PostDeliveryOptions['store'] & {
    readonly alertPosts: Pick<AlertPosts, 'take' | 'isKnownEmpty' | 'onPut'>
  }
}

/**
 * The way of alerts into Slack: what waits in the store is posted as soon as it is due, in order within a channel and at
 * most once a second there, several channels at once. One per process.
 */
export class DeliveryLane {
  readonly #options: DeliveryLaneOptions
  readonly #delivery: PostDelivery
  /** Posts that are being delivered, by channel. */
  readonly #underWay = new Map<string, Promise<void>>()
  /** Until when a channel is left alone, by the monotonic clock. */
  readonly #restsUntil = new Map<string, number>()
  #nap: AbortController | undefined
  #hurried = false
  #storeFails = false

  constructor(options: DeliveryLaneOptions) {
    this.#options = options
    this.#delivery = new PostDelivery(options)
    options.store.alertPosts.onPut(() => this.soon())
  }

  /** Delivers until it is told to stop, and then ends what is under way. Never throws. */
  async run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      this.#hurried = false
      const started = await this.#start()
      if (started.length === 0 || this.#underWay.size >= AT_ONCE) await this.#rest(stopping)
    }
    await Promise.all(this.#underWay.values())
  }

  /** Something may have become due: it is looked now. */
  soon(): void {
    this.#hurried = true
    this.#nap?.abort()
  }

  /** Delivers what is due in channels that rest no more, one post for each, and returns how many that were. */
  async deliverDue(): Promise<number> {
    const started = await this.#start()
    await Promise.all(started)
    return started.length
  }

  async #start(): Promise<readonly Promise<void>[]> {
    const { store, log } = this.#options
    const room = AT_ONCE - this.#underWay.size
    if (room <= 0) return []
    try {
      const taken = await store.alertPosts.take(room, this.#resting())
      this.#storeAnswers()
      return taken.map((post) => this.#begin(post))
    } catch (error) {
      if (error instanceof StoreError) this.#storeFailed(error)
      else log.error({ err: error }, 'posts about incidents could not be taken up')
      return []
    }
  }

  #begin(post: AlertPost): Promise<void> {
    const lane = post.what === 'webhook' ? WEBHOOK_LINE : post.channelId
    // A store that gives two posts of one channel is none of ours; in order they stay all the same.
    const before = this.#underWay.get(lane) ?? Promise.resolve()
    const working = before
      .then(() => this.#one(post, lane))
      .finally(() => {
        if (this.#underWay.get(lane) === working) this.#underWay.delete(lane)
        this.#nap?.abort()
      })
    this.#underWay.set(lane, working)
    return working
  }

  async #one(post: AlertPost, lane: string): Promise<void> {
    const { clock, log } = this.#options
    try {
      if (await this.#delivery.deliver(post)) this.#restsUntil.set(lane, clock.monotonicMs() + REST_MS)
      this.#storeAnswers()
    } catch (error) {
      if (error instanceof StoreError) this.#storeFailed(error)
      else log.error({ err: error, post: post.id }, 'a post about an incident failed')
    }
  }

  /** Channels that are being posted to or were a moment ago. */
  #resting(): readonly string[] {
    const now = this.#options.clock.monotonicMs()
    for (const [lane, until] of this.#restsUntil) if (until <= now) this.#restsUntil.delete(lane)
    return [...new Set([...this.#underWay.keys(), ...this.#restsUntil.keys()])]
  }

  /** Until something may be due, something ends, or somebody says that it is. */
  async #rest(stopping: AbortSignal): Promise<void> {
    if (this.#hurried) return
    const { clock, store } = this.#options
    const now = clock.monotonicMs()
    const longestMs = store.alertPosts.isKnownEmpty ? EMPTY_NAP_MS : NAP_MS
    const napMs = Math.min(longestMs, ...this.#restsUntil.values().map((until) => Math.max(until - now, 1)))
    const nap = new AbortController()
    this.#nap = nap
    await clock.sleep(napMs, AbortSignal.any([stopping, nap.signal])).catch(() => undefined)
    this.#nap = undefined
  }

  /** Said once, however long it lasts. */
  #storeFailed(error: StoreError): void {
    if (!this.#storeFails) this.#options.log.warn({ err: error }, 'the store does not answer: alerts are told later')
    this.#storeFails = true
  }

  #storeAnswers(): void {
    if (this.#storeFails) this.#options.log.info('the store answers again: alerts are told')
    this.#storeFails = false
  }
}
