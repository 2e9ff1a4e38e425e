import type { AlertRule } from '../store/alert-records.ts'
import type { AlertKind, Parameters, TrafficRule } from './alert-kind.ts'
import { alertKind } from './kinds.ts'
import { parametersOf } from './parameters.ts'
import type { Facts, Reading } from './reading.ts'
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

/** Many rules are alike, mostly by setting nothing, so they share one. Beyond this all are made anew, as they are asked for. */
const MAX_BOUND = 4_096
const bound = new Map<string, BoundRule>()

/** What a rule looks at and how; undefined of an unknown kind, and of one that only tells of events. */
export function boundRule({
  kind: name,
  parameters: overrides,
}: Pick<AlertRule, 'kind' | 'parameters'>): BoundRule | undefined {
  const key = keyOf(name, overrides)
  const known = bound.get(key)
  if (known !== undefined) return known
  const kind = alertKind(name)
  if (kind === undefined || kind.subject === 'account') return undefined
  const parameters = parametersOf(kind, overrides)
  const traffic = kind.subject === 'pull' ? kind.rule(parameters) : undefined
  const made: BoundRule = { kind, parameters, timing: kind.timing(parameters), traffic }
  if (bound.size >= MAX_BOUND) bound.clear()
  bound.set(key, made)
  return made
}

/** The numbers of a reading with the words that people are shown of it. */
export function factsInWords(rule: Pick<AlertRule, 'kind' | 'parameters'>, reading: Reading): Facts {
  const { facts } = reading
  const words = facts.sentence === undefined ? boundRule(rule)?.traffic?.words(reading) : undefined
  const { sentence = '', interval } = words ?? facts
  const { value, unit, sample, threshold, baseline, window, covered } = facts
  const isKnown = interval?.every(Number.isFinite) === true
  return {
    sentence,
    ...(value === undefined ? {} : { value }),
    ...(unit === undefined ? {} : { unit }),
    ...(sample === undefined ? {} : { sample }),
    ...(isKnown ? { interval } : {}),
    ...(threshold === undefined ? {} : { threshold }),
    ...(baseline === undefined ? {} : { baseline }),
    ...(window === undefined ? {} : { window }),
    ...(covered === undefined ? {} : { covered }),
  }
}

function keyOf(kind: string, overrides: AlertRule['parameters']): string {
  for (const _ in overrides) return `${kind} ${JSON.stringify(overrides)}`
  return kind
}
