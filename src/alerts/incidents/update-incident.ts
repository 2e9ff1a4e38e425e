import { MINUTE_MS } from '../../shared/durations.ts'
import type { IncidentRecord, IncidentWrite, NewAlertPost, SubjectView } from '../../store/schema/alert-records.ts'
import { summarizeReading, wordFacts } from '../kinds/current-rules.ts'
import { hasLasted } from '../kinds/traffic-kind.ts'
import {
  type IncidentAlert,
  type IncidentDoc,
  MAX_INCIDENT_ALERTS,
  keepPast,
  readIncidentDoc,
  SAME_INCIDENT_MS,
  type SampleLine,
  STALE_POST_MS,
  UNACKNOWLEDGED_MS,
} from '../state/incident.ts'
import { compareSeverity, type Facts, isSevere, rankSeverity } from '../state/reading.ts'
import type { AlertsBody, ReplyBody } from './incident-reply.ts'
import { quantity, sortBySeverity } from './incident-words.ts'
import { findSilence, isNotified } from './inhibition.ts'
import {
  type AlertChange,
  isBeginning,
  isGoingOn,
  listReplies,
  listWebhooks,
  replyEnded,
  replyUnacknowledged,
  type WatchedAlert,
} from './notifications.ts'

/** Present values alone change an incident this often at most. */
const VALUES_EVERY_MS = 5 * MINUTE_MS
/** What happens at once is shown by one edit: changes that can wait do so for this long. */
const EDIT_WAIT_MS = MINUTE_MS / 2

/** Of what is kept quiet for one of these reasons nothing is said when a silence ends. */
const HELD: ReadonlySet<string> = new Set(['paused', 'silenced'])

export interface Illustration {
  readonly pickSamples: (alert: IncidentAlert) => readonly SampleLine[]
  /** Undefined when nothing new is known of it. */
  readonly drawTrend: (alert: IncidentAlert) => IncidentDoc['trend'] | undefined
}

export interface ChannelLook extends Illustration {
  readonly view: SubjectView
  readonly subject: string
  readonly channelId: string
  readonly watched: readonly WatchedAlert[]
  /** The moment that is looked at, not later than `now`. */
  readonly at: Date
  readonly now: Date
  readonly newId: () => string
  readonly webhook: boolean
}

/**
 * Brings the incident of a channel to where its alerts stand: opens it, lets alerts join, ends it, begins it again within six
 * hours. Undefined when nothing that is shown has changed.
 */
