import { median } from './robust.ts'
import { MAX_WINDOW_MINUTES } from './window.ts'
import { type Measure, measureWindows } from './window-measures.ts'

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
  /** What windows say. */
  readonly measure: Measure
}

/** The median of the windows in the hours before; undefined where fewer than eight of them say something. */
export function usualBefore({ before, minutes, hours, measure }: Asked): Baseline | undefined {
  const windows = { until: before, minutes, count: Math.floor((hours * 60) / minutes) }
  return medianOf(measureWindows(windows, measure), 'hours before')
}

/**
 * The median of the windows around the same time of the week, one and two weeks ago, where both weeks are known; otherwise
 * of the hours before. So a site whose Mondays are unlike its Sundays is compared with Mondays.
 */
export function usualInWeek(asked: Asked): Baseline | undefined {
  const { before, minutes, measure } = asked
  const count = Math.floor((2 * AROUND_MINUTES) / minutes)
  const weeks = WEEKS.map((week) =>
    measureWindows({ until: before - week * WEEK_MINUTES + AROUND_MINUTES, minutes, count }, measure),
  )
  if (weeks.some(({ length }) => length < MIN_WEEKLY_WINDOWS)) return usualBefore(asked)
  return medianOf(weeks.flat(), 'same hour of the week')
}

const WEEKS = [1, 2] as const

/** All that a weekly baseline can ask for, whatever its window has grown to: minutes back from the one that is looked at. */
export const WEEKS_AROUND = WEEKS.map((weeks) => ({
  from: weeks * WEEK_MINUTES + AROUND_MINUTES + MAX_WINDOW_MINUTES,
  until: weeks * WEEK_MINUTES - AROUND_MINUTES,
}))

/** What an alert that fires is held against: what was usual when it began, if that is known. */
export function frozenOr(frozen: number | undefined, found: () => Baseline | undefined): Baseline | undefined {
  return frozen === undefined ? found() : { value: frozen, windows: 0, from: 'when it began' }
}

function medianOf(values: readonly number[], from: Baseline['from']): Baseline | undefined {
  const value = values.length < MIN_BASELINE_WINDOWS ? undefined : median(values)
  return value === undefined ? undefined : { value, windows: values.length, from }
}
