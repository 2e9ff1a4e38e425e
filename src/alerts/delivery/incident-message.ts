import type { Block } from '../../block-kit/blocks.ts'
import { counted } from '../../block-kit/amounts.ts'
import { lineChart } from '../../block-kit/chart.ts'
import { type Message, message } from '../../block-kit/message.ts'
import {
  code,
  dateTime,
  joinMd,
  link,
  md,
  mention,
  mentionEither,
  type Mrkdwn,
  openInPanel,
  plainOf,
} from '../../block-kit/mrkdwn.ts'
import { cut, oneLine } from '../../block-kit/plain-text.ts'
import { context, firstLines, header, section } from '../../block-kit/sections.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/durations.ts'
import { visible } from '../../shared/untrusted.ts'
import { shortId } from '../../shared/short-id.ts'
import type { Marks } from '../../store/alerts/marks.ts'
import type { Silences } from '../../store/alerts/silences.ts'
import type { Changes } from '../../store/changes/changes.ts'
import type { AlertSubject, IncidentRecord, SilenceRecord } from '../../store/schema/alert-records.ts'
import { apiKeysChanged } from '../kinds/api-keys-changed.ts'
import { findAlertKind, getKindTitle } from '../kinds/kinds.ts'
import {
  type IncidentAlert,
  type IncidentDoc,
  readIncidentDoc,
  runbookUrl,
  type SampleLine,
} from '../state/incident.ts'
import { readWords, type Unit } from '../state/reading.ts'
import { parseSubject, pullSubject } from '../state/rule-subjects.ts'
import { incidentControls } from '../incidents/incident-controls.ts'
import {
  clause,
  durationWords,
  type IncidentWords,
  numberWords,
  problemWords,
  quantity,
  shortName,
  sortBySeverity,
  subjectLabel,
  SYMBOLS,
  symbolOf,
  UNDECIDED,
  worstWords,
} from '../incidents/incident-words.ts'
import { findSilence } from '../incidents/inhibition.ts'

/** What a phone shows of a notification. */
const TITLE_CHARACTERS = 70
const MAX_CHANGED_CHARACTERS = 200
/** More are counted: the severest say what is going on. */
const MAX_ALERTS_SHOWN = 6
const MAX_RUNBOOKS_SHOWN = 3

interface Shown {
  readonly incident: IncidentRecord
  readonly doc: IncidentDoc
  /** The severest of what fires, or of all where nothing does; and the others, severest first. */
  readonly worst: IncidentAlert
  readonly others: readonly IncidentAlert[]
  readonly goesOn: boolean
  readonly words: IncidentWords
  readonly background: Background
}
/** `text` is what a notification reads: without times, which only a message shows by each reader's clock. */
interface Part {
  readonly block: Block
  readonly text: string
}

/**
 * The one message about an incident as it stands now: what is wrong and where; the one number; how it went; since when, how
 * far and by what a repetition is known; lines that show it; what was changed shortly before; and what people did about it.
 * Throws `z.ZodError` or TypeError for an incident that the evaluation cannot have written.
 */
export function incidentMessage(incident: IncidentRecord, words: IncidentWords, background: Background): Message {
  const doc = readIncidentDoc(incident.doc)
  const [worst, ...others] = sortBySeverity(doc.alerts)
  if (worst === undefined) throw new TypeError('An incident without alerts cannot be shown')
  const goesOn = incident.endedAt === undefined
  const shown: Shown = { incident, doc, worst, others, goesOn, words, background }
  const parts = [
    writeHeadline(shown),
    ...(doc.nature === 'event' ? listEvents(shown) : writeNumber(shown)),
    ...drawTrend(shown),
    ...listOthers(shown),
    writeSmallLine(shown),
    ...listLines(shown),
    ...listChanges(shown),
    ...writeAnswers(shown),
  ]
  const controls = incidentControls(incident, doc.nature, goesOn && background.silence !== undefined)
  return message({
    text: parts.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n'),
    blocks: [...parts.map(({ block }) => block), ...controls],
  })
}

