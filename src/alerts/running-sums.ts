import type { MinuteCounts } from '../store/minute-counts.ts'
import { amountOf, type Column, COLUMNS } from './traffic.ts'

/** Minutes by which all is moved up when the end is reached: moving costs as much as it holds, so it is not done each time. */
const SLACK_MINUTES = 16

/** Columns that are held for as long as each other: those of one boundary lie side by side, since they are asked for together. */
interface Band {
  readonly columns: readonly Column[]
  /** Its first cell. */
  readonly start: number
  /** How many boundaries between minutes it holds. */
  readonly length: number
}

/** Which columns are held, and for how long each. Alike for all zones with the same rules, which share it. */
export class SumsShape {
  readonly columns: readonly Column[]
  readonly bands: readonly Band[]
  /** By column: its first cell, how many boundaries it holds, and how many cells lie from one to the next. */
  readonly starts = new Int32Array(COLUMNS.length)
  readonly lengths = new Int32Array(COLUMNS.length)
  readonly widths = new Int32Array(COLUMNS.length)
  readonly size: number
  /** Minutes beyond what is reached for: how far the newest minute may be ahead of the one that is looked at. */
  readonly spare: number

  /** `reach`: for each column how many minutes back from the one that is looked at. `ahead`: how far the newest is ahead. */
  constructor(reach: ReadonlyMap<Column, number>, ahead: number) {
    this.spare = ahead + SLACK_MINUTES
    this.columns = [...reach.keys()]
    let size = 0
    this.bands = [...Map.groupBy(this.columns, (column) => Math.ceil(reach.get(column) ?? 0))].map(
      ([minutes, columns]) => {
        const band = { columns, start: size, length: minutes + this.spare + 1 }
        for (const [place, column] of columns.entries()) {
          this.starts[column] = size + place
          this.lengths[column] = band.length
          this.widths[column] = columns.length
        }
        size += band.length * columns.length
        return band
      },
    )
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
  /** The first boundary: there is room for some before it, but nothing is known of them. */
  readonly #from: number
  /** The boundary that the last cells of each band are for, and the newest one that is filled. */
  #limit: number
  #newest: number

  /** Begins at a boundary before which nothing is known. */
  constructor(shape: SumsShape, from: number) {
    this.shape = shape
    this.#cells = new Uint32Array(shape.size)
    this.#from = from
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
    return minute >= this.#from && minute > this.#limit - length && minute <= this.#newest
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
    const width = this.shape.widths[column] ?? 0
    const begin = (this.shape.starts[column] ?? 0) + (first - oldest) * width
    return ((this.#cells[begin + (last - first) * width] ?? 0) - (this.#cells[begin] ?? 0)) >>> 0
  }

  /** All of a column before a boundary, from where everything began; modulo 2^32. */
  before(column: Column, minute: number): number {
    return this.#cells[this.#cell(column, Math.min(minute, this.#newest))] ?? 0
  }

  /** Has a column begin with what was summed up elsewhere. Only before the first minute is put in. */
  beginWith(column: Column, sum: number): void {
    const { starts, lengths, widths } = this.shape
    const [start = 0, length = 0, width = 0] = [starts[column], lengths[column], widths[column]]
    for (let row = 0; row < length; row += 1) this.#cells[start + row * width] = sum
  }

  /** Nothing is known of the minutes up to this boundary, as far as they have not been put in. */
  extend(until: number): void {
    while (this.#newest < until) {
      this.#makeRoom()
      for (const { columns, start, length } of this.shape.bands) {
        const row = start + this.#rowOf(length, this.#newest) * columns.length
        this.#cells.copyWithin(row + columns.length, row, row + columns.length)
      }
      this.#newest += 1
    }
  }

  /** Replaces what is known of a minute. What is no longer held stays as it is. */
  put(counts: MinuteCounts): void {
    if (counts.minute < this.#newest) this.#replace(counts)
    else this.#append(counts)
  }

  #append(counts: MinuteCounts): void {
    this.extend(counts.minute)
    this.#makeRoom()
    const cells = this.#cells
    for (const { columns, start, length } of this.shape.bands) {
      let cell = start + this.#rowOf(length, this.#newest) * columns.length
      for (const column of columns) {
        cells[cell + columns.length] = (cells[cell] ?? 0) + amountOf(column, counts)
        cell += 1
      }
    }
    this.#newest += 1
  }

  #replace(counts: MinuteCounts): void {
    const { minute } = counts
    const cells = this.#cells
    for (const column of this.shape.columns) {
      if (!this.has(column, minute)) continue
      const width = this.shape.widths[column] ?? 0
      const cell = this.#cell(column, minute)
      const known = ((cells[cell + width] ?? 0) - (cells[cell] ?? 0)) >>> 0
      const change = amountOf(column, counts) - known
      if (change === 0) continue
      const end = this.#cell(column, this.#newest)
      for (let at = cell + width; at <= end; at += width) cells[at] = (cells[at] ?? 0) + change
    }
  }

  #cell(column: Column, minute: number): number {
    const { starts, lengths, widths } = this.shape
    return (starts[column] ?? 0) + this.#rowOf(lengths[column] ?? 0, minute) * (widths[column] ?? 0)
  }

  /** Of a boundary, in a band that holds so many. */
  #rowOf(length: number, minute: number): number {
    return length - 1 - (this.#limit - minute)
  }

  #makeRoom(): void {
    if (this.#newest < this.#limit) return
    for (const { columns, start, length } of this.shape.bands) {
      const end = start + length * columns.length
      this.#cells.copyWithin(start, start + SLACK_MINUTES * columns.length, end)
    }
    this.#limit += SLACK_MINUTES
  }
}
