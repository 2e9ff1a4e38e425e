import type * as z from 'zod'
import type { chart } from '../../slack/block-rules/charts.ts'
import { html, type Html } from '../html.ts'
import { scaleFor, shortNumber, type Scale } from './scale.ts'

type Chart = z.infer<typeof chart>
/** A chart with axes. */
export type Plot = Exclude<Chart, { type: 'pie' }>
type Series = Plot['series'][number]

export const WIDTH = 640
export const HEIGHT = 260
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
export function plotPicture(plot: Plot): Html {
  const frame = frameOf(plot)
  return html`${grid(frame)}${categoryMarks(frame)}${axisLabels(plot, frame)}${plot.series.map((series, index) => drawn(plot, series, index, frame))}`
}

/** The value of a series at each category, in the order of the categories. */
export function valuesOf({ data }: Series, categories: readonly string[]): readonly number[] {
  const byLabel = new Map(data.map(({ label, value }) => [label, value]))
  return categories.map((category) => byLabel.get(category) ?? 0)
}

function frameOf({ type, series, axis_config: axes }: Plot): Frame {
  const scale = scaleFor(
    series.flatMap(({ data }) => data.map(({ value }) => value)),
    type !== 'line',
  )
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

function axisLabels({ axis_config: axes }: Plot, { left, width, bottom, height }: Frame): Html {
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

function drawn(plot: Plot, series: Series, index: number, frame: Frame): Html {
  const values = valuesOf(series, frame.categories)
  if (plot.type === 'bar') return bars(values, series.name, index, plot.series.length, frame)
  const points = values.map((value, at) => `${fixed(xOf(at, frame))},${fixed(yOf(value, frame))}`)
  const floor = fixed(yOf(0, frame))
  const area =
    plot.type === 'area'
      ? html`<polygon class="fill s${index}" points="${[`${fixed(xOf(0, frame))},${floor}`, ...points, `${fixed(xOf(values.length - 1, frame))},${floor}`].join(' ')}"/>`
      : ''
  return html`${area}<polyline class="line s${index}" points="${points.join(' ')}"/>${values.map(
    (value, at) =>
      html`<circle class="dot s${index}" cx="${fixed(xOf(at, frame))}" cy="${fixed(yOf(value, frame))}" r="3.5">${hint(series.name, frame.categories[at], value)}</circle>`,
  )}`
}

function bars(values: readonly number[], name: string, index: number, all: number, frame: Frame): Html {
  const slot = frame.width / frame.categories.length
  const width = Math.min(48, (slot * 0.72) / all)
  return html`${values.map((value, at) => {
    const x = xOf(at, frame) - (width * all) / 2 + width * index
    const [top, floor] = [yOf(Math.max(value, 0), frame), yOf(Math.min(value, 0), frame)]
    return html`<rect class="bar s${index}" x="${fixed(x)}" y="${fixed(top)}" width="${fixed(Math.max(1, width - 1))}" height="${fixed(floor - top)}" rx="2">${hint(name, frame.categories[at], value)}</rect>`
  })}`
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
