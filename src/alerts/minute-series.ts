import { CACHE_COUNTS, COUNTS, type CountName, type MinuteCounts } from '../store/minute-counts.ts'

export const MINUTE_MS = 60_000

/** Lines of a stretch of time, by cache status and by class of status code, and how much of the time was read. */
export interface Counts extends Readonly<Record<CountName, number>> {
  /** All lines, whatever their status. */
  readonly lines: number
  /** How long the stretch is. */
  readonly minutes: number
  /** Of the stretch, 0 to 1. Numbers are of the lines that were read: divided by this they are an estimate of all. */
  readonly covered: number
  /** Share of its minutes of which at least a part was read, 0 to 1: tells a sample of all minutes from a gap. */
  readonly known: number
}

/** Columns after the counts. */
const COVERED = COUNTS.length
const KNOWN = COUNTS.length + 1

const NOTHING = {
  hit: 0,
  miss: 0,
  stale: 0,
  updating: 0,
  revalidated: 0,
  bypass: 0,
  uncached: 0,
  other: 0,
  c1xx: 0,
  c2xx: 0,
  c3xx: 0,
  c4xx: 0,
  c5xx: 0,
  uncoded: 0,
} satisfies Record<CountName, number>

/**
 * The minutes of a pull zone from one minute to another, gaps included, so made that the sum over any stretch costs the
 * same whatever its length. Minutes are whole minutes since 1970; ranges exclude their end.
 */
export class MinuteSeries {
  readonly from: number
  readonly until: number
  /** For each count, then covered milliseconds, then minutes read in part at least: the sums of all before each minute. */
  readonly #sums: readonly Float64Array[]

  /** Minutes outside of the range are left out; of a minute that is given twice the last one counts. */
  constructor(from: number, until: number, minutes: Iterable<MinuteCounts>) {
    this.from = from
    this.until = Math.max(from, until)
    const length = this.until - this.from + 1
    const columns = [...COUNTS, 'coveredMs'] as const
    const sums = [...columns, 'known'].map(() => new Float64Array(length))
    for (const counts of minutes) {
      const at = counts.minute - this.from
      if (at < 0 || at >= length - 1) continue
      columns.forEach((name, column) => {
        const sum = sums[column]
        if (sum !== undefined) sum[at + 1] = counts[name]
      })
      const known = sums[KNOWN]
      if (known !== undefined) known[at + 1] = counts.coveredMs > 0 ? 1 : 0
    }
    for (const sum of sums) for (let at = 1; at < length; at += 1) sum[at] = (sum[at] ?? 0) + (sum[at - 1] ?? 0)
    this.#sums = sums
  }

  /** What was counted from one minute to another. Minutes outside of the series count as not read. */
  sum(from: number, until: number): Counts {
    const counts = { ...NOTHING, lines: this.lines(from, until), ...this.stretch(from, until) }
    for (const [column, name] of COUNTS.entries()) counts[name] = this.#between(column, from, until)
    return counts
  }

  /** All lines from one minute to another, whatever their status: cheaper than `sum` where nothing else is wanted. */
  lines(from: number, until: number): number {
    let lines = 0
    for (let column = 0; column < CACHE_COUNTS.length; column += 1) lines += this.#between(column, from, until)
    return lines
  }

  /** The share of a stretch that was read, 0 to 1; 0 of an empty one. */
  covered(from: number, until: number): number {
    return until > from ? this.#between(COVERED, from, until) / ((until - from) * MINUTE_MS) : 0
  }

  /** The share of its minutes of which at least a part was read, 0 to 1; 0 of an empty one. */
  known(from: number, until: number): number {
    return until > from ? this.#between(KNOWN, from, until) / (until - from) : 0
  }

  /** How long a stretch is and how much of it was read. */
  stretch(from: number, until: number): Pick<Counts, 'minutes' | 'covered' | 'known'> {
    return { minutes: until - from, covered: this.covered(from, until), known: this.known(from, until) }
  }

  #between(column: number, from: number, until: number): number {
    const sum = this.#sums[column]
    if (sum === undefined) return 0
    const first = Math.min(Math.max(from, this.from), this.until) - this.from
    const last = Math.min(Math.max(until, this.from), this.until) - this.from
    return last > first ? (sum[last] ?? 0) - (sum[first] ?? 0) : 0
  }
}
