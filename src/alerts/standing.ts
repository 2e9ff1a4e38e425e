import type { AlertRule, AlertStateRecord } from '../store/alert-records.ts'
import type { AlertState } from './step.ts'

/** Where an alert stands, as it was put into the store. */
export interface KnownState extends AlertStateRecord {
  readonly state: AlertState
}

/** Where all alerts of a subject stand. */
export interface Standing {
  /** In the order in which they are looked at. */
  readonly states: readonly KnownState[]
  /** The rules that it is about, in the order of the view. */
  readonly ruleIds: readonly string[]
  /** When one of them was noted last; NaN where they do not all rest. */
  readonly restsFromMs: number
}

export function standingOf(rules: readonly AlertRule[], states: readonly KnownState[]): Standing {
  return { states, ruleIds: rules.map(({ id }) => id), restsFromMs: restsFrom(states) }
}

/** Whether they all rest before a look, and are about these rules: then what is well leaves all as it is. */
export function allRest(standing: Standing, rules: readonly AlertRule[], atMs: number): boolean {
  return atMs > standing.restsFromMs && isAbout(standing, rules)
}

/** Whether it is about these rules and no others. */
export function isAbout({ ruleIds }: Standing, rules: readonly AlertRule[]): boolean {
  if (rules.length !== ruleIds.length) return false
  for (let index = 0; index < rules.length; index += 1) if (rules[index]?.id !== ruleIds[index]) return false
  return true
}

function restsFrom(states: readonly KnownState[]): number {
  let newestMs = Number.NEGATIVE_INFINITY
  for (const { state } of states) {
    if (!isAtRest(state)) return Number.NaN
    newestMs = Math.max(newestMs, state.seenMs ?? Number.NaN)
  }
  return newestMs
}

/**
 * Whether a look after `seenMs` at which nothing is bad or fast would leave an alert as it is, but for when that was and what was
 * read: nothing of it bears on any look after.
 */
export function isAtRest({ phase, seenMs, looks, fastMs, heldUntilMs }: AlertState): boolean {
  const isQuiet = phase === 'inactive' && looks.length === 0
  return isQuiet && seenMs !== undefined && fastMs === undefined && heldUntilMs === undefined
}
