import type { IncidentRecord, IncidentWrite, NewAlertPost } from '../store/alert-records.ts'
import { factsInWords } from './bound-rule.ts'
import { isAloud } from './held-back.ts'
import {
  readIncidentDoc,
  type IncidentAlert,
  type IncidentDoc,
  MAX_INCIDENT_ALERTS,
  NAG_AFTER_MS,
  SAME_INCIDENT_MS,
  STALE_POST_MS,
  type SampleLine,
} from './incident.ts'
import { gravestFirst } from './incident-words.ts'
import { type Facts, graveness } from './reading.ts'
import { hasLasted } from './traffic-life.ts'
import type { Look, WatchedAlert } from './watched-alert.ts'
import type { ReplyBody, ReplyKind, WebhookBody } from './incident-reply.ts'

/** Present values alone change an incident this often at most. */
const VALUES_EVERY_MS = 5 * 60_000
/** What happens at once is shown by one edit: changes that can wait do so for this long. */
const EDIT_WAIT_MS = 30_000

const BEGINS: ReadonlySet<AlertChange['what']> = new Set(['begins', 'flapping'])
const BEGINNINGS: ReadonlySet<AlertChange['what']> = new Set([...BEGINS, 'worse', 'eased'])

export interface Illustration {
  readonly samplesOf: (alert: IncidentAlert) => readonly SampleLine[]
  /** Undefined when nothing new is known of it. */
  readonly trendOf: (alert: IncidentAlert) => IncidentDoc['trend'] | undefined
}

export interface ChannelLook extends Look, Illustration {
  readonly channelId: string
  readonly watched: readonly WatchedAlert[]
  readonly newId: () => string
  readonly webhook: boolean
}

interface Followed {
  readonly incident: IncidentWrite
  readonly posts: readonly NewAlertPost[]
}

/**
 * Brings the incident of a channel to where its alerts stand: opens it, lets alerts join, ends it, begins it again within six
 * hours. Undefined when nothing that is shown has changed.
 */
export function updateIncident(look: ChannelLook): Followed | undefined {
  const { channelId, subject, at, now, watched, webhook } = look
  const atMs = at.getTime()
  const record = incidentOf(look)
  const before = record === undefined ? undefined : readIncidentDoc(record.doc)
  const again = record?.endedAt !== undefined
  // A new cycle shows what belongs to it.
  const { alerts, changes } = compared(again ? [] : (before?.alerts ?? []), watched, subject, atMs)
  const ended = alerts.every(({ endedMs }) => endedMs !== undefined)
  if (ended && changes.length === 0) return undefined
  const raised = gravest(alerts) > gravest(before?.alerts ?? [])
  const worse = changes.some(({ what, aloud }) => what === 'worse' && aloud)
  const begins = record === undefined || again
  // Who has not heard of it for so long thinks that it is over: what joins is told as if it began.
  const forgotten = atMs - (before?.toldMs ?? atMs) >= SAME_INCIDENT_MS && changes.some(({ what }) => BEGINS.has(what))
  const tells = begins || worse || ((raised || forgotten) && changes.some(({ aloud }) => aloud))
  const critical = alerts
    .filter(({ severity, endedMs }) => severity === 'critical' && endedMs === undefined)
    .map((alert) => ({ alert, watching: watched.find(({ rule }) => rule.id === alert.ruleId) }))
  const criticalMs = critical.length > 0 ? ((tells ? undefined : before?.criticalMs) ?? atMs) : undefined
  const isLate = now.getTime() - atMs > STALE_POST_MS
  const isUnanswered = criticalMs !== undefined && atMs - criticalMs >= NAG_AFTER_MS && !tells && !isLate
  const isDue = isUnanswered && record?.acknowledgedBy === undefined && before?.nagged === undefined
  const nag = isDue ? nagOf(critical) : undefined
  const mention = critical.map(({ watching }) => watching?.rule.mention).find((group) => group !== undefined)
  const told = changes.filter(
    ({ what, aloud }) => what !== 'reminder' || (aloud && record?.acknowledgedBy === undefined),
  )
  const kept = gravestFirst(bounded(alerts))
  const newValues = atMs - (before?.asOfMs ?? 0) >= VALUES_EVERY_MS && !isSame(kept, before?.alerts)
  if (told.length === 0 && nag === undefined && mention === before?.mention && !newValues) return undefined
  const [first] = kept
  const doc: IncidentDoc = {
    alerts: kept,
    nature: 'incident',
    cycle: (before?.cycle ?? 0) + (begins ? 1 : 0),
    mention,
    criticalMs,
    asOfMs: atMs,
    toldMs: told.length > 0 || nag !== undefined ? atMs : before?.toldMs,
    nagged: !tells && (before?.nagged === true || nag !== undefined) ? true : undefined,
    samples: (tells && first !== undefined ? look.samplesOf(first) : before?.samples) ?? [],
    trend: first === undefined ? [] : (look.trendOf(first) ?? before?.trend ?? []),
  }
  const id = record?.id ?? look.newId()
  const incident: IncidentWrite = {
    id,
    subject,
    channelId,
    openedAt: record?.openedAt ?? at,
    doc,
    endedAt: ended ? at : undefined,
    ...(tells && record?.acknowledgedBy !== undefined ? { unacknowledge: true } : {}),
  }
  const post = (what: NewAlertPost['what'], body?: ReplyBody | WebhookBody, waitMs = 0): NewAlertPost => ({
    incidentId: id,
    channelId,
    what,
    body,
    dueAt: new Date(now.getTime() + waitMs),
  })
  // There is no thread yet under what is new.
  const replies = isLate || record === undefined ? [] : [...repliesOf(told, again, ended, tells), ...(nag ? [nag] : [])]
  const webhooks = webhook ? webhooksOf(told) : []
  const posts = [
    post('card', undefined, tells || ended ? 0 : EDIT_WAIT_MS),
    ...replies.map((body) => post('reply', body)),
    ...webhooks.map((body) => post('webhook', body)),
  ]
  return { incident, posts }
}

