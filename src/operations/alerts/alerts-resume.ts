import { alertKind } from '../../alerts/kinds.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { md } from '../../block-kit/mrkdwn.ts'
import { rulesNow } from '../../alerts/rules-now.ts'
import { UserError } from '../../shared/errors.ts'
import { counted } from '../../block-kit/amounts.ts'
import { defineOperation } from '../define-operation.ts'
import { required } from '../fields.ts'
import { about } from './about-field.ts'
import { subjectWords } from './alert-subjects.ts'
import { alertEntry } from './rule-adding.ts'
import { rulesMeant, rulesSentence } from './rules-meant.ts'

/** `alerts resume`: goes on telling what was paused because Slack did not take it any more. */
export const alertsResume = defineOperation({
  name: 'alerts resume',
  summary: 'Go on with rules that were paused when their channel was lost',
  verb: 'Resume alerts',
  effect: 'write to the bot',
  minimumRole: 'operator',
  audience: 'channel',
  shareable: false,
  fields: {
    what: required(
      about({
        label: 'Rule or zone',
        hint: 'The id of a rule; the name or id of a zone for all of this channel about it; or all.',
        word: 'rule-or-zone',
      }),
    ),
  },
  positionals: ['what'],
  examples: ['alerts resume all', 'alerts resume 0123456789abcdef0123456789abcdef'],
  describe: ({ what }) => `Resume alerts: ${what.typed}`,
  async run({ what }, running) {
    const paused = (await rulesMeant(what, running)).filter(({ pausedWhy }) => pausedWhy !== undefined)
    if (paused.length === 0) {
      throw new UserError(
        'invalid_input',
        'None of these is paused. Nothing was done.',
        `See why something is held back: ${running.command} alerts list`,
      )
    }
    const resumed = await running.store.alertRules.resume(
      paused.map(({ id }) => id),
      (rules) => alertEntry('alert_resumed', 'alerts resume', `Resumed ${rulesSentence(rules)}`, running),
      running.once,
    )
    running.alerts.soon()
    return rulesNow(resumed)
  },
  present(resumed, _, { zones }) {
    const title = md`*${counted(resumed.length, 'alert rule')} ${resumed.length === 1 ? 'goes' : 'go'} on.*`
    const lines = resumed.map(
      ({ kind, subject }) => md`${alertKind(kind)?.title ?? kind} for ${subjectWords(subject, zones)}`,
    )
    return { message: wordsMessage([title], { list: lines }) }
  },
})
