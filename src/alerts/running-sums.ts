import type { MinuteCounts } from '../store/minute-counts.ts'
import { amountOf, type Column, type WindowsAsked } from './traffic.ts'

/** Minutes by which all is moved up when the end is reached: moving costs as much as it holds, so it is not done each time. */
const SLACK_MINUTES = 16

/** Which columns are held, and for how long each. Alike for all zones with the same rules, which share it. */
export class SumsShape {
  readonly columns: readonly Column[]
  /** By column: where its cells begin, and how many boundaries between minutes they hold. */
  readonly starts: readonly number[]
  readonly lengths: readonly number[]
  readonly size: number
  /** Minutes beyond what is reached for: how far the newest minute may be ahead of the one that is looked at. */
  readonly spare: number

  /** `reach`: for each column how many minutes back from the one that is looked at. `ahead`: how far the newest is ahead. */
  constructor(reach: ReadonlyMap<Column, number>, ahead: number) {
    this.spare = ahead + SLACK_MINUTES
    this.columns = [...reach.keys()]
    const starts: number[] = []
    const lengths: number[] = []
    let size = 0
    for (const [column, minutes] of reach) {
      starts[column] = size
      lengths[column] = Math.ceil(minutes) + this.spare + 1
      size += Math.ceil(minutes) + this.spare + 1
    }
    this.starts = Array.from(starts, (start) => start ?? 0)
    this.lengths = Array.from(lengths, (length) => length ?? 0)
    this.size = size
  }
}

/**
 * For each boundary between two minutes of a moving stretch, how much there was of each column before it. The sum of any
 * part of it is one subtraction, and a minute that is replaced changes the boundaries after it. Sums are kept modulo 2^32: no
 * stretch holds as many lines, nor as many milliseconds.
 */
export class RunningSums {
  readonly shape: SumsShape
  readonly #cells: Uint32Array
  /** The boundary that the last cell of each column is for, and the newest one that is filled. */
  #limit: number
  #newest: number

  /** Begins at a boundary before which nothing is known. */
  constructor(shape: SumsShape, from: number) {
    this.shape = shape
    this.#cells = new Uint32Array(shape.size)
    this.#limit = from
    this.#newest = from
  }

  /** The first boundary that is not known yet, less one. */
  get newest(): number {
    return this.#newest
  }

  /** Whether all that is reached for from a minute will still be held when the boundaries up to one are known. */
  reaches(at: number, newest: number): boolean {
    const moves = Math.max(0, Math.ceil((newest - this.#limit) / SLACK_MINUTES))
    return this.#limit + moves * SLACK_MINUTES - at <= this.shape.spare
  }

  /** Whether a boundary of a column is held. */
  has(column: Column, minute: number): boolean {
    const length = this.shape.lengths[column] ?? 0
    return minute > this.#limit - length && minute <= this.#newest
  }

  /** The sum of a column from one minute to another. Minutes before what is held count as not read, like those after it. */
  total(column: Column, from: number, until: number): number {
    const length = this.shape.lengths[column] ?? 0
    if (length === 0) return 0
    const newest = this.#newest
    const oldest = this.#limit - length + 1
    const first = from < oldest ? oldest : from
    const last = until > newest ? newest : until
    if (last <= first) return 0
    const zero = (this.shape.starts[column] ?? 0) - oldest
    return ((this.#cells[zero + last] ?? 0) - (this.#cells[zero + first] ?? 0)) >>> 0
  }

  /** Several sums at once. All boundaries have to be held, and whole minutes. */
  windows(column: Column, { until, minutes, every, count }: WindowsAsked, into: Float64Array): void {
    const cells = this.#cells
    let end = this.#cell(column, until)
    for (let index = 0; index < count; index += 1) {
      into[index] = ((cells[end] ?? 0) - (cells[end - minutes] ?? 0)) >>> 0
      end -= every
    }
  }

  /** All of a column before a boundary, from where everything began; modulo 2^32. */
  before(column: Column, minute: number): number {
    return this.#cells[this.#cell(column, Math.min(minute, this.#newest))] ?? 0
  }

  /** Has a column begin with what was summed up elsewhere. Only before the first minute is put in. */
  beginWith(column: Column, sum: number): void {
    const { starts, lengths } = this.shape
    const start = starts[column] ?? 0
    this.#cells.fill(sum, start, start + (lengths[column] ?? 0))
  }

  /** Nothing is known of the minutes up to this boundary, as far as they have not been put in. */
  extend(until: number): void {
    while (this.#newest < until) {
      if (this.#newest === this.#limit) this.#moveUp()
      for (const column of this.shape.columns) {
        const cell = this.#cell(column, this.#newest)
        this.#cells[cell + 1] = this.#cells[cell] ?? 0
      }
      this.#newest += 1
    }
  }

  /** Replaces what is known of a minute. What is no longer held stays as it is. */
  put(counts: MinuteCounts): void {
    const { minute } = counts
    this.extend(minute + 1)
    for (const column of this.shape.columns) {
      if (!this.has(column, minute)) continue
      const cell = this.#cell(column, minute)
      const known = ((this.#cells[cell + 1] ?? 0) - (this.#cells[cell] ?? 0)) >>> 0
      const change = amountOf(column, counts) - known
      if (change === 0) continue
      const end = this.#cell(column, this.#newest)
      for (let at = cell + 1; at <= end; at += 1) this.#cells[at] = (this.#cells[at] ?? 0) + change
    }
  }

  #cell(column: Column, minute: number): number {
    const { starts, lengths } = this.shape
    return (starts[column] ?? 0) + (lengths[column] ?? 0) - 1 - (this.#limit - minute)
  }

  #moveUp(): void {
    const { columns, starts, lengths } = this.shape
    for (const column of columns) {
      const start = starts[column] ?? 0
      this.#cells.copyWithin(start, start + SLACK_MINUTES, start + (lengths[column] ?? 0))
    }
    this.#limit += SLACK_MINUTES
  }
}
