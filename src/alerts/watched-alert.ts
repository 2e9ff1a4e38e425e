import type { AlertRule, AlertStateRecord, SubjectView } from '../store/alert-records.ts'
import { type BoundRule, boundRule } from './bound-rule.ts'
import { DISTRUSTS, distrustedBy, heldBack, type HeldBack } from './held-back.ts'
import { isBad, type Reading, storable } from './reading.ts'
import { rulesNow } from './rules-now.ts'
import {
  type AlertEvent,
  type AlertState,
  type AlertTiming,
  INACTIVE,
  readAlertState,
  step,
  type Stepped,
} from './step.ts'

/** Where the alert of a rule about a subject stands, as the store has it. */
export interface KnownState extends AlertStateRecord {
  readonly state: AlertState
}

/** One rule in one look at a subject, with where its alert stands afterwards. */
export interface WatchedAlert {
  readonly rule: AlertRule
  readonly state: AlertState
  readonly timing: AlertTiming
  readonly event?: AlertEvent | undefined
  readonly held?: HeldBack | undefined
}

export interface Observing {
  /** Undefined when its kind is not due. */
  readonly observe: (rule: BoundRule, state: AlertState) => Reading | undefined
  /** Whether a look at which nothing happens is stored as well, for whoever asks what was read last. */
  readonly storesQuiet: boolean
}

/** One look with all rules of a subject. Times: the moment that is looked at, and the present. */
export interface Look {
  readonly view: SubjectView
  /** Where alerts stand, where that is known from the look before; the states of the view count otherwise. */
  readonly known?: readonly KnownState[] | undefined
  readonly subject: string
  readonly at: Date
  readonly now: Date
}

export interface SteppedAlerts {
  /** In the order in which they are looked at. */
  readonly rules: readonly BoundAlertRule[]
  /** Of each rule, in the same order. */
  readonly states: readonly KnownState[]
  /** Those of them that the store does not have yet. */
  readonly changed: readonly KnownState[]
  readonly events: ReadonlyMap<string, AlertEvent>
  readonly firing: readonly string[]
}

/** Takes every rule one step on: those whose alerts decide whether others can be trusted come first. Rules of unknown kinds are left out. */
export function steppedAlerts(look: Look, { observe, storesQuiet }: Observing): SteppedAlerts {
  const atMs = look.at.getTime()
  const states: KnownState[] = []
  const changed: KnownState[] = []
  const events = new Map<string, AlertEvent>()
  const firing: string[] = []
  const rules = inOrder(look.view.rules)
  for (const { rule, bound } of rules) {
    const before = knownState(look, rule.id)
    const untrusted = distrustedBy(rule.kind, firing)
    const observed = observe(bound, before.state)
    const reading = observed === undefined || untrusted === undefined ? observed : notTrusted(untrusted)
    const isSettled = !storesQuiet && isAtRest(before.state) && atMs > (before.state.seenMs ?? atMs)
    const { state, event }: Stepped =
      reading === undefined || (isSettled && !isBad(reading.level))
        ? { state: before.state }
        : step(before.state, storable(reading), bound.timing, atMs)
    const next = state === before.state ? before : { ...before, state }
    states.push(next)
    if (next !== before) changed.push(next)
    if (event !== undefined) events.set(rule.id, event)
    if (state.phase === 'firing') firing.push(rule.kind)
  }
  return { rules, states, changed, events, firing }
}

export function watchedAlerts(look: Look, { rules, states, events, firing }: SteppedAlerts): readonly WatchedAlert[] {
  return rules.flatMap(({ rule, bound: { timing } }, place): readonly WatchedAlert[] => {
    const state = states[place]?.state
    if (state === undefined) return []
    const held = heldBack(rule, state, { ...look, firing })
    return [{ rule, state, timing, event: events.get(rule.id), held }]
  })
}

interface BoundAlertRule {
  readonly rule: AlertRule
  readonly bound: BoundRule
}

/** The same rules are looked at again and again where a past is played. */
const ordered = new WeakMap<readonly AlertRule[], readonly BoundAlertRule[]>()

function inOrder(rules: readonly AlertRule[]): readonly BoundAlertRule[] {
  const known = ordered.get(rules) ?? boundInOrder(rules)
  ordered.set(rules, known)
  return known
}

function boundInOrder(rules: readonly AlertRule[]): readonly BoundAlertRule[] {
  // All of them look at the same thing.
  return rulesNow(rules, () => '')
    .flatMap((rule): readonly BoundAlertRule[] => {
      const bound = boundRule(rule)
      return bound === undefined ? [] : [{ rule, bound }]
    })
    .sort((a, b) => Number(b.bound.kind.name === DISTRUSTS) - Number(a.bound.kind.name === DISTRUSTS))
}

function knownState({ view, known, subject }: Look, ruleId: string): KnownState {
  const there = known?.find((each) => each.ruleId === ruleId)
  if (there !== undefined) return there
  const stored = view.states.find((each) => each.ruleId === ruleId && each.subject === subject)
  return { ruleId, subject, state: known === undefined ? readAlertState(stored) : INACTIVE }
}

/** Whether a look that is not bad leaves an alert as it is, but for when that was and what was read. */
function isAtRest({ phase, seenMs, heldUntilMs }: AlertState): boolean {
  return phase === 'inactive' && seenMs !== undefined && heldUntilMs === undefined
}

function notTrusted(kind: string): Reading {
  return { level: 'no data', facts: { sentence: `The data is not trusted: ${kind} fires.` } }
}
