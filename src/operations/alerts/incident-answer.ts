import { wordsMessage } from '../../block-kit/message.ts'
import { code, md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { UserError } from '../../shared/errors.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { required } from '../declaration/fields.ts'
import { auditEntry, type OperationContext } from '../declaration/operation.ts'
import { alertIdField } from './alert-fields.ts'
import { subjectWords } from './alert-subjects.ts'
import { findMeantIncident } from './alerts-silence.ts'

/** The configuration may let viewers answer, too. */
const ANSWER = {
  effect: 'acknowledge',
  minimumRole: 'operator',
  audience: 'caller',
  fields: {
    incident: required(alertIdField({ label: 'Incident', hint: 'The id that the message of the alert shows.' })),
  },
  positionals: ['incident'],
} as const

export const alertsAcknowledge = defineOperation({
  ...ANSWER,
  name: 'alerts acknowledge',
  aliases: ['alerts ack'],
  summary: 'Say that you look after an alert, which stops its reminders',
  verb: 'Acknowledge',
  examples: ['alerts acknowledge 0123abcd'],
  describe: ({ incident }) => `Acknowledge incident ${incident}`,
  run: async ({ incident }, running) =>
    answered(incident, running, ({ id, subject }) => {
      const summary = `Acknowledged incident ${id} of ${subject}`
      const entry = auditEntry('alert_acknowledged', 'alerts acknowledge', summary, running)
      return running.store.alerts.acknowledge(id, running.actor.id, running.now, entry, running.once)
    }),
  present({ incident, end }, _, { zones }) {
    const which = subjectWords(incident.subject, zones)
    if (end === 'acknowledged') return said(md`You’ve acknowledged the alert about ${which}. Reminders stop.`)
    if (end === 'ended') return said(md`The alert about ${which} is over: there is nothing to acknowledge.`)
    return said(md`${somebody(incident.acknowledgedBy)} has acknowledged the alert about ${which} already.`)
  },
})

export const alertsDismiss = defineOperation({
  ...ANSWER,
  name: 'alerts dismiss',
  aliases: ['alerts not-a-problem'],
  summary: 'Answer that an alert is not a problem, which ends it',
  verb: 'Not a problem',
  examples: ['alerts dismiss 0123abcd'],
  describe: ({ incident }) => `Answer that incident ${incident} is not a problem`,
  run: async ({ incident }, running) =>
    answered(incident, running, ({ id, subject }) => {
      const summary = `Answered that incident ${id} of ${subject} is not a problem`
      const entry = auditEntry('alert_dismissed', 'alerts dismiss', summary, running)
      return running.store.alerts.dismiss(id, running.actor.id, running.now, entry, running.once)
    }),
  present({ incident, end }, _, { zones, command }) {
    const which = subjectWords(incident.subject, zones)
    if (end === 'ended') return said(md`The alert about ${which} is over: there is nothing to dismiss.`)
    if (end === 'already') return said(md`${somebody(incident.dismissedBy)} has said so already.`)
    return said(
      md`Not a problem: the alert about ${which} is closed. If it gets worse, or ends and comes back, you hear of it.`,
      md`Does it happen often? ${code(`${command} alerts list`)} shows which limit to change.`,
    )
  },
})

/** `commit` says what became of the answer, undefined where the incident is not kept any more. Throws UserError. */
async function answered<End>(
  id: string,
  running: OperationContext,
  commit: (incident: IncidentRecord) => Promise<End | undefined>,
) {
  const incident = await findMeantIncident(id, running)
  const end = await commit(incident)
  if (end !== undefined) return { incident, end }
  const next = `See ${running.command} status.`
  throw new UserError('invalid_input', 'This alert is too old to be known. Nothing was done.', next)
}

function said(sentence: Mrkdwn, ...small: readonly Mrkdwn[]) {
  return { message: wordsMessage([sentence], { small }) }
}

function somebody(id: string | undefined): Mrkdwn {
  return id === undefined ? md`Somebody` : mention(id)
}
