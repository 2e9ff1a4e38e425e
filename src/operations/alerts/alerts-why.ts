import { clause, quantity, shortName } from '../../alerts/incidents/incident-words.ts'
import { type IncidentAlert, readIncidentDoc } from '../../alerts/state/incident.ts'
import { counted } from '../../block-kit/amounts.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { required } from '../declaration/fields.ts'
import { incidentField } from './alert-fields.ts'
import { findNamedZone } from './watch-set.ts'
import { findMeantIncident } from './alerts-silence.ts'
import { limitWords } from './kind-fields.ts'
import { readParameters } from '../../alerts/kinds/current-rules.ts'
import { findAlertKind } from '../../alerts/kinds/kinds.ts'

export const alertsWhy = defineOperation({
  name: 'alerts why',
  summary: 'Show the numbers and limits behind an alert',
  effect: 'read',
  shareable: true,
  fields: {
    incident: required(
      incidentField('The zone that it is about, or the id that its message shows; of one that has ended too.'),
    ),
  },
  positionals: ['incident'],
  examples: ['alerts why shop', 'alerts why 0123abcd'],
  describe: ({ incident }) => `Show why incident ${incident.typed} fires or fired`,
  async run({ incident }, running) {
    const meant = await findMeantIncident(incident, running, { orOver: true })
    return { ...meant, rules: await running.store.alertRules.list(meant.channelId) }
  },
  present({ subject, doc, rules }, _, { zones, command }) {
    const name = shortName(subject, { zoneName: (about) => findNamedZone(about, zones)?.name })
    const list = readIncidentDoc(doc).alerts.map((alert) => {
      const rule = rules.find(({ id }) => id === alert.ruleId)
      return explain(alert, rule && limitWords(alert.kind, readParameters(rule)), command)
    })
    return { message: wordsMessage([md`*Why this alert about ${name}?*`], { list }) }
  },
})

function explain(alert: IncidentAlert, set: string | undefined, command: string): Mrkdwn {
  const { facts, kind, endedMs } = alert
  const { window, sample, unit } = facts
  const found = findAlertKind(kind)
  const traffic = found?.subject === 'pull' ? found : undefined
  const uneven = traffic && '; a stretch shorter than ten minutes takes more, and so does an uneven zone'
  const known = [
    window && md`measured until ${dateTime(new Date(window.untilMs))}`,
    sample !== undefined && md`${counted(sample, unit === 'share' ? 'request' : 'value')}`,
    traffic?.leavesOutWorst === true && md`decided without the worst minute`,
    set !== undefined && set !== '' && md`set: ${set}${uneven}`,
    md`all limits: ${code(`${command} alerts kinds ${kind}`)}`,
  ]
  const limit = firesAt(alert)
  const title = md`*${clause(alert)}*${limit && `: ${limit}`}`
  const when = endedMs === undefined ? 'Now' : 'At the end'
  return joinMd([title, md`${when}: ${facts.sentence}`, joinMd(known, ' · ')], '\n')
}

/** `fires at 5 % or more; it went as far as 30 %; usual is 0.3 %.` Undefined where the kind has no such limit. */
function firesAt({ facts: { threshold, baseline, value, unit }, peak = value, ...alert }: IncidentAlert) {
  if (threshold === undefined) return undefined
  const side = peak === undefined || peak === threshold ? '' : peak > threshold ? ' or more' : ' or less'
  const measure = unit ?? alert.unit
  const worst = peak === undefined ? [] : [`it went as far as ${quantity(peak, alert.unit ?? unit)}`]
  const usual = baseline === undefined ? [] : [`usual is ${quantity(baseline, measure)}`]
  return `${[`fires at ${quantity(threshold, measure)}${side}`, ...worst, ...usual].join('; ')}.`
}
