import { usualBefore } from '../../alerts/baseline.ts'
import { COLUMN, coveredIn, shareIn, type Traffic } from '../../alerts/traffic.ts'

/** What is said of a pull zone's traffic, for a stretch of time. Undefined where nothing can be said. */
export interface Measures {
  /** 0 to 1 */
  readonly hitRatio: number | undefined
  readonly stale: number | undefined
  readonly miss: number | undefined
  readonly errors: number | undefined
  /** Requests a minute, estimated from the time that was read. */
  readonly rate: number | undefined
}

export const MEASURES = ['hitRatio', 'stale', 'miss', 'errors', 'rate'] as const satisfies readonly (keyof Measures)[]

/** With less of the time read, how many requests there were in all is not guessed. */
const LEAST_COVERED = 0.1
/** What is usual is the median of such windows, before the hour that is shown. */
const WINDOW_MINUTES = 15
const BASELINE_HOURS = 4
const SHOWN_MINUTES = 60

/** The measures of the minutes from one to another, its end excluded. */
export function measuresOf(traffic: Traffic, from: number, until: number): Measures {
  const covered = coveredIn(traffic, from, until)
  const rate = traffic.total(COLUMN.lines, from, until) / (covered * (until - from))
  return {
    hitRatio: shareIn(traffic, COLUMN.answered, COLUMN.throughCache, from, until),
    stale: shareIn(traffic, COLUMN.stale, COLUMN.cacheable, from, until),
    miss: shareIn(traffic, COLUMN.miss, COLUMN.cacheable, from, until),
    errors: shareIn(traffic, COLUMN.c5xx, COLUMN.coded, from, until),
    rate: covered >= LEAST_COVERED ? rate : undefined,
  }
}

/** What was usual in the four hours before the hour that ends at minute `at`. */
export function usualMeasures(series: Traffic, at: number): Measures {
  const usual = (name: keyof Measures): number | undefined =>
    usualBefore({
      before: at - SHOWN_MINUTES,
      minutes: WINDOW_MINUTES,
      hours: BASELINE_HOURS,
      measure: (from, until) => measuresOf(series, from, until)[name],
    })?.value
  return {
    hitRatio: usual('hitRatio'),
    stale: usual('stale'),
    miss: usual('miss'),
    errors: usual('errors'),
    rate: usual('rate'),
  }
}

/** How far back a series has to reach for all of it. */
export const STATUS_MINUTES = SHOWN_MINUTES + BASELINE_HOURS * 60
