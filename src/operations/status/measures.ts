import { COLUMN, type MinuteSeries } from '../../alerts/minute-series.ts'
import { median } from '../../alerts/robust.ts'

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
/** With fewer windows nothing is known to be usual. */
const LEAST_WINDOWS = 8

/** The measures of the minutes from one to another, its end excluded. */
export function measuresOf(series: MinuteSeries, from: number, until: number): Measures {
  const covered = series.covered(from, until)
  const [all, bypass] = [series.total(COLUMN.cacheable, from, until), series.total(COLUMN.bypass, from, until)]
  const answered = series.total(COLUMN.answered, from, until)
  const share = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined)
  return {
    hitRatio: share(answered, all - bypass),
    stale: series.share(COLUMN.stale, COLUMN.cacheable, from, until),
    miss: share(all - bypass - answered, all),
    errors: series.isCoded ? series.share(COLUMN.c5xx, COLUMN.lines, from, until) : undefined,
    rate: covered >= LEAST_COVERED ? series.total(COLUMN.lines, from, until) / (covered * (until - from)) : undefined,
  }
}

/** What was usual in the four hours before the hour that ends at minute `at`. */
export function usualMeasures(series: MinuteSeries, at: number): Measures {
  const until = at - SHOWN_MINUTES
  const windows = Array.from({ length: (BASELINE_HOURS * 60) / WINDOW_MINUTES }, (_, index) =>
    measuresOf(series, until - (index + 1) * WINDOW_MINUTES, until - index * WINDOW_MINUTES),
  )
  const usual = (name: keyof Measures): number | undefined => {
    const said = windows.flatMap((window) => window[name] ?? [])
    return said.length < LEAST_WINDOWS ? undefined : median(said)
  }
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
