import { problemWords, sortBySeverity, symbolOf, firingSince } from '../../alerts/incidents/incident-words.ts'
import { listFiring, readIncidentDoc } from '../../alerts/state/incident.ts'
import { count, counted, percent } from '../../block-kit/amounts.ts'
import { DAY_MINUTES, MINUTE_MS } from '../../shared/durations.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { readerTimes } from '../declaration/reader-times.ts'
import {
  measure,
  type ZoneStatus,
  formatMeasure,
  type MeasureName,
  MEASURES,
  SHORT_MINUTES,
  usualMeasures,
} from './status-reading.ts'
import { shortId } from '../../shared/short-id.ts'
import { lineChart } from '../../block-kit/chart.ts'
import { chartPart, heading, messageOf, readLast, smallPrint, tablePart, titledList } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, type Mrkdwn, openInPanel } from '../../block-kit/mrkdwn.ts'
import { type Column, type Table, tableOf } from '../../block-kit/table.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'
import { type Answer, type AnswerButton, pageButton } from '../declaration/answer.ts'
import type { ZoneReference } from '../declaration/field.ts'
import { knownSince } from '../alerts/replay.ts'
import { zoneLabel, zoneTitle } from '../declaration/zone-field.ts'

const LONG_MINUTES = 60
/** With fewer requests in the last minutes the last hour is judged. */
const ENOUGH_REQUESTS = 100
/** What is wrong, as a share of the requests, is worse from twice yesterday's and this much more on. */
const WORSE_BY = 0.02
/** A hit ratio has a daily life; a drop by this much is more than that. */
const HIT_RATIO_DROP = 0.2
/** One bad line or two are chance. */
const LEAST_BAD_REQUESTS = 3

/**
 * How a zone does, in one line of plain text: what fires, or how it compares with the same time yesterday. It holds as far
 * as the log is read, which is said beside it.
 */
export function verdict(status: ZoneStatus, name: string): string {
  const { series, at, trust, incidents, yesterday } = status
  const [alert] = sortBySeverity(incidents.flatMap(listFiring))
  if (alert !== undefined) return `${symbolOf(alert)} ${name}: ${problemWords(alert)}`
  if (trust?.failure !== undefined) return `⚪ ${name}: nothing can be read, ${trust.failure.cause}`
  const short = measure(series, at - SHORT_MINUTES, at)
  const minutes = trust === undefined || short.requests >= ENOUGH_REQUESTS ? SHORT_MINUTES : LONG_MINUTES
  const now = measure(series, at - minutes, at)
  const then = yesterday && measure(yesterday, at - DAY_MINUTES - minutes, at - DAY_MINUTES)
  const time = `the last ${minutes} min`
  if (series.covered(at - minutes, at) === 0) return `⚪ ${name}: nothing is read yet of ${time}`
  if (now.requests === 0) {
    const before = then !== undefined && then.requests >= ENOUGH_REQUESTS ? then.requests : undefined
    const compared = before === undefined ? '' : `, ${count(before)} at this time yesterday`
    return `${before === undefined ? '⚪' : '🟠'} ${name}: no requests in ${time}${compared}`
  }
  const problem = findProblem(now, then)
  if (problem !== undefined) return `🟠 ${name}: ${problem} in ${time}`
  return `🟢 ${name} looks healthy: ${badWords(now)} in ${minutes} min`
}

export function knownUntil(zones: readonly ZoneStatus[]): Date {
  return new Date(Math.min(...zones.map(({ at, trust }) => at - (trust?.behindMinutes ?? 0))) * MINUTE_MS)
}

type Window = ReturnType<typeof measure>

/** What is worse than yesterday; without a yesterday, what is more than a stray line. */
function findProblem(now: Window, then: Window | undefined): string | undefined {
  const before = (value: number | undefined, words: (value: number) => string): string =>
    value === undefined ? '' : ` (${words(value)} yesterday)`
  for (const [label, key] of [
    ['5xx', 'errors'],
    ['STALE', 'stale'],
  ] as const) {
    const share = now[key] ?? 0
    const usual = then?.[key]
    const isWorse = share > Math.max(2 * (usual ?? 0), (usual ?? 0) + WORSE_BY)
    if (isWorse && share * now.requests >= LEAST_BAD_REQUESTS)
      return `${percent(share)} ${label}${before(usual, percent)}`
  }
  const [hit, usualHit] = [now.hitRatio, then?.hitRatio]
  if (hit === undefined || usualHit === undefined || usualHit - hit < HIT_RATIO_DROP) return undefined
  return `hit ratio ${percent(hit)}${before(usualHit, percent)}`
}

