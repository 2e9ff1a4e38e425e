import * as z from 'zod'
import { LIMITS } from './limits.ts'
import { blockId } from './text.ts'

const label = z.string().min(1).max(LIMITS.chart.label)
const axisLabel = z.string().min(1).max(LIMITS.chart.axisLabel).optional()

const pie = z.strictObject({
  type: z.literal('pie'),
  segments: z
    .array(z.strictObject({ label, value: z.number().positive() }))
    .min(1)
    .max(LIMITS.chart.segments),
})

const series = z
  .array(
    z.strictObject({
      name: label,
      data: z
        .array(z.strictObject({ label, value: z.number() }))
        .min(1)
        .max(LIMITS.chart.points),
    }),
  )
  .min(1)
  .max(LIMITS.chart.series)

const axes = z.strictObject({
  categories: z.array(label).min(1).max(LIMITS.chart.points),
  x_label: axisLabel,
  y_label: axisLabel,
})

function plotted<const T extends 'bar' | 'area' | 'line'>(type: T) {
  return z.strictObject({ type: z.literal(type), series, axis_config: axes }).superRefine(plottedRules)
}

/** What is drawn: shares of a whole, or series over categories. */
export const chart = z.discriminatedUnion('type', [pie, plotted('bar'), plotted('area'), plotted('line')])

/** The chart block. */
export const dataVisualization = z.strictObject({
  type: z.literal('data_visualization'),
  block_id: blockId,
  title: z.string().min(1).max(LIMITS.chart.title),
  chart,
})

/** Series have names of their own, and each has exactly one point for every category. */
function plottedRules(
  plot: { readonly series: z.infer<typeof series>; readonly axis_config: z.infer<typeof axes> },
  context: z.RefinementCtx,
): void {
  const complain = (message: string, path: (string | number)[]) => context.addIssue({ code: 'custom', message, path })
  const names = plot.series.map((each) => each.name)
  if (new Set(names).size < names.length) complain('series names must be unique', ['series'])
  const categories = plot.axis_config.categories
  if (new Set(categories).size < categories.length) {
    complain('categories must be unique', ['axis_config', 'categories'])
  }
  plot.series.forEach(({ data }, index) => {
    const labels = data.map((point) => point.label)
    const matches = labels.length === categories.length && categories.every((category) => labels.includes(category))
    if (!matches) complain('must have exactly one data point for each category', ['series', index, 'data'])
  })
}
