import { listCurrentRules } from '../../alerts/kinds/current-rules.ts'
import { UserError } from '../../shared/errors.ts'
import type { AlertRule } from '../../store/schema/alert-records.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { required } from '../declaration/fields.ts'
import { auditEntry } from '../declaration/operation.ts'
import { findRules, isManaged, ruleLabel, rulesSentence, zoneOfSubject } from './watch-set.ts'
import { about, contactValues } from './alert-fields.ts'
import { exactValues } from './alerts-add.ts'
import { parameterWords } from './kind-fields.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { md } from '../../block-kit/mrkdwn.ts'
import type { AnswerButton } from '../declaration/answer.ts'
import { counted } from '../../block-kit/amounts.ts'

const RULE_OR_ZONE = required(
  about({
    label: 'Rule or zone',
    hint: 'The id of a rule; the name or id of a zone for all of this channel about it; or all.',
    word: 'rule-or-zone',
  }),
)
const MAX_IDS_SAID = 12

export const alertsRemove = defineOperation({
  name: 'alerts remove',
  aliases: ['alerts unwatch', 'unwatch'],
  summary: 'Stop telling this channel about a zone, or take off one rule',
  verb: 'Remove alerts',
  effect: 'write to the bot',
  audience: 'channel',
  fields: { what: RULE_OR_ZONE },
  positionals: ['what'],
  form: {
    title: 'Remove alerts',
    intro: 'What is kept of the zone’s traffic stays, so that alerts can be turned on again at any time.',
    fields: () => ['what'],
  },
  examples: ['alerts remove shop', 'alerts remove 0123456789abcdef0123456789abcdef', 'alerts remove all'],
  describe: ({ what: { typed, ids } }) =>
    `Remove alerts: ${ids.length > MAX_IDS_SAID ? counted(ids.length, 'rule') : typed}`,
  async run({ what }, running) {
    const { store, once, alerts } = running
    const all = await findRules(what, running)
    const free = all.filter((rule) => !isManaged(rule))
    if (free.length === 0) {
      const why = 'These rules stand in the configuration file, which no command changes. Nothing was removed.'
      throw new UserError('invalid_input', why, 'Have them taken out there, or silence them for a while.')
    }
    const removed = await store.alertRules.remove(
      free.map(({ id }) => id),
      (gone) => auditEntry('alert_removed', 'alerts remove', `Removed ${rulesSentence(gone)}`, running),
      once,
    )
    alerts.soon()
    return { removed: listCurrentRules(removed), managed: all.length - free.length }
  },
  present({ removed, managed }, _, { zones, channelId }) {
    const title = md`*${counted(removed.length, 'alert rule')} ${removed.length === 1 ? 'is' : 'are'} removed.*`
    const lines = removed.map((rule) => {
      const where = rule.channelId === channelId ? '' : ', in another channel'
      const limits = parameterWords(rule.kind, rule.parameters)
      return md`${ruleLabel(rule, zones)}${where}${limits && `, which had ${limits}`}`
    })
    const kept = md`${counted(managed, 'rule')} of the configuration file ${managed === 1 ? 'stays' : 'stay'}: no command changes what stands there.`
    return {
      message: wordsMessage([title], { list: lines, small: [managed > 0 && kept] }),
      buttons: offerUndo(removed, channelId),
    }
  },
})

/** One rule can be put back as it was, in the channel it told; those of a zone by watching it, though without limits of their own. */
function offerUndo(removed: readonly AlertRule[], channelId: string | undefined): readonly AnswerButton[] {
  const [first, ...others] = removed
  if (first === undefined || removed.some((rule) => rule.channelId !== channelId)) return []
  if (others.length === 0) return [{ kind: 'page', label: 'Undo', operation: 'alerts add', values: exactValues(first) }]
  const zone = zoneOfSubject(first.subject)
  if (zone?.kind !== 'pull' || others.some(({ subject }) => subject !== first.subject)) return []
  const values = { pullZone: String(zone.id), ...contactValues(first) }
  return [{ kind: 'page', label: 'Watch it again', operation: 'alerts watch', values }]
}

export const alertsResume = defineOperation({
  name: 'alerts resume',
  summary: 'Go on with rules that were paused when their channel was lost',
  verb: 'Resume alerts',
  effect: 'write to the bot',
  audience: 'channel',
  fields: { what: RULE_OR_ZONE },
  positionals: ['what'],
  examples: ['alerts resume all', 'alerts resume 0123456789abcdef0123456789abcdef'],
  describe: ({ what }) => `Resume alerts: ${what.typed}`,
  async run({ what }, running) {
    const paused = (await findRules(what, running)).filter(({ pausedWhy }) => pausedWhy !== undefined)
    if (paused.length === 0) {
      const next = `See why something is held back: ${running.command} alerts list`
      throw new UserError('invalid_input', 'None of these is paused. Nothing was done.', next)
    }
    const resumed = await running.store.alertRules.resume(
      paused.map(({ id }) => id),
      (rules) => auditEntry('alert_resumed', 'alerts resume', `Resumed ${rulesSentence(rules)}`, running),
      running.once,
    )
    running.alerts.soon()
    return listCurrentRules(resumed)
  },
  present(resumed, _, { zones }) {
    const title = md`*${counted(resumed.length, 'alert rule')} ${resumed.length === 1 ? 'goes' : 'go'} on.*`
    return { message: wordsMessage([title], { list: resumed.map((rule) => md`${ruleLabel(rule, zones)}`) }) }
  },
})
