import type * as z from 'zod'
import type { dataVisualization } from '../../slack/block-rules/charts.ts'
import { domId } from '../dom-id.ts'
import { html, type Html } from '../html.ts'
import { percentage, PIE_SIZE, piePicture, shares, type Pie } from './pie.ts'
import { HEIGHT, type Plot, plotPicture, valuesOf, WIDTH } from './plot.ts'
import { shortNumber } from './scale.ts'

type ChartBlock = z.infer<typeof dataVisualization>

/** A chart as a picture with its title, a legend, and for who cannot see it a description with its numbers. */
export function chartHtml({ title, chart, block_id: blockId }: ChartBlock, key: string): Html {
  const id = domId(key, blockId, 'chart')
  const isPie = chart.type === 'pie'
  const size = isPie ? { width: PIE_SIZE, height: PIE_SIZE } : { width: WIDTH, height: HEIGHT }
  return html`<figure class="chart${isPie ? ' chart-pie' : ''}" id="${id}"><figcaption id="${id}t">${title}</figcaption><svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-labelledby="${id}t ${id}d"><desc id="${id}d">${isPie ? pieWords(chart) : plotWords(chart)}</desc>${isPie ? piePicture(chart) : plotPicture(chart)}</svg>${isPie ? pieLegend(chart) : plotLegend(chart)}</figure>`
}

function plotLegend({ series }: Plot): Html {
  if (series.length < 2) return html``
  return html`<ul class="legend">${series.map(({ name }, index) => html`<li><i class="swatch s${index}"></i>${name}</li>`)}</ul>`
}

function pieLegend({ segments }: Pie): Html {
  const parts = shares(segments)
  return html`<ul class="legend">${segments.map(
    ({ label, value }, index) =>
      html`<li><i class="swatch s${index}"></i>${label} <span class="quiet">${shortNumber(value)} · ${percentage(parts[index] ?? 0)}</span></li>`,
  )}</ul>`
}

/** The least, the most and the newest value of each series: what one reads off a chart at a glance. */
function plotWords({ type, series, axis_config: { categories } }: Plot): string {
  const range = `${categories.length} values from ${categories[0]} to ${categories.at(-1)}`
  const each = series.map((one) => {
    const values = valuesOf(one, categories)
    const at = (value: number): string => `${shortNumber(value)} at ${categories[values.indexOf(value)]}`
    return `${one.name}: least ${at(Math.min(...values))}, most ${at(Math.max(...values))}, last ${shortNumber(values.at(-1) ?? 0)}`
  })
  return `A ${type} chart of ${range}. ${each.join('. ')}.`
}

function pieWords({ segments }: Pie): string {
  const parts = shares(segments)
  return `A pie chart. ${segments.map(({ label }, index) => `${label} ${percentage(parts[index] ?? 0)}`).join(', ')}.`
}
