import { shortId } from '../../alerts/incident-words.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { UserError } from '../../shared/errors.ts'
import type { IncidentRecord } from '../../store/alert-records.ts'
import { defineOperation } from '../define-operation.ts'
import { required } from '../fields.ts'
import { alertIdField } from './alert-id-field.ts'
import { subjectWords } from './alert-subjects.ts'
import { alertEntry } from './rule-adding.ts'
import { incidentMeant } from './silenced.ts'

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
    incident: required(alertIdField({ label: 'Incident', hint: 'The id that the message of the alert shows.' })),
  },
  positionals: ['incident'],
  examples: ['alerts acknowledge 0123abcd'],
  describe: ({ incident }) => `Acknowledge incident ${incident}`,
  async run({ incident: id }, running): Promise<Acknowledged> {
    const { store, actor, now, once, command } = running
    const incident = await incidentMeant(id, running)
    const summary = `Acknowledged incident ${incident.id} of ${incident.subject}`
    const entry = alertEntry('alert_acknowledged', 'alerts acknowledge', summary, running)
    const end = await store.alerts.acknowledge(incident.id, actor.id, now, entry, once)
    if (end !== undefined) return { incident, end }
    throw new UserError(
      'invalid_input',
      'This incident is not kept any more. Nothing was done.',
      `See ${command} status.`,
    )
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
