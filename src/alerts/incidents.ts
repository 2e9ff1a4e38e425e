import type { IncidentRecord, IncidentWrite, NewAlertPost } from '../store/alert-records.ts'
import { isAloud } from './held-back.ts'
import { compared, type AlertChange, replyKindOf } from './incident-changes.ts'
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
import { graveness } from './reading.ts'
import type { Look, WatchedAlert } from './watched-alert.ts'
import type { ReplyBody, ReplyKind, WebhookBody } from './incident-reply.ts'

/** Present values alone change an incident this often at most. */
const VALUES_EVERY_MS = 5 * 60_000

/** What is shown beside the numbers. */
export interface Illustration {
  readonly samplesOf: (alert: IncidentAlert) => readonly SampleLine[]
  /** Undefined when nothing new is known of it. */
  readonly trendOf: (alert: IncidentAlert) => IncidentDoc['trend'] | undefined
}

/** One channel's share of a look at a subject. */
export interface ChannelLook extends Look, Illustration {
  readonly channelId: string
  /** The rules of this channel. */
  readonly watched: readonly WatchedAlert[]
  readonly newId: () => string
  readonly webhook: boolean
}

export interface Followed {
  readonly incidents: readonly IncidentWrite[]
  readonly posts: readonly NewAlertPost[]
}

const NOTHING: Followed = { incidents: [], posts: [] }

/**
 * Brings the incident of a channel to where its alerts stand: opens it, lets alerts join, ends it, begins it again within six
 * hours. Nothing is written when nothing that is shown has changed.
 */
