import * as z from 'zod'
import { LIMITS } from './limits.ts'
import { blockId, shownText } from './text.ts'

const cellContent = shownText(LIMITS.message.dataTableCharacters)
const rawText = z.strictObject({ type: z.literal('raw_text'), text: cellContent })
const rawNumber = z.strictObject({
  type: z.literal('raw_number'),
  value: z.number(),
  text: cellContent,
})
const cell = z.discriminatedUnion('type', [rawText, rawNumber])

/** One cell of a table. */
export type TableCell = z.infer<typeof cell>

/** The sortable, paged table: a header row, then 1 to 200 rows of the same length. */
export const dataTable = z
  .strictObject({
    type: z.literal('data_table'),
    block_id: blockId,
    caption: z.string().min(1),
    rows: z.array(z.array(cell).min(1).max(LIMITS.dataTable.columns)).min(2).max(LIMITS.dataTable.rows),
    page_size: z.int().min(1).max(LIMITS.dataTable.pageSize).optional(),
  })
  .superRefine(({ rows: [header = [], ...body] }, context) => {
    body.forEach((row, index) => {
      if (row.length === header.length) return
      const message = 'all rows must have the same number of cells'
      context.addIssue({ code: 'custom', message, path: ['rows', index + 1] })
    })
  })

/** All characters in the cells of a table. */
export function tableCharacters(rows: readonly (readonly TableCell[])[]): number {
  return rows.flat().reduce((sum, each) => sum + each.text.length, 0)
}
