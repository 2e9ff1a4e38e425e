import { MINUTE_MS } from '../../shared/durations.ts'
import type {
  AlertRule,
  IncidentRecord,
  MarkRecord,
  SilenceRecord,
  SubjectView,
} from '../../store/schema/alert-records.ts'
import { listCurrentRules } from '../kinds/current-rules.ts'
import { findAlertKind, toCurrentName } from '../kinds/kinds.ts'
import { type IncidentAlert, readIncidentDoc } from '../state/incident.ts'
import { compareSeverity } from '../state/reading.ts'
import { concerns } from '../state/rule-subjects.ts'
import { type AlertState, FLAP_HOLD_MS, readAlertState } from '../state/step.ts'

/** After a deploy or a purge, what it explains is inhibited for so long. */
const MARK_MS = 15 * MINUTE_MS
/** While this fires for a zone, nothing else about its traffic can be trusted. */
export const INHIBITING_KIND = 'cannot-look'

export type Inhibition =
  | { readonly why: 'paused'; readonly sentence: string }
  | { readonly why: 'silenced'; readonly silence: SilenceRecord }
  | { readonly why: 'dismissed'; readonly by: string; readonly at: Date }
  | { readonly why: 'no data'; readonly kind: string }
  | { readonly why: 'marked'; readonly mark: MarkRecord }
  | { readonly why: 'flapping'; readonly until: Date }

/** Whether an alert notifies as soon as it changes. One that flaps does, if it becomes worse. */
export function isNotified(inhibition: Inhibition | undefined): boolean {
  return inhibition === undefined || inhibition.why === 'flapping'
}

/** What of the world decides whether a rule's alert notifies. `at` is the moment that is looked at, not later than `now`. */
export interface Surroundings {
  readonly view: Pick<SubjectView, 'silences' | 'marks' | 'incidents'>
  readonly subject: string
  readonly firing: readonly string[]
  readonly at: Date
  readonly now: Date
}

/**
 * The first reason why a rule's alert does not notify; undefined when it does. A pause, a silence and a dismissal are people's,
 * and come first; of several silences the one that ends last.
 */
export function findInhibition(rule: AlertRule, state: AlertState, around: Surroundings): Inhibition | undefined {
  const { view, subject, firing, at, now } = around
  if (rule.pausedWhy !== undefined) return { why: 'paused', sentence: rule.pausedWhy }
  const silence = findLastEnding(view.silences.filter((each) => isSilencing(each, rule, subject, now)))
  if (silence !== undefined) return { why: 'silenced', silence }
  const dismissal = findDismissal(rule, state, view.incidents)
  if (dismissal !== undefined) return dismissal
  const inhibiting = findInhibitingKind(rule.kind, firing)
  if (inhibiting !== undefined) return { why: 'no data', kind: inhibiting }
  const kind = findAlertKind(rule.kind)
  const isExplained = kind?.subject === 'pull' && kind.explainedByMarks === true
  const mark = isExplained ? view.marks.find((each) => isExplaining(each, state, at, now)) : undefined
  if (mark !== undefined) return { why: 'marked', mark }
  return state.heldUntilMs === undefined ? undefined : { why: 'flapping', until: new Date(state.heldUntilMs) }
}

/** The kind that, firing for the same zone in any channel, makes the readings of this one count as no data. */
export function findInhibitingKind(kindName: string, firing: readonly string[]): string | undefined {
  const kind = findAlertKind(kindName)
  if (kind?.subject !== 'pull' || kind.name === INHIBITING_KIND) return undefined
  return firing.find((each) => toCurrentName(each) === INHIBITING_KIND)
}
export function findStoredInhibition(
  rule: AlertRule,
  view: SubjectView,
  state: AlertState,
  at: Date,
): Inhibition | undefined {
  const subject = view.states.find(({ ruleId }) => ruleId === rule.id)?.subject ?? rule.subject
  const firing = listCurrentRules(view.rules)
    .filter(({ id }) => readAlertState(view.states.find(({ ruleId }) => ruleId === id)).phase === 'firing')
    .map(({ kind }) => kind)
  return findInhibition(rule, state, { view, subject, firing, at, now: at })
}

/** The silence that covers all that fires of an incident: of several the one that ends last. */
export function findSilence(
  silences: readonly SilenceRecord[],
  { subject, channelId }: Pick<IncidentRecord, 'subject' | 'channelId'>,
  now: Date,
  alerts: readonly Pick<IncidentAlert, 'kind' | 'endedMs'>[],
): SilenceRecord | undefined {
  const kinds = alerts.filter(({ endedMs }) => endedMs === undefined).map(({ kind }) => kind)
  return findLastEnding(
    silences.filter((each) => kinds.every((kind) => isSilencing(each, { kind, channelId }, subject, now))),
  )
}

function findLastEnding(silences: readonly SilenceRecord[]): SilenceRecord | undefined {
  return silences.toSorted((one, other) => other.until.getTime() - one.until.getTime())[0]
}

function isSilencing(
  silence: SilenceRecord,
  rule: Pick<AlertRule, 'kind' | 'channelId'>,
  subject: string,
  now: Date,
): boolean {
  return (
    concerns(silence.subject, subject) &&
    (silence.kind === undefined || toCurrentName(silence.kind) === toCurrentName(rule.kind)) &&
    (silence.channelId === undefined || silence.channelId === rule.channelId) &&
    silence.from <= now &&
    now < silence.until
  )
}

/**
 * Whether the reading is still about the minutes after a mark: its window reaches into them, or it has none and the time is
 * not over. People mark what they did a little late, so a mark explains what was read just before it too.
 */
function isExplaining(mark: Pick<MarkRecord, 'at'>, { last }: AlertState, at: Date, now: Date): boolean {
  const aboutMs = Math.min(at.getTime(), last?.reading.facts.window?.fromMs ?? at.getTime())
  return mark.at <= now && aboutMs < mark.at.getTime() + MARK_MS
}

/**
 * The dismissal that inhibits an alert: it was given while the alert fired, which has gone on since and is not more severe. What
 * stands in an open incident is shown there, so no earlier dismissal counts.
 */
function findDismissal(
  { id }: Pick<AlertRule, 'id'>,
  state: AlertState,
  incidents: readonly IncidentRecord[],
): Inhibition | undefined {
  if (state.phase !== 'firing' || incidents.every(({ dismissedBy }) => dismissedBy === undefined)) return undefined
  const own = incidents.flatMap(({ doc, dismissedBy: by, endedAt: at }) => {
    const alert = readIncidentDoc(doc).alerts.find(({ ruleId, endedMs }) => ruleId === id && endedMs === undefined)
    return alert === undefined ? [] : [{ alert, by, at }]
  })
  if (own.some(({ at }) => at === undefined)) return undefined
  const { sinceMs, heldUntilMs } = state
  // What flaps is shown as one alert, however often it begins in that time.
  const beginMs = heldUntilMs === undefined ? sinceMs : Math.min(sinceMs, heldUntilMs - FLAP_HOLD_MS)
  for (const { alert, by, at } of own) {
    if (by === undefined || at === undefined || beginMs > alert.firedMs) continue
    if (compareSeverity(state.severity, alert.severity) <= 0) return { why: 'dismissed', by, at }
  }
  return undefined
}