export function updateIncident(look: ChannelLook) {
  const { channelId, subject, at, now, watched, webhook } = look
  const atMs = at.getTime()
  const record = findIncident(look)
  const before = record && readKnown(record, look)
  const again = record?.endedAt !== undefined
  // A new cycle shows what belongs to it.
  const { alerts, changes } = compareAlerts(again ? [] : (before?.alerts ?? []), look, atMs)
  const ended = alerts.every(({ endedMs }) => endedMs !== undefined)
  if (ended && changes.length === 0) return undefined
  const raised = rankWorst(alerts) > rankWorst(before?.alerts ?? [])
  const worse = changes.some(({ what, notify }) => what === 'worse' && notify)
  const begins = record === undefined || again
  // Who has not heard of it for so long thinks that it is over: what joins notifies as if it began.
  const forgotten = atMs - (before?.toldMs ?? atMs) >= SAME_INCIDENT_MS && changes.some(({ what }) => isBeginning(what))
  const notifies = begins || worse || ((raised || forgotten) && changes.some(({ notify }) => notify))
  const critical = alerts
    .filter(({ severity, endedMs }) => severity === 'critical' && endedMs === undefined)
    .map((alert) => ({ alert, watching: watched.find(({ rule }) => rule.id === alert.ruleId) }))
  const criticalMs = critical.length > 0 ? ((notifies ? undefined : before?.criticalMs) ?? atMs) : undefined
  const isLate = now.getTime() - atMs > STALE_POST_MS
  const isAcknowledged = record?.acknowledgedBy !== undefined
  const unansweredMs = notifies || isLate || isAcknowledged ? 0 : atMs - (criticalMs ?? atMs)
  const mention = critical.map(({ watching }) => watching?.rule.mention).find((group) => group !== undefined)
  const news = changes.filter(({ what, notify }) => what !== 'reminder' || (notify && !isAcknowledged))
  // What ended, and is mildest, makes room.
  const kept = sortBySeverity(alerts).slice(0, MAX_INCIDENT_ALERTS)
  const newValues = atMs - (before?.asOfMs ?? 0) >= VALUES_EVERY_MS && showsOther(kept, before?.alerts ?? [])
  const fired = ended ? (before?.alerts ?? []) : alerts
  const silence = findSilence(look.view.silences, look, now, fired)
  const silencedUntilMs = ended ? undefined : silence?.until.getTime()
  const wasSilenced = before?.silencedUntilMs !== undefined && !begins
  // Who looks after it hears of its end all the same, and that what comes next is not told.
  const mutedUntilMs = ended && isAcknowledged ? silence?.until.getTime() : undefined
  // What joins ends no silence, nor does the end of one silence end another.
  const unsilenced = kept.filter(
    ({ ruleId, endedMs }) =>
      endedMs === undefined &&
      watched.some(({ rule, inhibition }) => rule.id === ruleId && !HELD.has(inhibition?.why ?? '')) &&
      !changes.some(({ what, alert }) => isBeginning(what) && alert.ruleId === ruleId),
  )
  const [loudest] = wasSilenced && !notifies ? unsilenced : []
  const isAudible = loudest !== undefined
  // That it is audible again calls those who were called already, and who is next has to wait from then on.
  const nag = isAudible ? undefined : replyUnacknowledged(critical, unansweredMs, before)
  const isAnew = begins || isAudible || (notifies && isAcknowledged)
  const isNagged = before?.nagged === true || nag?.nags === true || (isAudible && unansweredMs >= UNACKNOWLEDGED_MS)
  const isSame = mention === before?.mention && silencedUntilMs === before?.silencedUntilMs
  // What has no time yet, or none any more, is noted with one.
  const isDated = before?.asOfMs !== undefined
  if (news.length === 0 && nag === undefined && isSame && isDated && !newValues) return undefined
  const [first] = kept
  const samples = first === undefined || ended ? [] : look.pickSamples(first)
  const doc: IncidentDoc = {
    alerts: kept,
    nature: 'incident',
    cycle: (before?.cycle ?? 0) + (begins ? 1 : 0),
    begunMs: begins ? atMs : before?.begunMs,
    ...(again && before !== undefined ? keepPast(record, before) : { past: before?.past, worst: before?.worst }),
    mention,
    silencedUntilMs,
    criticalMs: criticalMs !== undefined && isAudible ? atMs : criticalMs,
    asOfMs: atMs,
    toldMs: news.some(({ notify }) => notify) || nag !== undefined || isAudible ? atMs : before?.toldMs,
    nagged: !notifies && isNagged ? true : undefined,
    escalated: (before?.escalated === true && !isAnew) || nag?.body.escalate !== undefined ? true : undefined,
    samples: samples.length > 0 ? samples : (before?.samples ?? []),
    trend: first === undefined ? [] : (look.drawTrend(first) ?? before?.trend ?? []),
  }
  const id = record?.id ?? look.newId()
  const incident: IncidentWrite = {
    id,
    subject,
    channelId,
    openedAt: record?.openedAt ?? at,
    doc,
    endedAt: ended ? at : undefined,
    ...(notifies && isAcknowledged && { unacknowledge: true }),
  }
  const post = (what: NewAlertPost['what'], body?: ReplyBody | AlertsBody, waitMs = 0): NewAlertPost => {
    return { incidentId: id, channelId, what, body, dueAt: new Date(now.getTime() + waitMs) }
  }
  const posts = [post('card', undefined, notifies || ended ? 0 : EDIT_WAIT_MS)]
  // There is no thread yet under what is new.
  if (!isLate && record !== undefined && first !== undefined) {
    posts.push(...listReplies(news, again, ended, notifies).map((body) => post('reply', body)))
    // Of what nothing is known to be critical nobody is called.
    const calling = critical.filter(({ alert }) => !isAcknowledged && unsilenced.includes(alert))
    const whom = calling.flatMap(({ watching }) => watching?.rule.mention ?? [])[0]
    const over = { kind: 'silence over', mention: whom, broadcast: whom !== undefined } as const
    if (loudest !== undefined) posts.push(post('reply', { ...over, alert: loudest }))
    else if (nag !== undefined) posts.push(post('reply', nag.body))
    if (ended && (news.some(({ notify }) => notify) || mutedUntilMs !== undefined))
      posts.push(post('reply', replyEnded(first, kept, news, mutedUntilMs)))
  }
  // What became worse in a silence the address has not heard of.
  const unheard = isAudible && !isAcknowledged ? unsilenced : []
  const heard = news.filter(({ alert }) => !unheard.includes(alert))
  const all = [...heard, ...unheard.map((alert): AlertChange => ({ what: 'begins', alert, notify: true }))]
  if (webhook) posts.push(...listWebhooks(all).map((body) => post('webhook', body)))
  return { incident, posts }
}

