import { md, mention } from '../../block-kit/mrkdwn.ts'
import { UserError } from '../../shared/errors.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { byLooks, isAnything } from '../declaration/fields.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { isMeantAsPerson, person } from '../declaration/person-field.ts'
import { incidentField } from './alert-fields.ts'
import { alertsAcknowledge } from './alerts-acknowledge.ts'
import { ANSWER, answered, said } from './incident-answer.ts'
import { subjectWords } from './watch-set.ts'

const WHOLE_ID = 32

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
