import type { Counts, MinuteSeries } from './minute-series.ts'
import { MINUTE_MS } from './minute-series.ts'

/** A window that holds too few lines grows to this many minutes at most. */
export const MAX_WINDOW_MINUTES = 60

/** A stretch of minutes, its end excluded, with what was counted in it. */
export interface Window {
  readonly from: number
  readonly until: number
  readonly counts: Counts
}

/** The minutes before `until`. */
export function windowOf(series: MinuteSeries, until: number, minutes: number): Window {
  return { from: until - minutes, until, counts: series.sum(until - minutes, until) }
}

/**
 * The newest minutes before `until`: as many as asked for, or where they hold fewer lines than the minimum, as many as it
 * takes, but at most an hour. `held` counts the lines that matter.
 */
export function grownWindow(
  series: MinuteSeries,
  until: number,
  minutes: number,
  minimum: number,
  held: (counts: Counts) => number,
): Window {
  const asked = windowOf(series, until, minutes)
  if (held(asked.counts) >= minimum || minutes >= MAX_WINDOW_MINUTES) return asked
  let short = minutes
  let long = MAX_WINDOW_MINUTES
  while (long - short > 1) {
    const middle = Math.floor((short + long) / 2)
    if (held(series.sum(until - middle, until)) >= minimum) long = middle
    else short = middle
  }
  return windowOf(series, until, long)
}

/** For `Facts`: the same window in milliseconds. */
export function inMilliseconds({ from, until }: Pick<Window, 'from' | 'until'>): {
  readonly fromMs: number
  readonly untilMs: number
} {
  return { fromMs: from * MINUTE_MS, untilMs: until * MINUTE_MS }
}
