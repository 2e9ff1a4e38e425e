import type { BenchResult } from './bench.ts'

const HEAD = ['Bench', 'Median', 'Least', 'Most', 'Times', 'Goal', ''] as const

/** All results in one table, a line each, with columns wide enough for what stands in them. */
export function resultTable(results: readonly BenchResult[]): string {
  const rows = [HEAD, ...results.map(rowOf)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const lines = rows.map((row) => row.map((cell, column) => padded(cell, column, widths[column] ?? 0)).join('  '))
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

function rowOf({ title, unit, goal, measured, median, isMet }: BenchResult): readonly string[] {
  const amount = (value: number): string => `${Math.round(value).toLocaleString('en-US')} ${unit}`
  return [
    title,
    amount(median),
    amount(Math.min(...measured)),
    amount(Math.max(...measured)),
    String(measured.length),
    `≤ ${amount(goal)}`,
    isMet ? 'met' : 'MISSED',
  ]
}

/** Words stand left, numbers right. */
function padded(cell: string, column: number, width: number): string {
  return column === 0 || column === HEAD.length - 1 ? cell.padEnd(width) : cell.padStart(width)
}
