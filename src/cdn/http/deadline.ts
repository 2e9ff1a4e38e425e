import type { Clock, Timer } from '../../shared/clock.ts'

/** How long one call may take in all, repeats included, from the moment it has its slot. */
export const DEADLINES_MS = { read: 8_000, write: 30_000, dayFile: 10 * 60_000 } as const

/** A day file may take minutes, but not to begin. */
export const FIRST_BYTE_TIMEOUT_MS = 10_000
/** Once it has begun, it may not pause for longer. */
export const IDLE_TIMEOUT_MS = 30_000

export type Deadline = ReturnType<typeof createDeadline>

/**
 * The end of a call's patience: aborts `signal` when the time is over, when nothing arrives for too long, or when the
 * caller gives up. Time runs from `start`, so waiting for a slot costs none of it.
 */
export function createDeadline(clock: Clock, totalMs: number, caller: AbortSignal | undefined) {
  const controller = new AbortController()
  let endsAtMs = Number.POSITIVE_INFINITY
  let total: Timer | undefined
  let stall: Timer | undefined
  let reason: 'timeout' | 'aborted' | undefined
  const abort = (why: 'timeout' | 'aborted'): void => {
    if (reason !== undefined) return
    reason = why
    stop()
    controller.abort()
  }
  const giveUp = (): void => abort('aborted')
  /** Ends the watch, once the call is over and nothing is expected any more. */
  const stop = (): void => {
    total?.cancel()
    caller?.removeEventListener('abort', giveUp)
  }
  if (caller?.aborted === true) giveUp()
  else caller?.addEventListener('abort', giveUp, { once: true })
  return {
    signal: controller.signal,
    get reason() {
      return reason
    },
    /** Starts the time the first time it is called; a repeat of the call does not start it anew. */
    start(): void {
      if (total !== undefined || reason !== undefined) return
      endsAtMs = clock.monotonicMs() + totalMs
      total = clock.after(totalMs, () => abort('timeout'))
    },
    remainingMs: () => endsAtMs - clock.monotonicMs(),
    /** Something has to arrive within this time, or nothing more is waited for. */
    expectWithin(maxIdleMs: number): void {
      stall = clock.after(maxIdleMs, () => abort('timeout'))
    },
    /** Nothing has to arrive any more, for instance during the pause before a repeat. */
    expectNothing: () => stall?.cancel(),
    stop,
  }
}
