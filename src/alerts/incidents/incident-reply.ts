import * as z from 'zod'
import { type Message, message, wordsMessage } from '../../block-kit/message.ts'
import { dateTime, joinMd, md, mention, mentionEither, type Mrkdwn, plainOf } from '../../block-kit/mrkdwn.ts'
import { section } from '../../block-kit/sections.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'
import { IncidentAlert, MAX_INCIDENT_ALERTS, UNACKNOWLEDGED_MS } from '../state/incident.ts'
import { FLAP_HOLD_MS } from '../state/step.ts'
import { acknowledgeControl } from './incident-controls.ts'
import {
  clause,
  durationWords,
  type IncidentWords,
  numberWords,
  problemWords,
  shortName,
  symbolOf,
  worstWords,
} from './incident-words.ts'

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
  /** Begins and ends so often that nothing more is notified for half an hour. */
  'flapping',
  'de-escalated',
  'ended one of several',
  'silence over',
  /** All of it, which the edit of the message alone would tell nobody. */
  'ended',
  /** It ends by itself: what has lasted so long is what is usual now. */
  'new normal',
] as const
export type ReplyKind = (typeof REPLY_KINDS)[number]

export const ReplyBody = z.object({
  kind: z.enum(REPLY_KINDS),
  alert: IncidentAlert,
  /** The number before. */
  was: z.string().optional(),
  mention: z.string().optional(),
  /** Who is called because nobody has acknowledged it for so long. */
  escalate: z.string().optional(),
  unansweredMs: z.number().optional(),
  /** Of what is over. */
  silencedUntilMs: z.number().optional(),
  broadcast: z.boolean(),
})
export type ReplyBody = Readonly<z.output<typeof ReplyBody>>

/** What a person did, as the store puts it: said whatever the message shows by then. */
const PersonReply = z.object({
  kind: z.enum(['taken_over', 'released', 'note']),
  person: z.string(),
  holder: z.string().optional(),
  text: z.string().default(''),
})
export type PersonReply = Readonly<z.output<typeof PersonReply>>
export const ThreadReply = z.union([PersonReply, ReplyBody])

const AlertsBody = z.object({
  status: z.enum(['firing', 'resolved']),
  /** Those that began or became worse, or those that ended. */
  alerts: z.array(IncidentAlert).min(1).max(MAX_INCIDENT_ALERTS).readonly(),
})
export type AlertsBody = Readonly<z.output<typeof AlertsBody>>

/** `released`: nobody looks after it any more. */
export const WebhookBody = z.union([AlertsBody, z.object({ status: z.enum(['acknowledged', 'released']) })])
export type WebhookBody = Readonly<z.output<typeof WebhookBody>>

/** One sentence: the title of the message above it says the rest. */
export function replyMessage(body: ReplyBody, incident: IncidentRecord, words: IncidentWords): Message {
  const { acknowledgedBy } = incident
  const isOver = body.kind === 'ended' || body.kind === 'new normal'
  const called = [body.escalate, body.mention].flatMap((id) => (id === undefined ? [] : [mentionEither(id)]))
  const whom = isOver ? acknowledgedBy && mention(acknowledgedBy) : called.length > 0 && joinMd(called, ' ')
  const sentence = writeSentence(body, shortName(body.alert.subject, words))
  const { silencedUntilMs: untilMs } = body
  const said = untilMs === undefined ? sentence : md`${sentence} Still silenced until ${dateTime(new Date(untilMs))}.`
  // In the channel it stands far from the message and its buttons, to which Slack links it.
  const controls = body.broadcast ? acknowledgeControl(incident) : []
  return message({ text: plainOf(said), blocks: [section(md`${said}${whom ? md` ${whom}` : undefined}`), ...controls] })
}

export function personMessage({ kind, person, holder = person, text }: PersonReply): Message {
  const who = mention(person)
  const taken =
    holder === person ? md`👀 ${who} looks after this now.` : md`👀 ${who} hands this over to ${mention(holder)}.`
  const said = {
    taken_over: taken,
    released: md`↩️ ${who} has taken the acknowledgement back: nobody looks after this now.`,
    note: md`📝 Noted by ${who}: ${text}`,
  }
  return wordsMessage([said[kind]])
}

function writeSentence({ kind, alert, was, unansweredMs = UNACKNOWLEDGED_MS }: ReplyBody, name: string): Mrkdwn {
  const symbol = symbolOf(alert)
  const number = numberWords(alert)
  const before = was === undefined || was === number ? '' : `, was ${was}`
  const worst = worstWords(alert)
  const after = durationWords((alert.endedMs ?? alert.firedMs) - alert.firedMs)
  switch (kind) {
    case 'begins again':
      return md`${symbol} ${name} again: ${problemWords(alert)}, *${number}*.`
    case 'worse':
      return md`${symbol} ${name} is worse: *${number}*${before}.`
    case 'joined':
      return md`${symbol} ${name} as well: ${problemWords(alert)}, *${number}*.`
    case 'reminder':
      return md`${symbol} ${name}, still: ${clause(alert)}, *${number}*.`
    case 'nobody acknowledged':
      return md`${symbol} Still not acknowledged after ${durationWords(unansweredMs)}: ${name}, *${number}*.`
    case 'flapping':
      return md`🔁 ${name} is flapping. I’ll stay quiet about it for ${FLAP_HOLD_MS / MINUTE_MS} min.`
    case 'de-escalated':
      return md`${symbol} ${name} is improving: *${number}*${before}.`
    case 'silence over':
      return md`🔔 The silence is over, and ${name} is not: ${clause(alert)}, *${number}*.`
    case 'ended one of several':
      return md`${symbol} ${name}: ${clause(alert)}. The rest goes on.`
    case 'ended':
      if (alert.unwatched === true) return md`${symbol} ${name}: ${problemWords(alert)}.`
      return md`${symbol} Resolved after ${after}: back to *${number}*${worst === undefined ? '' : `, worst ${worst}`}.`
    case 'new normal':
      return md`${symbol} New normal after ${after}: ${clause(alert)}, *${number}*.`
  }
}
