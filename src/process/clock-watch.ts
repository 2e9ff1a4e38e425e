import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'

/** Beyond this, times that people read are wrong, and soon signatures of Slack are refused. */
export const SKEW_MS = 30_000
/** Below this a reported skew is over: hysteresis for a clock at the edge. */
const SKEW_OVER_MS = 20_000
/** One response may come out of a cache. */
const RESPONSES_NEEDED = 2
/** A `Date` header has whole seconds, rounded down. */
const HEADER_STEP_MS = 1_000
/** RFC 9110 wants this form and no other; `Date.parse` takes nearly anything. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

export type TimeSource = 'slack' | 'platform' | 'database'

/**
 * Measures how far this machine's clock is from those of others, by the time in their responses. A response was made some time
 * between request and response, so only what no such time explains counts: a slow response is not taken for a wrong clock. It
 * logs when the clock begins to be wrong, and when it is right again: each once.
 *
 * `onSkew` is called after each response with how far the clock is ahead, in seconds; negative when it is behind.
 */
export function watchClock(clock: Clock, log: Log, onSkew: (source: TimeSource, seconds: number) => void) {
  const wrong = new Set<TimeSource>()
  /** How many responses in a row contradict what was logged. */
  const contradictions = new Map<TimeSource, number>()

  /** `theirsMs` was rounded down to a multiple of `stepMs`. */
  function compare(source: TimeSource, theirsMs: number, askedAtMs: number, stepMs: number): void {
    const skewMs = leastSkewMs(clock, theirsMs, askedAtMs, stepMs)
    onSkew(source, skewMs / 1_000)
    const wasWrong = wrong.has(source)
    const contradicts = wasWrong ? Math.abs(skewMs) < SKEW_OVER_MS : Math.abs(skewMs) > SKEW_MS
    const count = contradicts ? (contradictions.get(source) ?? 0) + 1 : 0
    contradictions.set(source, count % RESPONSES_NEEDED)
    if (count < RESPONSES_NEEDED) return
    if (wrong.delete(source)) return log.info({ source }, 'the clock of this machine is right again')
    wrong.add(source)
    log.warn(
      { source, aheadBySeconds: Math.round(skewMs / 1_000) },
      'the clock of this machine is wrong, or that of the source: times that people see are; see to the NTP of both',
    )
  }

  return {
    /** Compares with the `Date` header of a response, if it has one. `askedAtMs` is of the monotonic clock. */
    compareHeader(source: TimeSource, header: string | undefined, askedAtMs: number): void {
      if (header !== undefined && HTTP_DATE.test(header) && !Number.isNaN(Date.parse(header)))
        compare(source, Date.parse(header), askedAtMs, HEADER_STEP_MS)
    },
    /** Asks the database for its time and compares with it. */
    timed: async (ask: () => Promise<number>): Promise<number> => {
      const askedAtMs = clock.monotonicMs()
      const theirsMs = await ask()
      compare('database', theirsMs, askedAtMs, 1)
      return theirsMs
    },
  }
}

function leastSkewMs(clock: Clock, theirsMs: number, askedAtMs: number, stepMs: number): number {
  const nowMs = clock.now().getTime()
  // What the clock would have shown at the request, even if somebody has set it meanwhile.
  const thenMs = nowMs - (clock.monotonicMs() - askedAtMs)
  const least = thenMs - theirsMs - stepMs
  return least > 0 ? least : Math.min(0, nowMs - theirsMs)
}
