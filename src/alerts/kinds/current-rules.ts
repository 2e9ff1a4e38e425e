import type { AlertRule } from '../../store/schema/alert-records.ts'
import { toCurrentName, FORMER_NAMES, findAlertKind } from './kinds.ts'
import type { AlertKind, Parameters, ShortWords } from './alert-kind.ts'
import type { Facts, Reading } from '../state/reading.ts'

/**
 * Rules under the names that kinds have now. Where several that were stored under former names have become the same one,
 * there is one: a rule of the new name goes first, and one about a zone before one about all. Rules are the same if they
 * have the same kind, channel and subject; rules that look at the same thing are, whatever their own subjects say.
 */
export function listCurrentRules(
  rules: readonly AlertRule[],
  subjectOf: (rule: AlertRule) => string = ({ subject }) => subject,
): readonly AlertRule[] {
  if (rules.every(({ kind }) => !isFormer(kind))) return rules
  const alike = Map.groupBy(rules, (rule) =>
    JSON.stringify([toCurrentName(rule.kind), subjectOf(rule), rule.channelId]),
  )
  return [...alike.values()].flatMap((each) => (each.some(({ kind }) => isFormer(kind)) ? [mergeRules(each)] : each))
}

/** Of what was set under a former name, only a quota has the same meaning still. */
export function readParameters({ kind, parameters }: Pick<AlertRule, 'kind' | 'parameters'>): AlertRule['parameters'] {
  if (!isFormer(kind)) return parameters
  const { quota } = parameters
  return quota === undefined ? {} : { quota }
}

function isFormer(kind: string): boolean {
  return Object.hasOwn(FORMER_NAMES, kind)
}

/** A rule of the new name is as people set it. Otherwise what any of them has is kept: whom to mention, where to read on. */
function mergeRules(alike: readonly AlertRule[]): AlertRule {
  const all = alike.toSorted((one, other) => rank(one) - rank(other))
  const [first] = all
  if (first === undefined) throw new TypeError('No rules are none')
  if (!isFormer(first.kind)) return first
  const quota = all.map(({ parameters }) => parameters['quota']).find((each) => each !== undefined)
  const { escalate, escalateAfterMs } = all.find((rule) => rule.escalate !== undefined) ?? {}
  return {
    ...first,
    kind: toCurrentName(first.kind),
    parameters: quota === undefined ? {} : { quota },
    mention: all.find(({ mention }) => mention !== undefined)?.mention,
    escalate,
    escalateAfterMs,
    runbook: all.find(({ runbook }) => runbook !== undefined)?.runbook,
  }
}

function rank({ kind, subject }: AlertRule): number {
  return (isFormer(kind) ? 2 : 0) + (subject.endsWith('*') ? 1 : 0)
}

/** What a rule looks at and how. Kinds that only tell of events have no life, and are none of these. */
export interface BoundRule {
  readonly kind: Exclude<AlertKind, { readonly subject: 'account' }>
  readonly parameters: Parameters
}

export function bindRule(rule: Pick<AlertRule, 'kind' | 'parameters'>): BoundRule | undefined {
  const kind = findAlertKind(rule.kind)
  return kind === undefined || kind.subject === 'account' ? undefined : { kind, parameters: readParameters(rule) }
}

export function wordFacts(rule: Pick<AlertRule, 'kind'>, { facts, ...reading }: Reading): Facts {
  if (facts.sentence !== undefined) return { ...facts, sentence: facts.sentence }
  const kind = findAlertKind(rule.kind)
  const sentence = kind?.subject === 'pull' ? kind.sentence({ ...reading, facts }) : ''
  return { ...facts, sentence }
}

export function summarizeReading(rule: Pick<AlertRule, 'kind'>, reading: Reading): ShortWords | undefined {
  const kind = findAlertKind(rule.kind)
  return kind === undefined || kind.subject === 'account' ? undefined : kind.summarize(reading)
}
