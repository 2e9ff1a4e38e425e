import type { AlertRule } from '../../store/schema/alert-records.ts'
import { type IncidentAlert, type IncidentDoc, UNACKNOWLEDGED_MS } from '../state/incident.ts'
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

/** Whether it fires and nothing says that it is about to end. An alert that is held because it flaps does not. */
export function isGoingOn({ phase, clearSinceMs }: AlertState): boolean {
  return phase === 'firing' && clearSinceMs === undefined
}

export function isBeginning(what: AlertChange['what']): boolean {
  return what === 'begins' || what === 'flapping'
}

/**
 * The reply that nobody has acknowledged the incident for so long: once for those who were called already, and once for whom
 * the rule calls next. It is about the first critical alert that goes on and that nothing inhibits; undefined without one.
 */
export function replyUnacknowledged(
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
export function replyEnded(
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
export function listReplies(
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

/** The configured address hears of each alert that begins, becomes worse, or ends; of what is inhibited it hears the end alone. */
export function listWebhooks(changes: readonly AlertChange[]): readonly AlertsBody[] {
  const told = changes.filter(
    ({ what, alert, notify }) => alert.endedMs !== undefined || (notify && what !== 'reminder'),
  )
  const all = told.map(({ alert }) => alert)
  const bodies: readonly AlertsBody[] = [
    { status: 'firing', alerts: all.filter(({ endedMs }) => endedMs === undefined) },
    { status: 'resolved', alerts: all.filter(({ endedMs }) => endedMs !== undefined) },
  ]
  return bodies.filter(({ alerts }) => alerts.length > 0)
}
