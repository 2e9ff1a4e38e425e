import type { AlertRule, IncidentRecord, MarkRecord, SilenceRecord, SubjectView } from '../store/alert-records.ts'
import { readIncidentDoc, type IncidentAlert } from './incident.ts'
import { alertKind, currentName } from './kinds.ts'
import { concerns } from './rule-subjects.ts'
import { rulesNow } from './rules-now.ts'
import { graveness } from './reading.ts'
import { type AlertState, FLAP_HELD_MS, readAlertState } from './step.ts'

/** After a deploy or a purge, what it explains is held for so long. */
const MARK_HOLDS_MS = 15 * 60_000
/** While this fires for a zone, nothing else about its traffic can be trusted. */
export const DISTRUSTS = 'cannot-look'

export type HeldBack =
  | { readonly why: 'paused'; readonly sentence: string }
  | { readonly why: 'silenced'; readonly silence: SilenceRecord }
  | { readonly why: 'answered'; readonly by: string; readonly at: Date }
  | { readonly why: 'not trusted'; readonly kind: string }
  | { readonly why: 'marked'; readonly mark: MarkRecord }
  | { readonly why: 'flapping'; readonly until: Date }

/** Whether an alert is told as soon as it changes. One that flaps is, if it becomes worse. */
export function isAloud(held: HeldBack | undefined): boolean {
  return held === undefined || held.why === 'flapping'
}

/** What of the world decides whether a rule's alert is told. `at` is the moment that is looked at, not later than `now`. */
export interface Holding {
  readonly view: Pick<SubjectView, 'silences' | 'marks' | 'incidents'>
  readonly subject: string
  readonly firing: readonly string[]
  readonly at: Date
  readonly now: Date
}

/**
 * The first reason why a rule's alert is not told; undefined when it is. A pause, a silence and an answer are people's, and
 * come first.
 */
export function heldBack(rule: AlertRule, state: AlertState, holding: Holding): HeldBack | undefined {
  const { view, subject, firing, at, now } = holding
  if (rule.pausedWhy !== undefined) return { why: 'paused', sentence: rule.pausedWhy }
  const silence = view.silences.find((each) => silences(each, rule, subject, now))
  if (silence !== undefined) return { why: 'silenced', silence }
  const answer = answerFor(rule, state, view.incidents)
  if (answer !== undefined) return answer
  const untrusted = distrustedBy(rule.kind, firing)
  if (untrusted !== undefined) return { why: 'not trusted', kind: untrusted }
  const kind = alertKind(rule.kind)
  const isExplained = kind?.subject === 'pull' && kind.explainedByMarks
  const mark = isExplained ? view.marks.find((each) => markHolds(each, state, at, now)) : undefined
  if (mark !== undefined) return { why: 'marked', mark }
  return state.heldUntilMs === undefined ? undefined : { why: 'flapping', until: new Date(state.heldUntilMs) }
}

/** The kind that, firing for the same zone in any channel, makes the readings of this one count as no data. */
export function distrustedBy(kindName: string, firing: readonly string[]): string | undefined {
  const kind = alertKind(kindName)
  if (kind?.subject !== 'pull' || kind.name === DISTRUSTS) return undefined
  return firing.find((each) => currentName(each) === DISTRUSTS)
}

export function heldBackNow(rule: AlertRule, view: SubjectView, state: AlertState, at: Date): HeldBack | undefined {
  const record = view.states.find(({ ruleId }) => ruleId === rule.id)
  const subject = record?.subject ?? rule.subject
  return heldBack(rule, state, { view, subject, firing: firingKinds(view), at, now: at })
}

function firingKinds({ rules, states }: SubjectView): readonly string[] {
  return rulesNow(rules).flatMap(({ id, kind }) => {
    const { phase } = readAlertState(states.find(({ ruleId }) => ruleId === id))
    return phase === 'firing' ? [kind] : []
  })
}

function silences(silence: SilenceRecord, rule: AlertRule, subject: string, now: Date): boolean {
  return (
    concerns(silence.subject, subject) &&
    (silence.kind === undefined || currentName(silence.kind) === currentName(rule.kind)) &&
    (silence.channelId === undefined || silence.channelId === rule.channelId) &&
    silence.from <= now &&
    now < silence.until
  )
}

/**
 * Whether the reading is still about the minutes after a mark: its window reaches into them, or it has none and the time is
 * not over. People mark what they did a little late, so a mark holds what was read just before it too.
 */
function markHolds(mark: Pick<MarkRecord, 'at'>, { last }: AlertState, at: Date, now: Date): boolean {
  const aboutMs = Math.min(at.getTime(), last?.reading.facts.window?.fromMs ?? at.getTime())
  return mark.at <= now && aboutMs < mark.at.getTime() + MARK_HOLDS_MS
}

/**
 * The answer that holds an alert back: it was given while the alert fired, which has gone on since and is not graver. What stands
 * in an open incident is told there, so no earlier answer counts.
 */
function answerFor(
  { id }: Pick<AlertRule, 'id'>,
  state: AlertState,
  incidents: readonly IncidentRecord[],
): Extract<HeldBack, { readonly why: 'answered' }> | undefined {
  if (state.phase !== 'firing' || incidents.every(({ dismissedBy }) => dismissedBy === undefined)) return undefined
  const goingOn = (incident: IncidentRecord): IncidentAlert | undefined =>
    readIncidentDoc(incident.doc).alerts.find(({ ruleId, endedMs }) => ruleId === id && endedMs === undefined)
  if (incidents.some((each) => each.endedAt === undefined && goingOn(each) !== undefined)) return undefined
  for (const incident of incidents) {
    const { dismissedBy: by, endedAt: at } = incident
    const answered = by === undefined ? undefined : goingOn(incident)
    if (by === undefined || at === undefined || answered === undefined) continue
    const isSame = beganMs(state) <= answered.firedMs
    if (isSame && graveness(state.severity) <= graveness(answered.severity)) return { why: 'answered', by, at }
  }
  return undefined
}

/** What is held because it flaps is shown as one alert, however often it begins in that time. */
function beganMs({ sinceMs, heldUntilMs }: AlertState): number {
  return heldUntilMs === undefined ? sinceMs : Math.min(sinceMs, heldUntilMs - FLAP_HELD_MS)
}
