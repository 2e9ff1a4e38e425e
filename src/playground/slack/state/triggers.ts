import type { Clock } from '../../../shared/clock.ts'
import { SlackError } from './slack-error.ts'

const LIFETIME_MS = 3_000
/** Triggers older than the newest thousand answer as unknown. */
const MAX_TRIGGERS = 1_000

interface Trigger {
  readonly userId: string
  readonly issuedMs: number
  exchanged: boolean
}

/** Trigger ids: leave to open one view, good for 3 seconds and for one use. */
export class Triggers {
  readonly #clock: Clock
  readonly #triggers = new Map<string, Trigger>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  issue(userId: string): string {
    const id = `${this.#triggers.size + 1}.${this.#clock.now().getTime()}.${this.#clock.newId()}`
    this.#triggers.set(id, { userId, issuedMs: this.#clock.monotonicMs(), exchanged: false })
    const [oldest] = this.#triggers.keys()
    if (this.#triggers.size > MAX_TRIGGERS && oldest !== undefined) this.#triggers.delete(oldest)
    return id
  }

  /** Uses a trigger up and says whose it is. Throws `invalid_`, `exchanged_` or `expired_trigger_id`. */
  exchange(id: string): string {
    const trigger = this.#triggers.get(id)
    if (trigger === undefined) throw new SlackError('invalid_trigger_id')
    if (trigger.exchanged) throw new SlackError('exchanged_trigger_id')
    if (this.#clock.monotonicMs() - trigger.issuedMs > LIFETIME_MS) throw new SlackError('expired_trigger_id')
    trigger.exchanged = true
    return trigger.userId
  }
}
