import type { Counts, MinuteSeries } from '../../alerts/minute-series.ts'
import { usualBefore } from '../../alerts/baseline.ts'
import { answered, cacheable, coded, shareValue, throughCache } from '../../alerts/traffic-reading.ts'

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

/** The measures of counts over so many minutes. */
export function measuresOf(counts: Counts, minutes: number): Measures {
  const rate = counts.lines / (counts.covered * minutes)
  return {
    hitRatio: shareValue(answered(counts), throughCache(counts)),
    stale: shareValue(counts.stale, cacheable(counts)),
    miss: shareValue(counts.miss, cacheable(counts)),
    errors: shareValue(counts.c5xx, coded(counts)),
    rate: counts.covered >= LEAST_COVERED && minutes > 0 ? rate : undefined,
  }
}

/** What was usual in the four hours before the hour that ends at minute `at`. */
export function usualMeasures(series: MinuteSeries, at: number): Measures {
  const usual = (name: keyof Measures): number | undefined =>
    usualBefore(series, {
      before: at - SHOWN_MINUTES,
      minutes: WINDOW_MINUTES,
      hours: BASELINE_HOURS,
      measure: (counts) => measuresOf(counts, WINDOW_MINUTES)[name],
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