export function followed(look: ChannelLook): Followed {
  const { channelId, subject, at, now, watched } = look
  const atMs = at.getTime()
  const record = incidentOf(look)
  const before = record === undefined ? undefined : readIncidentDoc(record.doc)
  const again = record?.endedAt !== undefined
  // A new cycle shows what belongs to it.
  const { alerts, changes } = compared(again ? [] : (before?.alerts ?? []), watched, subject, atMs)
  if (alerts.every(({ endedMs }) => endedMs !== undefined) && changes.length === 0) return NOTHING
  const ended = alerts.every(({ endedMs }) => endedMs !== undefined)
  const raised = gravest(alerts) > gravest(before?.alerts ?? [])
  const worse = changes.some(({ what, aloud }) => what === 'worse' && aloud)
  const begins = record === undefined || again
  // Who has not heard of it for so long thinks that it is over: what joins is told as if it began.
  const forgotten = atMs - (before?.toldMs ?? atMs) >= SAME_INCIDENT_MS && changes.some(({ what }) => BEGINS.has(what))
  const tells = begins || worse || ((raised || forgotten) && changes.some(({ aloud }) => aloud))
  const critical = gravest(alerts) === graveness('critical')
  const criticalMs = critical ? ((tells ? undefined : before?.criticalMs) ?? atMs) : undefined
  const unanswered = record?.acknowledgedBy === undefined && !tells && now.getTime() - atMs <= STALE_POST_MS
  const isDue =
    unanswered && criticalMs !== undefined && before?.nagged === undefined && atMs - criticalMs >= NAG_AFTER_MS
  const nag = isDue ? nagging(alerts, watched) : undefined
  const mention = critical ? mentionOf(alerts, watched) : undefined
  const told = changes.filter(
    ({ what, aloud }) => what !== 'reminder' || (aloud && record?.acknowledgedBy === undefined),
  )
  const kept = gravestFirst(bounded(alerts))
  const newValues = atMs - (before?.asOfMs ?? 0) >= VALUES_EVERY_MS && !isSame(kept, before?.alerts)
  if (told.length === 0 && nag === undefined && mention === before?.mention && !newValues) return NOTHING
  const first = kept[0]
  const doc: IncidentDoc = {
    alerts: kept,
    nature: 'incident',
    cycle: (before?.cycle ?? 0) + (begins ? 1 : 0),
    mention,
    criticalMs,
    asOfMs: atMs,
    toldMs: told.length > 0 || nag !== undefined ? atMs : before?.toldMs,
    nagged: !tells && (before?.nagged === true || nag !== undefined) ? true : undefined,
    samples: tells ? samplesFor(kept, look) : (before?.samples ?? []),
    trend: first === undefined ? [] : (look.trendOf(first) ?? before?.trend ?? []),
  }
  const id = record?.id ?? look.newId()
  const write: IncidentWrite = {
    id,
    subject,
    channelId,
    openedAt: record?.openedAt ?? at,
    doc,
    endedAt: ended ? at : undefined,
    ...(tells && record?.acknowledgedBy !== undefined ? { unacknowledge: true } : {}),
  }
  const posts = postsOf({ ...look, id, changes: told, nag, isNew: record === undefined, again, ended, tells })
  return { incidents: [write], posts }
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

/** Whether two would be kept as the same text. */
function isSame(alerts: readonly IncidentAlert[], known: readonly IncidentAlert[] | undefined): boolean {
  return JSON.stringify(alerts) === JSON.stringify(known)
}

/** The graveness of the gravest that fires; -1 when none does. */
function gravest(alerts: readonly IncidentAlert[]): number {
  return Math.max(-1, ...alerts.map((alert) => (alert.endedMs === undefined ? graveness(alert.severity) : -1)))
}

function mentionOf(alerts: readonly IncidentAlert[], watched: readonly WatchedAlert[]): string | undefined {
  const critical = alerts.filter(({ severity, endedMs }) => severity === 'critical' && endedMs === undefined)
  const groups = critical.map(({ ruleId }) => watched.find(({ rule }) => rule.id === ruleId)?.rule.mention)
  return groups.find((group) => group !== undefined)
}

/** What to say that nobody has acknowledged: the first critical one that is told and not on its way out. */
function nagging(alerts: readonly IncidentAlert[], watched: readonly WatchedAlert[]): Telling['nag'] {
  for (const alert of alerts) {
    const watching = watched.find(({ rule }) => rule.id === alert.ruleId)
    const told = isAloud(watching?.held) && watching?.state.clearSinceMs === undefined
    if (watching === undefined || !told || alert.severity !== 'critical' || alert.endedMs !== undefined) continue
    return { alert, mention: watching.rule.mention }
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

function samplesFor(alerts: readonly IncidentAlert[], { samplesOf }: Illustration): readonly SampleLine[] {
  const grave = alerts.filter(({ endedMs }) => endedMs === undefined)
  const first = grave.toSorted((a, b) => graveness(b.severity) - graveness(a.severity))[0]
  return first === undefined ? [] : samplesOf(first)
}

/** What happens at once is shown by one edit: changes that can wait do so for this long. */
const EDIT_WAIT_MS = 30_000

/** What was changed in an incident, as far as somebody has to be told. */
interface Telling {
  readonly id: string
  readonly channelId: string
  readonly at: Date
  readonly now: Date
  readonly changes: readonly AlertChange[]
  /** Nobody has acknowledged it for too long. */
  readonly nag: Pick<AlertChange, 'alert' | 'mention'> | undefined
  /** There is no message about it yet. */
  readonly isNew: boolean
  /** It had ended and begins once more. */
  readonly again: boolean
  /** All of it has ended. */
  readonly ended: boolean
  /** It begins, or is worse than before. */
  readonly tells: boolean
  readonly webhook: boolean
}

/**
 * The posts about an incident that was changed: its one message is brought up to date, at once where it begins, ends or becomes
 * worse, and otherwise when more may have come together. Replies tell what an edit would not
 * be noticed for; of what is older than half an hour there are none.
 */
function postsOf(telling: Telling): readonly NewAlertPost[] {
  const { id, channelId, now, ended, tells } = telling
  const waitMs = tells || ended ? 0 : EDIT_WAIT_MS
  const dueAt = new Date(now.getTime() + waitMs)
  const card: NewAlertPost = { incidentId: id, channelId, what: 'card', body: undefined, dueAt }
  const isLate = now.getTime() - telling.at.getTime() > STALE_POST_MS
  const bodies = isLate || telling.isNew ? [] : repliesOf(telling)
  const replies = bodies.map((body): NewAlertPost => ({
    incidentId: id,
    channelId,
    what: 'reply',
    body,
    dueAt: now,
  }))
  return [card, ...replies, ...webhooksOf(telling)]
}

function repliesOf({ changes, nag, again, ended, tells }: Telling): readonly ReplyBody[] {
  const said = changes.filter(({ aloud }) => aloud)
  const replies = said.flatMap(({ what, alert, mention }): ReplyBody[] => {
    const kind = replyKindOf(what, again, !ended)
    const rings = what === 'worse' || (BEGINS.has(what) && tells)
    const told = rings && mention !== undefined ? { mention } : {}
    return kind === undefined ? [] : [{ kind, alert, ...told, broadcast: rings || what === 'reminder' }]
  })
  const nagKind: ReplyKind = 'nobody acknowledged'
  if (nag === undefined) return replies
  const told = nag.mention === undefined ? {} : { mention: nag.mention }
  return [...replies, { kind: nagKind, alert: nag.alert, ...told, broadcast: true }]
}

/** The configured address hears of each alert that begins, becomes worse, or ends; of what is held back it hears the end alone. */
function webhooksOf({ id, channelId, changes, now, webhook }: Telling): readonly NewAlertPost[] {
  if (!webhook) return []
  const firing = changes.filter(
    ({ what, alert, aloud }) => aloud && alert.endedMs === undefined && BEGINNINGS.has(what),
  )
  const resolved = changes.filter(({ what }) => what === 'ends')
  const bodies: readonly WebhookBody[] = [
    { status: 'firing', alerts: firing.map(({ alert }) => alert) },
    { status: 'resolved', alerts: resolved.map(({ alert }) => alert) },
  ]
  return bodies
    .filter(({ alerts }) => alerts.length > 0)
    .map((body) => ({ incidentId: id, channelId, what: 'webhook', body, dueAt: now }))
}

const BEGINS: ReadonlySet<AlertChange['what']> = new Set(['begins', 'flapping'])
const BEGINNINGS: ReadonlySet<AlertChange['what']> = new Set([...BEGINS, 'worse', 'eased'])
