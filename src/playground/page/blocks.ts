import { unreachable } from '../../shared/errors.ts'
import { richTextContent, type Block, type Chart, type InputBlock, type TableCell } from '../slack/blocks/blocks.ts'
import { chartText, shortNumber, valuesOf } from '../slack/render-text.ts'
import { elementHtml } from './elements.ts'
import { domId, html, type Html, NOTHING } from './html.ts'
import { textHtml } from './mrkdwn.ts'
import type { Scene } from './reader.ts'

type Of<Type extends Block['type']> = Extract<Block, { type: Type }>

export function blocksHtml(blocks: readonly Block[], scene: Scene): Html {
  return html`<div class="blocks">${blocks.map((block) => blockHtml(block, scene))}</div>`
}

function blockHtml(block: Block, scene: Scene): Html {
  const { reader, key } = scene
  switch (block.type) {
    case 'section':
      return sectionHtml(block, scene)
    case 'header':
      return html`<h2>${textHtml(block.text, reader)}</h2>`
    case 'divider':
      return html`<hr>`
    case 'context':
      return html`<div class="row quiet small">${block.elements.map((element) => html`<span>${textHtml(element, reader)}</span>`)}</div>`
    case 'actions':
      return html`<div class="row">${block.elements.map((element) => elementHtml(element, block, scene))}</div>`
    case 'input':
      return inputBlockHtml(block, scene)
    case 'rich_text':
      return html`<pre class="code" tabindex="0">${richTextContent(block)}</pre>`
    case 'data_table':
      return dataTableHtml(block, key)
    case 'data_visualization':
      return chartHtml(block, key)
    default:
      return unreachable(block)
  }
}

function sectionHtml(block: Of<'section'>, scene: Scene): Html {
  const { text, fields = [], accessory } = block
  const { reader } = scene
  return html`<div class="flex between"><div class="grow">${textHtml(text, reader)}${fields.length === 0 ? '' : html`<div class="fields">${fields.map((field) => html`<div>${textHtml(field, reader)}</div>`)}</div>`}</div>${accessory === undefined ? '' : html`<div>${elementHtml(accessory, block, scene)}</div>`}</div>`
}

const GROUPED = new Set<string>(['checkboxes', 'multi_static_select', 'radio_buttons'])

function inputBlockHtml(block: InputBlock, scene: Scene): Html {
  const { block_id: blockId = '', label, hint, element, optional = false, dispatch_action: dispatches = false } = block
  const complaint = scene.form?.errors[blockId]
  const id = domId(scene.key, blockId, 'input')
  const describedBy = [...(hint === undefined ? [] : [`${id}h`]), ...(complaint === undefined ? [] : [`${id}e`])]
  const described = describedBy.length === 0 ? '' : html` aria-describedby="${describedBy.join(' ')}"`
  const invalid = complaint === undefined ? '' : html` aria-invalid="true"`
  const required = optional ? '' : html` aria-required="true"`
  const tells = dispatches ? html` data-tells` : ''
  const input = { attributes: html` aria-labelledby="${id}l"${described}${invalid}${required}${tells}`, optional }
  const mark = optional
    ? html`<span class="quiet">(optional)</span>`
    : html`<span class="bad" aria-hidden="true">*</span>`
  const target = domId(scene.key, blockId, element.action_id ?? '', '')
  const name = html`${label.text} ${mark}`
  return html`<div class="input-block${complaint === undefined ? '' : ' has-error'}" id="${id}">${
    GROUPED.has(element.type)
      ? html`<span class="label" id="${id}l">${name}</span>`
      : html`<label class="label" id="${id}l" for="${target}">${name}</label>`
  }${elementHtml(element, block, scene, input)}${
    complaint === undefined ? '' : html`<p class="bad small" id="${id}e" role="alert">${complaint}</p>`
  }${hint === undefined ? '' : html`<p class="quiet small" id="${id}h">${hint.text}</p>`}</div>`
}

/** A table with all its rows, which Slack shows in pages and sorts by a press on a header. */
function dataTableHtml(table: Of<'data_table'>, key: string): Html {
  const [header = [], ...rows] = table.rows
  const id = domId(key, table.block_id, 'table')
  const classes = header.map((_, column) =>
    rows.every((row) => row[column]?.type === 'raw_number') ? html` class="number"` : '',
  )
  return html`<div class="frame card" id="${id}" data-table><strong class="row" id="${id}c">${table.caption}</strong><div class="table-scroll" tabindex="0" role="group" aria-labelledby="${id}c"><table aria-labelledby="${id}c"><thead><tr>${header.map(
    ({ text }, column) => html`<th scope="col"${classes[column]}>${text}</th>`,
  )}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell, column) => cellHtml(cell, column === 0, classes[column]))}</tr>`)}</tbody></table></div></div>`
}

function cellHtml({ text }: TableCell, isRowHeader: boolean, classes: Html | '' | undefined): Html {
  const content = html`<span class="cell">${text}</span>`
  return isRowHeader ? html`<th scope="row"${classes}>${content}</th>` : html`<td${classes}>${content}</td>`
}

const WIDTH = 640
const HEIGHT = 180
const TOP = 8
const RIGHT = 26
const MARK_GAP = 10
const FOOT = 26
const CHARACTER_WIDTH = 7.4
const CATEGORY_GAP = 14
const TONES = ['--link', '--wait', '--good', '--bad']

/** A chart as a picture with its title, a legend, and for who cannot see it a description with its numbers. */
function chartHtml({ title, chart, block_id: blockId }: Of<'data_visualization'>, key: string): Html {
  const id = domId(key, blockId, 'chart')
  const { x_label: across, y_label: upwards } = chart.axis_config
  const axes = [upwards, across].filter((label) => label !== undefined).join(' · ')
  return html`<figure class="chart frame card" id="${id}"><figcaption><strong id="${id}t">${title}</strong> <small>${axes}</small></figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}t ${id}d"><desc id="${id}d">${chartText(title, chart)}</desc>${chartPicture(chart)}</svg>${legend(chart)}</figure>`
}

