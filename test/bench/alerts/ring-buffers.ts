import type { MinuteCounts } from '../../../src/store/minute-counts.ts'
import { medianOf, values } from './ring-ranks.ts'

const RING = 512
const MASK = RING - 1
/** Of one and of two weeks ago, from an hour before to an hour after and as long as a window can grow. */
const WEEK = 10_080
const WEEK_RING = 256
const WEEK_MASK = WEEK_RING - 1
export const MINUTE_MS = 60_000
export const NONE = -1

/** Columns of which running totals are held. */
export const LINES = 0
export const COVERED = 1
const KNOWN = 2
export const CACHEABLE = 3
export const THROUGH = 4
export const ANSWERED = 5
export const CODED = 6
export const C5XX = 7
export const STALE_LINES = 8
const COLUMNS = 9

const added = new Float64Array(COLUMNS)

/**
 * The reference: what somebody would write by hand for exactly five rules with their usual parameters, and for nothing
 * else. Rings of minutes in typed arrays, running sums, rings of what windows said; no parameters, no words, no incidents.
 * It comes to the same levels and phases, which the bench compares in each minute.
 */
export class RingBuffers {
  /** Running totals before each minute. */
  readonly totals: Uint32Array
  /** What windows that end at a minute said: lines a minute of five and of ten minutes, the hit ratio of fifteen. */
  readonly rate5: Float64Array
  readonly rate10: Float64Array
  readonly ratio15: Float64Array
  readonly weeks: readonly Float64Array[]
  readonly newest: Int32Array
  constructor(zones: number) {
    this.totals = new Uint32Array(zones * RING * COLUMNS)
    this.rate5 = new Float64Array(zones * RING).fill(Number.NaN)
    this.rate10 = new Float64Array(zones * RING).fill(Number.NaN)
    this.ratio15 = new Float64Array(zones * RING).fill(Number.NaN)
    this.weeks = [1, 2].map(() => new Float64Array(zones * WEEK_RING).fill(Number.NaN))
    this.newest = new Int32Array(zones).fill(NONE)
  }

  /** Minutes of one or two weeks ago, of which the hit ratio of fifteen minutes is held: `minutes` begin fifteen earlier. */
  loadWeek(zone: number, weeks: number, minutes: readonly MinuteCounts[]): void {
    const ring = this.weeks[weeks - 1]!
    let [through, answered] = [0, 0]
    for (let index = 0; index < minutes.length; index += 1) {
      const counts = minutes[index]!
      through += throughOf(counts)
      answered += answeredOf(counts)
      if (index < 14) continue
      ring[zone * WEEK_RING + ((counts.minute + 1) & WEEK_MASK)] = through >= 50 ? answered / through : Number.NaN
      const oldest = minutes[index - 14]!
      through -= throughOf(oldest)
      answered -= answeredOf(oldest)
    }
  }

  /** Minutes as they were just read: new ones, and older ones that may have got late lines. */
  take(zone: number, minutes: readonly MinuteCounts[]): void {
    const totals = this.totals
    const start = zone * RING * COLUMNS
    let first = Infinity
    for (const counts of minutes) {
      const { minute } = counts
      const at = start + (minute & MASK) * COLUMNS
      const next = start + ((minute + 1) & MASK) * COLUMNS
      const isNew = minute >= this.newest[zone]!
      const cacheable = counts.hit + counts.miss + counts.stale + counts.updating + counts.revalidated + counts.bypass
      added[LINES] = cacheable + counts.uncached + counts.other
      if (!isNew) {
        const covered = (totals[next + COVERED]! - totals[at + COVERED]!) >>> 0
        if (counts.coveredMs < covered) continue
        if (counts.coveredMs === covered && added[LINES] === (totals[next + LINES]! - totals[at + LINES]!) >>> 0)
          continue
      }
      added[COVERED] = counts.coveredMs
      added[KNOWN] = counts.coveredMs > 0 ? 1 : 0
      added[CACHEABLE] = cacheable
      added[THROUGH] = cacheable - counts.bypass
      added[ANSWERED] = answeredOf(counts)
      added[CODED] = counts.c1xx + counts.c2xx + counts.c3xx + counts.c4xx + counts.c5xx
      added[C5XX] = counts.c5xx
      added[STALE_LINES] = counts.stale
      if (first > minute) first = minute
      if (isNew) {
        for (let column = 0; column < COLUMNS; column += 1)
          totals[next + column] = totals[at + column]! + added[column]!
        this.newest[zone] = minute + 1
        continue
      }
      for (let column = 0; column < COLUMNS; column += 1) {
        const change = added[column]! - ((totals[next + column]! - totals[at + column]!) >>> 0)
        if (change === 0) continue
        for (let end = minute + 1; end <= this.newest[zone]!; end += 1) {
          totals[start + (end & MASK) * COLUMNS + column]! += change
        }
      }
    }
    for (let end = first + 1; end <= this.newest[zone]!; end += 1) this.noteWindows(zone, end)
  }

