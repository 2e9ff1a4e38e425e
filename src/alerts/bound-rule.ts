import type { AlertRule } from '../store/alert-records.ts'
import type { AlertKind, Parameters, TrafficRule } from './alert-kind.ts'
import { alertKind } from './kinds.ts'
import { parametersOf } from './parameters.ts'
import type { Facts, Reading } from './reading.ts'
import { parametersNow } from './rules-now.ts'
import type { AlertTiming } from './step.ts'

/** A kind that is looked at again and again, and so has a life. */
export type LivingKind = Exclude<AlertKind, { readonly subject: 'account' }>

/** A kind with the parameters of a rule, and all that follows from them. */
export interface BoundRule {
  readonly kind: LivingKind
  readonly parameters: Parameters
  readonly timing: AlertTiming
  /** Undefined of a kind that is not about traffic. */
  readonly traffic: TrafficRule | undefined
}

/** What a rule looks at and how; undefined of an unknown kind, and of one that only tells of events. */
export function boundRule(rule: Pick<AlertRule, 'kind' | 'parameters'>): BoundRule | undefined {
  const kind = alertKind(rule.kind)
  if (kind === undefined || kind.subject === 'account') return undefined
  const parameters = parametersOf(kind, parametersNow(rule))
  const traffic = kind.subject === 'pull' ? kind.rule(parameters) : undefined
  return { kind, parameters, timing: kind.timing(parameters), traffic }
}

/** The numbers of a reading with the words that people are shown of it. */
export function factsInWords(rule: Pick<AlertRule, 'kind' | 'parameters'>, { facts, ...reading }: Reading): Facts {
  const sentence = facts.sentence ?? boundRule(rule)?.traffic?.sentence({ ...reading, facts }) ?? ''
  return { ...facts, sentence }
}
