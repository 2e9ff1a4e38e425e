import { type Clock, waitAtMost } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { AlertPost } from '../store/alert-records.ts'
import { type AlertPosts, type ShownIncident, WEBHOOK_LINE } from '../store/alert-posts.ts'
import type { AlertRules } from '../store/alert-rules.ts'
import type { Alerts } from '../store/alerts.ts'
import { StoreError } from '../store/store-error.ts'
import { changedBefore, type DoneBefore } from './changed-before.ts'
import { incidentMessage } from './incident-message.ts'
import { ReplyBody, replyMessage, WebhookBody } from './incident-reply.ts'
import type { IncidentWords } from './incident-words.ts'
import { STALE_POST_MS } from './incident.ts'
import { lostChannelTold, whyLost } from './lost-channel.ts'
import { NotDelivered, type Notifier } from './notifier.ts'
import { endedWithRules, type WebhookPayload, webhookBody } from './webhook-body.ts'

/** Channels that are posted to at the same time. */
const AT_ONCE = 8
/** Slack takes about one message a second in a channel. */
const REST_MS = 1_000
/** How often the outbox is polled: what this process puts wakes it. */
const POLL_MS = 1_000
/** The backoff after each failure, the last one for all further. */
const BACKOFF_MS: readonly number[] = [5_000, 15_000, 30_000, 60_000]
/** However long Slack wants to be left alone, it is asked again after this time. */
const MAX_BACKOFF_MS = 60_000
/** A message that Slack has not taken for so long is given up; what it would say is three days old. */
const MAX_AGE_MS = 3 * 86_400_000
/** What fails by a fault of this program fails again; a few times, because not all faults last. */
const MAX_FAULTS = 5
/** A receiver that does not answer may still have taken it. */
const SEND_WITHIN_MS = 30_000
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
/** Posts that Slack has taken and the store has not noted, so that they are noted and not repeated. */
const MAX_UNNOTED = 1_000

export interface AlertDispatcherOptions {
  readonly store: {
    readonly alertPosts: Pick<AlertPosts, 'take' | 'onPut' | 'posted' | 'postpone' | 'bury'>
    readonly alerts: Pick<Alerts, 'incident'>
    readonly alertRules: Pick<AlertRules, 'pause'>
  } & DoneBefore
  readonly notifier: Notifier
  readonly clock: Clock
  readonly log: Log
  readonly opsChannel: string | undefined
  readonly sharedChannels?: (() => readonly string[]) | undefined
  readonly words: () => Promise<IncidentWords>
  /** Brings a payload to the configured address; throws when it was not taken. Without one, there is no such address. */
  readonly send?: ((payload: WebhookPayload) => Promise<void>) | undefined
}

/**
 * Delivers the outbox of alerts: what is due is posted in order within a channel and at most once a second there, several
 * channels at once. Each post at least once, given up only with an entry in the log. One per process.
 */
export class AlertDispatcher {
  readonly #options: AlertDispatcherOptions
  readonly #inFlight = new Map<string, Promise<void>>()
  /** Until when a channel is left alone, by the monotonic clock. */
  readonly #restsUntil = new Map<string, number>()
  readonly #unnoted = new Map<string, ShownIncident | undefined>()
  #nap: AbortController | undefined
  #hurried = false
  #storeFails = false

  constructor(options: AlertDispatcherOptions) {
    this.#options = options
    options.store.alertPosts.onPut(() => this.#soon())
  }

  /** Delivers until it is told to stop, and then ends what is under way. Never throws. */
  async run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      this.#hurried = false
      const started = await this.#start()
      if (started.length === 0 || this.#inFlight.size >= AT_ONCE) await this.#rest(stopping)
    }
    await Promise.all(this.#inFlight.values())
  }

  /** Delivers what is due in channels that rest no more, one post for each, and returns how many that were. */
  async deliverDue(): Promise<number> {
    const started = await this.#start()
    await Promise.all(started)
    return started.length
  }

  #soon(): void {
    this.#hurried = true
    this.#nap?.abort()
  }

