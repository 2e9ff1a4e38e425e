import type * as z from 'zod'
import type { dataVisualization, chart } from '../../slack/block-rules/charts.ts'
import { domId } from '../dom-id.ts'
import { html, type Html } from '../html.ts'
import { shortNumber, scaleFor, type Scale } from './scale.ts'

type ChartBlock = z.infer<typeof dataVisualization>

/** A chart as a picture with its title, a legend, and for who cannot see it a description with its numbers. */
export function chartHtml({ title, chart, block_id: blockId }: ChartBlock, key: string): Html {
  const id = domId(key, blockId, 'chart')
  return html`<figure class="chart" id="${id}"><figcaption id="${id}t">${title}</figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}t ${id}d"><desc id="${id}d">${chartWords(chart)}</desc>${chartPicture(chart)}</svg>${legend(chart)}</figure>`
}

function legend({ series }: Chart): Html {
  if (series.length < 2) return html``
  return html`<ul class="legend">${series.map(({ name }, index) => html`<li><i class="swatch s${index}"></i>${name}</li>`)}</ul>`
}

/** The least, the most and the newest value of each series: what one reads off a chart at a glance. */
function chartWords({ series, axis_config: { categories } }: Chart): string {
  const range = `${categories.length} values from ${categories[0]} to ${categories.at(-1)}`
  const each = series.map((one) => {
    const values = valuesOf(one, categories)
    const at = (value: number): string => `${shortNumber(value)} at ${categories[values.indexOf(value)]}`
    return `${one.name}: least ${at(Math.min(...values))}, most ${at(Math.max(...values))}, last ${shortNumber(values.at(-1) ?? 0)}`
  })
  return `A line chart of ${range}. ${each.join('. ')}.`
}

type Chart = z.infer<typeof chart>
type Series = Chart['series'][number]

const WIDTH = 640
const HEIGHT = 260
const TOP = 12
const RIGHT = 26
const MARK_GAP = 10
const CHARACTER_WIDTH = 6.6
const CATEGORY_GAP = 14

/** The box in which values are drawn, in the units of the picture. */
interface Frame {
  readonly left: number
  readonly bottom: number
  readonly width: number
  readonly height: number
  readonly categories: readonly string[]
  readonly scale: Scale
}

/** Axes, marks and series of a chart, as the inside of a picture of 640 by 260. */
function chartPicture(given: Chart): Html {
  const frame = frameOf(given)
  return html`${grid(frame)}${categoryMarks(frame)}${axisLabels(given, frame)}${given.series.map((series, index) => line(series, index, frame))}`
}

/** The value of a series at each category, in the order of the categories. */
function valuesOf({ data }: Series, categories: readonly string[]): readonly number[] {
  const byLabel = new Map(data.map(({ label, value }) => [label, value]))
  return categories.map((category) => byLabel.get(category) ?? 0)
}

function frameOf({ series, axis_config: axes }: Chart): Frame {
  const scale = scaleFor(series.flatMap(({ data }) => data.map(({ value }) => value)))
  const widest = Math.max(...scale.ticks.map((tick) => shortNumber(tick).length))
  const left = MARK_GAP + widest * CHARACTER_WIDTH + (axes.y_label === undefined ? 4 : 22)
  const bottom = HEIGHT - (axes.x_label === undefined ? 26 : 44)
  return { left, bottom, width: WIDTH - RIGHT - left, height: bottom - TOP, categories: axes.categories, scale }
}

function grid(frame: Frame): Html {
  const { left, width, scale } = frame
  return html`${scale.ticks.map((tick) => {
    const y = yOf(tick, frame)
    return html`<line class="grid${tick === 0 ? ' zero' : ''}" x1="${left}" x2="${left + width}" y1="${y}" y2="${y}"/><text class="mark" x="${left - MARK_GAP}" y="${y + 4}" text-anchor="end">${shortNumber(tick)}</text>`
  })}`
}

/** Every category where there is room, otherwise as many as do not touch, the newest always. */
function categoryMarks(frame: Frame): Html {
  const { categories, bottom } = frame
  const widest = Math.max(...categories.map((category) => category.length))
  const room = Math.max(1, Math.floor(frame.width / (widest * CHARACTER_WIDTH + CATEGORY_GAP)))
  const every = Math.ceil(categories.length / room)
  return html`${categories.map((category, index) =>
    (categories.length - 1 - index) % every === 0
      ? html`<text class="mark" x="${xOf(index, frame)}" y="${bottom + 18}" text-anchor="middle">${category}</text>`
      : '',
  )}`
}

function axisLabels({ axis_config: axes }: Chart, { left, width, bottom, height }: Frame): Html {
  const middle = bottom - height / 2
  return html`${
    axes.x_label === undefined
      ? ''
      : html`<text class="axis" x="${left + width / 2}" y="${HEIGHT - 6}" text-anchor="middle">${axes.x_label}</text>`
  }${
    axes.y_label === undefined
      ? ''
      : html`<text class="axis" transform="rotate(-90 12 ${middle})" x="12" y="${middle}" text-anchor="middle">${axes.y_label}</text>`
  }`
}

function line(series: Series, index: number, frame: Frame): Html {
  const values = valuesOf(series, frame.categories)
  const points = values.map((value, at) => `${fixed(xOf(at, frame))},${fixed(yOf(value, frame))}`)
  return html`<polyline class="line s${index}" points="${points.join(' ')}"/>${values.map(
    (value, at) =>
      html`<circle class="dot s${index}" cx="${fixed(xOf(at, frame))}" cy="${fixed(yOf(value, frame))}" r="3.5">${hint(series.name, frame.categories[at], value)}</circle>`,
  )}`
}

/** What is shown when the pointer rests on a value. */
function hint(name: string, category: string | undefined, value: number): Html {
  return html`<title>${category}: ${name} ${value.toLocaleString('en-US')}</title>`
}

function xOf(index: number, { left, width, categories }: Frame): number {
  return left + (width * (index + 0.5)) / categories.length
}

function yOf(value: number, { bottom, height, scale }: Frame): number {
  return bottom - scale.position(value) * height
}

function fixed(value: number): string {
  return value.toFixed(1)
}
