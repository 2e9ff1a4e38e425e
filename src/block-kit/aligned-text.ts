/** A table as text: what stands in each column, header first, and which columns hold numbers. */
export interface TextTable {
  readonly rows: readonly (readonly string[])[]
  /** One entry per column: numbers stand at the right. */
  readonly numeric: readonly boolean[]
}

const GAP = '  '

/**
 * A table as lines of fixed-width text, header first: columns as wide as their widest cell up to `maxWidth` code
 * points, longer cells cut with …. Only as many lines as fit into `maxCharacters`; the last one then says how many
 * are missing.
 */
export function alignedText({ rows, numeric }: TextTable, maxWidth: number, maxCharacters: number): string {
  const cells = rows.map((row) => numeric.map((_, column) => cell(row[column] ?? '', maxWidth)))
  const widths = numeric.map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, width(row[column] ?? '')), 1),
  )
  const lines = cells.map((row) => row.map((text, column) => pad(text, widths[column] ?? 1, numeric[column] === true)))
  return withinLimit(
    lines.map((line) => line.join(GAP).trimEnd()),
    maxCharacters,
  )
}

/** The first lines that fit, and one that counts the others. */
function withinLimit(lines: readonly string[], maxCharacters: number): string {
  const whole = lines.join('\n')
  if (whole.length <= maxCharacters) return whole
  const kept: string[] = []
  let left = maxCharacters - moreRows(lines.length).length
  for (const line of lines) {
    left -= line.length + 1
    if (left < 0) break
    kept.push(line)
  }
  return [...kept, moreRows(lines.length - kept.length)].join('\n')
}

function moreRows(rows: number): string {
  return `… and ${rows} more ${rows === 1 ? 'row' : 'rows'}`
}

function cell(text: string, maxWidth: number): string {
  const points = Array.from(text)
  return points.length <= maxWidth ? text : `${points.slice(0, maxWidth - 1).join('')}…`
}

function pad(text: string, wanted: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, wanted - width(text)))
  return right ? `${space}${text}` : `${text}${space}`
}

function width(text: string): number {
  return Array.from(text).length
}
