import { stringify } from 'csv-stringify/sync'
import { visible } from '../../shared/untrusted.ts'

export type CsvCell = string | number | bigint | Date | undefined

/** Slack shows no cell this long, and a log line of the platform is far shorter. */
const MAX_CELL_CODE_POINTS = 8_000
const PLAIN = /^[\x20-\x7e]*$/
/** What a spreadsheet takes for the beginning of a formula, in its full-width forms too; spaces before it are passed over. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^\t/
/** The same after what begins another cell, or line, where a spreadsheet is set to split at semicolons or tabs; quotes may follow it. */
const SPLIT_FORMULA = /([;\t\n]"*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g

/**
 * A comma-separated file with a head line, as spreadsheets and programs both read it. Where a spreadsheet would begin a
 * formula there is an apostrophe before it, characters that hide or reorder text are spelled out, and dates are
 * ISO 8601 in UTC.
 */
export function csv<T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string {
  return stringify([
    columns.map(([title]) => title),
    ...rows.map((row) => columns.map(([, value]) => plain(value(row)))),
  ])
}

export type CsvColumn<T> = readonly [title: string, value: (row: T) => CsvCell]

export function csvName(...parts: readonly (string | bigint)[]): string {
  const words = parts.join('-').toLowerCase()
  return `${words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')}.csv`
}

function plain(cell: CsvCell): string | number | bigint {
  if (cell === undefined) return ''
  if (cell instanceof Date) return cell.toISOString()
  if (typeof cell !== 'string') return cell
  // Nearly every cell is plain ASCII, in which nothing can hide; looking closer would cost a long file half a second.
  const shown = PLAIN.test(cell) && cell.length <= MAX_CELL_CODE_POINTS ? cell : visible(cell, MAX_CELL_CODE_POINTS)
  const split = shown.replace(SPLIT_FORMULA, "$1'")
  return FORMULA.test(split) ? `'${split}` : split
}
