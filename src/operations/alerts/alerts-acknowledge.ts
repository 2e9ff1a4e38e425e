import { shortId } from '../../alerts/incident-words.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import type { IncidentRecord } from '../../store/alert-records.ts'
import { defineOperation } from '../define-operation.ts'
import { subjectWords } from './alert-subjects.ts'
import { alertEntry } from './rule-adding.ts'
import { answered, incidentField } from './incident-answer.ts'

/** What became of an acknowledgement, and the incident as it was found. */
interface Acknowledged {
  readonly incident: IncidentRecord
  readonly end: 'acknowledged' | 'already' | 'ended'
}

/** `alerts acknowledge`: says that somebody looks after an incident. The configuration may let viewers say so, too. */
export const alertsAcknowledge = defineOperation({
  name: 'alerts acknowledge',
  aliases: ['alerts ack'],
  summary: 'Say that you are looking after an alert',
  verb: 'Acknowledge',
  effect: 'acknowledge',
  minimumRole: 'operator',
  audience: 'caller',
  shareable: false,
  fields: {
    incident: incidentField,
  },
  positionals: ['incident'],
  examples: ['alerts acknowledge 0123abcd'],
  describe: ({ incident }) => `Acknowledge incident ${incident}`,
  async run({ incident: id }, running): Promise<Acknowledged> {
    return answered(id, running, ({ id: incidentId, subject }) => {
      const summary = `Acknowledged incident ${incidentId} of ${subject}`
      const entry = alertEntry('alert_acknowledged', 'alerts acknowledge', summary, running)
      return running.store.alerts.acknowledge(incidentId, running.actor.id, running.now, entry, running.once)
    })
  },
  present({ incident, end }, _, { zones }) {
    const said = sentenceOf(incident, end, subjectWords(incident.subject, zones))
    return { message: wordsMessage([said]) }
  },
})

function sentenceOf({ id, acknowledgedBy }: IncidentRecord, end: Acknowledged['end'], about: string): Mrkdwn {
  const which = md`incident ${shortId(id)} about ${about}`
  if (end === 'acknowledged') return md`You look after ${which}; its message says so in a moment.`
  if (end === 'ended') return md`There is nothing to look after any more: ${which} has ended.`
  const who = acknowledgedBy === undefined ? md`Somebody` : mention(acknowledgedBy)
  return md`${who} looks after ${which} already. Nothing was changed.`
}
