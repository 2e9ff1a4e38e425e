import { cellText, type TableCell } from '../block-rules/tables.ts'

/** Wider cells are cut in print; the message itself has all of it. */
const MAX_WIDTH = 60
const GAP = '  '

/** Rows as aligned columns, a rule under the first; columns of numbers stand to the right. */
export function tableText(rows: readonly (readonly TableCell[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cut(oneLine(cellText(cell)))))
  const columns = Math.max(...cells.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...cells.map((row) => (row[column] ?? '').length)),
  )
  const isNumeric = widths.map((_, column) => rows.slice(1).every((row) => row[column]?.type === 'raw_number'))
  const lines = cells.map((row) =>
    widths
      .map((width, column) => {
        const text = row[column] ?? ''
        return isNumeric[column] === true ? text.padStart(width) : text.padEnd(width)
      })
      .join(GAP)
      .trimEnd(),
  )
  const rule = widths.map((width) => '─'.repeat(width)).join(GAP)
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ⏎ ')
}

function cut(text: string): string {
  return text.length > MAX_WIDTH ? `${text.slice(0, MAX_WIDTH - 1)}…` : text
}