/**
 * The incident that is open, or else the one that ended last: a view holds those of the last six hours. One that was dismissed
 * is over for good.
 */
function findIncident({ view, subject, channelId }: ChannelLook): IncidentRecord | undefined {
  const endMs = ({ endedAt }: IncidentRecord): number => endedAt?.getTime() ?? Infinity
  return view.incidents
    .filter((each) => each.subject === subject && each.channelId === channelId && each.dismissedBy === undefined)
    .filter(({ doc }) => readIncidentDoc(doc).nature === 'incident')
    .toSorted((a, b) => endMs(b) - endMs(a))[0]
}

/**
 * What is known of it. Once somebody has given it up, those who were called are called anew, and wait from then on. Where the
 * clock was put back its times are as much earlier, or whoever is called next would wait for as long.
 */
function readKnown({ doc, releasedAt }: IncidentRecord, { at, now }: ChannelLook): IncidentDoc {
  const known = readIncidentDoc(doc)
  const aheadMs = (known.asOfMs ?? 0) - at.getTime()
  if (aheadMs > 0) {
    const [criticalMs, toldMs] = [known.criticalMs, known.toldMs].map((ms) => ms && ms - aheadMs)
    return { ...known, criticalMs, toldMs, asOfMs: undefined }
  }
  const releasedMs = releasedAt?.getTime() ?? 0
  if (releasedMs <= (known.asOfMs ?? 0) || releasedMs > now.getTime()) return known
  const criticalMs = known.criticalMs && Math.max(known.criticalMs, releasedMs)
  return { ...known, criticalMs, nagged: undefined, escalated: undefined }
}

/** Whether a message about the one would read otherwise than about the other. How many requests that were changes with each look. */
function showsOther(alerts: readonly IncidentAlert[], before: readonly IncidentAlert[]): boolean {
  const show = (each: IncidentAlert): unknown => {
    const { ruleId, kind, severity, title, number, beside, endedMs, flapping, runbook, facts, peak } = each
    const worst = peak && quantity(peak, each.unit)
    return [ruleId, kind, severity, title, number ?? facts.sentence, beside, endedMs, flapping, runbook, worst]
  }
  return JSON.stringify(alerts.map(show)) !== JSON.stringify(before.map(show))
}

function rankWorst(alerts: readonly IncidentAlert[]): number {
  return Math.max(-1, ...alerts.map((alert) => (alert.endedMs === undefined ? rankSeverity(alert.severity) : -1)))
}

/**
 * The alerts of an incident brought to where their rules stand now. An alert whose rule is gone has ended; one whose rule is
 * paused stays as it was. What is inhibited does not enter; nor does what is on its way out already.
 */
