import type * as z from 'zod'
import { cellText, type dataTable, type TableCell } from '../../slack/block-rules/tables.ts'
import { domId } from '../dom-id.ts'
import { flag, html, type Html } from '../html.ts'
import type { Reader } from '../reader.ts'
import { richTextHtml } from '../rich-text.ts'

type DataTable = z.infer<typeof dataTable>

/** How many rows Slack shows at once unless the app says otherwise. */
const DEFAULT_PAGE_ROWS = 5

/** A table whose columns sort by a press on their header and whose rows come in pages; the script turns both. */
export function dataTableHtml(table: DataTable, key: string, reader: Reader): Html {
  const [header = [], ...rows] = table.rows
  const id = domId(key, table.block_id, 'table')
  const perPage = table.page_size ?? DEFAULT_PAGE_ROWS
  const rowHeader = table.row_header_column_index ?? 0
  const numeric = header.map((_, column) => rows.every((row) => row[column]?.type === 'raw_number'))
  return html`<div class="data-table" id="${id}" data-table data-page-size="${perPage}"><div class="table-caption" id="${id}c">${table.caption}</div><div class="table-scroll" tabindex="0" role="group" aria-labelledby="${id}c"><table aria-labelledby="${id}c"><thead><tr>${header.map(
    (cell, column) =>
      html`<th scope="col"${numberClass(numeric[column])}><button type="button" data-sort="${column}" data-numeric="${numeric[column] === true ? 'yes' : 'no'}">${cellText(cell)}<span class="sort-mark" aria-hidden="true"></span></button></th>`,
  )}</tr></thead><tbody>${rows.map(
    (row, index) =>
      html`<tr data-row="${index}"${flag('hidden', index >= perPage)}>${row.map((cell, column) => cellHtml(cell, column === rowHeader, numeric[column] === true, reader))}</tr>`,
  )}</tbody></table></div>${pager(rows.length, perPage)}</div>`
}

function cellHtml(cell: TableCell, isRowHeader: boolean, isNumeric: boolean, reader: Reader): Html {
  const content = cell.type === 'rich_text' ? richTextHtml(cell, reader) : html`<span class="cell">${cell.text}</span>`
  const number = cell.type === 'raw_number' ? html` data-value="${cell.value}"` : ''
  return isRowHeader
    ? html`<th scope="row"${numberClass(isNumeric)}${number}>${content}</th>`
    : html`<td${numberClass(isNumeric)}${number}>${content}</td>`
}

function pager(rows: number, perPage: number): Html {
  if (rows <= perPage) return html`<div class="table-foot">${rows} ${rows === 1 ? 'row' : 'rows'}</div>`
  return html`<div class="table-foot"><span data-range aria-live="polite">1–${perPage} of ${rows}</span><span class="pager"><button type="button" data-page="-1" aria-label="Previous rows" disabled>‹</button><button type="button" data-page="1" aria-label="Next rows">›</button></span></div>`
}

function numberClass(isNumeric: boolean | undefined): Html | '' {
  return isNumeric === true ? html` class="number"` : ''
}
