import { durationWords, severityWords, shortId } from '../../alerts/incident-words.ts'
import { readIncidentDoc } from '../../alerts/incident.ts'
import { alertKind } from '../../alerts/kinds.ts'
import { COLUMN } from '../../alerts/minute-series.ts'
import { count, counted, percent } from '../../block-kit/amounts.ts'
import { lineChart } from '../../block-kit/chart.ts'
import { chartPart, heading, messageOf, readLast, smallPrint, tablePart, titledList } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, link, md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { section } from '../../block-kit/sections.ts'
import type { Table } from '../../block-kit/table.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import type { IncidentRecord } from '../../store/alert-records.ts'
import { type Answer, type AnswerButton, pageButton } from '../answer.ts'
import type { ZoneReference } from '../field.ts'
import type { OperationContext } from '../operation.ts'
import { readerTimes } from '../reader-times.ts'
import { knownSince, partWords } from '../alerts/replay.ts'
import { zoneLabel } from '../zone-field.ts'
import {
  MEASURES,
  type Measures,
  measuresOf,
  UNWATCHED_MINUTES,
  usualMeasures,
  type ZoneStatus,
} from './status-reading.ts'

const SHORT_MINUTES = 5
const LONG_MINUTES = 60
const CHART_STEP_MINUTES = 3

type Running = Pick<OperationContext, 'actor' | 'panel' | 'command' | 'now'>

export function statusAnswer(status: ZoneStatus, pullZone: ZoneReference, running: Running): Answer {
  const title = `Pull zone ${zoneLabel(pullZone)} now`
  const { trust, incidents } = status
  const firing = titledList('Firing', incidents.map(incidentLine))
  const calm = incidents.length === 0 && trust !== undefined ? [section('No alert fires.')] : []
  const chart = chartPart(trust === undefined ? undefined : chartOf(status, running))
  return {
    message: messageOf(
      heading(title),
      smallPrint(leadOf(status, pullZone, running)),
      firing,
      { blocks: calm, lines: [] },
      tablePart(measuresTable(status)),
      readLast(chart),
      smallPrint(...notesOf(status, pullZone, running)),
    ),
    buttons: buttonsOf(status, pullZone),
  }
}

function leadOf({ at }: ZoneStatus, { id }: ZoneReference, { panel }: Running): Mrkdwn {
  const place = panel('pull-zone', id)
  const parts = [md`As of ${dateTime(new Date(at * MINUTE_MS))}`, ...(place ? [link(place, 'Open in the panel')] : [])]
  return joinMd(parts, ' · ')
}

const TITLES: Readonly<Record<keyof Measures, string>> = {
  hitRatio: 'Hit ratio',
  stale: 'STALE',
  miss: 'MISS',
  errors: '5xx',
  rate: 'Requests a minute',
}

function measuresTable({ series, at, trust }: ZoneStatus): Table {
  const over = (minutes: number): Measures => measuresOf(series, at - minutes, at)
  const usual = usualMeasures(series, at)
  const [short, long] = [over(SHORT_MINUTES), over(LONG_MINUTES)]
  const watched = trust !== undefined
  const titles = ['', `Last ${SHORT_MINUTES} min`, ...(watched ? ['Last hour', 'Usual'] : [])]
  return {
    caption: watched ? 'Now, and the median of the four hours before' : `The last ${UNWATCHED_MINUTES} minutes`,
    columns: titles.map((title) => ({ title: title === '' ? 'What' : title, kind: 'text' })),
    rows: MEASURES.map((name) => [
      TITLES[name],
      measureWords(name, short),
      ...(watched ? [measureWords(name, long), measureWords(name, usual)] : []),
    ]),
  }
}

export function measureWords(name: keyof Measures, measures: Measures): string | undefined {
  const value = measures[name]
  if (value === undefined) return undefined
  return name === 'rate' ? count(Math.round(value)) : percent(value)
}

function incidentLine({ id, openedAt, doc, acknowledgedBy }: IncidentRecord): Mrkdwn {
  const firing = readIncidentDoc(doc).alerts.filter(({ endedMs }) => endedMs === undefined)
  const what = firing.map(({ kind, severity }) => `${severityWords(severity)}: ${alertKind(kind)?.title ?? kind}`)
  const who =
    acknowledgedBy === undefined ? md`nobody has acknowledged it` : md`${mention(acknowledgedBy)} looks after it`
  return md`${what.join(', ')}, since ${dateTime(openedAt)}; ${who} (${shortId(id)})`
}

function chartOf({ series, at }: ZoneStatus, { actor }: Running) {
  const times = readerTimes(actor.timeZone)
  const starts = Array.from(
    { length: LONG_MINUTES / CHART_STEP_MINUTES },
    (_, index) => at - LONG_MINUTES + index * CHART_STEP_MINUTES,
  )
  const steps = starts.map((from) => ({
    label: times.format(new Date(from * MINUTE_MS)).slice(11, 16),
    measures: measuresOf(series, from, from + CHART_STEP_MINUTES),
  }))
  const line = (name: 'hitRatio' | 'stale' | 'errors') => ({
    name: TITLES[name],
    points: steps.flatMap(({ label, measures: { [name]: value } }) =>
      value === undefined ? [] : [{ label, value: Math.round(value * 1_000) / 10 }],
    ),
  })
  return lineChart({
    title: 'The last hour',
    xLabel: `Time (${times.zone})`,
    yLabel: 'Percent',
    series: [line('hitRatio'), line('stale'), line('errors')],
  })
}

function notesOf(
  { series, at, trust, knownFrom }: ZoneStatus,
  { id, name }: ZoneReference,
  { command, now }: Running,
): readonly (Mrkdwn | false)[] {
  const covered = series.covered(at - SHORT_MINUTES, at)
  const part =
    covered < 1 &&
    md`Of the last ${SHORT_MINUTES} minutes ${partWords(covered)} was read${covered > 0 ? '; shares are of that' : ''}.`
  if (trust === undefined) {
    return [
      part,
      md`Nobody watches this zone, so these ${counted(series.total(COLUMN.lines, at - SHORT_MINUTES, at), 'line')} were read just now and there is no baseline. ${code(`${command} alerts watch ${name ?? id}`)} begins to watch it.`,
    ]
  }
  const { failure, lagMs, behindMinutes } = trust
  return [
    failure !== undefined &&
      md`:warning: Nothing is read since ${dateTime(new Date(failure.sinceMs))}: ${failure.cause}. That is not the same as no traffic.`,
    behindMinutes > 0 && md`:warning: Reading is ${counted(behindMinutes, 'minute')} behind.`,
    part,
    ...knownSince(knownFrom, now),
    md`Numbers are ${durationWords(lagMs)} behind, because lines arrive late. Usual is the median of 15-minute windows.`,
  ]
}

function buttonsOf({ trust }: ZoneStatus, { id }: ZoneReference): readonly AnswerButton[] {
  const pullZone = String(id)
  return [
    pageButton('Refresh', { pullZone }),
    { kind: 'page', label: 'Show lines', operation: 'logs', values: { pullZone, since: '10m' } },
    ...(trust === undefined
      ? [{ kind: 'form', label: 'Watch it', operation: 'alerts watch', values: { pullZone } } as const]
      : []),
  ]
}
