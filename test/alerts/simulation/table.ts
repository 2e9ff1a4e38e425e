import type { Day } from './day.ts'
import { STATIC_RULE, Z_RULE } from './rivals.ts'
import { judge, judgeRival, type Verdict } from './verdict.ts'

/** A day with what was made of it; the day itself is not kept, which for fifty would be much. */
export interface Judged {
  readonly seed: string
  readonly verdict: Verdict
  readonly rivals: readonly {
    readonly name: string
    readonly delays: readonly number[]
    readonly falseAlarms: number
  }[]
}

export function judged(day: Day): Judged {
  const rivals = ([STATIC_RULE, Z_RULE] as const).map((name) => ({ name, ...judgeRival(day, name) }))
  return { seed: day.seed, verdict: judge(day), rivals }
}

/** Ours beside what others would have said of the same days, as a table for people. */
export function comparison(days: readonly Judged[]): string {
  const cases = days.flatMap(({ verdict }) => verdict.cases)
  const ours = {
    name: 'ours',
    delays: cases.flatMap(({ afterStartMs }) => (afterStartMs === undefined ? [] : [afterStartMs])),
    falseAlarms: days.reduce((sum, { verdict }) => sum + verdict.falseAlarms.length, 0),
  }
  const others = [STATIC_RULE, Z_RULE].map((name) => {
    const rows = days.flatMap(({ rivals }) => rivals.filter((rival) => rival.name === name))
    return {
      name,
      delays: rows.flatMap(({ delays }) => delays),
      falseAlarms: rows.reduce((sum, { falseAlarms }) => sum + falseAlarms, 0),
    }
  })
  const rows = [ours, ...others].map(({ name, delays, falseAlarms }) => [
    name,
    `${delays.length} of ${cases.length}`,
    seconds(median(delays)),
    `${falseAlarms}`,
  ])
  return lines([['', 'incidents told', 'median from start', `false alarms in ${days.length} days`], ...rows])
}

/** What went wrong, how late each was told, and by which kinds. */
export function byMishap(days: readonly Judged[]): string {
  const cases = days.flatMap(({ verdict }) => verdict.cases)
  const kinds = [...new Set(cases.map(({ scripted }) => scripted.what))].toSorted()
  const rows = kinds.map((what) => {
    const own = cases.filter(({ scripted }) => scripted.what === what)
    const from = own.flatMap(({ afterStartMs }) => afterStartMs ?? [])
    const held = own.flatMap(({ afterHeldMs }) => afterHeldMs ?? [])
    const told = new Set(own.flatMap((each) => each.kinds))
    return [
      what,
      `${from.length} of ${own.length}`,
      seconds(median(from)),
      seconds(Math.max(...from)),
      seconds(Math.max(...held)),
      [...told].toSorted().join(', '),
    ]
  })
  return lines([['', 'told', 'median from start', 'latest', 'latest after held', 'by'], ...rows])
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

function seconds(ms: number): string {
  return Number.isFinite(ms) ? `${Math.round(ms / 1_000)} s` : '–'
}

function lines(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  return rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`).join('')
}