/**
 * The incident that is open, or else the one that ended last: a view holds those of the last six hours. One that was dismissed
 * is over for good.
 */
function incidentOf({ view, subject, channelId }: ChannelLook): IncidentRecord | undefined {
  const own = view.incidents.filter((each) => each.subject === subject && each.channelId === channelId)
  const open = own.find(({ endedAt }) => endedAt === undefined)
  if (open !== undefined) return open
  const recent = own.filter(
    ({ endedAt, dismissedBy, doc }) =>
      endedAt !== undefined && dismissedBy === undefined && readIncidentDoc(doc).nature === 'incident',
  )
  return recent.toSorted((a, b) => (b.endedAt?.getTime() ?? 0) - (a.endedAt?.getTime() ?? 0))[0]
}

function isSame(alerts: readonly IncidentAlert[], known: readonly IncidentAlert[] | undefined): boolean {
  return JSON.stringify(alerts) === JSON.stringify(known)
}

/** The graveness of the gravest that fires; -1 when none does. */
function gravest(alerts: readonly IncidentAlert[]): number {
  return Math.max(-1, ...alerts.map((alert) => (alert.endedMs === undefined ? graveness(alert.severity) : -1)))
}

/** That nobody has acknowledged it, said of the first that is told and not on its way out. */
function nagOf(critical: readonly { readonly alert: IncidentAlert; readonly watching?: WatchedAlert | undefined }[]) {
  for (const { alert, watching } of critical) {
    if (watching === undefined || !isAloud(watching.held) || watching.state.clearSinceMs !== undefined) continue
    const { mention } = watching.rule
    return { kind: 'nobody acknowledged', alert, mention, broadcast: true } satisfies ReplyBody
  }
  return undefined
}

function bounded(alerts: readonly IncidentAlert[]): readonly IncidentAlert[] {
  const excess = alerts.length - MAX_INCIDENT_ALERTS
  if (excess <= 0) return alerts
  const endedFirst = alerts.toSorted(
    (a, b) => (a.endedMs ?? Infinity) - (b.endedMs ?? Infinity) || a.firedMs - b.firedMs,
  )
  const left = new Set(endedFirst.slice(0, excess))
  return alerts.filter((alert) => !left.has(alert))
}

/** Of an incident that begins `again`, has `ended` with all its alerts, or is told anew. */
function repliesOf(
  changes: readonly AlertChange[],
  again: boolean,
  ended: boolean,
  tells: boolean,
): readonly ReplyBody[] {
  return changes.flatMap(({ what, alert, aloud, mention }) => {
    const kind = aloud ? replyKindOf(what, again, !ended) : undefined
    const rings = what === 'worse' || (BEGINS.has(what) && tells)
    if (kind === undefined) return []
    return [{ kind, alert, mention: rings ? mention : undefined, broadcast: rings || what === 'reminder' }]
  })
}

/** The configured address hears of each alert that begins, becomes worse, or ends; of what is held back it hears the end alone. */
function webhooksOf(changes: readonly AlertChange[]): readonly WebhookBody[] {
  const firing = changes.filter(
    ({ what, alert, aloud }) => aloud && alert.endedMs === undefined && BEGINNINGS.has(what),
  )
  const resolved = changes.filter(({ alert }) => alert.endedMs !== undefined)
  const bodies: readonly WebhookBody[] = [
    { status: 'firing', alerts: firing.map(({ alert }) => alert) },
    { status: 'resolved', alerts: resolved.map(({ alert }) => alert) },
  ]
  return bodies.filter(({ alerts }) => alerts.length > 0)
}

