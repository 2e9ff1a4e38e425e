import type { MinuteCounts } from '../store/minute-counts.ts'
import { amountOf, type Column, COLUMNS, type Traffic } from './traffic.ts'

/**
 * The minutes of a pull zone from one minute to another, gaps included, so made that the sum over any stretch costs the
 * same whatever its length. Minutes are whole minutes since 1970; ranges exclude their end.
 */
export class MinuteSeries implements Traffic {
  readonly from: number
  readonly until: number
  /** For each column: the sums of all before each minute. */
  readonly #sums: readonly Float64Array[]

  /** Minutes outside of the range are left out; of a minute that is given twice the last one counts. */
  constructor(from: number, until: number, minutes: Iterable<MinuteCounts>) {
    this.from = from
    this.until = Math.max(from, until)
    const length = this.until - this.from + 1
    const sums = COLUMNS.map(() => new Float64Array(length))
    for (const counts of minutes) {
      const at = counts.minute - this.from
      if (at < 0 || at >= length - 1) continue
      for (const [index, column] of COLUMNS.entries()) {
        const sum = sums[index]
        if (sum !== undefined) sum[at + 1] = amountOf(column, counts)
      }
    }
    for (const sum of sums) for (let at = 1; at < length; at += 1) sum[at] = (sum[at] ?? 0) + (sum[at - 1] ?? 0)
    this.#sums = sums
  }

  total(column: Column, from: number, until: number): number {
    const sum = this.#sums[column]
    if (sum === undefined) return 0
    const first = Math.min(Math.max(Math.floor(from), this.from), this.until) - this.from
    const last = Math.min(Math.max(Math.floor(until), this.from), this.until) - this.from
    return last > first ? (sum[last] ?? 0) - (sum[first] ?? 0) : 0
  }
}
