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
  type SampleLine,
  UNACKNOWLEDGED_MS,
} from '../state/incident.ts'
import { compareSeverity, type Facts, isSevere } from '../state/reading.ts'
import type { AlertsBody, ReplyBody } from './incident-reply.ts'
import { quantity, sortBySeverity } from './incident-words.ts'
import { findSilence, isNotified } from './inhibition.ts'
import {
  type AlertChange,
  type Calls,
  decideCalls,
  findMention,
  isGoingOn,
  listThread,
  listWebhooks,
  type Progress,
  type Silenced,
  type WatchedAlert,
} from './notifications.ts'

/** Present values alone change an incident this often at most. */
const VALUES_EVERY_MS = 5 * MINUTE_MS
/** What happens at once is shown by one edit: changes that can wait do so for this long. */
const EDIT_WAIT_MS = MINUTE_MS / 2

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
  const { channelId, subject, at, now, webhook } = look
  const progress = compareLook(look)
  const { record, before, ended, changes } = progress
  if (ended && changes.length === 0) return undefined
  const silence = compareSilence(progress, look)
  const calls = decideCalls(progress, silence, look)
  if (!isWorthWriting(progress, silence, calls, look)) return undefined
  const id = record?.id ?? look.newId()
  const incident: IncidentWrite = {
    id,
    subject,
    channelId,
    openedAt: record?.openedAt ?? at,
    doc: writeDoc(progress, silence, calls, look),
    endedAt: ended ? at : undefined,
    ...(calls.notifies && calls.isAcknowledged && { unacknowledge: true }),
  }
  const post = (what: NewAlertPost['what'], body?: ReplyBody | AlertsBody, waitMs = 0): NewAlertPost => {
    return { incidentId: id, channelId, what, body, dueAt: new Date(now.getTime() + waitMs) }
  }
  const posts = [
    post('card', undefined, calls.notifies || ended ? 0 : EDIT_WAIT_MS),
    // There is no thread yet under what is new.
    ...(calls.isLate || before === undefined
      ? []
      : listThread(progress, silence, calls).map((body) => post('reply', body))),
    ...(webhook ? listWebhooks(calls).map((body) => post('webhook', body)) : []),
  ]
  return { incident, posts }
}

function compareLook(look: ChannelLook): Progress {
  const record = findIncident(look)
  const before = record && readKnown(record, look)
  const again = record?.endedAt !== undefined
  // A new cycle shows what belongs to it.
  const { alerts, changes } = compareAlerts(again ? [] : (before?.alerts ?? []), look)
  return {
    record,
    before,
    again,
    begins: record === undefined || again,
    ended: alerts.every(({ endedMs }) => endedMs !== undefined),
    alerts,
    // What ended, and is mildest, makes room.
    kept: sortBySeverity(alerts).slice(0, MAX_INCIDENT_ALERTS),
    changes,
  }
}

/** The silence over all that fires of an incident, beside the one that was known before. */
function compareSilence({ record, before, begins, ended, alerts }: Progress, look: ChannelLook): Silenced {
  const fired = ended ? (before?.alerts ?? []) : alerts
  const untilMs = findSilence(look.view.silences, look, look.now, fired)?.until.getTime()
  return {
    untilMs: ended ? undefined : untilMs,
    mutedUntilMs: ended && record?.acknowledgedBy !== undefined ? untilMs : undefined,
    wasSilenced: before?.silencedUntilMs !== undefined && !begins,
  }
}

function isWorthWriting(
  { before, kept }: Progress,
  { untilMs }: Silenced,
  { news, nag, critical }: Calls,
  { at }: ChannelLook,
) {
  // What has no time yet, or none any more, is noted with one.
  if (news.length > 0 || nag !== undefined || before?.asOfMs === undefined) return true
  if (findMention(critical) !== before.mention || untilMs !== before.silencedUntilMs) return true
  return at.getTime() - before.asOfMs >= VALUES_EVERY_MS && showsOther(kept, before.alerts)
}

function writeDoc(progress: Progress, silence: Silenced, calls: Calls, look: ChannelLook): IncidentDoc {
  const { record, before, again, begins, ended, kept } = progress
  const { notifies, isAcknowledged, critical, criticalMs, unansweredMs, audible, nag, isTold } = calls
  const atMs = look.at.getTime()
  const isAudible = audible !== undefined
  const isAnew = begins || isAudible || (notifies && isAcknowledged)
  const isNagged = before?.nagged === true || nag?.nags === true || (isAudible && unansweredMs >= UNACKNOWLEDGED_MS)
  const [worst] = kept
  const samples = worst === undefined || ended ? [] : look.pickSamples(worst)
  return {
    alerts: kept,
    nature: 'incident',
    cycle: (before?.cycle ?? 0) + (begins ? 1 : 0),
    begunMs: begins ? atMs : before?.begunMs,
    ...(record !== undefined && again && before !== undefined
      ? keepPast(record, before)
      : { past: before?.past, worst: before?.worst }),
    mention: findMention(critical),
    silencedUntilMs: silence.untilMs,
    criticalMs: criticalMs !== undefined && isAudible ? atMs : criticalMs,
    asOfMs: atMs,
    toldMs: isTold ? atMs : before?.toldMs,
    nagged: !notifies && isNagged ? true : undefined,
    escalated: (before?.escalated === true && !isAnew) || nag?.body.escalate !== undefined ? true : undefined,
    samples: samples.length > 0 ? samples : (before?.samples ?? []),
    trend: (worst && look.drawTrend(worst)) ?? before?.trend ?? [],
  }
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
  return { ...known, criticalMs: known.criticalMs && releasedMs, nagged: undefined, escalated: undefined }
}

/** Whether a message about the one would read otherwise than about the other. How many requests that were changes with each look. */
function showsOther(alerts: readonly IncidentAlert[], before: readonly IncidentAlert[]): boolean {
  const show = (each: IncidentAlert): unknown => {
    const { ruleId, kind, severity, title, number, beside, endedMs, flapping, runbook, peak } = each
    const worst = peak && quantity(peak, each.unit)
    return [ruleId, kind, severity, title, number, beside, endedMs, flapping, runbook, worst]
  }
  return JSON.stringify(alerts.map(show)) !== JSON.stringify(before.map(show))
}

/**
 * The alerts of an incident brought to where their rules stand now. An alert whose rule is gone has ended; one whose rule is
 * paused stays as it was. What is inhibited does not enter; nor does what is on its way out already.
 */
function compareAlerts(known: readonly IncidentAlert[], { watched, subject, at }: ChannelLook) {
  const atMs = at.getTime()
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
  const short = reading && summarizeReading(rule, reading)
  return {
    ...alert,
    runbook: rule.runbook,
    severity: state.severity ?? alert.severity,
    ...(reading && { facts: keepLimit(alert.facts, wordFacts(rule, reading)) }),
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
