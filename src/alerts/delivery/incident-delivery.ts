import { NotDelivered, type Notifier } from '../../delivery/notifier.ts'
import type { Delivered, PostDelivery } from '../../delivery/dispatcher.ts'
import { type Clock, waitAtMost } from '../../shared/clock.ts'
import { type AlertRules, MANAGED_BY } from '../../store/alerts/alert-rules.ts'
import type { Alerts } from '../../store/alerts/alerts.ts'
import type { OutboxMessage } from '../../store/outbox/outbox.ts'
import type { AlertRule, IncidentRecord } from '../../store/schema/alert-records.ts'
import { type BackgroundStore, findBackground, incidentMessage } from './incident-message.ts'
import { type AlertsBody, personMessage, replyMessage, ThreadReply, WebhookBody } from '../incidents/incident-reply.ts'
import { type IncidentWords, subjectLabel } from '../incidents/incident-words.ts'
import { findSilence } from '../incidents/inhibition.ts'
import { listFiring, readIncidentDoc, STALE_POST_MS } from '../state/incident.ts'
import { buildEndOfRules } from './webhook-body.ts'
import { counted } from '../../block-kit/amounts.ts'
import { md, mentionChannel } from '../../block-kit/mrkdwn.ts'
import { type Message, wordsMessage } from '../../block-kit/message.ts'
import { firstLines } from '../../block-kit/sections.ts'
import { PROGRAM } from '../../store/schema/audit-entry.ts'
import { getKindTitle } from '../kinds/kinds.ts'

/** A receiver that does not answer may still have taken it. */
const SEND_WITHIN_MS = 30_000

export interface Webhook {
  /** What is told in the form that the address takes; undefined where that form has no word for it. */
  build(body: WebhookBody, incident: IncidentRecord, words: IncidentWords): object | undefined
  /** Throws `NotDelivered` when it was not taken, final when the address refuses it as it is. */
  send(payload: object): Promise<void>
}

export interface IncidentDeliveryOptions {
  readonly store: {
    readonly alerts: Pick<Alerts, 'incident'>
    readonly alertRules: Pick<AlertRules, 'pause'>
  } & BackgroundStore
  readonly notifier: Notifier
  readonly clock: Clock
  readonly opsChannel: string | undefined
  readonly sharedChannels?: (() => readonly string[]) | undefined
  readonly words: () => Promise<IncidentWords>
  /** The configured address, if there is one. */
  readonly webhook?: Webhook | undefined
}

/** Brings what is told of an incident to its channel, its thread and the webhook, drawn from the incident as it is then. */
export class IncidentDelivery implements PostDelivery {
  readonly #options: IncidentDeliveryOptions

  constructor(options: IncidentDeliveryOptions) {
    this.#options = options
  }

  async deliver(message: OutboxMessage, incidentId: string): Promise<Delivered> {
    const incident = await this.#options.store.alerts.incident(incidentId)
    if (incident === undefined) return { kind: 'not needed' }
    if (message.what === 'card') return this.#card(incident, message)
    return message.what === 'reply' ? this.#reply(message, incident) : this.#webhook(message, incident)
  }

  /**
   * Every further message into the channel would end like this one, so its rules are paused, with an entry on record and a word
   * to whoever set them up.
   */
  async loseChannel({ channelId }: OutboxMessage, { message: code, final }: NotDelivered): Promise<string | undefined> {
    const { store, clock, opsChannel, words } = this.#options
    const why = final === false ? undefined : LOST.get(code)
    if (why === undefined) return undefined
    const [at, about] = [clock.now(), await words()]
    const entry = {
      at,
      actor: PROGRAM,
      team: PROGRAM,
      operation: 'alerts',
      event: 'alert_paused',
      detail: why,
    } as const
    await store.alertRules.pause(channelId, why, {
      at,
      entry: (paused) => ({ ...entry, summary: `${countRules(paused)} of channel ${channelId} paused` }),
      notices(paused) {
        const message = buildPauseMessage(paused, channelId, why, about)
        const owners = new Set(paused.map(({ createdBy }) => createdBy).filter((owner) => owner !== MANAGED_BY))
        const recipients = [...owners].slice(0, MAX_OWNERS_TOLD)
        if (opsChannel !== undefined && opsChannel !== channelId) recipients.push(opsChannel)
        return recipients.map((recipient) => ({ recipient, message }))
      },
    })
    return why
  }