  async #start(): Promise<readonly Promise<void>[]> {
    const room = AT_ONCE - this.#inFlight.size
    if (room <= 0) return []
    const now = this.#options.clock.monotonicMs()
    for (const [line, until] of this.#restsUntil) if (until <= now) this.#restsUntil.delete(line)
    const resting = new Set([...this.#inFlight.keys(), ...this.#restsUntil.keys()])
    const taken = await this.#guarded(() => this.#options.store.alertPosts.take(room, [...resting]))
    return (taken ?? []).map((post) => this.#begin(post))
  }

  #begin(post: AlertPost): Promise<void> {
    const line = post.what === 'webhook' ? WEBHOOK_LINE : post.channelId
    // A store that gives two posts of one channel is none of ours; in order they stay all the same.
    const before = this.#inFlight.get(line) ?? Promise.resolve()
    const working = before
      .then(() => this.#guarded(() => this.#deliver(post, line)))
      .finally(() => {
        if (this.#inFlight.get(line) === working) this.#inFlight.delete(line)
        this.#nap?.abort()
      })
    this.#inFlight.set(line, working)
    return working
  }

  /** Until something may be due, something ends, or something is put. */
  async #rest(stopping: AbortSignal): Promise<void> {
    if (this.#hurried) return
    const { clock } = this.#options
    const now = clock.monotonicMs()
    const napMs = Math.min(POLL_MS, ...this.#restsUntil.values().map((until) => Math.max(until - now, 1)))
    const nap = new AbortController()
    this.#nap = nap
    await clock.sleep(napMs, AbortSignal.any([stopping, nap.signal])).catch(() => undefined)
    this.#nap = undefined
  }

  /** That the store does not answer is said once, however long it lasts. Never rejects. */
  async #guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { log } = this.#options
    try {
      const done = await work()
      if (this.#storeFails) log.info('the store answers again: alerts are told')
      this.#storeFails = false
      return done
    } catch (error) {
      if (!(error instanceof StoreError)) log.error({ err: error }, 'delivering a post about an incident failed')
      else if (!this.#storeFails) log.warn({ err: error }, 'the store does not answer: alerts are told later')
      this.#storeFails ||= error instanceof StoreError
      return undefined
    }
  }

  /**
   * Throws StoreError: then the post comes again when it is nobody's any more. What the store can never read is a fault
   * like any other, so that it does not hold up its channel for ever.
   */
  async #deliver(post: AlertPost, line: string): Promise<void> {
    let isAsked = true
    try {
      isAsked = await this.#tell(post)
    } catch (error) {
      if (error instanceof StoreError && error.kind !== 'corrupt') throw error
      await this.#failed(post, error)
    }
    if (isAsked) this.#restsUntil.set(line, this.#options.clock.monotonicMs() + REST_MS)
  }

  /** Whether Slack was asked. */
  async #tell(post: AlertPost): Promise<boolean> {
    if (this.#unnoted.has(post.id)) {
      await this.#note(post, this.#unnoted.get(post.id))
      return false
    }
    switch (post.what) {
      case 'card':
        return this.#card(post)
      case 'reply':
        return this.#reply(post)
      case 'webhook':
        return this.#webhook(post)
    }
  }

  /** Brings the incident's one message to the present state; one that is gone is posted anew. */
  async #card(post: AlertPost): Promise<boolean> {
    const { store, notifier, clock, words, sharedChannels = () => [] } = this.#options
    // What happens from here on the message may not show.
    const at = clock.now()
    const incident = await store.alerts.incident(post.incidentId)
    const isShown = incident?.messageTs !== undefined && incident.shownRevision >= incident.revision
    if (incident === undefined || isShown) {
      await store.alertPosts.posted(post)
      return false
    }
    const { channelId: channel, messageTs: ts, revision } = incident
    const before = await changedBefore(incident, store, sharedChannels().includes(channel))
    const message = incidentMessage(incident, await words(), before)
    const edited = ts !== undefined && (await notifier.edit({ channel, ts }, message))
    const place = edited ? undefined : await notifier.post(channel, message)
    await this.#note(post, { revision, at, ...(place && { messageTs: place.ts }) })
    return true
  }

  /** What is old, or from before the message was there, is told by the message itself. */
  async #reply(post: AlertPost): Promise<boolean> {
    const { store, notifier, words } = this.#options
    const incident = await store.alerts.incident(post.incidentId)
    const { messageTs: ts, postedAt } = incident ?? {}
    const isTold = this.#ageMs(post) > STALE_POST_MS || (postedAt !== undefined && post.createdAt < postedAt)
    if (incident === undefined || ts === undefined || isTold) {
      await store.alertPosts.posted(post)
      return false
    }
    const body = ReplyBody.parse(post.body)
    const message = replyMessage(body, incident, await words())
    await notifier.reply({ channel: incident.channelId, ts }, message, { broadcast: body.broadcast })
    await this.#note(post, undefined)
    return true
  }

  async #webhook(post: AlertPost): Promise<boolean> {
    const { store, send, clock, words } = this.#options
    const incident = await store.alerts.incident(post.incidentId)
    const body = post.body === undefined ? incident && endedWithRules(incident) : WebhookBody.parse(post.body)
    if (incident === undefined || body === undefined || send === undefined) await store.alertPosts.posted(post)
    else if (this.#ageMs(post) > STALE_POST_MS)
      await this.#bury(post, 'The configured address has not taken it for half an hour')
    else {
      const payload = webhookBody(body, incident, await words())
      const sent = await waitAtMost(clock, SEND_WITHIN_MS, send(payload))
      if (sent === undefined) throw new Error('There was no answer in time')
      await this.#note(post, undefined)
    }
    return false
  }

  /** From here on Slack has it: should the store fail now, it is only noted when it comes again. */
  async #note(post: AlertPost, shown: ShownIncident | undefined): Promise<void> {
    this.#unnoted.set(post.id, shown)
    const [oldest] = this.#unnoted.keys()
    if (this.#unnoted.size > MAX_UNNOTED && oldest !== undefined) this.#unnoted.delete(oldest)
    await this.#options.store.alertPosts.posted(post, shown)
    this.#unnoted.delete(post.id)
  }

  async #failed(post: AlertPost, error: unknown): Promise<void> {
    const { store, log } = this.#options
    const about = { post: post.id, incident: post.incidentId, channel: post.channelId, what: post.what }
    if (error instanceof NotDelivered) {
      if (INVALID.has(error.message)) return this.#bury(post, `Slack refuses it as it is: ${error.message}`)
      const why = error.final === false ? undefined : whyLost(error.message)
      if (why !== undefined) return this.#lost(post, why)
      if (this.#ageMs(post) > MAX_AGE_MS) return this.#bury(post, `Slack has not taken it for days: ${error.message}`)
      log.warn({ ...about, reason: error.message }, 'a post about an incident was not taken: it is tried again')
      const pauseMs = error.retryAfterMs ?? backoffMs(post)
      return store.alertPosts.postpone(post.id, Math.min(pauseMs, MAX_BACKOFF_MS))
    }
    if (post.what === 'webhook') log.warn({ ...about, err: error }, 'the configured address did not take a post')
    else {
      log.error({ ...about, err: error }, 'a post about an incident failed')
      if (post.attempts >= MAX_FAULTS) return this.#bury(post, 'It failed by a fault of CDN Ops; see the log')
    }
    await store.alertPosts.postpone(post.id, backoffMs(post))
  }

  /** Every further post into the channel would end like this one. */
  async #lost(post: AlertPost, why: string): Promise<void> {
    const { store, clock, opsChannel, words } = this.#options
    const { channelId } = post
    const told = lostChannelTold(channelId, why, clock.now(), { opsChannel, words: await words() })
    await store.alertRules.pause(channelId, why, told)
    await this.#bury(post, why)
  }

  async #bury({ id, incidentId, channelId, what }: AlertPost, reason: string): Promise<void> {
    const { store, log } = this.#options
    await store.alertPosts.bury(id, reason)
    const about = { post: id, incident: incidentId, channel: channelId, what, reason }
    log.error(about, 'a post about an incident was given up')
  }

  #ageMs({ createdAt }: AlertPost): number {
    return this.#options.clock.now().getTime() - createdAt.getTime()
  }
}

function backoffMs({ attempts }: AlertPost): number {
  return BACKOFF_MS[Math.max(0, attempts - 1)] ?? MAX_BACKOFF_MS
}
