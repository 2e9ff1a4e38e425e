import type * as z from 'zod'
import type { chart } from '../block-rules/charts.ts'

const BAR_WIDTH = 30
const BAR = '█'

/** A chart as lines: a bar and the number for each point, or for each share of a pie. */
export function chartText(title: string, drawn: z.infer<typeof chart>): string {
  if (drawn.type === 'pie') return [`${title} (pie)`, ...bars(drawn.segments)].join('\n')
  const { x_label: across, y_label: up } = drawn.axis_config
  const axes = [up, across].filter((label) => label !== undefined).join(' by ')
  const heading = `${title} (${drawn.type}${axes === '' ? '' : `, ${axes}`})`
  const plots = drawn.series.flatMap((series) => [
    ...(drawn.series.length > 1 ? [`${series.name}:`] : []),
    ...bars(series.data),
  ])
  return [heading, ...plots].join('\n')
}

function bars(points: readonly { readonly label: string; readonly value: number }[]): readonly string[] {
  const labelWidth = Math.max(...points.map((point) => point.label.length))
  const most = Math.max(...points.map((point) => Math.abs(point.value)))
  return points.map(({ label, value }) => {
    const length = most === 0 ? 0 : Math.round((Math.abs(value) / most) * BAR_WIDTH)
    return `${label.padEnd(labelWidth)}  ${BAR.repeat(length).padEnd(BAR_WIDTH)}  ${value}`
  })
}
