import { count } from './amounts.ts'
import { CAPTION_CHARACTERS, TABLE_CHARACTERS, TABLE_COLUMNS, TABLE_PAGE_ROWS, TABLE_ROWS } from './limits.ts'
import { md } from './mrkdwn.ts'
import { cut, oneLine } from './plain-text.ts'
import { preformatted, type RichTextBlock, section } from './sections.ts'

/** `text` is what is shown. A column sorts by number only when all of its cells are numbers. */
export type TableCell =
  | { readonly type: 'raw_text'; readonly text: string }
  | { readonly type: 'raw_number'; readonly value: number; readonly text: string }

/** A table people can sort and page. Messages and Home only; the first row is the header. */
export interface DataTableBlock {
  readonly type: 'data_table'
  readonly caption: string
  readonly rows: readonly (readonly TableCell[])[]
  readonly page_size?: number
}

type TableValue = string | number | bigint | undefined

export interface Table {
  /** Read by screen readers before the table. */
  readonly caption: string
  /** At most 20 are shown. Numbers stand at the right and sort by value. */
  readonly columns: readonly { readonly title: string; readonly kind: 'text' | 'number' }[]
  /** One value per column; `undefined` and empty text are shown as –. */
  readonly rows: readonly (readonly TableValue[])[]
  /** Rows shown at once; Slack shows 5 when not said, and 100 at most. */
  readonly pageSize?: number
}

/** What a table shows of a row, under which title. */
export type Column<T> = readonly [title: string, value: (row: T) => TableValue, kind?: 'number']

export function tableOf<T>(
  caption: string,
  columns: readonly Column<T>[],
  rows: readonly T[],
  pageSize: number,
): Table {
  return {
    caption,
    columns: columns.map(([title, , kind]) => ({ title, kind: kind ?? 'text' })),
    rows: rows.map((row) => columns.map(([, value]) => value(row))),
    pageSize,
  }
}

const CELL_CHARACTERS = 400
const COLUMN_WIDTH = 40
const GAP = '  '
const TWIN_ROWS = 5
/** What a table in fixed-width text may take of a message's 10,000 characters. */
const PLAIN_TABLE_CHARACTERS = 3_500

/** A native table of the first rows, at most 100 and 10,000 characters. Without rows it is a sentence saying so. */
export function fitTable(table: Table) {
  const total = table.rows.length
  const columns = table.columns.slice(0, TABLE_COLUMNS)
  const caption = oneLine(table.caption, CAPTION_CHARACTERS)
  if (total === 0 || columns.length === 0) return { block: section(md`*${caption}*\nNo rows.`), kept: 0, total }
  const header = columns.map(({ title }): TableCell => ({ type: 'raw_text', text: cellText(title) }))
  const rows: (readonly TableCell[])[] = [header]
  let left = TABLE_CHARACTERS - caption.length - charactersOf(header)
  for (const row of table.rows.slice(0, TABLE_ROWS)) {
    const cells = columns.map(({ kind }, index) => cellOf(row[index], kind))
    left -= charactersOf(cells)
    if (left < 0) break
    rows.push(cells)
  }
  const block: DataTableBlock = {
    type: 'data_table',
    caption,
    rows,
    ...(table.pageSize !== undefined && { page_size: Math.min(Math.max(1, table.pageSize), TABLE_PAGE_ROWS) }),
  }
  return { block, kept: rows.length - 1, total }
}

/** The first rows in words for the text twin: `Day 2026-11-01, Used 1.25 GB`, one row a line, then `and 25 more`. */
export function tableText({ columns, rows }: Table, maxRows = TWIN_ROWS): string {
  const lines = rows
    .slice(0, maxRows)
    .map((row) => columns.map(({ title }, index) => `${cellText(title)} ${shownValue(row[index])}`).join(', '))
  const rest = rows.length - lines.length
  return [...lines, ...(rest > 0 ? [`and ${count(rest)} more`] : [])].join('\n')
}

/** The rows of a native table, header first, as aligned text in a box, for where the table is refused. */
export function tableBox({ rows }: DataTableBlock): RichTextBlock {
  const [header = [], ...body] = rows
  const numeric = header.map((_, column) => body.some((row) => row[column]?.type === 'raw_number'))
  const texts = rows.map((row) => row.map(({ text }) => text))
  return preformatted(alignedLines(texts, numeric, COLUMN_WIDTH).join('\n'), PLAIN_TABLE_CHARACTERS)
}

/** A number as a number only where JavaScript holds it exactly; else its digits as text. */
function cellOf(value: TableValue, kind: Table['columns'][number]['kind']): TableCell {
  const text = shownValue(value)
  const number = typeof value === 'bigint' ? Number(value) : value
  const isExact = Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number))
  if (kind !== 'number' || typeof number !== 'number' || !isExact) return { type: 'raw_text', text }
  return { type: 'raw_number', value: number, text }
}

function shownValue(value: TableValue): string {
  if (typeof value === 'number' || typeof value === 'bigint') return count(value)
  return cellText(value ?? '')
}

function cellText(text: string): string {
  return oneLine(text, CELL_CHARACTERS)
}

function charactersOf(cells: readonly TableCell[]): number {
  return cells.reduce((sum, { text }) => sum + text.length, 0)
}

/** Rows as lines of fixed-width text: columns as wide as their widest cell, cells of more than `most` UTF-16 units cut with …. */
export function alignedLines(
  rows: readonly (readonly string[])[],
  numeric: readonly boolean[],
  most = Number.POSITIVE_INFINITY,
): readonly string[] {
  const cells = rows.map((row) => row.map((cell) => cut(cell, most)))
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const pad = (text: string, column: number): string =>
    numeric[column] === true ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0)
  return cells.map((row) => row.map(pad).join(GAP).trimEnd())
}