function legend({ series }: Chart): Html {
  if (series.length < 2) return NOTHING
  return html`<ul class="row plain small">${series.map(({ name }, index) => html`<li><svg width="10" height="10" aria-hidden="true"><rect class="swatch" width="10" height="10" fill="${toneOf(index)}"/></svg> ${name}</li>`)}</ul>`
}

/** Lines with their marks, and every category where there is room: otherwise as many as do not touch, and the newest. */
function chartPicture({ series, axis_config: { categories } }: Chart): Html {
  const all = series.map((one) => ({ name: one.name, values: valuesOf(one, categories) }))
  const { ticks, position } = scaleFor(all.flatMap(({ values }) => values))
  const left = MARK_GAP + longest(ticks.map(shortNumber)) * CHARACTER_WIDTH
  const width = WIDTH - RIGHT - left
  const x = (index: number): string => (left + (width * (index + 0.5)) / categories.length).toFixed(1)
  const y = (value: number): string => (HEIGHT - FOOT - position(value) * (HEIGHT - FOOT - TOP)).toFixed(1)
  const room = Math.max(1, Math.floor(width / (longest(categories) * CHARACTER_WIDTH + CATEGORY_GAP)))
  const every = Math.ceil(categories.length / room)
  const isNamed = (index: number): boolean => (categories.length - 1 - index) % every === 0
  return html`${ticks.map(
    (tick) =>
      html`<line stroke="var(--line)" x1="${left}" x2="${left + width}" y1="${y(tick)}" y2="${y(tick)}"/><text class="mark" fill="currentColor" x="${left - MARK_GAP}" y="${y(tick)}" dy="4" text-anchor="end">${shortNumber(tick)}</text>`,
  )}${categories.map((category, index) =>
    isNamed(index)
      ? html`<text class="mark" fill="currentColor" x="${Math.min(Number(x(index)), WIDTH - (category.length * CHARACTER_WIDTH) / 2)}" y="${HEIGHT - 8}" text-anchor="middle">${category}</text>`
      : NOTHING,
  )}${all.map(({ name, values }, index) => {
    const points = values.map((value, at) => `${x(at)},${y(value)}`).join(' ')
    return html`<polyline class="line" fill="none" stroke-width="2.2" stroke="${toneOf(index)}" points="${points}"/>${values.map(
      (value, at) =>
        html`<circle class="dot" fill="${toneOf(index)}" cx="${x(at)}" cy="${y(value)}" r="3.5"><title>${categories[at]}: ${name} ${value.toLocaleString('en-US')}</title></circle>`,
    )}`
  })}`
}

function longest(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length))
}

function toneOf(index: number): string {
  return `var(${TONES[index % TONES.length]})`
}

const WANTED_STEPS = 4
/** A line that varies by less than this share of its size is shown without the way down to zero. */
const FLAT_SHARE = 0.5
/** Differences below this share of the values, and values below it, cannot be seen. */
const NEGLIGIBLE = 1e-9

/** A scale with round marks around the values. It leaves zero out where a line would be flat. */
export function scaleFor(values: readonly number[]) {
  const least = values.reduce((min, value) => Math.min(min, value), values[0] ?? 0)
  const most = values.reduce((max, value) => Math.max(max, value), values[0] ?? 0)
  const size = Math.max(Math.abs(least), Math.abs(most))
  const isFlat = least > 0 === most > 0 && most - least < size * FLAT_SHARE
  const low = isFlat ? least : Math.min(0, least)
  const high = isFlat ? most : Math.max(0, most)
  const isSeen = high - low > Math.max(size, 1) * NEGLIGIBLE
  const step = roundStep((isSeen ? high - low : size > NEGLIGIBLE ? size : 1) / WANTED_STEPS)
  const first = Math.floor(low / step)
  const last = Math.max(Math.ceil(high / step), first + 1)
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
  const from = first * step
  const span = (last - first) * step
  /** Where a value stands between the ends: 0 to 1. */
  const position = (value: number): number => (value - from) / span
  return { ticks, position }
}

/** 1, 2, 2.5 or 5 times a power of ten, at least as large as what is wanted. */
function roundStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted))
  const factor = [1, 2, 2.5, 5].find((candidate) => candidate * power >= wanted * 0.999) ?? 10
  return factor * power
}
