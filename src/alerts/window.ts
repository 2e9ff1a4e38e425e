import { MINUTE_MS } from '../shared/durations.ts'
import type { Column, Traffic } from './traffic.ts'

/** A window that holds too few lines grows to this many minutes at most. */
export const MAX_WINDOW_MINUTES = 60

/**
 * How many of the newest minutes before `until` to look at: as many as asked for, or where they hold fewer lines than the
 * minimum, as many as it takes, but at most an hour. `held` are the lines that matter.
 */
export function grownWindow(traffic: Traffic, until: number, minutes: number, minimum: number, held: Column): number {
  if (traffic.total(held, until - minutes, until) >= minimum || minutes >= MAX_WINDOW_MINUTES) return minutes
  if (traffic.total(held, until - MAX_WINDOW_MINUTES, until) < minimum) return MAX_WINDOW_MINUTES
  let short = minutes
  let long = MAX_WINDOW_MINUTES
  while (long - short > 1) {
    const middle = Math.floor((short + long) / 2)
    if (traffic.total(held, until - middle, until) >= minimum) long = middle
    else short = middle
  }
  return long
}

interface Milliseconds {
  readonly fromMs: number
  readonly untilMs: number
}

/** For `Facts`: a window of minutes in milliseconds. */
export function inMilliseconds(from: number, until: number): Milliseconds {
  return { fromMs: from * MINUTE_MS, untilMs: until * MINUTE_MS }
}