  /** Brings the incident's one message to the present state; one that is gone is posted anew. */
  async #card(incident: IncidentRecord, { claimedAt: at }: OutboxMessage): Promise<Delivered> {
    const { store, notifier, words, clock, sharedChannels = () => [] } = this.#options
    const { channelId: channel, messageTs: ts, revision, shownRevision } = incident
    if (ts !== undefined && shownRevision >= revision) return { kind: 'not needed' }
    const othersRead = sharedChannels().includes(channel)
    const background = await findBackground(incident, store, { now: clock.now(), othersRead })
    const message = incidentMessage(incident, await words(), background)
    const edited = ts !== undefined && (await notifier.edit({ channel, ts }, message))
    const place = edited ? undefined : await notifier.post(channel, message)
    // What happened since it was claimed the message may not show.
    return { kind: 'taken', shown: { revision, at, ...(place && { messageTs: place.ts }) } }
  }

  /**
   * What is old, or from before the message was there, is told by the message itself. Not so what people said, and whom nobody
   * has called yet: they are while nobody has answered.
   */
  async #reply(reply: OutboxMessage, incident: IncidentRecord): Promise<Delivered> {
    const { notifier, words } = this.#options
    const { messageTs: ts, postedAt, channelId: channel } = incident
    const body = ThreadReply.parse(reply.body)
    if (ts === undefined) return { kind: 'not needed' }
    if ('person' in body) {
      await notifier.reply({ channel, ts }, personMessage(body), { broadcast: false })
      return { kind: 'taken' }
    }
    const isOld = isStale(reply) || (postedAt !== undefined && reply.createdAt < postedAt)
    if (isOld && body.escalate === undefined) return { kind: 'not needed' }
    const isAnswered = incident.acknowledgedBy !== undefined || incident.endedAt !== undefined
    if (body.kind === 'nobody acknowledged' && (isAnswered || (await this.#isSilenced(incident))))
      return { kind: 'not needed' }
    const message = replyMessage(body, incident, await words())
    await notifier.reply({ channel, ts }, message, { broadcast: body.broadcast })
    return { kind: 'taken' }
  }

  async #isSilenced(incident: IncidentRecord): Promise<boolean> {
    const now = this.#options.clock.now()
    const silences = await this.#options.store.silences.list(now)
    return findSilence(silences, incident, now, readIncidentDoc(incident.doc).alerts) !== undefined
  }

  async #webhook(message: OutboxMessage, incident: IncidentRecord): Promise<Delivered> {
    const { webhook, clock, words } = this.#options
    const body = message.body === undefined ? buildEndOfRules(incident) : WebhookBody.parse(message.body)
    if (webhook === undefined) {
      // A look puts pages down only where there is an address; what people do is put down in any case.
      const isMissed = message.body !== undefined && body !== undefined && 'alerts' in body
      return isMissed ? { kind: 'given up', reason: 'ALERT_WEBHOOK_URL is not set any more' } : { kind: 'not needed' }
    }
    const told = body && isStale(message) ? await this.#stillTrue(body, incident) : body
    if (told === undefined && body?.status === 'firing')
      return { kind: 'given up', reason: 'It was over, or silenced, before the configured address took it' }
    const payload = told && webhook.build(told, incident, await words())
    if (payload === undefined) return { kind: 'not needed' }
    try {
      if ((await waitAtMost(clock, SEND_WITHIN_MS, webhook.send(payload))) === undefined)
        throw new NotDelivered('there was no answer in time', false)
    } catch (error) {
      // What is refused for so long holds up what comes after it no longer.
      if (!isStale(message) || !(error instanceof NotDelivered) || error.final !== true) throw error
      return { kind: 'given up', reason: `The configured address refuses it: ${error.message}` }
    }
    return { kind: 'taken' }
  }

  /**
   * What of a body is still so, for an address that takes it late; undefined where nothing is. What somebody looks after is
   * told all the same: of that, not every form has a word.
   */
  async #stillTrue(body: WebhookBody, incident: IncidentRecord): Promise<WebhookBody | undefined> {
    if (readIncidentDoc(incident.doc).nature === 'event') return body
    if (body.status === 'acknowledged') return incident.acknowledgedBy === undefined ? undefined : body
    // Of an incident that a person ended, or with its rules, the alerts say nothing of it.
    const firing = incident.endedAt === undefined ? listFiring(incident) : []
    if (body.status === 'resolved') {
      const goesOn = new Set(firing.map(({ ruleId }) => ruleId))
      const over = body.alerts.filter(({ ruleId }) => !goesOn.has(ruleId))
      return withAlerts('resolved', over)
    }
    if (firing.length === 0 || (await this.#isSilenced(incident))) return undefined
    if (!('alerts' in body)) return body
    const told = new Map(body.alerts.map(({ ruleId, firedMs }) => [ruleId, firedMs]))
    const still = firing.filter(({ ruleId, firedMs }) => told.get(ruleId) === firedMs)
    return withAlerts('firing', still)
  }
}

function withAlerts(status: AlertsBody['status'], alerts: AlertsBody['alerts']): AlertsBody | undefined {
  return alerts.length > 0 ? { status, alerts } : undefined
}

function isStale({ createdAt, claimedAt }: OutboxMessage): boolean {
  return claimedAt.getTime() - createdAt.getTime() > STALE_POST_MS
}

/** Why nothing can be posted in a channel any more, by Slack's refusal. Others are not about the channel. */
const LOST: ReadonlyMap<string, string> = new Map([
  ['channel_not_found', 'Slack knows no such channel, or CDN Ops was removed from it.'],
  ['not_in_channel', 'CDN Ops is not in the channel.'],
  ['is_archived', 'The channel is archived.'],
  ['restricted_action', 'Slack does not let CDN Ops write in the channel.'],
  ['restricted_action_read_only_channel', 'Only some people may write in the channel.'],
])
const MAX_OWNERS_TOLD = 20
const MAX_RULES_NAMED = 10

function buildPauseMessage(
  paused: readonly AlertRule[],
  channelId: string,
  why: string,
  words: IncidentWords,
): Message {
  const happened = md`:warning: CDN Ops cannot post alerts in ${mentionChannel(channelId)} any more. ${why} ${countRules(paused)} of that channel ${paused.length === 1 ? 'is' : 'are'} paused and will say nothing; what they watch is still being read.`
  const named = paused.map(({ kind, subject }) => md`${getKindTitle(kind)}, ${subjectLabel(subject, words)}`)
  const next = md`Once it can post there again (channel open, CDN Ops invited), type ${words.command} alerts resume all in that channel; or set alerts up in another one.`
  return wordsMessage([happened], { list: firstLines(named, MAX_RULES_NAMED), small: [next] })
}

function countRules({ length }: readonly AlertRule[]): string {
  return counted(length, 'alert rule')
}
