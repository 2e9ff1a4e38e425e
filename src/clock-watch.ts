import type { Clock } from './shared/clock.ts'
import { ClockSkew, type SkewState } from './shared/clock-skew.ts'
import type { Log } from './shared/log.ts'
import type { Fetch } from './slack/web-api.ts'

/** Whose clock this machine's is compared with. */
export type TimeSource = 'slack' | 'platform' | 'database'

export interface ClockWatchOptions {
  readonly clock: Clock
  readonly log: Log
  /** Told after each answer how far the clock is ahead, in seconds, as far as that is sure. */
  readonly onSkew: (source: TimeSource, seconds: number) => void
}

/**
 * Finds out whether this machine's clock is right, from the answers it gets anyway. Says it in the log when it begins to
 * differ by more than 30 seconds, and when that is over; a metric says how much at any time.
 */
export class ClockWatch {
  readonly #options: ClockWatchOptions
  readonly #skews: Readonly<Record<TimeSource, ClockSkew>>

  constructor(options: ClockWatchOptions) {
    this.#options = options
    const skew = (source: TimeSource) => new ClockSkew(options.clock, (state) => this.#tell(source, state))
    this.#skews = { slack: skew('slack'), platform: skew('platform'), database: skew('database') }
  }

  /** An answer has come with this `Date` header. `askedAtMs` is of the monotonic clock. */
  heard(source: TimeSource, header: string | undefined, askedAtMs: number): void {
    const skewMs = this.#skews[source].heard(header, askedAtMs)
    if (skewMs !== undefined) this.#options.onSkew(source, skewMs / 1_000)
  }

  /** Asks the database for its time, which is compared as well. */
  readonly timed = async (ask: () => Promise<number>): Promise<number> => {
    const askedAtMs = this.#options.clock.monotonicMs()
    const theirsMs = await ask()
    this.#options.onSkew('database', this.#skews.database.compare(theirsMs, askedAtMs, 1) / 1_000)
    return theirsMs
  }

  /** The same fetch, whose answers from Slack are listened to. */
  listening(fetch: Fetch): Fetch {
    return async (...request) => {
      const askedAtMs = this.#options.clock.monotonicMs()
      const response = await fetch(...request)
      this.heard('slack', response.headers.get('date') ?? undefined, askedAtMs)
      return response
    }
  }

  #tell(source: TimeSource, { skewMs, isWrong }: SkewState): void {
    const { log } = this.#options
    if (!isWrong) return log.info({ source }, 'the clock of this machine is right again')
    const fields = { source, aheadBySeconds: Math.round(skewMs / 1_000) }
    log.warn(
      fields,
      'the clock of this machine is wrong, or that of the source: times that people see are; see to the NTP of both',
    )
  }
}
