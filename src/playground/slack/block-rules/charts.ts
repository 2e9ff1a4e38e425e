import * as z from 'zod'
import { LIMITS } from './limits.ts'
import { blockId, shownText } from './text.ts'

const label = shownText(LIMITS.chart.label)
const axisLabel = shownText(LIMITS.chart.axisLabel).optional()

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

const line = z.strictObject({ type: z.literal('line'), series, axis_config: axes }).superRefine(lineRules)

/** What is drawn: series over categories. A union of one: another kind of chart is then refused by its name. */
export const chart = z.discriminatedUnion('type', [line])

/** The chart block. */
export const dataVisualization = z.strictObject({
  type: z.literal('data_visualization'),
  block_id: blockId,
  title: shownText(LIMITS.chart.title),
  chart,
})

/** Series have names of their own, and each has exactly one point for every category. */
function lineRules(
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
