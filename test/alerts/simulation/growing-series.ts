import { MinuteSeries } from '../../../src/alerts/minute-series.ts'
import { amountOf, type Column, COLUMNS } from '../../../src/alerts/traffic.ts'
import type { MinuteCounts } from '../../../src/store/minute-counts.ts'

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
    this.#sums = COLUMNS.map(() => new Float64Array(capacity + 1))
    this.#counts = COLUMNS.map(() => new Float64Array(capacity))
  }

  put(minutes: readonly MinuteCounts[]): void {
    let first = this.#length // minutes in between that nobody read have to be summed over, too
    for (const minute of minutes) {
      const at = minute.minute - this.from
      if (at < 0) continue
      first = Math.min(first, at)
      this.#length = Math.max(this.#length, at + 1)
      for (const column of COLUMNS) this.#counts[column]![at] = amountOf(column, minute)
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

  between(column: Column, from: number, until: number): number {
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

  override total(column: Column, from: number, until: number): number {
    return this.#minutes.between(column, from, Math.min(until, this.until))
  }
}
