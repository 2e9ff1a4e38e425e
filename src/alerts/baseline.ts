import type { Stretch } from './alert-kind.ts'
import type { Counts, MinuteSeries } from './minute-series.ts'
import { median } from './robust.ts'
import { MAX_WINDOW_MINUTES } from './window.ts'

/** So many windows make a baseline; with fewer nothing is known to be usual. */
const MIN_BASELINE_WINDOWS = 8
/** So many of them have to lie in each of the two weeks. */
const MIN_WEEKLY_WINDOWS = 6
const WEEK_MINUTES = 7 * 1_440
/** Of a week ago, an hour before and an hour after are looked at. */
const AROUND_MINUTES = 60

/** What was usual, and how that is known. */
export interface Baseline {
  readonly value: number
  readonly windows: number
  readonly from: 'hours before' | 'same hour of the week' | 'when it began'
}

/** A window of the baseline needs this part of the minimum: the median evens out what single ones get wrong. */
export const BASELINE_PART = 10

interface Asked {
  /** The windows lie before this minute. */
  readonly before: number
  /** Of each window. */
  readonly minutes: number
  readonly hours: number
  /** What a window says; undefined where it says nothing. */
  readonly measure: (counts: Counts) => number | undefined
}

/** The median of the windows in the hours before; undefined where fewer than eight of them say something. */
export function usualBefore(series: MinuteSeries, { before, minutes, hours, measure }: Asked): Baseline | undefined {
  const values = measures(series, before - hours * 60, before, minutes, measure)
  return baselineOf(values, 'hours before')
}

/**
 * The median of the windows around the same time of the week, one and two weeks ago, where both weeks are known; otherwise
 * of the hours before. So a site whose Mondays are unlike its Sundays is compared with Mondays.
 */
export function usualInWeek(series: MinuteSeries, asked: Asked): Baseline | undefined {
  const weeks = weeksBefore(asked.before).map(({ from, until }) =>
    until <= series.from ? [] : measures(series, from, until, asked.minutes, asked.measure),
  )
  const known = weeks.every((values) => values.length >= MIN_WEEKLY_WINDOWS)
  return known ? baselineOf(weeks.flat(), 'same hour of the week') : usualBefore(series, asked)
}

/** All that a weekly baseline can ask for when it is looked at in this minute, whatever its window has grown to. */
export function weeksAround(at: number): readonly Stretch[] {
  return weeksBefore(at).map(({ from, until }) => ({ from: from - MAX_WINDOW_MINUTES, until }))
}

/** The two hours around the same minute, one and two weeks ago. */
function weeksBefore(minute: number): readonly Stretch[] {
  return [1, 2].map((weeks) => {
    const middle = minute - weeks * WEEK_MINUTES
    return { from: middle - AROUND_MINUTES, until: middle + AROUND_MINUTES }
  })
}

/** What an alert that fires is held against: what was usual when it began, if that is known. */
export function frozenOr(frozen: number | undefined, found: () => Baseline | undefined): Baseline | undefined {
  return frozen === undefined ? found() : { value: frozen, windows: 0, from: 'when it began' }
}

function measures(
  series: MinuteSeries,
  from: number,
  until: number,
  minutes: number,
  measure: (counts: Counts) => number | undefined,
): readonly number[] {
  const values: number[] = []
  for (let end = until; end - minutes >= from; end -= minutes) {
    const value = measure(series.sum(end - minutes, end))
    if (value !== undefined) values.push(value)
  }
  return values
}

function baselineOf(values: readonly number[], from: Baseline['from']): Baseline | undefined {
  const value = values.length < MIN_BASELINE_WINDOWS ? undefined : median(values)
  return value === undefined ? undefined : { value, windows: values.length, from }
}
