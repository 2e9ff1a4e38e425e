import * as limits from './limits.ts'
import { cut, oneLine } from './plain-text.ts'

interface ChartPoint {
  readonly label: string
  readonly value: number
}

interface LineChartOptions {
  readonly title: string
  readonly xLabel?: string
  readonly yLabel?: string
  /** Oldest point first. Slack wants one point per label in every series, so only labels that all series have are drawn. */
  readonly series: readonly { readonly name: string; readonly points: readonly ChartPoint[] }[]
}

/**
 * A native line chart of the newest 20 points, at most 12 series; `undefined` when there is nothing to draw. Series
 * without points are left out, and so are points that are not finite numbers. A message takes two charts.
 */
export function lineChart({ title, xLabel, yLabel, series }: LineChartOptions) {
  const drawable = series
    .map(({ name, points }) => ({ name, points: byLabel(points) }))
    .filter(({ points }) => points.size > 0)
    .slice(0, limits.CHART_SERIES)
  const shared = [...(drawable[0]?.points.keys() ?? [])].filter((key) =>
    drawable.every(({ points }) => points.has(key)),
  )
  const keys = shared.slice(-limits.CHART_POINTS)
  if (keys.length === 0) return undefined
  const categories = unique(keys)
  const names = unique(drawable.map(({ name }) => name))
  return {
    type: 'data_visualization',
    title: oneLine(title, limits.CHART_TITLE_CHARACTERS),
    chart: {
      type: 'line',
      series: drawable.map(({ points }, index) => ({
        name: names[index] ?? '',
        data: categories.map((label, place) => ({ label, value: points.get(keys[place] ?? '') ?? 0 })),
      })),
      axis_config: {
        categories,
        ...(xLabel !== undefined && { x_label: oneLine(xLabel, limits.AXIS_LABEL_CHARACTERS) }),
        ...(yLabel !== undefined && { y_label: oneLine(yLabel, limits.AXIS_LABEL_CHARACTERS) }),
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

/** Points by label in their order. The second point of a label counts as a label of its own. */
function byLabel(points: readonly ChartPoint[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const { label, value } of points) {
    if (!Number.isFinite(value)) continue
    let key = label
    for (let again = 2; found.has(key); again += 1) key = `${label} ${again}`
    found.set(key, value)
  }
  return found
}

/** Labels of at most 20 characters, told apart by a number where cutting made two of them equal. */
function unique(labels: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return labels.map((label) => {
    const wanted = oneLine(label, limits.CHART_LABEL_CHARACTERS)
    let shown = wanted
    for (let again = 2; taken.has(shown); again += 1) {
      const mark = ` ${again}`
      shown = `${cut(wanted, limits.CHART_LABEL_CHARACTERS - mark.length)}${mark}`
    }
    taken.add(shown)
    return shown
  })
}
