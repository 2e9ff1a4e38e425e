import { type AlertRule, type IncidentRecord, RECENT_INCIDENT_MS } from '../../store/schema/alert-records.ts'
import { type IncidentAlert, type IncidentDoc, STALE_POST_MS, UNACKNOWLEDGED_MS } from '../state/incident.ts'
import { rankSeverity } from '../state/reading.ts'
import type { AlertEvent, AlertState } from '../state/step.ts'
import type { AlertsBody, ReplyBody, ReplyKind } from './incident-reply.ts'
import { type Inhibition, isNotified } from './inhibition.ts'

/** Where the alert of one rule stands after a look. */
export interface WatchedAlert {
  readonly rule: AlertRule
  readonly state: AlertState
  readonly event: AlertEvent | undefined
  readonly inhibition: Inhibition | undefined
}

/** What a look has changed about one alert of an incident. */
export interface AlertChange {
  readonly what: 'begins' | 'ends' | 'new normal' | 'worse' | 'de-escalated' | 'flapping' | 'reminder'
  readonly alert: IncidentAlert
  /** Whether a reply of its own tells of it, and not only an edit: nothing inhibits it. */
  readonly notify: boolean
  readonly mention?: string | undefined
  /** Its number before. */
  readonly was?: string | undefined
}

/** Of what is kept quiet for one of these reasons nothing is said when a silence ends. */
const HELD: ReadonlySet<string> = new Set(['paused', 'silenced'])

/** How an incident was before a look, and where its alerts stand after it. */
export interface Progress {
  readonly record: IncidentRecord | undefined
  readonly before: IncidentDoc | undefined
  /** It had ended, and begins another time. */
  readonly again: boolean
  readonly begins: boolean
  readonly ended: boolean
  readonly alerts: readonly IncidentAlert[]
  /** Those of them that find room, the severest first. */
  readonly kept: readonly IncidentAlert[]
  readonly changes: readonly AlertChange[]
}

/** The silence over all that fires of an incident. */
export interface Silenced {
  readonly untilMs: number | undefined
  /** Who looks after it hears of its end all the same, and that what comes next is not told. */
  readonly mutedUntilMs: number | undefined
  readonly wasSilenced: boolean
}

/** Who is called because of a look, and for which of the alerts. */
export function decideCalls(
  progress: Progress,
  { wasSilenced }: Silenced,
  { at, now, watched }: { readonly at: Date; readonly now: Date; readonly watched: readonly WatchedAlert[] },
) {
  const { record, before, begins, alerts, kept, changes } = progress
  const atMs = at.getTime()
  const notifies = begins || isNews(progress, atMs)
  const isAcknowledged = record?.acknowledgedBy !== undefined
  const isLate = now.getTime() - atMs > STALE_POST_MS
  const critical = alerts
    .filter(({ severity, endedMs }) => severity === 'critical' && endedMs === undefined)
    .map((alert) => ({ alert, watching: watched.find(({ rule }) => rule.id === alert.ruleId) }))
  const criticalMs = critical.length > 0 ? ((notifies ? undefined : before?.criticalMs) ?? atMs) : undefined
  const unansweredMs = notifies || isLate || isAcknowledged ? 0 : atMs - (criticalMs ?? atMs)
  // What joins ends no silence, nor does the end of one silence end another.
  const unsilenced = kept.filter(
    ({ ruleId, endedMs }) =>
      endedMs === undefined &&
      watched.some(({ rule, inhibition }) => rule.id === ruleId && !HELD.has(inhibition?.why ?? '')) &&
      !changes.some(({ what, alert }) => isBeginning(what) && alert.ruleId === ruleId),
  )
  const audible = wasSilenced && !notifies ? unsilenced[0] : undefined
  // That it is audible again calls those who were called already, and who is next has to wait from then on.
  const nag = audible === undefined ? replyUnacknowledged(critical, unansweredMs, before) : undefined
  const news = changes.filter(({ what, notify }) => what !== 'reminder' || (notify && !isAcknowledged))
  return {
    notifies,
    isAcknowledged,
    isLate,
    critical,
    criticalMs,
    unansweredMs,
    unsilenced,
    /** The severest that a silence kept back until this look. */
    audible,
    nag,
    news,
    /** Whether people hear of the look at all. */
    isTold: news.some(({ notify }) => notify) || nag !== undefined || audible !== undefined,
  }
}

export type Calls = ReturnType<typeof decideCalls>

/** Whether what changed calls people anew: it is graver, or who has not heard of it for so long thinks that it is over. */
function isNews({ before, alerts, changes }: Progress, atMs: number): boolean {
  const notifying = changes.filter(({ notify }) => notify)
  if (notifying.some(({ what }) => what === 'worse')) return true
  const isRaised = rankWorst(alerts) > rankWorst(before?.alerts ?? [])
  const isForgotten =
    atMs - (before?.toldMs ?? atMs) >= RECENT_INCIDENT_MS && changes.some(({ what }) => isBeginning(what))
  return notifying.length > 0 && (isRaised || isForgotten)
}

export function findMention(critical: Calls['critical']): string | undefined {
  return critical.map(({ watching }) => watching?.rule.mention).find((group) => group !== undefined)
}

function rankWorst(alerts: readonly IncidentAlert[]): number {
  return Math.max(-1, ...alerts.map((alert) => (alert.endedMs === undefined ? rankSeverity(alert.severity) : -1)))
}

