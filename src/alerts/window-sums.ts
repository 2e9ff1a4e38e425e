import type { Ranking } from './ranking.ts'
import { COLUMN, type Column, isRated, MINUTE_MS, rateOf, type Traffic } from './traffic.ts'

/** More windows than any rule looks at at once: twelve hours of minutes. */
const MOST = 1_024
/** So many minutes without a line, one after the other, are silence of the log. */
const SILENT_MINUTES = 3

/** Filled anew for each question: sums of some windows, one directly before the other. */
const wholes = new Float64Array(MOST)
const parts = new Float64Array(MOST)
const covered = new Float64Array(MOST)
const known = new Float64Array(MOST)
const silent = new Uint8Array(MOST)

/** Windows of so many minutes each, one directly before the other, the newest of which ends at `until`. */
export interface Windows {
  readonly until: number
  readonly minutes: number
  readonly count: number
}

/** Ranks what windows say, the newest first; returns how many say something. */
export type RankWindows = (windows: Windows, ranking: Ranking) => number

/** By what part of a column another one is, where that column holds at least so much. */
export function byShare(traffic: Traffic, part: Column, whole: Column, least: number): RankWindows {
  return (windows, ranking) => {
    sums(traffic, whole, windows, wholes)
    sums(traffic, part, windows, parts)
    let counted = 0
    for (let index = 0; index < windows.count; index += 1) {
      const all = wholes[index] ?? 0
      if (all < least) continue
      parts[counted] = (parts[index] ?? 0) / all
      counted += 1
    }
    ranking.addAll(parts, counted)
    return counted
  }
}

/** By the rate of lines, where enough was read to tell. */
export function byRate(traffic: Traffic): RankWindows {
  return (windows, ranking) => rankRates(traffic, windows, ranking, false)
}

/** The same without windows in which the log fell silent: that says nothing about traffic, now or as a measure for it. */
export function bySpokenRate(traffic: Traffic): RankWindows {
  return (windows, ranking) => rankRates(traffic, windows, ranking, true)
}

/** By what is said of each window. */
export function byWindow(measure: (from: number, until: number) => number | undefined): RankWindows {
  return ({ until, minutes, count }, ranking) => {
    let counted = 0
    for (let index = 0; index < count; index += 1) {
      const end = until - index * minutes
      const value = measure(end - minutes, end)
      if (value === undefined) continue
      ranking.add(value)
      counted += 1
    }
    return counted
  }
}

function rankRates(traffic: Traffic, windows: Windows, ranking: Ranking, spoken: boolean): number {
  const { minutes, count } = windows
  sums(traffic, COLUMN.lines, windows, wholes)
  sums(traffic, COLUMN.coveredMs, windows, covered)
  sums(traffic, COLUMN.known, windows, known)
  if (spoken) findSilent(traffic, windows)
  let counted = 0
  for (let index = 0; index < count; index += 1) {
    if (spoken && silent[index] === 1) continue
    const share = (covered[index] ?? 0) / (minutes * MINUTE_MS)
    if (!isRated((known[index] ?? 0) / minutes, share)) continue
    wholes[counted] = rateOf(wholes[index] ?? 0, share, minutes)
    counted += 1
  }
  ranking.addAll(wholes, counted)
  return counted
}

/** Zones with enough traffic to be judged have no such minutes by chance; how long a silence matters is `log-silence`'s. */
function findSilent(traffic: Traffic, { until, minutes, count }: Windows): void {
  silent.fill(0, 0, count)
  for (let offset = 0; offset + SILENT_MINUTES <= minutes; offset += SILENT_MINUTES) {
    const end = until - minutes + offset + SILENT_MINUTES
    traffic.windows(COLUMN.lines, { until: end, minutes: SILENT_MINUTES, every: minutes, count }, parts)
    for (let index = 0; index < count; index += 1) {
      if (parts[index] !== 0) continue
      const last = end - index * minutes
      if (traffic.total(COLUMN.known, last - SILENT_MINUTES, last) === SILENT_MINUTES) silent[index] = 1
    }
  }
}

function sums(traffic: Traffic, column: Column, { until, minutes, count }: Windows, into: Float64Array): void {
  traffic.windows(column, { until, minutes, every: minutes, count }, into)
}
