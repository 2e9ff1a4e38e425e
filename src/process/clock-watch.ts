import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'

/** Beyond this, times that people read are wrong, and soon signatures of Slack are refused. */
export const SKEW_MS = 30_000
/** What has been warned of is over below this: a clock at the edge is not told again and again. */
const SKEW_OVER_MS = 20_000
/** One answer may come out of somebody's cache. */
const ANSWERS_NEEDED = 2
/** A header has whole seconds, rounded down. */
const HEADER_STEP_MS = 1_000
/** RFC 9110 wants this form and no other; `Date.parse` takes nearly anything. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** How far this machine's clock is ahead of somebody else's; negative when it is behind. Milliseconds. */
export interface SkewState {
  readonly skewMs: number
  /** Whether it is far enough to be told. */
  readonly isWrong: boolean
}

/**
 * Compares the clock with that of a server, by the `Date` of its answers. An answer was made some time between question and
 * answer, so only what no such time explains counts: a slow answer is not taken for a wrong clock. It tells when the clock
 * begins to be wrong, and when it is right again: each once.
 */
export class ClockSkew {
  readonly #clock: Clock
  readonly #tell: (state: SkewState) => void
  #isWrong = false
  /** How many answers in a row said other than what was told. */
  #contrary = 0

  constructor(clock: Clock, tell: (state: SkewState) => void) {
    this.#clock = clock
    this.#tell = tell
  }

  /**
   * An answer has come, to a question that was asked at `askedAtMs` of the monotonic clock. Returns the least skew that
   * explains it, in milliseconds; undefined for a header that is missing or no date.
   */
  heard(header: string | undefined, askedAtMs: number): number | undefined {
    if (header === undefined || !HTTP_DATE.test(header)) return undefined
    const theirsMs = Date.parse(header)
    return Number.isNaN(theirsMs) ? undefined : this.compare(theirsMs, askedAtMs, HEADER_STEP_MS)
  }

  /** The same for a time in milliseconds, which was rounded down to steps of so many. */
  compare(theirsMs: number, askedAtMs: number, stepMs: number): number {
    const skewMs = this.#leastSkewMs(theirsMs, askedAtMs, stepMs)
    const far = Math.abs(skewMs)
    const isContrary = this.#isWrong ? far < SKEW_OVER_MS : far > SKEW_MS
    this.#contrary = isContrary ? this.#contrary + 1 : 0
    if (this.#contrary >= ANSWERS_NEEDED) {
      this.#isWrong = !this.#isWrong
      this.#contrary = 0
      this.#tell({ skewMs, isWrong: this.#isWrong })
    }
    return skewMs
  }

  #leastSkewMs(theirsMs: number, askedAtMs: number, stepMs: number): number {
    const nowMs = this.#clock.now().getTime()
    // What the clock would have shown when it was asked, even if somebody has put it right meanwhile.
    const thenMs = nowMs - Math.max(0, this.#clock.monotonicMs() - askedAtMs)
    const least = thenMs - theirsMs - stepMs
    const most = nowMs - theirsMs
    if (least > 0) return least
    return most < 0 ? most : 0
  }
}

export type TimeSource = 'slack' | 'platform' | 'database'

/**
 * Finds out whether this machine's clock is right, from the answers it gets anyway. Says it in the log when it begins to
 * differ by more than 30 seconds, and when that is over; a metric says how much at any time.
 */
export class ClockWatch {
  readonly #clock: Clock
  readonly #log: Log
  readonly #onSkew: (source: TimeSource, seconds: number) => void
  readonly #skews: Readonly<Record<TimeSource, ClockSkew>>

  /** `onSkew` is told after each answer how far the clock is ahead, in seconds, as far as that is sure. */
  constructor(clock: Clock, log: Log, onSkew: (source: TimeSource, seconds: number) => void) {
    this.#clock = clock
    this.#log = log
    this.#onSkew = onSkew
    const skew = (source: TimeSource) => new ClockSkew(clock, (state) => this.#tell(source, state))
    this.#skews = { slack: skew('slack'), platform: skew('platform'), database: skew('database') }
  }

  /** An answer has come with this `Date` header. `askedAtMs` is of the monotonic clock. */
  heard(source: TimeSource, header: string | undefined, askedAtMs: number): void {
    const skewMs = this.#skews[source].heard(header, askedAtMs)
    if (skewMs !== undefined) this.#onSkew(source, skewMs / 1_000)
  }

  /** Asks the database for its time, which is compared as well. */
  readonly timed = async (ask: () => Promise<number>): Promise<number> => {
    const askedAtMs = this.#clock.monotonicMs()
    const theirsMs = await ask()
    this.#onSkew('database', this.#skews.database.compare(theirsMs, askedAtMs, 1) / 1_000)
    return theirsMs
  }

  #tell(source: TimeSource, { skewMs, isWrong }: SkewState): void {
    if (!isWrong) return this.#log.info({ source }, 'the clock of this machine is right again')
    const fields = { source, aheadBySeconds: Math.round(skewMs / 1_000) }
    this.#log.warn(
      fields,
      'the clock of this machine is wrong, or that of the source: times that people see are; see to the NTP of both',
    )
  }
}