function writeHeadline(shown: Shown): Part {
  const { doc, worst, goesOn, words } = shown
  const state = doc.nature === 'event' ? SYMBOLS[worst.severity] : symbolOf(worst)
  const symbol = !goesOn && worst.endedMs === undefined ? UNDECIDED : state
  const title = titleOf(shown)
  const room = TITLE_CHARACTERS - symbol.length - title.length - ' : '.length
  const text = oneLine(`${symbol} ${shortName(worst.subject, words, room)}: ${title}`, TITLE_CHARACTERS)
  return { block: header(text), text }
}

function titleOf({ incident, doc, worst, others, goesOn }: Shown): string {
  if (doc.nature === 'event') return others.length === 0 ? problemWords(worst) : `${others.length + 1} changes`
  // What still fired then is neither over nor as severe as it was taken for.
  if (!goesOn && worst.endedMs === undefined)
    return `${clause(worst)}, ${incident.dismissedBy === undefined ? 'no longer watched' : 'not a problem'}`
  const kinds = new Set(others.flatMap(({ kind, endedMs }) => (goesOn && endedMs !== undefined ? [] : [kind])))
  kinds.delete(worst.kind)
  return kinds.size === 0 ? problemWords(worst) : `${clause(worst)} and ${kinds.size} more`
}

/** Slack tells a group when the message is posted, and not again when it is edited. */
function writeNumber({ doc, worst, goesOn }: Shown): readonly Part[] {
  const isCritical = doc.alerts.some(({ severity, endedMs }) => severity === 'critical' && endedMs === undefined)
  const whom = doc.mention !== undefined && goesOn && isCritical ? md`\n${mentionEither(doc.mention)}` : undefined
  const line = numberLine(worst)
  return [{ block: section(md`${line}${whom}`), text: plainOf(line) }]
}

function numberLine(alert: IncidentAlert): Mrkdwn {
  const { beside, endedMs, firedMs, unwatched, lasted } = alert
  const number = numberWords(alert)
  if (endedMs === undefined || unwatched === true) return md`*${number}*${beside && ` ${beside}`}`
  return md`*${lasted === true ? 'Still' : 'Back to'} ${number}* after ${durationWords(endedMs - firedMs)}`
}

function listEvents({ doc, worst, others }: Shown): readonly Part[] {
  const all = [worst, ...others]
  const whom = doc.mention !== undefined && worst.severity === 'critical' ? [mentionEither(doc.mention)] : []
  const lines = all.map(({ facts }) => md`${facts.sentence}`)
  return [writeSection(joinMd([...firstLines(lines, MAX_ALERTS_SHOWN), ...whom], '\n'))]
}

function listOthers({ doc, others }: Shown): readonly Part[] {
  if (doc.nature === 'event' || others.length === 0) return []
  const lines = others.map((alert) => md`${symbolOf(alert)} *${clause(alert)}* · ${numberWords(alert)}`)
  return [writeSection(joinMd(firstLines(lines, MAX_ALERTS_SHOWN - 1), '\n'))]
}

/** Since when, how far, where the limit is, of how many requests; and where all else stands. */
function writeSmallLine(shown: Shown): Part {
  const { incident, doc, worst, words } = shown
  const { firedMs, endedMs, facts, flapping } = worst
  const began = dateTime(new Date(firedMs))
  const when =
    doc.nature === 'event'
      ? began
      : endedMs === undefined
        ? md`since ${began}`
        : md`${began} to ${dateTime(new Date(endedMs))}`
  const { sample, threshold, unit } = facts
  const far = doc.nature === 'event' ? undefined : worstWords(worst)
  const parts = [
    far && `worst ${far}`,
    threshold !== undefined && endedMs === undefined && `fires at ${quantity(threshold, unit)}`,
    sample !== undefined && unit === 'share' && counted(sample, 'request'),
    readWords(facts),
    worst.kind === apiKeysChanged.name && 'not expected? Delete the key in the CDN’s panel',
    flapping === true && 'flapping, so kept quiet for half an hour',
    doc.cycle > 1 && `begun ${doc.cycle} times`,
    subjectLabel(incident.subject, words),
    code(shortId(incident.id)),
    ...linkRunbooks(shown),
    ...openInPanel(words.panel(incident.subject)),
  ]
  return { block: context(joinMd([when, ...parts], ' · ')), text: plainOf(joinMd(parts, ' · ')) }
}

