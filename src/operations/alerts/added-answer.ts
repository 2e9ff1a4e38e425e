import { alertKind } from '../../alerts/kinds.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { code, md, mentionGroup } from '../../block-kit/mrkdwn.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { AlertRule } from '../../store/alert-records.ts'
import type { Answer, AnswerButton } from '../answer.ts'
import type { OperationContext } from '../operation.ts'
import { subjectWords, zoneOfSubject } from './alert-subjects.ts'
import { parameterWords, parameterValues } from './kind-fields.ts'
import { runbookLink } from './runbook-field.ts'

/** A rule as it is now, and as it was before if it was there. */
export interface AddedRule {
  readonly rule: AlertRule
  readonly before: AlertRule | undefined
}

/** What is on now, with which parameters, and the way back. */
export function addedAnswer(
  { rule, before }: AddedRule,
  { zones, command }: Pick<OperationContext, 'zones' | 'command'>,
): Answer {
  const kind = alertKind(rule.kind)
  const what = `${kind?.title ?? rule.kind} for ${subjectWords(rule.subject, zones)}`
  const set = parameterWords(rule.parameters)
  const said =
    before === undefined ? md`*${what}* is on in this channel.` : md`*${what}* was on already and is changed.`
  const how = md`${set === '' ? 'All limits are the usual ones' : `Set: ${set}; the others are the usual ones`}.${rule.mention === undefined ? '' : md` Critical ones mention ${mentionGroup(rule.mention)}.`}${runbookLink(rule.runbook, ' ')}`
  const next = md`Every parameter is explained by ${code(`${command} alerts kinds ${rule.kind}`)}; what is on, by ${code(`${command} alerts list`)}.`
  return {
    message: wordsMessage([md`${said}\n${how}`], { small: [next] }),
    buttons: [
      before === undefined
        ? { kind: 'page', label: 'Undo', operation: 'alerts remove', values: { what: rule.id } }
        : { kind: 'page', label: 'Undo', operation: 'alerts add', values: ruleValues(before) },
      ...testButton(rule),
    ],
  }
}

/** A rule as the values that turn it on. */
export function ruleValues({ kind, subject, parameters, mention, runbook }: AlertRule): RawValues {
  const zone = zoneOfSubject(subject)
  return {
    kind,
    ...(zone !== undefined && { [`${zone.kind}Zone`]: String(zone.id) }),
    ...parameterValues(parameters),
    ...(mention !== undefined && { mention }),
    ...(runbook !== undefined && { runbook }),
  }
}

function testButton(rule: AlertRule): readonly AnswerButton[] {
  if (alertKind(rule.kind)?.subject !== 'pull') return []
  const values = ruleValues({ ...rule, mention: undefined, runbook: undefined })
  return [{ kind: 'form', label: 'Try it on the past', operation: 'alerts test', values }]
}
