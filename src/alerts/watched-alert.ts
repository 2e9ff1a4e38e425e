import type { AlertRule, SubjectView } from '../store/alert-records.ts'
import { type BoundRule, boundRule } from './bound-rule.ts'
import { distrustedBy, type FiringKind, heldBack, type HeldBack } from './held-back.ts'
import type { Reading } from './reading.ts'
import { readAlertState, storable } from './stored-state.ts'
import { type AlertEvent, type AlertState, type AlertTiming, step, type Stepped } from './step.ts'
import type { KnownState } from './zone-memory.ts'

/** One rule in one look at a subject, with where its alert stands afterwards. */
export interface WatchedAlert {
  readonly rule: AlertRule
  readonly state: AlertState
  readonly timing: AlertTiming
  readonly event?: AlertEvent | undefined
  /** Why nothing is told of it now. */
  readonly held?: HeldBack | undefined
}

/** What a look says of one rule; undefined when its kind is not due. */
export type Observing = (rule: BoundRule, state: AlertState) => Reading | undefined

/** One look with all rules of a subject. Times: the moment that is looked at, and the present. */
export interface Look {
  readonly view: SubjectView
  /** Where alerts stand, where that is known from the look before; the states of the view count otherwise. */
  readonly known?: readonly KnownState[] | undefined
  readonly subject: string
  readonly at: Date
  readonly now: Date
}

/** Takes every rule one step on: those whose alerts decide whether others can be trusted come first. Rules of unknown kinds are left out. */
export function steppedAlerts(look: Look, observe: Observing): readonly WatchedAlert[] {
  const atMs = look.at.getTime()
  const stepped: WatchedAlert[] = []
  const firing: FiringKind[] = []
  for (const { rule, bound } of inOrder(look.view.rules)) {
    const { timing } = bound
    const known = stateOf(look, rule.id, stepped.length)
    const untrusted = firing.length === 0 ? undefined : distrustedBy(rule.kind, firing)
    const observed = observe(bound, known)
    const read = observed === undefined || untrusted === undefined ? observed : notTrusted(untrusted)
    const { state, event }: Stepped = read === undefined ? { state: known } : step(known, storable(read), timing, atMs)
    stepped.push({ rule, state, timing, event, held: undefined })
    const { phase, severity } = state
    if (phase === 'firing') firing.push({ kind: rule.kind, channelId: rule.channelId, severity })
  }
  return stepped
}

/** The same with the reasons why nothing is told of some. */
export function withReasons(look: Look, stepped: readonly WatchedAlert[]): readonly WatchedAlert[] {
  const firing = stepped
    .filter(({ state }) => state.phase === 'firing')
    .map(({ rule: { kind, channelId }, state: { severity } }) => ({ kind, channelId, severity }))
  return stepped.map((each) => ({ ...each, held: heldBack(each.rule, each.state, { ...look, firing }) }))
}

/** What is new in the states, for the store. */
export function statesOf(watched: readonly WatchedAlert[], subject: string): readonly KnownState[] {
  return watched.map(({ rule, state }) => ({ ruleId: rule.id, subject, state }))
}

interface Ordered {
  readonly rule: AlertRule
  readonly bound: BoundRule
  /** By how many kinds it is inhibited. */
  readonly rank: number
}

/** A few rules at each look at each zone: put into place one by one. */
function inOrder(rules: readonly AlertRule[]): readonly Ordered[] {
  const ordered: Ordered[] = []
  for (const rule of rules) {
    const bound = boundRule(rule)
    if (bound === undefined) continue
    const { kind } = bound
    const rank = kind.subject === 'pull' ? kind.inhibitedBy.length : 0
    let place = ordered.length
    while (place > 0 && (ordered[place - 1]?.rank ?? 0) > rank) place -= 1
    ordered.splice(place, 0, { rule, bound, rank })
  }
  return ordered
}

/** `place` is where it stood in the look before, if rules are the same. */
function stateOf({ view, known, subject }: Look, ruleId: string, place: number): AlertState {
  if (known === undefined) {
    return readAlertState(view.states.find((each) => each.ruleId === ruleId && each.subject === subject))
  }
  const there = known[place]
  if (there?.ruleId === ruleId) return there.state
  return known.find((each) => each.ruleId === ruleId)?.state ?? readAlertState(undefined)
}

function notTrusted(kind: string): Reading {
  return { level: 'no data', facts: { sentence: `The data is not trusted: ${kind} fires.` } }
}