function badWords({ errors, stale }: Window): string {
  const word = (share: number, label: string): string => (share === 0 ? `no ${label}` : `${percent(share)} ${label}`)
  return [...(errors === undefined ? [] : [word(errors, '5xx')]), word(stale ?? 0, 'STALE')].join(', ')
}

const CHART_STEP_MINUTES = 3

export function statusAnswer(status: ZoneStatus, pullZone: ZoneReference, running: OperationContext): Answer {
  const { trust, incidents } = status
  const place = running.panel('pull-zone', pullZone.id)
  const asOf = md`as of ${dateTime(knownUntil([status]))}`
  const where = joinMd([md`Pull zone ${zoneLabel(pullZone)}`, asOf, ...openInPanel(place)], ' · ')
  const { blocks } = titledList('Firing', incidents.map(incidentLine))
  // A notification cannot show names of people.
  const firing = { blocks, lines: incidents.map((incident) => `Firing: ${whatFires(incident)}`) }
  const chart = chartPart(trust === undefined ? undefined : hourChart(status, running))
  return {
    message: messageOf(
      heading(verdict(status, zoneTitle(pullZone, 'Pull'))),
      smallPrint(where),
      firing,
      tablePart(measuresTable(status)),
      readLast(chart),
      smallPrint(...statusNotes(status, pullZone, running)),
    ),
    buttons: statusButtons(status, pullZone),
  }
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
  if (trust === undefined) return tableOf(`The last ${SHORT_MINUTES} minutes`, columns.slice(0, 2), names, names.length)
  return tableOf('Now, and the median of the four hours before', columns, names, names.length)
}

function whatFires(incident: IncidentRecord): string {
  const firing = listFiring(incident).map((alert) => `${symbolOf(alert)} ${problemWords(alert)}`)
  return `${firing.join(', ')} (${shortId(incident.id)})`
}

/** What fires, since when, who looks after it, and whether it is silenced. */
export function incidentLine(incident: IncidentRecord): Mrkdwn {
  const { acknowledgedBy, doc } = incident
  const who =
    acknowledgedBy === undefined ? md`nobody has acknowledged it` : md`looked after by ${mention(acknowledgedBy)}`
  const { silencedUntilMs } = readIncidentDoc(doc)
  const silence = silencedUntilMs && md`, silenced until ${dateTime(new Date(silencedUntilMs))}`
  return md`${whatFires(incident)} since ${dateTime(firingSince(incident))}; ${who}${silence}`
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

function statusNotes(status: ZoneStatus, { id, name }: ZoneReference, { command, now }: OperationContext) {
  const { series, at, trust, knownFrom } = status
  const covered = series.covered(at - SHORT_MINUTES, at)
  const part =
    covered < 1 &&
    md`Of the last ${SHORT_MINUTES} minutes ${percent(covered)} was read${covered > 0 ? '; shares are of that' : ''}.`
  if (trust === undefined) {
    return [
      part,
      md`Nobody watches this zone, so these ${counted(series.total('lines', at - SHORT_MINUTES, at), 'line')} were read just now and there is no baseline. ${code(`${command} alerts watch ${name ?? id}`)} begins to watch it.`,
    ]
  }
  const { failure, behindMinutes } = trust
  const late =
    failure !== undefined
      ? md`:warning: Nothing is read since ${dateTime(new Date(failure.sinceMs))}: ${failure.cause}. That is not the same as no traffic.`
      : behindMinutes > 0
        ? md`:warning: Reading does not keep up; still to be read: ${counted(behindMinutes, 'minute')}.`
        : md`Usual is the median of 15-minute windows.`
  return [late, part, knownSince(knownFrom, now)]
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
