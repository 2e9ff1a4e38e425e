import type { Block } from '../block-kit/blocks.ts'
import { actions, button } from '../block-kit/buttons.ts'
import { code, dateTime, joinMd, link, md, mention, mentionGroup, type Mrkdwn, plainOf } from '../block-kit/mrkdwn.ts'
import { type Message, message } from '../block-kit/message.ts'
import { context, header, section } from '../block-kit/sections.ts'
import type { IncidentRecord } from '../store/alert-records.ts'
import { visible } from '../shared/untrusted.ts'
import {
  alertLines,
  alertTitle,
  durationWords,
  gravestFirst,
  type IncidentWords,
  NOT_A_PROBLEM,
  shortId,
  subjectLabel,
  quantity,
} from './incident-words.ts'
import { BEFORE_MINUTES, beganMs, type ChangedBefore } from './changed-before.ts'
import { namedSubject } from './rule-subjects.ts'
import { readIncidentDoc, type IncidentAlert, type IncidentDoc, MAX_SAMPLE_LINES, type SampleLine } from './incident.ts'
import { alertKind } from './kinds.ts'
import type { Unit } from './reading.ts'
import { runbookUrl } from './runbook.ts'
import { lineChart } from '../block-kit/chart.ts'

const MAX_CHANGED_CHARACTERS = 200
/** More are counted: the gravest say what is going on. */
const MAX_ALERTS_SHOWN = 6
const MAX_RUNBOOKS_SHOWN = 3

interface Shown {
  readonly incident: IncidentRecord
  readonly doc: IncidentDoc
  /** Gravest first; at least one. */
  readonly alerts: readonly [IncidentAlert, ...IncidentAlert[]]
  readonly goesOn: boolean
  readonly words: IncidentWords
  readonly before: readonly ChangedBefore[]
}

/** One part of the message: as a block, and as it is said in the text twin. */
interface Part {
  readonly block: Block
  readonly said: string
}

/**
 * The one message about an incident as it stands now: what, how grave and where; the numbers of each alert, gravest
 * first; what was changed shortly before; how the value went, lines that show it; who looks at it; where it stands what to do;
 * and the id by which a repetition is known. Throws `z.ZodError` or TypeError for an incident that the evaluation cannot have written.
 */
export function incidentMessage(
  incident: IncidentRecord,
  words: IncidentWords,
  before: readonly ChangedBefore[] = [],
): Message {
  const doc = readIncidentDoc(incident.doc)
  const [first, ...others] = gravestFirst(doc.alerts)
  if (first === undefined) throw new TypeError('An incident without alerts cannot be shown')
  const goesOn = doc.nature === 'incident' && incident.endedAt === undefined
  const shown: Shown = { incident, doc, alerts: [first, ...others], goesOn, words, before }
  const parts = [
    headline(shown),
    ...numbers(shown),
    ...asked(shown),
    ...changed(shown),
    ...trend(shown),
    ...lines(shown),
    ...acknowledged(shown),
    ...dismissed(shown),
    footer(shown),
  ]
  return message({
    text: parts.map(({ said }) => said).join('\n'),
    blocks: [...parts.map(({ block }) => block), ...incidentButtons(incident, doc.nature)],
  })
}

/** `🔴 Critical: STALE share and 1 more, shop-web (301)`. */
function headline(shown: Shown): Part {
  const { incident, alerts, goesOn, words } = shown
  const firing = goesOn ? alerts.filter(({ endedMs }) => endedMs === undefined) : alerts
  const [gravest = alerts[0]] = firing
  const more = new Set(firing.map(({ kind }) => kind)).size - 1
  const text = `${titleOf(gravest, shown)}${more > 0 ? ` and ${more} more` : ''}, ${subjectLabel(incident.subject, words)}`
  return { block: header(text), said: text }
}

/** What was still firing when the incident was dismissed is neither resolved nor as grave as it was taken for. */
function titleOf(alert: IncidentAlert, { incident, doc, words }: Shown): string {
  const isDismissed = incident.dismissedBy !== undefined && alert.endedMs === undefined
  return isDismissed ? `${NOT_A_PROBLEM}: ${words.kindTitle(alert.kind)}` : alertTitle(alert, doc.nature, words)
}