  noteWindows(zone: number, end: number): void {
    const place = zone * RING + (end & MASK)
    const silent = this.sum(zone, LINES, end - 5, end - 2) === 0 && this.sum(zone, KNOWN, end - 5, end - 2) === 3
    this.rate5[place] = silent ? Number.NaN : this.rate(zone, end, 5)
    this.rate10[place] = this.rate(zone, end, 10)
    const through = this.sum(zone, THROUGH, end - 15, end)
    this.ratio15[place] = through >= 50 ? this.sum(zone, ANSWERED, end - 15, end) / through : Number.NaN
  }

  sum(zone: number, column: number, from: number, until: number): number {
    const start = zone * RING * COLUMNS + column
    return (this.totals[start + (until & MASK) * COLUMNS]! - this.totals[start + (from & MASK) * COLUMNS]!) >>> 0
  }

  rate(zone: number, end: number, minutes: number): number {
    if (this.sum(zone, KNOWN, end - minutes, end) < minutes / 2) return Number.NaN
    const covered = this.sum(zone, COVERED, end - minutes, end) / (minutes * MINUTE_MS)
    return covered < 0.05 ? Number.NaN : this.sum(zone, LINES, end - minutes, end) / (covered * minutes)
  }

  grown(zone: number, at: number, minutes: number, minimum: number, column: number): number {
    let window = minutes
    while (window < 60 && this.sum(zone, column, at - window, at) < minimum) window += 1
    return window
  }

  usualRatio(zone: number, before: number): number {
    let known = 0
    for (let weeks = 1; weeks <= 2; weeks += 1) {
      const ring = this.weeks[weeks - 1]!
      let ofWeek = 0
      for (let window = 0; window < 8; window += 1) {
        const ratio = ring[zone * WEEK_RING + ((before - weeks * WEEK + 60 - window * 15) & WEEK_MASK)]!
        if (Number.isNaN(ratio)) continue
        values[known + ofWeek] = ratio
        ofWeek += 1
      }
      if (ofWeek < 6) return this.median(this.ratio15, zone, before, 15, 16)
      known += ofWeek
    }
    return medianOf(known)
  }

  /** Of windows of five minutes they are held; longer ones are rare. */
  rateOf(zone: number, end: number, minutes: number): number {
    if (minutes === 5) return this.rate5[zone * RING + (end & MASK)]!
    for (let from = end - minutes; from + 3 <= end; from += 3) {
      if (this.sum(zone, LINES, from, from + 3) === 0 && this.sum(zone, KNOWN, from, from + 3) === 3) return Number.NaN
    }
    return this.rate(zone, end, minutes)
  }

  /** The rates of the windows in the four hours before, newest first; returns how many are known. */
  rates(zone: number, at: number, minutes: number): number {
    let known = 0
    const oldest = at - minutes - 240
    for (let end = at - minutes; end - minutes >= oldest; end -= minutes) {
      const rate = this.rateOf(zone, end, minutes)
      if (Number.isNaN(rate)) continue
      values[known] = rate
      known += 1
    }
    return known
  }

  ago(zone: number, at: number, minutes: number): number {
    const last = at - Math.max(20, 2 * minutes)
    const of = Math.max(1, Math.round(25 / minutes))
    let known = 0
    for (let window = 0; window < of; window += 1) {
      const rate = this.rateOf(zone, last - window * minutes, minutes)
      if (Number.isNaN(rate)) continue
      values[known] = rate
      known += 1
    }
    return medianOf(known)
  }

  median(ring: Float64Array, zone: number, before: number, minutes: number, windows: number): number {
    let known = 0
    for (let window = 0; window < windows; window += 1) {
      const value = ring[zone * RING + ((before - window * minutes) & MASK)]!
      if (Number.isNaN(value)) continue
      values[known] = value
      known += 1
    }
    return known < 8 ? Number.NaN : medianOf(known)
  }
}

function throughOf({ hit, miss, stale, updating, revalidated }: MinuteCounts): number {
  return hit + miss + stale + updating + revalidated
}

function answeredOf({ hit, stale, updating, revalidated }: MinuteCounts): number {
  return hit + stale + updating + revalidated
}
