import { clause, quantity, shortName, worstWords } from '../../alerts/incidents/incident-words.ts'
import { type IncidentAlert, readIncidentDoc } from '../../alerts/state/incident.ts'
import { counted, percent } from '../../block-kit/amounts.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { required } from '../declaration/fields.ts'
import { alertIdField } from './alert-fields.ts'
import { findNamedZone } from './alert-subjects.ts'
import { findMeantIncident } from './alerts-silence.ts'

export const alertsWhy = defineOperation({
  name: 'alerts why',
  summary: 'Show the numbers and limits behind an alert',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
  shareable: true,
  fields: {
    incident: required(alertIdField({ label: 'Incident', hint: 'The id that the message of the alert shows.' })),
  },
  positionals: ['incident'],
  examples: ['alerts why 0123abcd'],
  describe: ({ incident }) => `Show why incident ${incident} fires`,
  run: ({ incident }, running) => findMeantIncident(incident, running),
  present({ subject, doc }, _, { zones, command }) {
    const name = shortName(subject, { zoneName: (about) => findNamedZone(about, zones)?.name })
    const list = readIncidentDoc(doc).alerts.map((alert) => explain(alert, command))
    return { message: wordsMessage([md`*Why ${name}*`], { list }) }
  },
})

/** All that is known of an alert's last reading. */
function explain(alert: IncidentAlert, command: string): Mrkdwn {
  const { facts, kind } = alert
  const { window, covered, threshold, sample, unit } = facts
  const known: readonly (Mrkdwn | undefined)[] = [
    window && md`measured until ${dateTime(new Date(window.untilMs))}`,
    covered === undefined ? undefined : md`${percent(covered)} of that time read`,
    sample === undefined ? undefined : md`${counted(sample, unit === 'share' ? 'request' : 'value')}`,
    threshold === undefined ? undefined : md`fires from ${quantity(threshold, unit)} on`,
    md`worst ${worstWords(alert) ?? 'not known'}`,
    md`all limits: ${code(`${command} alerts kinds ${kind}`)}`,
  ]
  const shown = known.filter((each) => each !== undefined)
  return md`*${clause(alert)}*: ${facts.sentence}\n${joinMd(shown, ' · ')}`
}
