import type { Block, DataTableBlock, ViewBlock } from './blocks.ts'
import { chartText } from './chart.ts'
import { joinMd, md } from './mrkdwn.ts'
import { section } from './sections.ts'
import { tableBox } from './table.ts'

/** Whether a block is one of those that Slack may refuse to draw, and never draws in a modal. */
export function hasDrawings(block: ViewBlock): boolean {
  return block.type === 'data_table' || block.type === 'data_visualization'
}

/** The same blocks with every data table as fixed-width text and every chart as its numbers. */
export function plainForm<B extends ViewBlock>(blocks: readonly B[]): readonly (B | Block)[] {
  return blocks.flatMap((block): readonly (B | Block)[] => {
    if (block.type === 'data_table') return [section(md`*${block.caption}*`), boxOf(block)]
    if (block.type === 'data_visualization') {
      return [section(joinMd([md`*${block.title}*`, chartText(block)], '\n'))]
    }
    return [block]
  })
}

function boxOf({ rows }: DataTableBlock): Block {
  const [header = [], ...body] = rows
  return tableBox({
    rows: rows.map((row) => row.map(({ text }) => text)),
    numeric: header.map((_, column) => body.some((row) => row[column]?.type === 'raw_number')),
  })
}