/** Each address once: that of an alert's rule, or else that of its zone. */
function linkRunbooks({ incident, worst, others, words }: Shown): readonly Mrkdwn[] {
  const found = new Map<string, { readonly url: URL; readonly kind: string }>()
  for (const { runbook = words.runbook(incident.subject), kind } of [worst, ...others]) {
    const url = runbookUrl(runbook)
    if (url !== undefined && !found.has(url.href)) found.set(url.href, { url, kind })
  }
  const several = found.size > 1
  return [...found.values()]
    .slice(0, MAX_RUNBOOKS_SHOWN)
    .map(({ url, kind }) => link(url, several ? `Runbook: ${getKindTitle(kind)}` : 'Runbook'))
}

const MIN_POINTS = 2
const DAYS_FROM_MS = 2 * DAY_MS

const AXES: Readonly<Partial<Record<Unit, { readonly label: string; readonly factor: number }>>> = {
  share: { label: '%', factor: 100 },
  bytes: { label: 'GB', factor: 1e-9 },
}

/** Its labels are plain text, which knows no reader's clock: so they say how long before the newest value. */
function drawTrend({ doc }: Shown): readonly Part[] {
  const [drawn] = doc.alerts
  const [first, last] = [doc.trend[0], doc.trend.at(-1)]
  if (drawn === undefined || first === undefined || last === undefined || doc.trend.length < MIN_POINTS) return []
  const unit = pickUnit(drawn)
  const { label, factor } = (unit && AXES[unit]) ?? { label: unit ?? 'value', factor: 1 }
  const [stepMs, name] =
    last.atMs - first.atMs >= DAYS_FROM_MS ? ([DAY_MS, 'd'] as const) : ([MINUTE_MS, 'min'] as const)
  const before = (atMs: number): string => {
    const steps = Math.round((last.atMs - atMs) / stepMs)
    return steps === 0 ? 'newest' : `−${steps} ${name}`
  }
  const title = getKindTitle(drawn.kind)
  const gaps = doc.trend.slice(1).map(({ atMs }, index) => atMs - (doc.trend[index]?.atMs ?? 0))
  const apart = Math.round(Math.min(...gaps) / stepMs)
  const round = (value: number): number => Math.round(value * factor * 100) / 100
  const points = doc.trend.map(({ atMs, value }) => ({ label: before(atMs), value: round(value) }))
  const xLabel = `Time before the newest value, each point ${apart} ${name}`
  const chart = lineChart({ title, xLabel, yLabel: label, series: [{ name: title, points }] })
  const top = doc.trend.reduce((highest, point) => (point.value > highest.value ? point : highest))
  const [from, most, to] = [first, top, last].map(({ value }) => quantity(value, unit))
  const text = `Went from ${from} (${before(first.atMs)}) over at most ${most} (${before(top.atMs)}) to ${to}.`
  return chart === undefined ? [] : [{ block: chart, text }]
}

/** A trend is of what its kind draws, whatever its newest number counts: a log that cannot be read counts minutes. */
function pickUnit({ kind: name, unit }: IncidentAlert): Unit | undefined {
  const kind = findAlertKind(name)
  return (kind !== undefined && 'unit' in kind ? kind.unit : undefined) ?? unit
}

/** Of one line, in UTF-16 units; the end of a long path says less than its beginning. */
const MAX_LINE_CHARACTERS = 160

/** A few, each once and as code: foreign text in which nothing formats, links or mentions. Once it is over they show nothing that is wrong. */
function listLines({ doc, goesOn }: Shown): readonly Part[] {
  if (!goesOn || doc.samples.length === 0) return []
  const lines = doc.samples.map((line) => md`${dateTime(new Date(line.atMs))} ${code(writeLine(line))}`)
  return [{ block: section(joinMd(lines, '\n')), text: doc.samples.map(writeLine).join('\n') }]
}

function writeLine({ cacheStatus, statusCode, host = '', path = '', edgeLocation }: SampleLine): string {
  const parts = [cacheStatus, statusCode, edgeLocation, `${host}${path}`]
  const text = parts.filter((part) => part !== undefined && part !== '').join(' ')
  return cut(text, MAX_LINE_CHARACTERS)
}

