import * as limits from './limits.ts'
import { oneLine } from './plain-text.ts'

interface ChartPoint {
  readonly label: string
  readonly value: number
}

interface LineChartOptions {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  /** Oldest point first. Slack wants one point per label in every series, so only labels that all series have are drawn. */
  readonly series: readonly { readonly name: string; readonly points: readonly ChartPoint[] }[]
}

/**
 * A native line chart of the newest 20 points, at most 12 series; `undefined` when there is nothing to draw. Series
 * without points are left out, and so are points that are not finite numbers; of points with one label one is drawn.
 * A message takes two charts.
 */
export function lineChart({ title, xLabel, yLabel, series }: LineChartOptions) {
  const lines = new Map(series.map(({ name, points }) => [labelOf(name), valuesOf(points)]))
  const drawable = [...lines].filter(([, values]) => values.size > 0).slice(0, limits.CHART_SERIES)
  const [, first] = drawable[0] ?? []
  const shared = [...(first?.keys() ?? [])].filter((label) => drawable.every(([, values]) => values.has(label)))
  const categories = shared.slice(-limits.CHART_POINTS)
  if (categories.length === 0) return undefined
  return {
    type: 'data_visualization',
    title: oneLine(title, limits.CHART_TITLE_CHARACTERS),
    chart: {
      type: 'line',
      series: drawable.map(([name, values]) => ({
        name,
        data: categories.map((label) => ({ label, value: values.get(label) ?? 0 })),
      })),
      axis_config: {
        categories,
        x_label: oneLine(xLabel, limits.AXIS_LABEL_CHARACTERS),
        y_label: oneLine(yLabel, limits.AXIS_LABEL_CHARACTERS),
      },
    },
  } as const
}

/** A chart's numbers in a line for each series, for where no chart is drawn and for who cannot see it. */
export function chartText({ chart }: NonNullable<ReturnType<typeof lineChart>>): string {
  return chart.series
    .map(({ name, data }) => `${name}: ${data.map(({ label, value }) => `${label} ${value}`).join(', ')}`)
    .join('\n')
}

/** By the label that is shown, in their order. */
function valuesOf(points: readonly ChartPoint[]): ReadonlyMap<string, number> {
  const drawn = points.filter(({ value }) => Number.isFinite(value))
  return new Map(drawn.map(({ label, value }) => [labelOf(label), value]))
}

function labelOf(text: string): string {
  return oneLine(text, limits.CHART_LABEL_CHARACTERS)
}
