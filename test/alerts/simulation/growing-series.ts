import { type Counts, MINUTE_MS, MinuteSeries } from '../../../src/alerts/minute-series.ts'
import { CACHE_COUNTS, COUNTS, type CountName, type MinuteCounts } from '../../../src/store/minute-counts.ts'

/** Columns after the counts: covered milliseconds, and minutes of which anything was read. */
const COVERED = COUNTS.length
const KNOWN = COUNTS.length + 1
const COLUMNS = COUNTS.length + 2

/**
 * The minutes of a zone as far as they have been read, for a day in which each of thousands of looks sees days of them:
 * putting a minute in costs what comes after it, and no look builds anything.
 */
export class GrowingMinutes {
  readonly from: number
  readonly #sums: readonly Float64Array[]
  readonly #counts: readonly Float64Array[]
  #length = 0

  constructor(from: number, capacity: number) {
    this.from = from
    this.#sums = Array.from({ length: COLUMNS }, () => new Float64Array(capacity + 1))
    this.#counts = Array.from({ length: COLUMNS }, () => new Float64Array(capacity))
  }

  put(minutes: readonly MinuteCounts[]): void {
    let first = this.#length // minutes in between that nobody read have to be summed over, too
    for (const minute of minutes) {
      const at = minute.minute - this.from
      if (at < 0) continue
      first = Math.min(first, at)
      this.#length = Math.max(this.#length, at + 1)
      COUNTS.forEach((name, column) => (this.#counts[column]![at] = minute[name]))
      this.#counts[COVERED]![at] = minute.coveredMs
      this.#counts[KNOWN]![at] = minute.coveredMs > 0 ? 1 : 0
    }
    this.#sums.forEach((sum, column) => {
      const counts = this.#counts[column]!
      for (let at = first; at < this.#length; at += 1) sum[at + 1] = sum[at]! + counts[at]!
    })
  }

  /** What a look sees whose newest minute is the one before `until`. */
  asSeries(until: number): MinuteSeries {
    return new SeriesOfGrowing(this.from, until, this)
  }

  between(column: number, from: number, until: number): number {
    const sum = this.#sums[column]!
    const first = Math.min(Math.max(0, from - this.from), this.#length)
    const last = Math.min(Math.max(0, until - this.from), this.#length)
    return last > first ? sum[last]! - sum[first]! : 0
  }
}

class SeriesOfGrowing extends MinuteSeries {
  override readonly from: number
  override readonly until: number
  readonly #minutes: GrowingMinutes

  constructor(from: number, until: number, minutes: GrowingMinutes) {
    super(until, until, [])
    this.from = from
    this.until = until
    this.#minutes = minutes
  }

  override sum(from: number, until: number): Counts {
    const counts = { ...NOTHING, lines: this.lines(from, until), ...this.stretch(from, until) }
    for (const [column, name] of COUNTS.entries()) counts[name] = this.#between(column, from, until)
    return counts
  }

  override lines(from: number, until: number): number {
    let lines = 0
    for (let column = 0; column < CACHE_COUNTS.length; column += 1) lines += this.#between(column, from, until)
    return lines
  }

  override covered(from: number, until: number): number {
    return until > from ? this.#between(COVERED, from, until) / ((until - from) * MINUTE_MS) : 0
  }

  override known(from: number, until: number): number {
    return until > from ? this.#between(KNOWN, from, until) / (until - from) : 0
  }

  override stretch(from: number, until: number): Pick<Counts, 'minutes' | 'covered' | 'known'> {
    return { minutes: until - from, covered: this.covered(from, until), known: this.known(from, until) }
  }

  #between(column: number, from: number, until: number): number {
    return this.#minutes.between(column, from, Math.min(until, this.until))
  }
}

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
