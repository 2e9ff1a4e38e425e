import type * as z from 'zod'
import { unreachable } from '../../shared/errors.ts'
import { richTextContent, type Block, type dataTable, type InputBlock, type TableCell } from '../slack/blocks.ts'
import { chartHtml } from './chart.ts'
import { elementHtml } from './elements.ts'
import { domId, html, type Html } from './html.ts'
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
  return html`<div class="section">${text === undefined && fields.length === 0 ? '' : html`<div class="grow">${textHtml(text, reader)}${fields.length === 0 ? '' : html`<div class="fields">${fields.map((field) => html`<div>${textHtml(field, reader)}</div>`)}</div>`}</div>`}${accessory === undefined ? '' : html`<div class="accessory">${elementHtml(accessory, block, scene)}</div>`}</div>`
}

const GROUPED = new Set<string>(['checkboxes', 'radio_buttons'])

/** A question of a form: its label, the place for the answer, its hint, and what is wrong with the answer. */
function inputBlockHtml(block: InputBlock, scene: Scene): Html {
  const { block_id: blockId = '', label, hint, element, optional = false, dispatch_action: dispatches = false } = block
  const complaint = scene.form?.errors[blockId]
  const id = domId(scene.key, blockId, 'input')
  const describedBy = [...(hint === undefined ? [] : [`${id}h`]), ...(complaint === undefined ? [] : [`${id}e`])]
  const input = { labelId: `${id}l`, describedBy, hasComplaint: complaint !== undefined, optional, dispatches }
  const mark = optional
    ? html`<span class="quiet">(optional)</span>`
    : html`<span class="required" aria-hidden="true">*</span>`
  const target = domId(scene.key, blockId, element.action_id ?? '', '')
  const name = html`${label.text} ${mark}`
  return html`<div class="input-block${complaint === undefined ? '' : ' has-error'}" id="${id}">${
    GROUPED.has(element.type)
      ? html`<span class="label" id="${id}l">${name}</span>`
      : html`<label class="label" id="${id}l" for="${target}">${name}</label>`
  }${elementHtml(element, block, scene, input)}${
    complaint === undefined ? '' : html`<p class="error small" id="${id}e" role="alert">${complaint}</p>`
  }${hint === undefined ? '' : html`<p class="hint quiet small" id="${id}h">${hint.text}</p>`}</div>`
}

type DataTable = z.infer<typeof dataTable>

/** How many rows Slack shows at once unless the app says otherwise. */
const DEFAULT_PAGE_ROWS = 5

/** A table whose columns sort by a press on their header and whose rows come in pages; the script turns both. */
function dataTableHtml(table: DataTable, key: string): Html {
  const [header = [], ...rows] = table.rows
  const id = domId(key, table.block_id, 'table')
  const perPage = table.page_size ?? DEFAULT_PAGE_ROWS
  const numeric = header.map((_, column) => rows.every((row) => row[column]?.type === 'raw_number'))
  return html`<div class="frame card" id="${id}" data-table data-page-size="${perPage}"><strong class="row" id="${id}c">${table.caption}</strong><div class="table-scroll" tabindex="0" role="group" aria-labelledby="${id}c"><table aria-labelledby="${id}c"><thead><tr>${header.map(
    (cell, column) =>
      html`<th scope="col"${numberClass(numeric[column])}><button type="button" class="bare" data-sort="${column}" data-numeric="${numeric[column] === true ? 'yes' : 'no'}">${cell.text}</button></th>`,
  )}</tr></thead><tbody>${rows.map(
    (row, index) =>
      html`<tr data-row="${index}"${index >= perPage ? html` hidden` : ''}>${row.map((cell, column) => cellHtml(cell, column === 0, numeric[column] === true))}</tr>`,
  )}</tbody></table></div>${pager(rows.length, perPage)}</div>`
}

function cellHtml(cell: TableCell, isRowHeader: boolean, isNumeric: boolean): Html {
  const content = html`<span class="cell">${cell.text}</span>`
  const number = cell.type === 'raw_number' ? html` data-value="${cell.value}"` : ''
  return isRowHeader
    ? html`<th scope="row"${numberClass(isNumeric)}${number}>${content}</th>`
    : html`<td${numberClass(isNumeric)}${number}>${content}</td>`
}

function pager(rows: number, perPage: number): Html {
  if (rows <= perPage) return html`<div class="row quiet small">${rows} ${rows === 1 ? 'row' : 'rows'}</div>`
  return html`<div class="row between quiet small"><span data-range aria-live="polite">1–${perPage} of ${rows}</span><span><button type="button" class="icon-button" data-page="-1" aria-label="Previous rows" disabled>‹</button><button type="button" class="icon-button" data-page="1" aria-label="Next rows">›</button></span></div>`
}

function numberClass(isNumeric: boolean | undefined): Html | '' {
  return isNumeric === true ? html` class="number"` : ''
}
