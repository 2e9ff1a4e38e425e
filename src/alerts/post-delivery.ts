import * as z from 'zod'
import { type Clock, waitAtMost } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { AlertPost, IncidentRecord } from '../store/alert-records.ts'
import type { AlertPosts, ShownIncident } from '../store/alert-posts.ts'
import type { AlertRules } from '../store/alert-rules.ts'
import type { Alerts } from '../store/alerts.ts'
import { StoreError } from '../store/store-error.ts'
import { changedBefore, type DoneBefore } from './changed-before.ts'
import { incidentMessage } from './incident-message.ts'
import { type IncidentWords, RESOLVED, severityWords, shortId, subjectLabel } from './incident-words.ts'
import { STALE_POST_MS, MAX_INCIDENT_ALERTS } from './incident.ts'
import { lostChannelTold, whyLost } from './lost-channel.ts'
import { NotDelivered, type Notifier } from './notifier.ts'
import { endedWithRules, type WebhookPayload, webhookBody } from './webhook-body.ts'
import { IncidentAlertShape } from './incident-doc.ts'
import { REPLY_KINDS, type ReplyBody, type WebhookBody } from './incident-reply.ts'
import { joinMd, md, mentionGroup, type Mrkdwn, plainOf } from '../block-kit/mrkdwn.ts'
import { type Message, message } from '../block-kit/message.ts'
import { context, section } from '../block-kit/sections.ts'
import { alertLines } from './alert-lines.ts'

/** How long a post waits after each failure, the last one for all further. */
const PAUSES_MS: readonly number[] = [5_000, 15_000, 30_000, 60_000]
/** However long Slack wants to be left alone, it is asked again after this time. */
const MAX_PAUSE_MS = 60_000
/** A message that Slack has not taken for so long is given up; what it would say is three days old. */
const CARD_LIFE_MS = 3 * 86_400_000
/** What fails by a fault of this program fails again; a few times, because not all faults last. */
const MAX_FAULTS = 5
/** A receiver that does not answer may still have taken it. */
const SEND_WITHIN_MS = 30_000
/** Refusals of what a message says, or of the message it would stand under: no other time and no other channel would help. */
const UNFIT: ReadonlySet<string> = new Set([
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

export interface PostDeliveryOptions {
  readonly store: {
    readonly alertPosts: Pick<AlertPosts, 'posted' | 'postpone' | 'bury'>
    readonly alerts: Pick<Alerts, 'incident'>
    readonly alertRules: Pick<AlertRules, 'pause'>
  } & DoneBefore
  readonly notifier: Notifier
  readonly clock: Clock
  readonly log: Log
  readonly opsChannel: string | undefined
  /** Channels that other organisations read as well. */
  readonly sharedChannels?: (() => readonly string[]) | undefined
  /** As zones are named now. */
  readonly words: () => Promise<IncidentWords>
  /** Brings a payload to the configured address; throws when it was not taken. Without one, there is no such address. */
  readonly send?: ((payload: WebhookPayload) => Promise<void>) | undefined
}

/** Delivers single posts about incidents: at least once each, given up aloud, never for good because of a pause. */
export class PostDelivery {
  readonly #options: PostDeliveryOptions
  readonly #unnoted = new Map<string, ShownIncident | undefined>()

  constructor(options: PostDeliveryOptions) {
    this.#options = options
  }

  /**
   * Whether Slack was asked. Throws StoreError: then the post comes again when it is nobody's any more. What the store can
   * never read is a fault like any other, so that it does not hold up its channel for ever.
   */
  async deliver(post: AlertPost): Promise<boolean> {
    try {
      return await this.#tell(post)
    } catch (error) {
      if (error instanceof StoreError && error.kind !== 'corrupt') throw error
      await this.#failed(post, error)
      return true
    }
  }

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
    const { store, notifier, clock, words } = this.#options
    const incident = await store.alerts.incident(post.incidentId)
    const { messageTs: ts, postedAt } = incident ?? {}
    const isOld = clock.now().getTime() - post.createdAt.getTime() > STALE_POST_MS
    if (incident === undefined || ts === undefined || isOld || (postedAt !== undefined && post.createdAt < postedAt)) {
      await store.alertPosts.posted(post)
      return false
    }
    const body = readReplyBody(post.body)
    const message = replyMessage(body, incident, await words())
    await notifier.reply({ channel: incident.channelId, ts }, message, { broadcast: body.broadcast })
    await this.#note(post, undefined)
    return true
  }

  async #webhook(post: AlertPost): Promise<boolean> {
    const { store, send, clock, words } = this.#options
    const incident = await store.alerts.incident(post.incidentId)
    const isOld = clock.now().getTime() - post.createdAt.getTime() > STALE_POST_MS
    const body = post.body === undefined ? incident && endedWithRules(incident) : readWebhookBody(post.body)
    if (incident === undefined || body === undefined || send === undefined) await store.alertPosts.posted(post)
    else if (isOld) await this.#bury(post, 'The configured address has not taken it for half an hour')
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
    const { store, log, clock } = this.#options
    const about = { post: post.id, incident: post.incidentId, channel: post.channelId, what: post.what }
    if (error instanceof NotDelivered) {
      if (UNFIT.has(error.message)) return this.#bury(post, `Slack refuses it as it is: ${error.message}`)
      const why = error.final === false ? undefined : whyLost(error.message)
      if (why !== undefined) return this.#lost(post, why)
      if (clock.now().getTime() - post.createdAt.getTime() > CARD_LIFE_MS)
        return this.#bury(post, `Slack has not taken it for days: ${error.message}`)
      log.warn({ ...about, reason: error.message }, 'a post about an incident was not taken: it is tried again')
      const pauseMs = error.retryAfterMs ?? pauseAfter(post)
      return store.alertPosts.postpone(post.id, Math.min(pauseMs, MAX_PAUSE_MS))
    }
    if (post.what === 'webhook') log.warn({ ...about, err: error }, 'the configured address did not take a post')
    else {
      log.error({ ...about, err: error }, 'a post about an incident failed')
      if (post.attempts >= MAX_FAULTS) return this.#bury(post, 'It failed by a fault of CDN Ops; see the log')
    }
    await store.alertPosts.postpone(post.id, pauseAfter(post))
  }

  /** Every further post into the channel would end like this one. */
  async #lost(post: AlertPost, why: string): Promise<void> {
    const { store, clock, opsChannel, words } = this.#options
    const { channelId } = post
    const told = lostChannelTold({ channelId, why, at: clock.now(), opsChannel, words: await words() })
    await store.alertRules.pause(channelId, why, told)
    await this.#bury(post, why)
  }

  async #bury(post: AlertPost, reason: string): Promise<void> {
    const { store, log } = this.#options
    const { id, incidentId, channelId, what } = post
    await store.alertPosts.bury(id, reason)
    log.error(
      { post: id, incident: incidentId, channel: channelId, what, reason },
      'a post about an incident was given up',
    )
  }
}

