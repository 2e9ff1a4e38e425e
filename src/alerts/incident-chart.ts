import type { DataVisualizationBlock } from '../block-kit/blocks.ts'
import { lineChart } from '../block-kit/chart.ts'
import type { IncidentDoc } from './incident.ts'
import { quantity } from './incident-words.ts'
import type { Unit } from './reading.ts'

/** One point is no trend. */
const MIN_POINTS = 2
/** From here on points are days, and labels dates. */
const DAYS_FROM_MS = 2 * 86_400_000
const BYTES_PER_GB = 1_000_000_000

/** What a unit's axis says, and what its values are multiplied by to be drawn. */
const AXES: Readonly<Partial<Record<Unit, { readonly label: string; readonly factor: number }>>> = {
  share: { label: '%', factor: 100 },
  points: { label: 'Points', factor: 100 },
  bytes: { label: 'GB', factor: 1 / BYTES_PER_GB },
}

type Trend = IncidentDoc['trend']

/** A small line chart of how a value went before and during an incident; undefined when there is too little of it. */
export function trendChart(trend: Trend, unit: Unit | undefined, title: string): DataVisualizationBlock | undefined {
  if (trend.length < MIN_POINTS) return undefined
  const { label, factor } = axisOf(unit)
  const time = timeLabel(trend)
  return lineChart({
    title,
    xLabel: `${time.unit}, UTC`,
    yLabel: label,
    series: [
      { name: title, points: trend.map(({ atMs, value }) => ({ label: time.of(atMs), value: drawn(value * factor) })) },
    ],
  })
}

/** The same in a sentence: where it began, where it was furthest up, where it is. */
export function trendSentence(trend: Trend, unit: Unit | undefined): string | undefined {
  const [first] = trend
  const last = trend.at(-1)
  if (first === undefined || last === undefined || trend.length < MIN_POINTS) return undefined
  const top = trend.reduce((highest, point) => (point.value > highest.value ? point : highest))
  const time = timeLabel(trend)
  const said = ({ atMs, value }: Trend[number]): string => `${quantity(value, unit)} at ${time.of(atMs)}`
  return `Went from ${said(first)} over at most ${said(top)} to ${said(last)} (UTC).`
}

function axisOf(unit: Unit | undefined): { readonly label: string; readonly factor: number } {
  return (unit && AXES[unit]) ?? { label: unit ?? 'value', factor: 1 }
}

/** Labels of a chart are plain text, so they cannot be in each reader's own time zone. */
function timeLabel(trend: Trend): { readonly unit: string; of(atMs: number): string } {
  const spanMs = (trend.at(-1)?.atMs ?? 0) - (trend[0]?.atMs ?? 0)
  const [start, end, unit] = spanMs >= DAYS_FROM_MS ? [5, 10, 'Day'] : [11, 16, 'Time']
  return { unit, of: (atMs) => new Date(atMs).toISOString().slice(start, end) }
}

function drawn(value: number): number {
  return Math.round(value * 100) / 100
}
