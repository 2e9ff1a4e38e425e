import type { Clock, Timer } from '../../shared/clock.ts'

/** How long one call may take in all, repeats included, from the moment it has its slot. */
export const DEADLINES_MS = { read: 8_000, write: 30_000, dayFile: 10 * 60_000 } as const

/** A day file may take minutes, but not to begin. */
export const FIRST_BYTE_TIMEOUT_MS = 10_000
/** Once it has begun, it may not pause for longer. */
export const IDLE_TIMEOUT_MS = 30_000

/**
 * The end of a call's patience: aborts `signal` when the time is over, when nothing arrives for too long, or when the
 * caller gives up. Time runs from `start`, so waiting for a slot costs none of it.
 */
export class Deadline {
  readonly #clock: Clock
  readonly #totalMs: number
  readonly #controller = new AbortController()
  readonly #giveUp: () => void
  readonly #caller: AbortSignal | undefined
  #endsAtMs: number | undefined
  #total: Timer | undefined
  #stall: Timer | undefined
  #reason: 'timeout' | 'aborted' | undefined

  constructor(clock: Clock, totalMs: number, caller: AbortSignal | undefined) {
    this.#clock = clock
    this.#totalMs = totalMs
    this.#caller = caller
    this.#giveUp = () => this.#abort('aborted')
    if (caller?.aborted === true) this.#abort('aborted')
    else caller?.addEventListener('abort', this.#giveUp, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get reason(): 'timeout' | 'aborted' | undefined {
    return this.#reason
  }

  /** Starts the time the first time it is called; a repeat of the call does not start it anew. */
  start(): void {
    if (this.#endsAtMs !== undefined || this.#reason !== undefined) return
    this.#endsAtMs = this.#clock.monotonicMs() + this.#totalMs
    this.#total = this.#clock.after(this.#totalMs, () => this.#abort('timeout'))
  }

  remainingMs(): number {
    return this.#endsAtMs === undefined ? this.#totalMs : this.#endsAtMs - this.#clock.monotonicMs()
  }

  /** Something has to arrive within this time, or nothing more is waited for. Replaces an earlier such rule. */
  expectWithin(maxIdleMs: number): void {
    this.#stall?.cancel()
    this.#stall = this.#clock.after(maxIdleMs, () => this.#abort('timeout'))
  }

  /** Nothing has to arrive any more, for instance during the pause before a repeat. */
  expectNothing(): void {
    this.#stall?.cancel()
    this.#stall = undefined
  }

  /** Ends the watch; nothing is aborted any more. Must be called once the call is over. */
  stop(): void {
    this.#total?.cancel()
    this.#stall?.cancel()
    this.#caller?.removeEventListener('abort', this.#giveUp)
  }

  #abort(reason: 'timeout' | 'aborted'): void {
    if (this.#reason !== undefined) return
    this.#reason = reason
    this.stop()
    this.#controller.abort()
  }
}