/** What was done shortly before, from the newest: how long before the alert, since a cause comes first. */
function listChanges({ incident, background: { changes }, words }: Shown): readonly Part[] {
  if (changes.length === 0) return []
  const lines = changes.map(({ atMs, what, subject }) => {
    const about = subject === undefined || subject === incident.subject ? '' : `, ${subjectLabel(subject, words)}`
    return md`• ${durationWords(getBeginMs(incident) - atMs)} before: ${visible(what, MAX_CHANGED_CHARACTERS)}${about}`
  })
  return [writeSection(joinMd([md`*Changed shortly before*`, ...lines], '\n'))]
}

/** What a click has done is seen where it was made. */
function writeAnswers({ incident, goesOn, background: { silence } }: Shown): readonly Part[] {
  const { acknowledgedBy, acknowledgedAt, dismissedBy, endedAt } = incident
  const time = (at: Date | undefined): Mrkdwn | undefined => at && md` ${dateTime(at)}`
  const parts: Part[] = []
  const add = (text: string, line: Mrkdwn): void => void parts.push({ block: context(line), text })
  if (silence !== undefined && goesOn)
    add('🔕 Silenced', md`🔕 Silenced until ${dateTime(silence.until)} by ${mention(silence.by)}`)
  if (acknowledgedBy !== undefined) {
    const since = md`${goesOn ? 'since' : 'from'}${time(acknowledgedAt)}`
    add('Looked after', md`👀 Looked after by ${mention(acknowledgedBy)} ${since}`)
  }
  if (dismissedBy !== undefined) {
    const next = 'If it gets worse, or ends and comes back, you hear of it.'
    add('Not a problem', md`Not a problem, says ${mention(dismissedBy)}${time(endedAt)}. ${next}`)
  }
  return parts
}

function writeSection(text: Mrkdwn): Part {
  return { block: section(text), text: plainOf(text) }
}

const BEFORE_MINUTES = 30
/** The newest are the likeliest cause. */
const MAX_CHANGES_SHOWN = 5

/** What stands around an incident, and is not the evaluation's. */
export interface Background {
  readonly changes: readonly { readonly atMs: number; readonly what: string; readonly subject?: AlertSubject }[]
  /** The one that is in force. */
  readonly silence: SilenceRecord | undefined
}

export interface BackgroundStore {
  readonly marks: Pick<Marks, 'between'>
  readonly changes: Pick<Changes, 'doneBetween'>
  readonly silences: Pick<Silences, 'list'>
}

/**
 * The silence in force; and marks, and what this bot wrote to the CDN, in the half hour before an incident began, newest
 * first. All of them, since zones share origins; where other organisations read along, only what was marked for this zone.
 */
export async function findBackground(
  incident: Pick<IncidentRecord, 'doc' | 'subject' | 'channelId'>,
  store: BackgroundStore,
  { now, othersRead }: { readonly now: Date; readonly othersRead: boolean },
): Promise<Background> {
  const untilMs = getBeginMs(incident)
  const until = new Date(untilMs)
  const from = new Date(untilMs - BEFORE_MINUTES * MINUTE_MS)
  const named = parseSubject(incident.subject)
  const zoneId = othersRead ? (named?.kind === 'pull' && named.zoneId) || '' : undefined
  const marks = await store.marks.between({ from, until, zoneId, limit: MAX_CHANGES_SHOWN })
  const changes = othersRead ? [] : await store.changes.doneBetween({ from, until, limit: MAX_CHANGES_SHOWN })
  const all = [
    ...marks.map(({ at, text, pullZoneId: id }) => ({ atMs: at.getTime(), what: text, subject: pullSubject(id) })),
    ...changes.map(({ at, sentence }) => ({ atMs: at.getTime(), what: sentence })),
  ]
  return {
    silence: findSilence(await store.silences.list(now), incident, now, readIncidentDoc(incident.doc).alerts),
    changes: all.toSorted((one, other) => other.atMs - one.atMs).slice(0, MAX_CHANGES_SHOWN),
  }
}

/** When the first of its alerts began to fire: of those that it has since it began the last time. */
function getBeginMs({ doc }: Pick<IncidentRecord, 'doc'>): number {
  return Math.min(...readIncidentDoc(doc).alerts.map(({ firedMs }) => firedMs))
}
