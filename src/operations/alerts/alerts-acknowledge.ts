import { code, md } from '../../block-kit/mrkdwn.ts'
import { shortId } from '../../shared/short-id.ts'
import type { IncidentAnswer } from '../../store/alerts/incident-answers.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { required, text } from '../declaration/fields.ts'
import { incidentField } from './alert-fields.ts'
import { ANSWER, answered, said, somebody } from './incident-answer.ts'
import { subjectWords } from './watch-set.ts'

const NOTE = text({ label: 'Note', hint: 'What others should know: a cause, what was tried.', maxLength: 500 })

export const alertsAcknowledge = defineOperation({
  ...ANSWER,
  name: 'alerts acknowledge',
  aliases: ['alerts ack', 'ack', 'acknowledge'],
  summary: 'Say that you look after an alert, which stops its reminders',
  verb: 'Acknowledge',
  fields: {
    incident: incidentField('Its zone, or the id in its message. Left out: the only one that nobody looks after.'),
    text: NOTE,
  },
  positionals: ['incident', 'text'],
  examples: ['alerts acknowledge', 'alerts acknowledge shop', 'alerts acknowledge shop I restart the origin'],
  describe: ({ incident }) =>
    incident === undefined ? 'Acknowledge the alert' : `Acknowledge incident ${incident.typed}`,
  run: async ({ incident, text: typed }, running) => {
    const note = typed === '' ? undefined : typed
    const kept = ['alert_acknowledged', 'alerts acknowledge', 'Acknowledged …'] as const
    const commit = (id: string, answer: IncidentAnswer) => running.store.alerts.acknowledge(id, answer, note)
    const isWanted = ({ acknowledgedBy }: IncidentRecord): boolean => acknowledgedBy === undefined
    return answered(incident, running, kept, commit, { isWanted, detail: note })
  },
  present({ incident, end }, { text: note = '' }, { zones, command }) {
    const which = subjectWords(incident.subject, zones)
    const noted = note === '' ? undefined : md` Your note is in its thread.`
    const hint = md`What you find can be kept: ${code(`${command} note ${shortId(incident.id)} …`)}`
    if (end === 'acknowledged')
      return said(
        md`You’ve acknowledged the alert about ${which}. Reminders stop.${noted}`,
        noted === undefined && hint,
      )
    if (end === 'ended') return said(md`The alert about ${which} is over: there is nothing to acknowledge.${noted}`)
    return said(md`${somebody(incident.acknowledgedBy)} looks after the alert about ${which} already.${noted}`)
  },
})

export const alertsNote = defineOperation({
  ...ANSWER,
  name: 'alerts note',
  aliases: ['note'],
  summary: 'Keep a note about an alert, and say it in its thread',
  verb: 'Note it',
  fields: { ...ANSWER.fields, text: required(NOTE) },
  positionals: ['incident', 'text'],
  examples: ['alerts note shop the origin’s disk is full, Ben adds one'],
  check: ({ text: note }) =>
    note === '' ? [{ field: 'text', problem: 'Note is needed: a few words.', missing: true }] : [],
  describe: ({ incident }) => `Note something about incident ${incident.typed}`,
  async run({ incident, text: note }, running) {
    const kept = ['alert_noted', 'alerts note', 'Noted about …'] as const
    const commit = (id: string, answer: IncidentAnswer) => running.store.alerts.note(id, note, answer)
    return answered(incident, running, kept, commit, { orOver: true, detail: note })
  },
  present({ incident: { subject, messageTs } }, _, { zones }) {
    const where = messageTs === undefined ? 'for the alert' : 'in the thread of the alert'
    return said(md`Noted ${where} about ${subjectWords(subject, zones)}.`)
  },
})

export const alertsDismiss = defineOperation({
  ...ANSWER,
  name: 'alerts dismiss',
  aliases: ['alerts not-a-problem'],
  summary: 'Answer that an alert is not a problem, which ends it',
  verb: 'Not a problem',
  examples: ['alerts dismiss shop', 'alerts dismiss 0123abcd'],
  describe: ({ incident }) => `Answer that incident ${incident.typed} is not a problem`,
  run: async ({ incident }, running) => {
    const kept = ['alert_dismissed', 'alerts dismiss', 'Answered that … is not a problem'] as const
    return answered(incident, running, kept, (id, answer) => running.store.alerts.dismiss(id, answer))
  },
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