function compareAlerts(known: readonly IncidentAlert[], { watched, subject }: ChannelLook, atMs: number) {
  const changes: AlertChange[] = []
  const alerts = known.map((alert): IncidentAlert => {
    if (alert.endedMs !== undefined) return alert
    const watching = watched.find(({ rule }) => rule.id === alert.ruleId)
    if (watching?.inhibition?.why === 'paused') return alert
    const present = followAlert(alert, watching, atMs)
    const what = nameChange(alert, present, watching)
    if (what !== undefined) changes.push({ ...noteChange(what, present, watching), was: alert.number })
    return present
  })
  const entering = watched.filter(
    ({ rule, state, inhibition }) =>
      isNotified(inhibition) &&
      isGoingOn(state) &&
      !alerts.some(({ ruleId, endedMs }) => ruleId === rule.id && endedMs === undefined),
  )
  const entered = entering.map((watching) => {
    const { id: ruleId, kind } = watching.rule
    const firedMs = Math.min(watching.state.sinceMs, atMs)
    const bare = { ruleId, kind, subject, severity: 'warning', firedMs, facts: { sentence: '' } } as const
    const alert = updateAlert(bare, watching)
    changes.push(noteChange(watching.event === 'flapping' ? 'flapping' : 'begins', alert, watching))
    return alert
  })
  const again = new Set(entered.map(({ ruleId }) => ruleId))
  return { alerts: [...alerts.filter(({ ruleId }) => !again.has(ruleId)), ...entered], changes }
}

function followAlert(alert: IncidentAlert, watching: WatchedAlert | undefined, atMs: number): IncidentAlert {
  const state = watching?.state
  const isShown = state !== undefined && (state.phase === 'firing' || state.heldUntilMs !== undefined)
  if (watching !== undefined && isShown) return updateAlert(alert, watching)
  const ended = { ...alert, endedMs: atMs, flapping: undefined }
  const reading = state?.last?.reading
  if (watching === undefined || reading === undefined) return { ...ended, unwatched: true }
  const facts = keepLimit(alert.facts, wordFacts(watching.rule, reading))
  return { ...ended, facts, ...summarizeReading(watching.rule, reading), lasted: hasLasted(reading) ? true : undefined }
}

function updateAlert(alert: IncidentAlert, watching: WatchedAlert): IncidentAlert {
  const { rule, state } = watching
  const reading = state.last?.reading
  const facts = reading === undefined ? alert.facts : keepLimit(alert.facts, wordFacts(rule, reading))
  const short = reading && summarizeReading(rule, reading)
  return {
    ...alert,
    runbook: rule.runbook,
    severity: state.severity ?? alert.severity,
    facts,
    ...short,
    // What is on its way out, or held because it flaps, is what it was.
    title: (reading !== undefined && isSevere(reading.level) && short?.title) || alert.title,
    peak: state.peak ?? alert.peak,
    unit: state.begun?.reading.facts.unit ?? alert.unit,
    flapping: state.heldUntilMs === undefined ? undefined : true,
  }
}

/** What crosses no limit does not say which was crossed, nor what is usual. */
function keepLimit(before: Facts, now: Facts): Facts {
  const { threshold = before.threshold, baseline = before.baseline } = now
  return now.unit === before.unit ? { ...now, threshold, baseline } : now
}

function nameChange(
  before: IncidentAlert,
  now: IncidentAlert,
  watching?: WatchedAlert,
): AlertChange['what'] | undefined {
  if (now.endedMs !== undefined) return hasLasted(watching?.state.last?.reading) ? 'new normal' : 'ends'
  const change = compareSeverity(now.severity, before.severity)
  if (change > 0) return 'worse'
  if (now.flapping === true && before.flapping === undefined) return 'flapping'
  if (change < 0) return 'de-escalated'
  return watching?.event === 'reminder' ? 'reminder' : undefined
}

function noteChange(what: AlertChange['what'], alert: IncidentAlert, watching?: WatchedAlert): AlertChange {
  const mention = alert.severity === 'critical' && alert.endedMs === undefined ? watching?.rule.mention : undefined
  return { what, alert, notify: isNotified(watching?.inhibition), mention }
}
