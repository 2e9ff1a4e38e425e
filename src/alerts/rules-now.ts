import type { AlertRule } from '../store/alert-records.ts'
import { currentName, FORMER_NAMES } from './kinds.ts'

/**
 * Rules under the names that kinds have now. Where several that were stored under former names have become the same one,
 * there is one: a rule of the new name goes first, and one about a zone before one about all. Rules are the same if they
 * have the same kind, channel and subject; rules that look at the same thing are, whatever their own subjects say.
 */
export function rulesNow(
  rules: readonly AlertRule[],
  subjectOf: (rule: AlertRule) => string = ({ subject }) => subject,
): readonly AlertRule[] {
  if (rules.every(({ kind }) => !isFormer(kind))) return rules
  const alike = new Map<string, AlertRule[]>()
  for (const rule of rules) {
    const key = JSON.stringify([currentName(rule.kind), subjectOf(rule), rule.channelId])
    const known = alike.get(key)
    if (known === undefined) alike.set(key, [rule])
    else known.push(rule)
  }
  return [...alike.values()].flatMap((each) => (each.every(({ kind }) => !isFormer(kind)) ? each : [oneOf(each)]))
}

/** Of what was set under a former name, only a quota has the same meaning still. */
export function parametersNow({ kind, parameters }: Pick<AlertRule, 'kind' | 'parameters'>): AlertRule['parameters'] {
  if (!isFormer(kind)) return parameters
  const { quota } = parameters
  return quota === undefined ? {} : { quota }
}

function isFormer(kind: string): boolean {
  return Object.hasOwn(FORMER_NAMES, kind)
}

/** A rule of the new name is as people set it. Otherwise what any of them has is kept: whom to mention, where to read on. */
function oneOf(alike: readonly AlertRule[]): AlertRule {
  const [first, ...others] = alike.toSorted((one, other) => rank(one) - rank(other))
  if (first === undefined) throw new TypeError('No rules are none')
  if (!isFormer(first.kind)) return first
  const quota = [first, ...others].map(({ parameters }) => parameters['quota']).find((each) => each !== undefined)
  return {
    ...first,
    kind: currentName(first.kind),
    parameters: quota === undefined ? {} : { quota },
    mention: first.mention ?? others.find(({ mention }) => mention !== undefined)?.mention,
    runbook: first.runbook ?? others.find(({ runbook }) => runbook !== undefined)?.runbook,
  }
}

function rank({ kind, subject }: AlertRule): number {
  return (isFormer(kind) ? 2 : 0) + (subject.endsWith('*') ? 1 : 0)
}
