import type { Testbed } from './testbed.ts'

/** A line of the table: what is measured, and the limit that has to hold. Times are milliseconds, sizes bytes, shares from 0 to 1. */
export interface Row {
  readonly work: string
  /** What does the same work in the same run. The limit is on ours by theirs; without it, on ours. */
  readonly reference?: string
  readonly unit: 'time' | 'size' | 'share' | 'count'
  readonly atMost?: number
  readonly atLeast?: number
  /** The limit of a quick run, whose inputs are small, if another one. */
  readonly quick?: number
}

/** What one round measured, by row: ours, or ours and theirs. */
export type Round = Readonly<Record<string, number | readonly [ours: number, theirs: number]>>

/** Rows that are measured together. */
export interface Bench {
  /** What `--only` calls it. */
  readonly name: string
  /** It mostly waits, so it runs beside the others; or it judges single moments, so nothing runs beside it. */
  readonly runs?: 'beside' | 'alone'
  readonly rows: Readonly<Record<string, Row>>
  /** Yields each round. In a round the reference takes turns with ours, so that a slow machine is slow for both. */
  readonly rounds: (testbed: Testbed, quick: boolean) => AsyncGenerator<Round>
}

export type Result = ReturnType<typeof judge>[number]

/** Holds the medians of all rounds, which no single slow moment moves, against the limits. What was not measured meets none. */
export function judge(rows: Bench['rows'], rounds: readonly Round[], quick: boolean) {
  return Object.entries(rows).map(([name, row]) => {
    const pairs = rounds.map((round) => [round[name] ?? Number.NaN].flat())
    const ours = pairs.map(([own]) => own ?? Number.NaN)
    const theirs = pairs.map(([, other]) => other ?? Number.NaN)
    const values = ours.map((own, round) => (row.reference === undefined ? own : own / (theirs[round] ?? Number.NaN)))
    const median = quantile(values, 0.5)
    const limit = (quick ? row.quick : undefined) ?? row.atMost ?? row.atLeast ?? Number.NaN
    return {
      row,
      ours: quantile(ours, 0.5),
      theirs: row.reference === undefined ? undefined : quantile(theirs, 0.5),
      median,
      least: Math.min(...values),
      most: Math.max(...values),
      limit,
      isMet: row.atMost === undefined ? median >= limit : median <= limit,
    }
  })
}

const amount: Readonly<Record<Row['unit'], (value: number) => string>> = {
  time: (ms) => (ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(2)} s`),
  size: (bytes) => (bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`),
  share: (share) => `${(share * 100).toFixed(1)} %`,
  count: String,
}

/** All results as a table in Markdown. */
export function tableOf(results: readonly Result[]): string {
  const head = ['Work', 'Beside', 'Ours', 'Theirs', 'Median', 'Least to most', 'Limit', '']
  const lines = results.map(({ row, ours, theirs, median, least, most, limit, isMet }) => {
    const shown = (value: number): string =>
      row.reference === undefined ? amount[row.unit](value) : `${value.toFixed(2)}×`
    return [
      row.work,
      row.reference ?? '–',
      amount[row.unit](ours),
      theirs === undefined ? '–' : amount[row.unit](theirs),
      shown(median),
      least === most ? '–' : `${shown(least)} to ${shown(most)}`,
      `${row.atMost === undefined ? '≥' : '≤'} ${shown(limit)}`,
      isMet ? 'met' : 'MISSED',
    ]
  })
  const cells = [head, head.map(() => '---'), ...lines]
  return cells.map((line) => `| ${line.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')
}

/** The value that this share of all do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
}

/** Runs two works one after the other: as they stand in even turns, the other way round in odd ones. Results are as they stand. */
export async function inTurn<T>(
  turn: number,
  [one, other]: readonly [() => Promise<T>, () => Promise<T>],
): Promise<[T, T]> {
  if (turn % 2 === 0) return [await one(), await other()]
  const last = await other()
  return [await one(), last]
}
