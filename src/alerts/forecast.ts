import { DAY_MINUTES, WEEK_MINUTES } from '../shared/durations.ts'
import type { Column, MinuteSeries } from './minute-series.ts'

/** The level before a window: so many minutes, or more where these were not read, which end a little before it. */
const BEFORE = { minutes: 40, unread: 120, gap: 3 }
/** The same time of another day is looked at so far to either side. */
const AROUND_MINUTES = 20

/** The minutes that end with `at`, of which something is expected. */
export interface Window {
  readonly at: number
  readonly minutes: number
}

/** The rate shortly before a window, or in the hours before where that was not read; undefined where nothing was. */
export function rateBefore(
  series: MinuteSeries,
  column: Column,
  { at, minutes }: Window,
  back = 0,
): number | undefined {
  const until = at - minutes - BEFORE.gap - back
  return series.rate(column, until - BEFORE.minutes, until) ?? series.rate(column, until - BEFORE.unread, until)
}

/** How the rate went on from shortly before a window into it, on another day; undefined where that is not known. */
function shapeOn(series: MinuteSeries, column: Column, window: Window, back: number): number | undefined {
  const middle = Math.floor(window.at - window.minutes / 2) - back
  const now = series.rate(column, middle - AROUND_MINUTES, middle + AROUND_MINUTES)
  const before = rateBefore(series, column, window, back)
  return now === undefined || before === undefined || before <= 0 ? undefined : now / before
}

function shapes(series: MinuteSeries, column: Column, window: Window): readonly number[] {
  return [DAY_MINUTES, WEEK_MINUTES].flatMap((back) => shapeOn(series, column, window, back) ?? [])
}

/** Rates around the time of a window on another day: of stretches of so many minutes, so far apart. */
function ratesOn(
  series: MinuteSeries,
  column: Column,
  { at, minutes }: Window,
  back: number,
  stretch: number,
  apart: number,
) {
  const rates: number[] = []
  for (let off = -AROUND_MINUTES; off <= AROUND_MINUTES; off += apart) {
    const middle = Math.floor(at - minutes / 2) + off - back
    const rate = series.rate(column, middle - stretch / 2, middle + stretch / 2)
    if (rate !== undefined) rates.push(rate)
  }
  return rates
}

/** A rate that is to be expected, and by how many other days: without any, nothing is known of how days go. */
export interface Expected {
  readonly rate: number
  readonly days: number
}

/** The least that is to be expected in a minute of a window: by what came before, by how days go, and by last week. */
export function leastExpected(series: MinuteSeries, column: Column, window: Window): Expected | undefined {
  const before = rateBefore(series, column, window)
  if (before === undefined) return undefined
  const known = shapes(series, column, window)
  const shape = Math.max(0.2, Math.min(1, ...known))
  return {
    rate: Math.min(before * shape, ...ratesOn(series, column, window, WEEK_MINUTES, 24, 20)),
    days: known.length,
  }
}

/** The most that is to be expected: yesterday or last week, there may have been a job at that time. */
export function mostExpected(series: MinuteSeries, column: Column, window: Window): Expected | undefined {
  const before = rateBefore(series, column, window)
  if (before === undefined) return undefined
  const known = shapes(series, column, window)
  const shape = Math.max(1, ...known)
  const then = [DAY_MINUTES, WEEK_MINUTES].flatMap((back) => ratesOn(series, column, window, back, 10, 10))
  return { rate: Math.max(before * shape, ...then), days: known.length }
}

/** What is to be expected, as well as that can be told. */
export function expected(series: MinuteSeries, column: Column, window: Window): number | undefined {
  const before = rateBefore(series, column, window)
  if (before === undefined) return undefined
  const known = shapes(series, column, window)
  const mean =
    known.length === 0
      ? 1
      : Math.exp(known.reduce((sum, shape) => sum + Math.log(Math.max(shape, 1e-9)), 0) / known.length)
  return before * Math.max(0.3, Math.min(3, mean))
}
