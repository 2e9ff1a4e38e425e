import { shortId } from '../../alerts/incident-words.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { UserError } from '../../shared/errors.ts'
import type { IncidentRecord } from '../../store/alert-records.ts'
import { defineOperation } from '../define-operation.ts'
import { required } from '../fields.ts'
import { auditEntry, type OperationContext } from '../operation.ts'
import { alertIdField } from './alert-fields.ts'
import { subjectWords } from './alert-subjects.ts'
import { incidentMeant } from './alerts-silence.ts'

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
  summary: 'Say that you are looking after an alert',
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
    const which = incidentWords(incident, zones)
    if (end === 'acknowledged') return said(md`You look after ${which}; its message says so in a moment.`)
    if (end === 'ended') return said(md`There is nothing to look after any more: ${which} has ended.`)
    return said(md`${somebody(incident.acknowledgedBy)} looks after ${which} already. Nothing was changed.`)
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
    const which = incidentWords(incident, zones)
    if (end === 'ended') return said(md`There is nothing to answer any more: ${which} has ended.`)
    if (end === 'already') {
      return said(
        md`${somebody(incident.dismissedBy)} answered already that ${which} is not a problem. Nothing was changed.`,
      )
    }
    return said(
      md`Not a problem: ${which} has ended. It is told again if it becomes graver, or ends and begins anew.`,
      md`No limit was changed. ${command} alerts list counts such answers for each rule, and shows which one to tune.`,
    )
  },
})

/** `commit` says what became of the answer, undefined where the incident is not kept any more. Throws UserError. */
async function answered<End>(
  id: string,
  running: OperationContext,
  commit: (incident: IncidentRecord) => Promise<End | undefined>,
) {
  const incident = await incidentMeant(id, running)
  const end = await commit(incident)
  if (end !== undefined) return { incident, end }
  const next = `See ${running.command} status.`
  throw new UserError('invalid_input', 'This incident is not kept any more. Nothing was done.', next)
}

function said(sentence: Mrkdwn, ...small: readonly Mrkdwn[]) {
  return { message: wordsMessage([sentence], { small }) }
}

function incidentWords({ id, subject }: IncidentRecord, zones: OperationContext['zones']): Mrkdwn {
  return md`incident ${shortId(id)} about ${subjectWords(subject, zones)}`
}

function somebody(id: string | undefined): Mrkdwn {
  return id === undefined ? md`Somebody` : mention(id)
}