function numbers(shown: Shown): readonly Part[] {
  const { doc, alerts } = shown
  const several = alerts.length > 1
  const listed = alerts.slice(0, MAX_ALERTS_SHOWN).map((alert) => {
    const title = several ? md`*${titleOf(alert, shown)}*\n` : undefined
    return inWords(md`${title}${alertLines(alert, doc.nature)}`)
  })
  const rest = alerts.length - listed.length
  return [...listed, ...(rest > 0 ? [small(md`and ${rest} more ${rest === 1 ? 'alert' : 'alerts'}`)] : [])]
}

/** Slack tells a group when the message is posted, and not again when it is edited. */
function asked({ doc, alerts, goesOn }: Shown): readonly Part[] {
  const critical = alerts.some(({ severity, endedMs }) => severity === 'critical' && endedMs === undefined)
  const wanted = doc.nature === 'event' ? alerts[0].severity === 'critical' : goesOn && critical
  return doc.mention === undefined || !wanted ? [] : [inWords(md`${mentionGroup(doc.mention)}: please look at this.`)]
}

/** What was done shortly before, from the newest: how long before the alert, since a cause comes first. */
function changed({ incident, before, words }: Shown): readonly Part[] {
  if (before.length === 0) return []
  const lines = before.map(({ atMs, what, subject }) => {
    const about = subject === undefined || subject === incident.subject ? '' : `, ${subjectLabel(subject, words)}`
    return md`• ${durationWords(beganMs(incident) - atMs)} before: ${visible(what, MAX_CHANGED_CHARACTERS)}${about}`
  })
  return [inWords(joinMd([md`*What changed in the ${BEFORE_MINUTES} minutes before*`, ...lines], '\n'))]
}

/** One point is no trend. */
const MIN_POINTS = 2
/** From here on points are days, and labels dates. */
const DAYS_FROM_MS = 2 * 86_400_000

const AXES: Readonly<Partial<Record<Unit, { readonly label: string; readonly factor: number }>>> = {
  share: { label: '%', factor: 100 },
  bytes: { label: 'GB', factor: 1e-9 },
}

/** How the value of the first alert went before and during the incident: as a small chart, and in a sentence. */
function trend({ doc, words }: Shown): readonly Part[] {
  const [drawn] = doc.alerts
  const [first, last] = [doc.trend[0], doc.trend.at(-1)]
  if (drawn === undefined || first === undefined || last === undefined || doc.trend.length < MIN_POINTS) return []
  const unit = drawnUnit(drawn)
  const { label, factor } = (unit && AXES[unit]) ?? { label: unit ?? 'value', factor: 1 }
  // Labels of a chart are plain text, so they cannot be in each reader's own time zone.
  const [start, end, axis] = last.atMs - first.atMs >= DAYS_FROM_MS ? [5, 10, 'Day'] : [11, 16, 'Time']
  const time = (atMs: number): string => new Date(atMs).toISOString().slice(start, end)
  const title = words.kindTitle(drawn.kind)
  const points = doc.trend.map(({ atMs, value }) => ({
    label: time(atMs),
    value: Math.round(value * factor * 100) / 100,
  }))
  const chart = lineChart({ title, xLabel: `${axis}, UTC`, yLabel: label, series: [{ name: title, points }] })
  const top = doc.trend.reduce((highest, point) => (point.value > highest.value ? point : highest))
  const [from, most, to] = [first, top, last].map(({ atMs, value }) => `${quantity(value, unit)} at ${time(atMs)}`)
  return chart === undefined ? [] : [{ block: chart, said: `Went from ${from} over at most ${most} to ${to} (UTC).` }]
}

/** A trend is of what its kind draws, whatever its newest sentence counts: a log that cannot be read counts minutes. */
function drawnUnit({ kind: name, unit, facts }: IncidentAlert): Unit | undefined {
  const kind = alertKind(name)
  return (kind !== undefined && 'unit' in kind ? kind.unit : undefined) ?? unit ?? facts.unit
}

/** Of one line, in UTF-16 units; the end of a long path says less than its beginning. */
const MAX_LINE_CHARACTERS = 160

/** Each as code: foreign text in which nothing formats, links or mentions. Once it is over they show nothing that is wrong. */
function lines({ doc, goesOn }: Shown): readonly Part[] {
  if (!goesOn || doc.samples.length === 0) return []
  const shown = doc.samples.slice(0, MAX_SAMPLE_LINES).map((line) => code(lineText(line)))
  return [inWords(joinMd([md`Lines that show it (UTC):`, ...shown], '\n'))]
}