interface AlertChange {
  readonly what: 'begins' | 'ends' | 'new normal' | 'worse' | 'eased' | 'flapping' | 'reminder'
  readonly alert: IncidentAlert
  /** Told by a reply of its own, and not only by an edit: nothing holds it back. */
  readonly aloud: boolean
  readonly mention?: string | undefined
}

/**
 * The alerts of an incident brought to where their rules stand now. An alert whose rule is gone has ended; one whose rule is
 * paused stays as it was. What is held back does not enter; nor does what is on its way out already.
 */
function compared(
  known: readonly IncidentAlert[],
  watched: readonly WatchedAlert[],
  subject: string,
  atMs: number,
): { readonly alerts: readonly IncidentAlert[]; readonly changes: readonly AlertChange[] } {
  const changes: AlertChange[] = []
  const alerts = known.map((alert): IncidentAlert => {
    if (alert.endedMs !== undefined) return alert
    const watching = watched.find(({ rule }) => rule.id === alert.ruleId)
    if (watching?.held?.why === 'paused') return alert
    const present = presentOf(alert, watching, atMs)
    const what = whatHappened(alert, present, watching)
    if (what !== undefined) changes.push(changeOf(what, present, watching))
    return present
  })
  const entering = watched.filter(
    ({ rule, state, held }) =>
      isAloud(held) &&
      state.phase === 'firing' &&
      state.clearSinceMs === undefined &&
      !alerts.some(({ ruleId, endedMs }) => ruleId === rule.id && endedMs === undefined),
  )
  const entered = entering.map((watching) => {
    const alert = enteredAlert(watching, subject, atMs)
    changes.push(changeOf(watching.event === 'flapping' ? 'flapping' : 'begins', alert, watching))
    return alert
  })
  const again = new Set(entered.map(({ ruleId }) => ruleId))
  return { alerts: [...alerts.filter(({ ruleId }) => !again.has(ruleId)), ...entered], changes }
}

/** Which reply tells of a change, in an incident that goes on or begins again; undefined where an edit is enough. */
function replyKindOf(what: AlertChange['what'], again: boolean, goesOn: boolean): ReplyKind | undefined {
  switch (what) {
    case 'begins':
      return again ? 'begins again' : 'joined'
    case 'ends':
      return goesOn ? 'ended one of several' : undefined
    default:
      return what
  }
}

function presentOf(alert: IncidentAlert, watching: WatchedAlert | undefined, atMs: number): IncidentAlert {
  const state = watching?.state
  const isShown = state !== undefined && (state.phase === 'firing' || state.heldUntilMs !== undefined)
  if (watching !== undefined && isShown) return broughtUp(alert, watching)
  return { ...alert, facts: factsOf(watching) ?? alert.facts, endedMs: atMs, flapping: undefined }
}

function enteredAlert(watching: WatchedAlert, subject: string, atMs: number): IncidentAlert {
  const { id: ruleId, kind } = watching.rule
  const firedMs = Math.min(watching.state.sinceMs, atMs)
  const began = { ruleId, kind, subject, severity: 'warning', firedMs, facts: { sentence: '' } } as const
  return broughtUp(began, watching)
}

function broughtUp(alert: IncidentAlert, watching: WatchedAlert): IncidentAlert {
  const { rule, state } = watching
  const facts = factsOf(watching) ?? alert.facts
  return {
    ...alert,
    runbook: rule.runbook,
    severity: state.severity ?? alert.severity,
    facts,
    peak: state.peak ?? alert.peak,
    unit: facts.unit ?? alert.unit,
    flapping: state.heldUntilMs === undefined ? undefined : true,
  }
}

function factsOf(watching: WatchedAlert | undefined): Facts | undefined {
  const reading = watching?.state.last?.reading
  return watching === undefined || reading === undefined ? undefined : factsInWords(watching.rule, reading)
}

function whatHappened(
  before: IncidentAlert,
  now: IncidentAlert,
  watching: WatchedAlert | undefined,
): AlertChange['what'] | undefined {
  if (now.endedMs !== undefined) return hasLasted(watching?.state.last?.reading) ? 'new normal' : 'ends'
  const graver = graveness(now.severity) - graveness(before.severity)
  if (graver > 0) return 'worse'
  if (now.flapping === true && before.flapping === undefined) return 'flapping'
  if (graver < 0) return 'eased'
  return watching?.event === 'reminder' ? 'reminder' : undefined
}

function changeOf(what: AlertChange['what'], alert: IncidentAlert, watching: WatchedAlert | undefined): AlertChange {
  return {
    what,
    alert,
    aloud: isAloud(watching?.held),
    mention: alert.severity === 'critical' && alert.endedMs === undefined ? watching?.rule.mention : undefined,
  }
}
