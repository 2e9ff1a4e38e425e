import type { Backtest, BacktestEvent } from '../alerts/watch/backtest.ts'
import { durationWords, severityWords } from '../alerts/incidents/incident-words.ts'
import { shortId } from '../shared/short-id.ts'
import { getKindTitle } from '../alerts/kinds/kinds.ts'
import { counted, percent } from '../block-kit/amounts.ts'
import { DAY_MS, MINUTE_MS } from '../shared/durations.ts'

const WEEK_DAYS = 7
const MINUTE_END = '2026-03-17T01:25'.length
const SECOND_END = '2026-03-17T01:25:17'.length

/** What was replayed, and its result. Minutes are whole ones since 1970. */
export interface Replay {
  /** What people call the zone, or the file. Foreign text, made safe. */
  readonly label: string
  readonly from: number
  readonly until: number
  readonly result: Backtest
}

/** What would have been told, one JSON object a line, oldest first. */
export function jsonLines({ events }: Backtest): string {
  return events
    .map(({ atMs, event, incidentId: incident, alert: { kind, severity }, notify }) => {
      const at = `${instant(atMs)}Z`
      return `${JSON.stringify({ at, event, incident, kind, severity, aloud: notify, title: getKindTitle(kind) })}\n`
    })
    .join('')
}

/** The same for people, with a summary. */
export function report(replay: Replay): string {
  const { result } = replay
  const rows = rowsOf(result.events)
  const table =
    rows.length === 0 ? [] : [...aligned([['Time (UTC)', 'What', 'Incident', 'After', 'Alert'], ...rows]), '']
  return [...table, ...summary(replay)].map((line) => `${line}\n`).join('')
}

function rowsOf(events: readonly BacktestEvent[]): readonly (readonly string[])[] {
  const began = new Map<string, number>()
  return events.map(({ atMs, event, incidentId, alert, notify }) => {
    if (event === 'begin') began.set(incidentId, atMs)
    const sinceMs = atMs - (began.get(incidentId) ?? atMs)
    const after = event === 'begin' ? '' : durationWords(sinceMs)
    const quietly = notify || event === 'end' ? '' : ' (in the thread)'
    const title =
      event === 'end' ? getKindTitle(alert.kind) : `${severityWords(alert.severity)}: ${getKindTitle(alert.kind)}`
    const words = `${title}. ${alert.facts.sentence}`
    return [instant(atMs).replace('T', ' '), `${event}${quietly}`, shortId(incidentId), after, words]
  })
}

function summary({ label, from, until, result: { events, firings, covered } }: Replay): readonly string[] {
  const lengthMs = (until - from) * MINUTE_MS
  const incidents = new Set(events.map(({ incidentId }) => incidentId)).size
  const days = (lengthMs * covered) / DAY_MS
  const perWeek = days < 1 ? '' : `, ${((incidents * WEEK_DAYS) / days).toFixed(1)} a week`
  const openMs = openTime(events, until * MINUTE_MS)
  const kinds = Map.groupBy(firings, ({ ruleId }) => ruleId)
  const byKind = [...kinds].map(([kind, { length }]) => `${kind} ${length}`).toSorted()
  const week = from + (WEEK_DAYS * DAY_MS) / MINUTE_MS
  return [
    `${label}: ${minuteText(from)} to ${minuteText(until)} UTC, ${durationWords(lengthMs)}, of which ${percent(covered)} was read.`,
    `${counted(incidents, 'incident')}${perWeek}${openMs > 0 ? `, open for ${durationWords(openMs)}, ${percent(openMs / lengthMs)} of the time` : ''}.`,
    ...(byKind.length === 0 ? [] : [`Alerts by kind: ${byKind.join(', ')}.`]),
    week < until
      ? `The week before is what is usual. It is known whole from ${minuteText(week)} UTC on.`
      : 'The week before is what is usual. There is less than a week, so the bot knew little of that.',
  ]
}

/** From the first word about each incident to its end; what does not end is open until the end of all. */
function openTime(events: readonly BacktestEvent[], untilMs: number): number {
  const open = new Map<string, number>()
  let sumMs = 0
  for (const { atMs, event, incidentId } of events) {
    const sinceMs = open.get(incidentId)
    if (event === 'begin' && sinceMs === undefined) open.set(incidentId, atMs)
    if (event !== 'end' || sinceMs === undefined) continue
    sumMs += atMs - sinceMs
    open.delete(incidentId)
  }
  for (const sinceMs of open.values()) sumMs += Math.max(0, untilMs - sinceMs)
  return sumMs
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function minuteText(minute: number): string {
  return instant(minute * MINUTE_MS).replace('T', ' ')
}

/** To the minute where it is a whole one, else to the second. */
function instant(atMs: number): string {
  const text = new Date(atMs).toISOString()
  return text.slice(0, Math.floor(atMs / 1_000) % 60 === 0 ? MINUTE_END : SECOND_END)
}
