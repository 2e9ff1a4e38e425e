import * as z from 'zod'
import { unreachable } from '../../../shared/errors.ts'
import { LIMITS } from './limits.ts'
import { richText, richTextContent } from './rich-text.ts'
import { blockId } from './text.ts'

const rawText = z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) })
const rawNumber = z.strictObject({
  type: z.literal('raw_number'),
  value: z.number(),
  text: z.string().min(1),
})
const cell = z.discriminatedUnion('type', [rawText, rawNumber, richText])

/** One cell of either kind of table. */
export type TableCell = z.infer<typeof cell>

/** The plain table: its first row is its header. */
export const table = z.strictObject({
  type: z.literal('table'),
  block_id: blockId,
  rows: z.array(z.array(cell).min(1).max(LIMITS.table.columns)).min(1).max(LIMITS.table.rows),
  column_settings: z
    .array(
      z
        .strictObject({ align: z.enum(['left', 'center', 'right']).optional(), is_wrapped: z.boolean().optional() })
        .nullable(),
    )
    .max(LIMITS.table.columns)
    .optional(),
})

/** The sortable, paged table: a header row of plain cells, then 1 to 200 rows of the same length. */
export const dataTable = z
  .strictObject({
    type: z.literal('data_table'),
    block_id: blockId,
    caption: z.string().min(1),
    rows: z.array(z.array(cell).min(1).max(LIMITS.dataTable.columns)).min(2).max(LIMITS.dataTable.rows),
    page_size: z.int().min(1).max(LIMITS.dataTable.pageSize).optional(),
    row_header_column_index: z.int().min(0).optional(),
  })
  .superRefine(({ rows, row_header_column_index: rowHeader }, context) => {
    const header = rows[0] ?? []
    const complain = (message: string, path: (string | number)[]) => context.addIssue({ code: 'custom', message, path })
    header.forEach((each, column) => {
      if (each.type === 'rich_text') complain('header cells must not be rich_text', ['rows', 0, column])
    })
    rows.forEach((row, index) => {
      if (row.length !== header.length) complain('all rows must have the same number of cells', ['rows', index])
    })
    if (rowHeader !== undefined && rowHeader >= header.length) {
      complain('must be the index of a column', ['row_header_column_index'])
    }
  })

/** The text of one cell, as it is counted and shown. */
export function cellText(given: TableCell): string {
  switch (given.type) {
    case 'raw_text':
    case 'raw_number':
      return given.text
    case 'rich_text':
      return richTextContent(given)
    default:
      return unreachable(given)
  }
}

/** All characters in the cells of a table. */
export function tableCharacters(rows: readonly (readonly TableCell[])[]): number {
  return rows.flat().reduce((sum, each) => sum + cellText(each).length, 0)
}
