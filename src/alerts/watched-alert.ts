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

/** Where all alerts of a subject stand after a look. */
export interface SteppedAlerts {
  /** For the store. */
  readonly states: readonly KnownState[]
  /** By rule. */
  readonly events: ReadonlyMap<string, AlertEvent>
  readonly firing: readonly FiringKind[]
}

const NO_EVENTS: ReadonlyMap<string, AlertEvent> = new Map()
const NONE_FIRES: readonly FiringKind[] = []

/** Takes every rule one step on: those whose alerts decide whether others can be trusted come first. Rules of unknown kinds are left out. */
export function steppedAlerts(look: Look, observe: Observing): SteppedAlerts {
  const { subject } = look
  const atMs = look.at.getTime()
  const states: KnownState[] = []
  let events: Map<string, AlertEvent> | undefined
  let firing: FiringKind[] | undefined
  for (const { rule, bound } of inOrder(look.view.rules)) {
    const known = stateOf(look, rule.id, states.length)
    const untrusted = firing === undefined ? undefined : distrustedBy(rule.kind, firing)
    const observed = observe(bound, known)
    const read = observed === undefined || untrusted === undefined ? observed : notTrusted(untrusted)
    const { state, event }: Stepped =
      read === undefined ? { state: known } : step(known, storable(read), bound.timing, atMs)
    states.push({ ruleId: rule.id, subject, state })
    if (event !== undefined) (events ??= new Map()).set(rule.id, event)
    if (state.phase !== 'firing') continue
    firing ??= []
    firing.push({ kind: rule.kind, channelId: rule.channelId, severity: state.severity })
  }
  return { states, events: events ?? NO_EVENTS, firing: firing ?? NONE_FIRES }
}

/** Each rule with where its alert stands, and the reasons why nothing is told of some. */
export function watchedAlerts(look: Look, { states, events, firing }: SteppedAlerts): readonly WatchedAlert[] {
  return inOrder(look.view.rules).flatMap(({ rule, bound: { timing } }, place): readonly WatchedAlert[] => {
    const state = states[place]?.state
    if (state === undefined) return []
    const held = heldBack(rule, state, { ...look, firing })
    return [{ rule, state, timing, event: events.get(rule.id), held }]
  })
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
    const each = { rule, bound, rank }
    let place = ordered.length
    for (; place > 0; place -= 1) {
      const before = ordered[place - 1]
      if (before === undefined || before.rank <= rank) break
      ordered[place] = before
    }
    ordered[place] = each
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
