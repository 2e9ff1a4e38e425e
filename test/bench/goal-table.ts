import type { Comparison, Goal, GoalResult, Unit } from './goal.ts'

const HEAD = ['Work', 'Measured against', 'Ours', 'Theirs', 'Result', 'Least to most', 'Goal', ''] as const
const KIB = 1024
const MIB = 1024 * KIB

/** All results in one table for a terminal, a line each, with columns wide enough for what stands in them. */
export function goalTable(results: readonly GoalResult[]): string {
  const rows = [HEAD, ...results.map(rowOf)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const lines = rows.map((row) => row.map((cell, column) => padded(cell, column, widths[column] ?? 0)).join('  '))
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

/** The same for `.github/docs/performance.md`. */
export function goalMarkdown(results: readonly GoalResult[]): string {
  const rows = [HEAD, HEAD.map(() => '---'), ...results.map(rowOf)]
  return rows.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.trimEnd()).join('\n')
}

function rowOf({ goal, ours, theirs, value, values, isMet, scale }: GoalResult): readonly string[] {
  const shown = (amount: number): string => resultText(goal, amount)
  const within = goal.atMost === undefined ? `≥ ${shown(goal.atLeast?.[scale] ?? 0)}` : `≤ ${shown(goal.atMost[scale])}`
  const { orOursAtMost: or } = goal
  const limit = or === undefined ? within : `${within} or ≤ ${amountText(goal.unit, or[scale])}`
  return [
    goal.work,
    goal.reference ?? '–',
    amountText(goal.unit, ours),
    theirs === undefined ? '–' : amountText(goal.unit, theirs),
    shown(value),
    values.length === 1 ? '–' : `${shown(Math.min(...values))} to ${shown(Math.max(...values))}`,
    limit,
    isMet ? 'met' : 'MISSED',
  ]
}

const RATIOS: ReadonlySet<Comparison> = new Set(['ratio', 'times faster'])

function resultText({ comparison, unit }: Goal, value: number): string {
  return RATIOS.has(comparison) ? `${value.toFixed(2)}×` : amountText(unit, value)
}

function amountText(unit: Unit, amount: number): string {
  switch (unit) {
    case 'time':
      return timeText(amount)
    case 'size':
      return Math.abs(amount) < MIB ? `${(amount / KIB).toFixed(1)} KiB` : `${(amount / MIB).toFixed(1)} MiB`
    case 'share':
      return `${(amount * 100).toFixed(1)} %`
    case 'count':
      return String(amount)
  }
}

function timeText(ms: number): string {
  if (Math.abs(ms) < 1) return `${(ms * 1_000).toFixed(1)} µs`
  return Math.abs(ms) < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(2)} s`
}

/** Words stand left, numbers right. */
function padded(cell: string, column: number, width: number): string {
  return column < 2 || column === HEAD.length - 1 ? cell.padEnd(width) : cell.padStart(width)
}
