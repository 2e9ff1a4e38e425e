import type { MinuteSeries } from '../../../src/alerts/minute-series.ts'
import { COLUMN, type Column, coveredIn } from '../../../src/alerts/traffic.ts'

/** A rule as others have it, on the same minutes. */
export interface Rival {
  readonly name: string
  /** Whether it speaks up with the minutes before `at`. Asked for each minute in order. */
  begins(series: MinuteSeries, at: number): boolean
}

export const STATIC_RULE = 'static 5 % / 5 min'
export const Z_RULE = 'z > 3.5'
const WINDOW_MINUTES = 5
const STATIC_SHARE = 0.05
const Z_LIMIT = 3.5
const Z_HISTORY_MINUTES = 240
const Z_MIN_REQUESTS = 200
/** Both keep firing for as long as ours do, which spares them most of their repetitions. */
const QUIET_MINUTES = 15

/** One of each, for one zone. */
export function rivals(): readonly Rival[] {
  return [new Edge(STATIC_RULE, overShare), new Edge(Z_RULE, farFromMean)]
}

/** Speaks up when its condition begins to hold, and again only after it has not held for a while. */
class Edge implements Rival {
  readonly name: string
  readonly #holds: (series: MinuteSeries, at: number) => boolean
  #heldAt = Number.NEGATIVE_INFINITY

  constructor(name: string, holds: (series: MinuteSeries, at: number) => boolean) {
    this.name = name
    this.#holds = holds
  }

  begins(series: MinuteSeries, at: number): boolean {
    if (!this.#holds(series, at)) return false
    const isNew = at - this.#heldAt > QUIET_MINUTES
    this.#heldAt = at
    return isNew
  }
}

/** 5xx or STALE over 5 % of the requests of the last five minutes, provided there are any. */
function overShare(series: MinuteSeries, at: number): boolean {
  const [lines, c5xx, stale] = [COLUMN.lines, COLUMN.c5xx, COLUMN.stale].map((column) =>
    series.total(column, at - WINDOW_MINUTES, at),
  ) as [number, number, number]
  return lines > 0 && Math.max(c5xx, stale) / lines > STATIC_SHARE
}

/** Requests, or requests past the cache, of the last five minutes against mean and deviation of the four hours before. */
function farFromMean(series: MinuteSeries, at: number): boolean {
  const isFar = (read: (from: number, until: number) => number): boolean => {
    if (series.total(COLUMN.lines, at - WINDOW_MINUTES, at) < Z_MIN_REQUESTS) return false
    const history: number[] = []
    for (let back = WINDOW_MINUTES * 2; back <= Z_HISTORY_MINUTES; back += WINDOW_MINUTES)
      history.push(read(at - back, at - back + WINDOW_MINUTES))
    const mean = history.reduce((sum, value) => sum + value, 0) / history.length
    const variance = history.reduce((sum, value) => sum + (value - mean) ** 2, 0) / history.length
    return variance > 0 && Math.abs(read(at - WINDOW_MINUTES, at) - mean) / Math.sqrt(variance) > Z_LIMIT
  }
  const total = (column: Column, from: number, until: number): number => series.total(column, from, until)
  return (
    isFar((from, until) => total(COLUMN.lines, from, until) / Math.max(coveredIn(series, from, until), 0.01)) ||
    isFar((from, until) => total(COLUMN.miss, from, until) / total(COLUMN.lines, from, until))
  )
}
