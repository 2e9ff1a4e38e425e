import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'

/** The port is open to everybody: what strangers send must not fill the log. */
const TOLD_EVERY_MS = 60_000

/** Requests that were refused, told in the log by reason: the first at once, those after it once a minute together. */
export class Refusals {
  readonly #clock: Clock
  readonly #log: Log
  #counts: Map<string, number> | undefined

  constructor(clock: Clock, log: Log) {
    this.#clock = clock
    this.#log = log
  }

  count(reason: string): void {
    if (this.#counts === undefined) {
      this.#counts = new Map()
      this.#tell({ [reason]: 1 })
      this.#clock.after(TOLD_EVERY_MS, () => this.#tellRest())
      return
    }
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1)
  }

  #tellRest(): void {
    const counts = this.#counts ?? new Map<string, number>()
    this.#counts = undefined
    if (counts.size === 0) return
    this.#counts = new Map()
    this.#tell(Object.fromEntries(counts))
    this.#clock.after(TOLD_EVERY_MS, () => this.#tellRest())
  }

  #tell(refused: Readonly<Record<string, number>>): void {
    this.#log.warn(
      { refused },
      'requests were refused because they are not as Slack sends them; if all are, look at SLACK_SIGNING_SECRET',
    )
  }
}
