import type { AlertRule, AlertStateRecord, SubjectView } from '../store/alert-records.ts'
import { alertKind } from './kinds.ts'
import type { AlertKind, Parameters } from './alert-kind.ts'
import { distrustedBy, type FiringKind, heldBack, type HeldBack } from './held-back.ts'
import { parametersOf } from './parameters.ts'
import type { Reading } from './reading.ts'
import { readAlertState, storable } from './stored-state.ts'
import { type AlertEvent, type AlertState, type AlertTiming, step } from './step.ts'

/** One rule in one look at a subject, with where its alert stands afterwards. */
export interface WatchedAlert {
  readonly rule: AlertRule
  readonly state: AlertState
  readonly timing: AlertTiming
  readonly event?: AlertEvent | undefined
  /** Why nothing is told of it now. */
  readonly held?: HeldBack | undefined
}

/** A kind that is looked at again and again, and so has a life. */
export type LivingKind = Exclude<AlertKind, { readonly subject: 'account' }>

/** What a look says of one rule; undefined when its kind is not due. */
export type Observing = (kind: LivingKind, parameters: Parameters, state: AlertState) => Reading | undefined

/** One look with all rules of a subject. Times: the moment that is looked at, and the present. */
export interface Look {
  readonly view: SubjectView
  readonly subject: string
  readonly at: Date
  readonly now: Date
}

/** Takes every rule one step on: those whose alerts decide whether others can be trusted come first. Rules of unknown kinds are left out. */
export function watchedAlerts(look: Look, observe: Observing): readonly WatchedAlert[] {
  const { view, subject, at } = look
  const states = new Map(view.states.filter((each) => each.subject === subject).map((each) => [each.ruleId, each]))
  const stepped: WatchedAlert[] = []
  for (const { rule, kind } of inOrder(view.rules)) {
    const state = readAlertState(states.get(rule.id))
    const parameters = parametersOf(kind, rule.parameters)
    const timing = kind.timing(parameters)
    const untrusted = distrustedBy(rule.kind, firingAmong(stepped))
    const read = observe(kind, parameters, state)
    if (read === undefined) stepped.push({ rule, state, timing })
    else {
      const reading = untrusted === undefined ? storable(read) : notTrusted(untrusted)
      stepped.push({ rule, timing, ...step(state, reading, timing, at.getTime()) })
    }
  }
  const firing = firingAmong(stepped)
  return stepped.map((each) => ({ ...each, held: heldBack(each.rule, each.state, { ...look, firing }) }))
}

/** What is new in the states, for the store. */
export function statesOf(watched: readonly WatchedAlert[], subject: string): readonly AlertStateRecord[] {
  return watched.map(({ rule, state }) => ({ ruleId: rule.id, subject, state }))
}

function inOrder(rules: readonly AlertRule[]): readonly { readonly rule: AlertRule; readonly kind: LivingKind }[] {
  const known = rules.flatMap((rule) => {
    const kind = alertKind(rule.kind)
    return kind === undefined || kind.subject === 'account' ? [] : [{ rule, kind }]
  })
  const inhibitors = (kind: LivingKind): number => (kind.subject === 'pull' ? kind.inhibitedBy.length : 0)
  return known.toSorted((a, b) => inhibitors(a.kind) - inhibitors(b.kind))
}

function firingAmong(watched: readonly WatchedAlert[]): readonly FiringKind[] {
  return watched
    .filter(({ state }) => state.phase === 'firing')
    .map(({ rule: { kind, channelId }, state: { severity } }) => ({ kind, channelId, severity }))
}

function notTrusted(kind: string): Reading {
  return { level: 'no data', facts: { sentence: `The data is not trusted: ${kind} fires.` } }
}
