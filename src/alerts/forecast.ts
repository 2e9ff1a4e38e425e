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

/** By the rate before a window, and by how it went on from there on other days. */
function forecast(
  series: MinuteSeries,
  column: Column,
  window: Window,
  rate: (before: number, shapes: readonly number[]) => number,
): Expected | undefined {
  const before = rateBefore(series, column, window)
  if (before === undefined) return undefined
  const shapes = [DAY_MINUTES, WEEK_MINUTES].flatMap((back) => shapeOn(series, column, window, back) ?? [])
  return { rate: rate(before, shapes), days: shapes.length }
}

/** The least that is to be expected in a minute of a window: by what came before, by how days go, and by last week, or yesterday. */
export function leastExpected(series: MinuteSeries, column: Column, window: Window): Expected | undefined {
  return forecast(series, column, window, (before, shapes) => {
    const week = ratesOn(series, column, window, WEEK_MINUTES, 24, 20)
    const then = week.length > 0 ? week : ratesOn(series, column, window, DAY_MINUTES, 24, 20)
    return Math.min(before * Math.max(0.2, Math.min(1, ...shapes)), ...then)
  })
}

/** The most that is to be expected: yesterday or last week, there may have been a job at that time. */
export function mostExpected(series: MinuteSeries, column: Column, window: Window): Expected | undefined {
  return forecast(series, column, window, (before, shapes) => {
    const then = [DAY_MINUTES, WEEK_MINUTES].flatMap((back) => ratesOn(series, column, window, back, 10, 10))
    return Math.max(before * Math.max(1, ...shapes), ...then)
  })
}

export function expected(series: MinuteSeries, column: Column, window: Window): Expected | undefined {
  return forecast(series, column, window, (before, shapes) => {
    const sum = shapes.reduce((all, shape) => all + Math.log(Math.max(shape, 1e-9)), 0)
    const mean = Math.exp(sum / Math.max(1, shapes.length))
    return before * Math.max(0.3, Math.min(3, mean))
  })
}
