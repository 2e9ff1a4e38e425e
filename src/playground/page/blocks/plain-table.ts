import type * as z from 'zod'
import { cellText, type table } from '../../slack/block-rules/tables.ts'
import { html, type Html } from '../html.ts'
import type { Reader } from '../reader.ts'
import { richTextHtml } from '../rich-text.ts'

type Table = z.infer<typeof table>

/** A table as it stands: its first row is its header, columns are aligned as the app says. */
export function plainTableHtml({ rows, column_settings: settings = [] }: Table, reader: Reader): Html {
  const [header = [], ...body] = rows
  const side = (column: number): string => `align-${settings[column]?.align ?? 'left'}`
  return html`<div class="table-scroll plain-table" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${header.map(
    (cell, column) => html`<th scope="col" class="${side(column)}">${cellText(cell)}</th>`,
  )}</tr></thead><tbody>${body.map(
    (row) =>
      html`<tr>${row.map((cell, column) => html`<td class="${side(column)}">${cell.type === 'rich_text' ? richTextHtml(cell, reader) : html`<span class="cell">${cell.text}</span>`}</td>`)}</tr>`,
  )}</tbody></table></div>`
}