function pauseAfter({ attempts }: AlertPost): number {
  return PAUSES_MS[Math.max(0, attempts - 1)] ?? MAX_PAUSE_MS
}

const Reply: z.ZodType<ReplyBody> = z.object({
  kind: z.enum(REPLY_KINDS),
  alert: IncidentAlertShape,
  mention: z.string().optional(),
  broadcast: z.boolean(),
})

const Webhook: z.ZodType<WebhookBody> = z.object({
  status: z.enum(['firing', 'resolved']),
  alerts: z.array(IncidentAlertShape).min(1).max(MAX_INCIDENT_ALERTS),
})

/** The body of a post that is a `reply`, as the store kept it. Throws `z.ZodError` for anything else: a bug. */
function readReplyBody(body: unknown): ReplyBody {
  return Reply.parse(body)
}

/** The body of a post that is a `webhook`, as the store kept it. Throws `z.ZodError` for anything else: a bug. */
function readWebhookBody(body: unknown): WebhookBody {
  return Webhook.parse(body)
}

/** What is said in the thread of an incident's message, about the alert it is about, as that was then. */
export function replyMessage(body: ReplyBody, incident: IncidentRecord, words: IncidentWords): Message {
  const { alert, mention } = body
  const asked = mention === undefined ? [] : [md`${mentionGroup(mention)}: please look at this.`]
  const happened = md`*${headline(body, words)}* · ${subjectLabel(alert.subject, words)}`
  const said: readonly Mrkdwn[] = [happened, alertLines(alert, 'incident'), ...asked]
  const small = md`Incident ${shortId(incident.id)}`
  return message({
    text: [...said, small].map(plainOf).join('\n'),
    blocks: [section(joinMd(said, '\n')), context(small)],
  })
}

function headline({ kind, alert }: ReplyBody, { kindTitle }: Pick<IncidentWords, 'kindTitle'>): string {
  const grave = severityWords(alert.severity)
  const title = kindTitle(alert.kind)
  switch (kind) {
    case 'begins again':
      return `${grave}: ${title}; this incident is open again`
    case 'worse':
      return `${grave}: ${title} has become worse`
    case 'joined':
      return `${grave}: ${title} fires as well`
    case 'reminder':
      return `${grave}: ${title} still fires`
    case 'nobody acknowledged':
      return `${grave}: nobody has acknowledged ${title}`
    case 'flapping':
      return `${grave}: ${title} begins and ends again and again; it is held for half an hour`
    case 'eased':
      return `${grave}: ${title} has become less grave`
    case 'ended one of several':
      return `${RESOLVED}: ${title}; the incident goes on`
  }
}
