import { wordsMessage } from '../../block-kit/message.ts'
import { code, md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { UserError } from '../../shared/errors.ts'
import { shortId } from '../../shared/short-id.ts'
import { type IncidentAnswer, MAX_NOTES_PER_INCIDENT } from '../../store/alerts/incident-answers.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'
import type { AuditEvent } from '../../store/schema/audit-entry.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { required, text, byLooks, isAnything } from '../declaration/fields.ts'
import { auditEntry, type OperationContext } from '../declaration/operation.ts'
import { isMeantAsPerson, person } from '../declaration/person-field.ts'
import { type About, incidentField } from './alert-fields.ts'
import { subjectWords } from './watch-set.ts'
import { findMeantIncident } from './alerts-silence.ts'

const WHOLE_ID = 32

/** The configuration may let viewers answer, too. */
const ANSWER = {
  effect: 'acknowledge',
  fields: { incident: required(incidentField()) },
  positionals: ['incident'],
} as const

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
  run: async ({ incident, text: typed = '' }, running) => {
    const note = typed === '' ? undefined : typed
    const kept = ['alert_acknowledged', 'alerts acknowledge', 'Acknowledged …'] as const
    const { alerts } = running.store
    const commit = (id: string, answer: IncidentAnswer) => alerts.acknowledge(id, withDetail(answer, note), note)
    const isWanted = ({ acknowledgedBy }: IncidentRecord): boolean => acknowledgedBy === undefined
    return answered(incident, running, kept, commit, { isWanted })
  },
  present({ incident, end }, { text: note = '' }, { zones, command }) {
    const which = subjectWords(incident.subject, zones)
    const noted = note === '' ? undefined : md` Your note is in its thread.`
    const hint = md`What you find can be kept: ${code(`${command} note ${shortId(incident.id)} …`)}`
    if (end === 'acknowledged')
      return said(
        md`You’ve acknowledged the alert about ${which}. Reminders stop.${noted}`,
        ...(noted === undefined ? [hint] : []),
      )
    if (end === 'ended') return said(md`The alert about ${which} is over: there is nothing to acknowledge.${noted}`)
    return said(md`${somebody(incident.acknowledgedBy)} looks after the alert about ${which} already.${noted}`)
  },
})

export const alertsAssign = defineOperation({
  ...ANSWER,
  name: 'alerts assign',
  aliases: ['handover', 'hand over', 'alerts take over', 'alerts hand over', 'alerts take-over', 'alerts hand-over'],
  summary: 'Take over an alert, or hand it over to somebody else',
  verb: 'Hand over',
  fields: {
    incident: incidentField('Its zone, or the id in its message. Left out: what you look after, or the only one here.'),
    person: person({ label: 'Person', hint: 'Who looks after it from now on; you, unless somebody is named.' }),
  },
  positionals: byLooks({ incident: (typed) => !isMeantAsPerson(typed), person: isAnything }),
  form: {
    title: 'Hand over an alert',
    // The whole id is what the alert's own menu gives, and nothing to be changed.
    fields: ({ incident }) => (incident?.length === WHOLE_ID ? ['person'] : ['incident', 'person']),
    wording: () => ({ person: { needed: true, hint: 'Who looks after it from now on: @name, as Slack shows it.' } }),
  },
  examples: ['alerts assign @U012AB3CD', 'alerts assign shop', 'alerts assign 0123abcd @U012AB3CD'],
  check: ({ incident, person: holder }) =>
    incident === undefined && holder === undefined
      ? [{ field: 'person', problem: 'Say who looks after it from now on: @name.', missing: true }]
      : [],
  describe({ incident, person: holder }) {
    const which = incident === undefined ? 'the alert' : `incident ${incident.typed}`
    return holder === undefined ? `Take over ${which}` : `Hand ${which} over to ${holder}`
  },
  async run({ incident, person: holder }, running) {
    const { actor, store } = running
    if (holder !== undefined) await requireAnswerer(holder, running)
    const next = holder ?? actor.id
    const kept = ['alert_taken_over', 'alerts assign', `Handed … over to ${next}`] as const
    return answered(incident, running, kept, (id, answer) => store.alerts.assign(id, next, answer))
  },
  present({ incident, end }, { person: holder }, { zones, actor }) {
    const which = subjectWords(incident.subject, zones)
    if (end === 'ended') return said(md`The alert about ${which} is over: there is nothing to hand over.`)
    const when = end === 'assigned' ? 'now' : 'already'
    if (holder === undefined || holder === actor.id) return said(md`You look after the alert about ${which} ${when}.`)
    return said(md`The alert about ${which} is looked after by ${mention(holder)} ${when}.`)
  },
})

