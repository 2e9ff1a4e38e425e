import * as z from 'zod'
import { type Message, message } from '../block-kit/message.ts'
import { joinMd, md, mentionGroup, type Mrkdwn, plainOf } from '../block-kit/mrkdwn.ts'
import { context, section } from '../block-kit/sections.ts'
import type { IncidentRecord } from '../store/alert-records.ts'
import { alertLines, type IncidentWords, RESOLVED, severityWords, shortId, subjectLabel } from './incident-words.ts'
import { IncidentAlert, MAX_INCIDENT_ALERTS } from './incident.ts'

/** What can be said in the thread of an incident's message. Everything else is an edit of the message itself. */
export const REPLY_KINDS = [
  /** It had ended, and fires again within six hours. */
  'begins again',
  'worse',
  /** Another alert of the same subject fires beside those that did. */
  'joined',
  /** Critical for hours, and nobody has acknowledged it. */
  'reminder',
  'nobody acknowledged',
  /** Begins and ends so often that it is held for half an hour. */
  'flapping',
  'eased',
  'ended one of several',
  /** It ends by itself: what has lasted so long is what is usual now. */
  'new normal',
] as const
export type ReplyKind = (typeof REPLY_KINDS)[number]

export const ReplyBody = z.object({
  kind: z.enum(REPLY_KINDS),
  alert: IncidentAlert,
  mention: z.string().optional(),
  /** Whether the channel sees it beside the thread. */
  broadcast: z.boolean(),
})
export type ReplyBody = Readonly<z.output<typeof ReplyBody>>

export const WebhookBody = z.object({
  status: z.enum(['firing', 'resolved']),
  /** Those that began or became worse, or those that ended. */
  alerts: z.array(IncidentAlert).min(1).max(MAX_INCIDENT_ALERTS).readonly(),
})
export type WebhookBody = Readonly<z.output<typeof WebhookBody>>

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
    case 'new normal':
      return `${RESOLVED}: ${title}; what has lasted is taken for usual now`
  }
}
