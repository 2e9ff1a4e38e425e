import type * as z from 'zod'
import type { dataVisualization, chart } from '../slack/blocks.ts'
import { domId, html, type Html } from './html.ts'

type ChartBlock = z.infer<typeof dataVisualization>

/** A chart as a picture with its title, a legend, and for who cannot see it a description with its numbers. */
export function chartHtml({ title, chart, block_id: blockId }: ChartBlock, key: string): Html {
  const id = domId(key, blockId, 'chart')
  return html`<figure class="chart frame card" id="${id}"><figcaption id="${id}t">${title}</figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}t ${id}d"><desc id="${id}d">${chartWords(chart)}</desc>${chartPicture(chart)}</svg>${legend(chart)}</figure>`
}

function legend({ series }: Chart): Html {
  if (series.length < 2) return html``
  return html`<ul class="row plain small">${series.map(({ name }, index) => html`<li><svg width="10" height="10" aria-hidden="true"><rect class="swatch" width="10" height="10" fill="${toneOf(index)}"/></svg> ${name}</li>`)}</ul>`
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
const HEIGHT = 200
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

/** Axes, marks and series of a chart, as the inside of a picture. */
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
    return html`<line stroke="var(--line)" x1="${left}" x2="${left + width}" y1="${y}" y2="${y}"/><text class="mark" fill="currentColor" x="${left - MARK_GAP}" y="${y + 4}" text-anchor="end">${shortNumber(tick)}</text>`
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
      ? html`<text class="mark" fill="currentColor" x="${xOf(index, frame)}" y="${bottom + 18}" text-anchor="middle">${category}</text>`
      : '',
  )}`
}

function axisLabels({ axis_config: axes }: Chart, { left, width, bottom, height }: Frame): Html {
  const middle = bottom - height / 2
  return html`${
    axes.x_label === undefined
      ? ''
      : html`<text fill="currentColor" x="${left + width / 2}" y="${HEIGHT - 6}" text-anchor="middle">${axes.x_label}</text>`
  }${
    axes.y_label === undefined
      ? ''
      : html`<text fill="currentColor" transform="rotate(-90 12 ${middle})" x="12" y="${middle}" text-anchor="middle">${axes.y_label}</text>`
  }`
}

function line(series: Series, index: number, frame: Frame): Html {
  const values = valuesOf(series, frame.categories)
  const points = values.map((value, at) => `${fixed(xOf(at, frame))},${fixed(yOf(value, frame))}`)
  return html`<polyline class="line" fill="none" stroke-width="2.2" stroke="${toneOf(index)}" points="${points.join(' ')}"/>${values.map(
    (value, at) =>
      html`<circle class="dot" fill="${toneOf(index)}" cx="${fixed(xOf(at, frame))}" cy="${fixed(yOf(value, frame))}" r="3.5">${hint(series.name, frame.categories[at], value)}</circle>`,
  )}`
}

/** What is shown when the pointer rests on a value. */
function hint(name: string, category: string | undefined, value: number): Html {
  return html`<title>${category}: ${name} ${value.toLocaleString('en-US')}</title>`
}

/** Series have colours of the page, which are light on dark. */
const TONES = ['--link', '--wait', '--good', '--bad']

function toneOf(index: number): string {
  return `var(${TONES[index % TONES.length]})`
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

/** The values an axis is marked with, from its lower to its upper end. */
export interface Scale {
  readonly ticks: readonly number[]
  /** Where a value stands between the ends: 0 to 1. */
  readonly position: (value: number) => number
}

const WANTED_STEPS = 4
/** A line that varies by less than this share of its size is shown without the way down to zero. */
const FLAT_SHARE = 0.5
/** Differences below this share of the values, and values below it, cannot be seen. */
const NEGLIGIBLE = 1e-9

/** A scale with round marks around the values. It leaves zero out where a line would be flat. */
export function scaleFor(values: readonly number[]): Scale {
  const least = values.reduce((min, value) => Math.min(min, value), values[0] ?? 0)
  const most = values.reduce((max, value) => Math.max(max, value), values[0] ?? 0)
  const size = Math.max(Math.abs(least), Math.abs(most))
  const isFlat = least > 0 === most > 0 && most - least < size * FLAT_SHARE
  const low = isFlat ? least : Math.min(0, least)
  const high = isFlat ? most : Math.max(0, most)
  const step = roundStep(stepFor(high - low, size))
  const first = Math.floor(low / step)
  const last = Math.max(Math.ceil(high / step), first + 1)
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => rounded((first + index) * step))
  const from = first * step
  const span = (last - first) * step
  return { ticks, position: (value) => (value - from) / span }
}

/** A number as an axis shows it: short, with its thousands apart. */
export function shortNumber(value: number): string {
  const compact = Math.abs(value) >= 1e5
  return new Intl.NumberFormat('en-US', {
    maximumFractionDigits: Math.abs(value) < 1 ? 3 : 2,
    ...(compact ? { notation: 'compact' as const } : {}),
  })
    .format(value)
    .replace('-', '−')
}

/** A step for what lies between the ends, or where that is next to nothing, for how large the values are. */
function stepFor(span: number, size: number): number {
  if (span > Math.max(size * NEGLIGIBLE, NEGLIGIBLE)) return span / WANTED_STEPS
  return size > NEGLIGIBLE ? size / WANTED_STEPS : 1
}

/** 1, 2, 2.5 or 5 times a power of ten, at least as large as what is wanted. */
function roundStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted))
  const factor = [1, 2, 2.5, 5].find((candidate) => candidate * power >= wanted * 0.999) ?? 10
  return factor * power
}

/** Without the dust of binary fractions. */
function rounded(value: number): number {
  return Number(value.toPrecision(12))
}
