/** The first rows of a file of comma-separated values, as far as a preview shows them. */
export interface CsvPreview {
  readonly rows: readonly (readonly string[])[]
  /** True when the file has more than is shown. */
  readonly isCut: boolean
}

const MAX_ROWS = 6
const MAX_COLUMNS = 8
const MAX_CELL_CHARACTERS = 60
/** No preview needs more of a file than this. */
const MAX_READ_CHARACTERS = 40_000

/** Reads the beginning of a file with quotes as RFC 4180 has them. */
export function csvPreview(content: string): CsvPreview {
  const rows = rowsOf(content.replace(/^\uFEFF/, '').slice(0, MAX_READ_CHARACTERS), MAX_ROWS + 1)
  const shown = rows.slice(0, MAX_ROWS).map((row) => row.slice(0, MAX_COLUMNS).map(cell))
  const isCut = rows.length > MAX_ROWS || rows.some((row) => row.length > MAX_COLUMNS)
  return { rows: shown, isCut }
}

function rowsOf(text: string, most: number): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy
  for (let match = cells.exec(text); match !== null && rows.length < most; match = cells.exec(text)) {
    const [whole, quoted, plain, end] = match
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end !== ',') {
      if (row.length > 1 || row[0] !== '') rows.push(row)
      row = []
    }
    if (whole === '' || (end === '' && cells.lastIndex >= text.length)) break
  }
  return rows
}

function cell(text: string): string {
  return text.length <= MAX_CELL_CHARACTERS ? text : `${text.slice(0, MAX_CELL_CHARACTERS - 1)}…`
}
