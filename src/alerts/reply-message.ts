import { joinMd, md, mentionGroup, type Mrkdwn, plainOf } from '../block-kit/mrkdwn.ts'
import { type Message, message } from '../block-kit/message.ts'
import { context, section } from '../block-kit/sections.ts'
import type { IncidentRecord } from '../store/alert-records.ts'
import { alertLines } from './alert-lines.ts'
import type { ReplyBody } from './incident-reply.ts'
import { type IncidentWords, RESOLVED, severityWords, shortId, subjectLabel } from './incident-words.ts'

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
