import { shortId } from '../../alerts/incident-words.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import type { IncidentRecord } from '../../store/alert-records.ts'
import { defineOperation } from '../define-operation.ts'
import { subjectWords } from './alert-subjects.ts'
import { alertEntry } from './rule-adding.ts'
import { answered, incidentField } from './incident-answer.ts'

/** What became of the answer, and the incident as it was found. */
interface Dismissed {
  readonly incident: IncidentRecord
  readonly end: 'dismissed' | 'already' | 'ended'
}

/** `alerts dismiss`: ends an incident because it is not a problem. Whoever may acknowledge one may say so. */
export const alertsDismiss = defineOperation({
  name: 'alerts dismiss',
  aliases: ['alerts not-a-problem'],
  summary: 'Answer that an alert is not a problem, which ends it',
  verb: 'Not a problem',
  effect: 'acknowledge',
  minimumRole: 'operator',
  audience: 'caller',
  shareable: false,
  fields: {
    incident: incidentField,
  },
  positionals: ['incident'],
  examples: ['alerts dismiss 0123abcd'],
  describe: ({ incident }) => `Answer that incident ${incident} is not a problem`,
  async run({ incident: id }, running): Promise<Dismissed> {
    return answered(id, running, ({ id: incidentId, subject }) => {
      const summary = `Answered that incident ${incidentId} of ${subject} is not a problem`
      const entry = alertEntry('alert_dismissed', 'alerts dismiss', summary, running)
      return running.store.alerts.dismiss(incidentId, running.actor.id, running.now, entry, running.once)
    })
  },
  present({ incident, end }, _, { zones, command }) {
    const said = sentenceOf(incident, end, subjectWords(incident.subject, zones))
    if (end !== 'dismissed') return { message: wordsMessage([said]) }
    const next = md`No limit was changed. ${command} alerts list counts such answers for each rule, and shows which one to tune.`
    return { message: wordsMessage([said], { small: [next] }) }
  },
})

function sentenceOf({ id, dismissedBy }: IncidentRecord, end: Dismissed['end'], about: string): Mrkdwn {
  const which = md`incident ${shortId(id)} about ${about}`
  if (end === 'dismissed')
    return md`Not a problem: ${which} has ended. It is told again if it becomes graver, or ends and begins anew.`
  if (end === 'ended') return md`There is nothing to answer any more: ${which} has ended.`
  const who = dismissedBy === undefined ? md`Somebody` : mention(dismissedBy)
  return md`${who} answered already that ${which} is not a problem. Nothing was changed.`
}