/** What is told in the thread under the message, in this order. */
export function listThread(
  { again, ended, kept }: Progress,
  { mutedUntilMs }: Silenced,
  calls: Calls,
): readonly ReplyBody[] {
  const { notifies, isAcknowledged, critical, unsilenced, audible, nag, news } = calls
  const bodies = [...listReplies(news, again, ended, notifies)]
  if (audible !== undefined) {
    // Of what nothing is known to be critical nobody is called.
    const calling = critical.filter(({ alert }) => !isAcknowledged && unsilenced.includes(alert))
    const mention = findMention(calling)
    bodies.push({ kind: 'silence over', mention, broadcast: mention !== undefined, alert: audible })
  } else if (nag !== undefined) bodies.push(nag.body)
  const [worst] = kept
  if (worst !== undefined && ended && (news.some(({ notify }) => notify) || mutedUntilMs !== undefined))
    bodies.push(replyEnded(worst, kept, news, mutedUntilMs))
  return bodies
}

/** Whether it fires and nothing says that it is about to end. An alert that is held because it flaps does not. */
export function isGoingOn({ phase, clearSinceMs }: AlertState): boolean {
  return phase === 'firing' && clearSinceMs === undefined
}

function isBeginning(what: AlertChange['what']): boolean {
  return what === 'begins' || what === 'flapping'
}

/**
 * The reply that nobody has acknowledged the incident for so long: once for those who were called already, and once for whom
 * the rule calls next. It is about the first critical alert that goes on and that nothing inhibits; undefined without one.
 */
function replyUnacknowledged(
  critical: readonly { readonly alert: IncidentAlert; readonly watching?: WatchedAlert | undefined }[],
  unansweredMs: number,
  before: Pick<IncidentDoc, 'nagged' | 'escalated'> | undefined,
): { readonly body: ReplyBody; readonly nags: boolean } | undefined {
  const audible = critical.flatMap(({ alert, watching }) =>
    watching !== undefined && isNotified(watching.inhibition) && isGoingOn(watching.state)
      ? [{ alert, rule: watching.rule }]
      : [],
  )
  const isDue = ({ escalate, escalateAfterMs = UNACKNOWLEDGED_MS }: AlertRule): boolean =>
    escalate !== undefined && unansweredMs >= escalateAfterMs
  const nagging = before?.nagged === undefined && unansweredMs >= UNACKNOWLEDGED_MS ? audible[0] : undefined
  const escalating = before?.escalated === undefined ? audible.find(({ rule }) => isDue(rule)) : undefined
  const told = escalating ?? nagging
  if (told === undefined) return undefined
  const [mention, escalate] = [nagging?.rule.mention, escalating?.rule.escalate]
  const calls = { mention, escalate, unansweredMs, broadcast: true }
  return { body: { kind: 'nobody acknowledged', alert: told.alert, ...calls }, nags: nagging !== undefined }
}

/** The reply that the incident is over. It shows the severest alert, and how long it was since the first one fired. */
function replyEnded(
  worst: IncidentAlert,
  alerts: readonly IncidentAlert[],
  changes: readonly AlertChange[],
  silencedUntilMs: number | undefined,
): ReplyBody {
  const alert = { ...worst, firedMs: Math.min(...alerts.map(({ firedMs }) => firedMs)) }
  const kind = changes.every(({ what }) => what === 'new normal') ? 'new normal' : 'ended'
  return { kind, alert, silencedUntilMs, broadcast: false }
}

/** The replies that tell of changes. The incident as a whole begins `again`, has `ended`, or `notifies` anew. */
function listReplies(
  changes: readonly AlertChange[],
  again: boolean,
  ended: boolean,
  notifies: boolean,
): readonly ReplyBody[] {
  return changes.flatMap(({ what, alert, notify, mention, was }) => {
    const kind = notify ? pickReplyKind(what, again, !ended) : undefined
    if (kind === undefined) return []
    // Nobody looks after what a reminder is about: an acknowledgement ends them.
    const rings = what === 'worse' || what === 'reminder' || (isBeginning(what) && notifies)
    return [{ kind, alert, was, mention: rings ? mention : undefined, broadcast: rings }]
  })
}

function pickReplyKind(what: AlertChange['what'], again: boolean, goesOn: boolean): ReplyKind | undefined {
  if (what === 'begins') return again ? 'begins again' : 'joined'
  if (what === 'ends' || what === 'new normal') return goesOn ? 'ended one of several' : undefined
  return what
}

/**
 * The configured address hears of each alert that begins, becomes worse, or ends; of what is inhibited it hears the end alone.
 * What became worse in a silence is told when that is over.
 */
export function listWebhooks({ isAcknowledged, unsilenced, audible, news }: Calls): readonly AlertsBody[] {
  const unheard = audible === undefined || isAcknowledged ? [] : unsilenced
  const heard = news.filter(
    ({ what, alert, notify }) =>
      !unheard.includes(alert) && (alert.endedMs !== undefined || (notify && what !== 'reminder')),
  )
  const all = [...heard.map(({ alert }) => alert), ...unheard]
  const bodies: readonly AlertsBody[] = [
    { status: 'firing', alerts: all.filter(({ endedMs }) => endedMs === undefined) },
    { status: 'resolved', alerts: all.filter(({ endedMs }) => endedMs !== undefined) },
  ]
  return bodies.filter(({ alerts }) => alerts.length > 0)
}
