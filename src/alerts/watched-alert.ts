import type { AlertRule, SubjectView } from '../store/alert-records.ts'
import { type BoundRule, boundRule } from './bound-rule.ts'
import { distrustedBy, type FiringKind, heldBack, type HeldBack } from './held-back.ts'
import { isUneventful, type Reading } from './reading.ts'
import { readAlertState, storable } from './stored-state.ts'
import { type AlertEvent, type AlertState, type AlertTiming, INACTIVE, step, type Stepped } from './step.ts'
import { allRest, isAbout, isAtRest, type KnownState, type Standing, standingOf } from './standing.ts'

/** One rule in one look at a subject, with where its alert stands afterwards. */
export interface WatchedAlert {
  readonly rule: AlertRule
  readonly state: AlertState
  readonly timing: AlertTiming
  readonly event?: AlertEvent | undefined
  /** Why nothing is told of it now. */
  readonly held?: HeldBack | undefined
}

/** What a look says of one rule. */
export interface Observing {
  /** Undefined when its kind is not due. */
  readonly observe: (rule: BoundRule, state: AlertState) => Reading | undefined
  /** Whether a few sums prove that nothing bad would be observed. */
  readonly isWell: (rule: BoundRule) => boolean
  /** Whether what bears on nothing is noted as well, for whoever asks what was read last. */
  readonly notes: boolean
}

/** One look with all rules of a subject. Times: the moment that is looked at, and the present. */
export interface Look {
  readonly view: SubjectView
  /** Where alerts stand, where that is known from the look before; the states of the view count otherwise. */
  readonly known?: Standing | undefined
  readonly subject: string
  readonly at: Date
  readonly now: Date
}

/** Where all alerts of a subject stand after a look. */
export interface SteppedAlerts {
  readonly standing: Standing
  /** What of it the store has to be told. */
  readonly states: readonly KnownState[]
  /** By rule. */
  readonly events: ReadonlyMap<string, AlertEvent>
  readonly firing: readonly FiringKind[]
}

const NO_STATES: readonly KnownState[] = []
const NO_EVENTS: ReadonlyMap<string, AlertEvent> = new Map()
const NONE_FIRES: readonly FiringKind[] = []

/** Whether a look leaves all alerts as they are: they rest, and a few sums prove that all is well. */
export function allWell(look: Look, { isWell, notes }: Observing): boolean {
  const { known, view } = look
  if (notes || known === undefined || !allRest(known, view.rules, look.at.getTime())) return false
  for (const rule of view.rules) {
    const bound = boundRule(rule)
    if (bound === undefined || !isWell(bound)) return false
  }
  return true
}

/** Takes every rule one step on: those whose alerts decide whether others can be trusted come first. Rules of unknown kinds are left out. */
export function steppedAlerts(look: Look, { observe, isWell, notes }: Observing): SteppedAlerts {
  const { known, view } = look
  const { rules } = view
  const atMs = look.at.getTime()
  const all: KnownState[] = []
  let states: KnownState[] | undefined
  let events: Map<string, AlertEvent> | undefined
  let firing: FiringKind[] | undefined
  for (const { rule, bound } of inOrder(rules)) {
    const before = knownState(look, rule.id, all.length)
    const untrusted = firing === undefined ? undefined : distrustedBy(rule.kind, firing)
    const rests = !notes && isAtRest(before.state) && atMs > (before.state.seenMs ?? atMs)
    if (rests && isWell(bound)) {
      all.push(before)
      continue
    }
    const observed = observe(bound, before.state)
    const read = observed === undefined || untrusted === undefined ? observed : notTrusted(untrusted)
    const { state, event }: Stepped =
      read === undefined || (rests && isUneventful(read))
        ? { state: before.state }
        : step(before.state, storable(read), bound.timing, atMs)
    const next = state === before.state ? before : { ...before, state }
    all.push(next)
    if (next !== before) (states ??= []).push(next)
    if (event !== undefined) (events ??= new Map()).set(rule.id, event)
    if (state.phase !== 'firing') continue
    firing ??= []
    firing.push({ kind: rule.kind, channelId: rule.channelId, severity: state.severity })
  }
  return {
    standing: states === undefined && known !== undefined && isAbout(known, rules) ? known : standingOf(rules, all),
    states: states ?? NO_STATES,
    events: events ?? NO_EVENTS,
    firing: firing ?? NONE_FIRES,
  }
}

/** Each rule with where its alert stands, and the reasons why nothing is told of some. */
export function watchedAlerts(look: Look, { standing, events, firing }: SteppedAlerts): readonly WatchedAlert[] {
  return inOrder(look.view.rules).flatMap(({ rule, bound: { timing } }, place): readonly WatchedAlert[] => {
    const state = standing.states[place]?.state
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
function knownState({ view, known, subject }: Look, ruleId: string, place: number): KnownState {
  const there = known?.states[place]
  if (there?.ruleId === ruleId) return there
  const state =
    known === undefined
      ? readAlertState(view.states.find((each) => each.ruleId === ruleId && each.subject === subject))
      : (known.states.find((each) => each.ruleId === ruleId)?.state ?? INACTIVE)
  return { ruleId, subject, state }
}

function notTrusted(kind: string): Reading {
  return { level: 'no data', facts: { sentence: `The data is not trusted: ${kind} fires.` } }
}
