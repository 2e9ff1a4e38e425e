import { firingSince, problemWords, symbolOf } from '../../alerts/incidents/incident-words.ts'
import { shortId } from '../../shared/short-id.ts'
import { readIncidentDoc } from '../../alerts/state/incident.ts'
import { COLUMN } from '../../alerts/series/minute-series.ts'
import { counted, percent } from '../../block-kit/amounts.ts'
import { lineChart } from '../../block-kit/chart.ts'
import { chartPart, heading, messageOf, readLast, smallPrint, tablePart, titledList } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, type Mrkdwn, openInPanel } from '../../block-kit/mrkdwn.ts'
import { type Column, type Table, tableOf } from '../../block-kit/table.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'
import { type Answer, type AnswerButton, pageButton } from '../declaration/answer.ts'
import type { ZoneReference } from '../declaration/field.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { readerTimes } from '../declaration/reader-times.ts'
import { knownSince } from '../alerts/replay.ts'
import { zoneLabel, zoneTitle } from '../declaration/zone-field.ts'
import { verdict } from './verdict.ts'
import {
  formatMeasure,
  measure,
  type MeasureName,
  MEASURES,
  UNWATCHED_MINUTES,
  usualMeasures,
  type ZoneStatus,
} from './status-reading.ts'

const SHORT_MINUTES = 5
const LONG_MINUTES = 60
const CHART_STEP_MINUTES = 3

export function statusAnswer(status: ZoneStatus, pullZone: ZoneReference, running: OperationContext): Answer {
  const { trust, incidents } = status
  const { blocks } = titledList('Firing', incidents.map(incidentLine))
  // A notification cannot show names of people.
  const firing = { blocks, lines: incidents.map((incident) => `Firing: ${whatFires(incident)}`) }
  const chart = chartPart(trust === undefined ? undefined : hourChart(status, running))
  return {
    message: messageOf(
      heading(verdict(status, zoneTitle(pullZone, 'Pull'), running)),
      smallPrint(whenAndWhere(status, pullZone, running)),
      firing,
      tablePart(measuresTable(status)),
      readLast(chart),
      smallPrint(...statusNotes(status, pullZone, running)),
    ),
    buttons: statusButtons(status, pullZone),
  }
}

function whenAndWhere({ at }: ZoneStatus, pullZone: ZoneReference, { panel }: OperationContext): Mrkdwn {
  const parts = [
    md`Pull zone ${zoneLabel(pullZone)}`,
    md`as of ${dateTime(new Date(at * MINUTE_MS))}`,
    ...openInPanel(panel('pull-zone', pullZone.id)),
  ]
  return joinMd(parts, ' · ')
}

function measuresTable({ series, at, trust }: ZoneStatus): Table {
  const shortTime = measure(series, at - SHORT_MINUTES, at)
  const longTime = measure(series, at - LONG_MINUTES, at)
  const usual = usualMeasures(series, at)
  const names = Object.keys(MEASURES) as MeasureName[] // the keys are those of the table
  const columns: readonly Column<MeasureName>[] = [
    ['What', (name) => MEASURES[name]],
    [`Last ${SHORT_MINUTES} min`, (name) => formatMeasure(name, shortTime)],
    ['Last hour', (name) => formatMeasure(name, longTime)],
    ['Usual', (name) => formatMeasure(name, usual)],
  ]
  if (trust === undefined)
    return tableOf(`The last ${UNWATCHED_MINUTES} minutes`, columns.slice(0, 2), names, names.length)
  return tableOf('Now, and the median of the four hours before', columns, names, names.length)
}

function whatFires({ id, doc }: IncidentRecord): string {
  const firing = readIncidentDoc(doc).alerts.filter(({ endedMs }) => endedMs === undefined)
  return `${firing.map((alert) => `${symbolOf(alert)} ${problemWords(alert)}`).join(', ')} (${shortId(id)})`
}

function incidentLine(incident: IncidentRecord): Mrkdwn {
  const { acknowledgedBy } = incident
  const who =
    acknowledgedBy === undefined ? md`nobody has acknowledged it` : md`looked after by ${mention(acknowledgedBy)}`
  return md`${whatFires(incident)} since ${dateTime(firingSince(incident))}; ${who}`
}

function hourChart({ series, at }: ZoneStatus, { actor }: OperationContext) {
  const times = readerTimes(actor.timeZone)
  const steps = Array.from({ length: LONG_MINUTES / CHART_STEP_MINUTES }, (_, index) => {
    const from = at - LONG_MINUTES + index * CHART_STEP_MINUTES
    const label = times.format(new Date(from * MINUTE_MS)).slice(11, 16)
    return { label, measures: measure(series, from, from + CHART_STEP_MINUTES) }
  })
  const line = (name: 'hitRatio' | 'stale' | 'errors') => ({
    name: MEASURES[name],
    points: steps.flatMap(({ label, measures: { [name]: value } }) =>
      value === undefined ? [] : [{ label, value: Math.round(value * 1_000) / 10 }],
    ),
  })
  return lineChart({
    title: 'The last hour',
    xLabel: `Time (${times.zone})`,
    yLabel: '%',
    series: [line('hitRatio'), line('stale'), line('errors')],
  })
}

function statusNotes(
  { series, at, trust, knownFrom }: ZoneStatus,
  { id, name }: ZoneReference,
  { command, now }: OperationContext,
): readonly (Mrkdwn | false)[] {
  const covered = series.covered(at - SHORT_MINUTES, at)
  const part =
    covered < 1 &&
    md`Of the last ${SHORT_MINUTES} minutes ${percent(covered)} was read${covered > 0 ? '; shares are of that' : ''}.`
  if (trust === undefined) {
    return [
      part,
      md`Nobody watches this zone, so these ${counted(series.total(COLUMN.lines, at - SHORT_MINUTES, at), 'line')} were read just now and there is no baseline. ${code(`${command} alerts watch ${name ?? id}`)} begins to watch it.`,
    ]
  }
  const { failure, behindMinutes } = trust
  const late =
    failure !== undefined
      ? md`:warning: Nothing is read since ${dateTime(new Date(failure.sinceMs))}: ${failure.cause}. That is not the same as no traffic.`
      : behindMinutes > 0
        ? md`:warning: Reading does not keep up; still to be read: ${counted(behindMinutes, 'minute')}.`
        : md`Usual is the median of 15-minute windows.`
  return [late, part, ...knownSince(knownFrom, now)]
}

function statusButtons({ trust }: ZoneStatus, { id }: ZoneReference): readonly AnswerButton[] {
  const pullZone = String(id)
  return [
    pageButton('Refresh', { pullZone }),
    { kind: 'page', label: 'Show lines', operation: 'logs', values: { pullZone, since: '10m' } },
    ...(trust === undefined
      ? [{ kind: 'form', label: 'Watch it', operation: 'alerts watch', values: { pullZone } } as const]
      : []),
  ]
}