function lineText({ atMs, cacheStatus, statusCode, host = '', path = '', edgeLocation }: SampleLine): string {
  const time = Number.isFinite(atMs) ? new Date(atMs).toISOString().slice(11, 19) : undefined
  const parts = [time, cacheStatus, statusCode, edgeLocation, `${host}${path}`]
  const text = parts.filter((part) => part !== undefined && part !== '').join(' ')
  return text.length <= MAX_LINE_CHARACTERS ? text : `${text.slice(0, MAX_LINE_CHARACTERS - 1).toWellFormed()}…`
}

function acknowledged({ incident: { acknowledgedBy, acknowledgedAt } }: Shown): readonly Part[] {
  if (acknowledgedBy === undefined) return []
  const when = acknowledgedAt === undefined ? undefined : md` ${dateTime(acknowledgedAt)}`
  return [small(md`Acknowledged by ${mention(acknowledgedBy)}${when}`)]
}

function dismissed({ incident: { dismissedBy, endedAt } }: Shown): readonly Part[] {
  if (dismissedBy === undefined) return []
  const when = endedAt === undefined ? undefined : md` ${dateTime(endedAt)}`
  return [
    small(
      md`${mention(dismissedBy)} answered that it is not a problem${when}. It is told again if it becomes graver, or ends and begins anew.`,
    ),
  ]
}

function footer(shown: Shown): Part {
  const { incident, doc, words } = shown
  const place = words.panel(incident.subject)
  const parts = [
    ...runbooks(shown),
    md`Incident ${code(shortId(incident.id))}`,
    ...(doc.cycle > 1 ? [md`begun ${doc.cycle} times`] : []),
    md`${code(`${words.command} alerts list`)} shows what this channel gets`,
    ...(place === undefined ? [] : [link(place, 'Open in the panel')]),
  ]
  return small(joinMd(parts, ' · '))
}

/** Each address once: that of an alert's rule, or else that of its zone. */
function runbooks({ incident, alerts, words }: Shown): readonly Mrkdwn[] {
  const found = new Map<string, { readonly url: URL; readonly kind: string }>()
  for (const { runbook = words.runbook(incident.subject), kind } of alerts) {
    const url = runbookUrl(runbook)
    if (url !== undefined && !found.has(url.href)) found.set(url.href, { url, kind })
  }
  const several = found.size > 1
  return [...found.values()]
    .slice(0, MAX_RUNBOOKS_SHOWN)
    .map(({ url, kind }) => link(url, several ? `Runbook: ${words.kindTitle(kind)}` : 'Runbook'))
}

function inWords(text: Mrkdwn): Part {
  return { block: section(text), said: plainOf(text) }
}

function small(text: Mrkdwn): Part {
  return { block: context(text), said: plainOf(text) }
}

/** Ids of the buttons under an incident's message. The value of each is the id of the incident. */
export const INCIDENT_ACTIONS = {
  acknowledge: 'alert_ack',
  dismiss: 'alert_dismiss',
  silenceHour: 'alert_silence:1h',
  silenceShift: 'alert_silence:8h',
  silenceNight: 'alert_silence:morning',
  lines: 'alert_lines',
} as const
export type IncidentAction = keyof typeof INCIDENT_ACTIONS

const BLOCK_ID = 'alert'
const SILENCES: readonly (readonly [IncidentAction, string])[] = [
  ['silenceHour', 'Silence 1 h'],
  ['silenceShift', 'Silence 8 h'],
  ['silenceNight', 'Silence until morning'],
]

/**
 * What can be done about an incident from its message: acknowledge, dismiss and silence while it goes on, and see the lines
 * where there is a log. Nothing under an event, which does not go on and has none.
 */
function incidentButtons(
  { id, subject, endedAt, acknowledgedBy }: IncidentRecord,
  nature: 'incident' | 'event',
): readonly Block[] {
  const goesOn = nature === 'incident' && endedAt === undefined
  const labelled = (action: IncidentAction, text: string) =>
    button({ actionId: INCIDENT_ACTIONS[action], text, value: id })
  const elements = [
    ...(goesOn && acknowledgedBy === undefined
      ? [button({ actionId: INCIDENT_ACTIONS.acknowledge, text: 'Acknowledge', value: id, style: 'primary' })]
      : []),
    ...(goesOn ? [labelled('dismiss', 'Not a problem')] : []),
    ...(goesOn ? SILENCES.map(([action, text]) => labelled(action, text)) : []),
    ...(nature === 'incident' && namedSubject(subject)?.kind === 'pull' ? [labelled('lines', 'Show lines')] : []),
  ]
  return elements.length === 0 ? [] : [actions(BLOCK_ID, elements)]
}