export const alertsRelease = defineOperation({
  ...ANSWER,
  name: 'alerts release',
  aliases: ['alerts unack'],
  summary: 'Take an acknowledgement back, so that reminders begin anew',
  verb: 'Take it back',
  examples: ['alerts release shop'],
  describe: ({ incident }) => `Take back the acknowledgement of incident ${incident.typed}`,
  run: async ({ incident }, running) => {
    const kept = ['alert_released', 'alerts release', 'Took back the acknowledgement of …'] as const
    return answered(incident, running, kept, (id, answer) => running.store.alerts.release(id, answer))
  },
  present({ incident, end }, _, { zones }) {
    const which = subjectWords(incident.subject, zones)
    if (end === 'released') return said(md`Nobody looks after the alert about ${which} now. Reminders begin anew.`)
    if (end === 'ended') return said(md`The alert about ${which} is over: there is nothing to take back.`)
    return said(md`Nobody has acknowledged the alert about ${which}.`)
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
    const { alerts } = running.store
    const commit = (id: string, answer: IncidentAnswer) => alerts.note(id, note, withDetail(answer, note))
    return answered(incident, running, kept, commit, { orOver: true })
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

/** `…` in the summary stands for the incident. `commit` says what became of the answer, undefined where the incident is not kept any more. Throws UserError. */
async function answered<End>(
  meant: About | undefined,
  running: OperationContext,
  [event, operation, summary]: readonly [AuditEvent, operation: string, summary: string],
  commit: (id: string, answer: IncidentAnswer) => Promise<End | undefined>,
  wanted: Parameters<typeof findMeantIncident>[2] = {},
) {
  const { actor, now, once } = running
  const incident = await findMeantIncident(meant, running, wanted)
  const which = `incident ${incident.id} of ${incident.subject}`
  const entry = auditEntry(event, operation, summary.replace('…', which), running)
  const end = await commit(incident.id, { person: actor.id, at: now, entry, once })
  if (end === 'full') {
    const full = `This alert has ${MAX_NOTES_PER_INCIDENT} notes already, which is all that is kept. Nothing was done.`
    throw new UserError('invalid_input', full, 'Write it into the thread.')
  }
  if (end !== undefined) return { incident, end }
  const next = `See ${running.command} status.`
  throw new UserError('invalid_input', 'This alert is too old to be known. Nothing was done.', next)
}

function withDetail({ entry, ...answer }: IncidentAnswer, detail: string | undefined): IncidentAnswer {
  return { ...answer, entry: { ...entry, detail } }
}

/** Throws UserError unless this person may answer alerts here. */
async function requireAnswerer(id: string, running: OperationContext): Promise<void> {
  const who = await running.lookUp(id).catch((error: unknown) => {
    // What it says is meant for people who ask about themselves.
    if (error instanceof UserError && error.code === 'not_permitted') return undefined
    throw error
  })
  const entry = who?.catalog.find(({ operation }) => operation.name === alertsAcknowledge.name)
  if (entry?.decision.kind === 'run') return
  const why = who === undefined ? 'Slack did not say who that is' : 'That person may not acknowledge alerts here'
  throw new UserError('invalid_input', `${why}, so the alert was not handed over.`, 'Name somebody else.')
}

function said(sentence: Mrkdwn, ...small: readonly Mrkdwn[]) {
  return { message: wordsMessage([sentence], { small }) }
}

function somebody(id: string | undefined): Mrkdwn {
  return id === undefined ? md`Somebody` : mention(id)
}
