import type Bottleneck from 'bottleneck'
import type { Clock } from '../shared/clock.ts'
import type { LogPriority } from './cdn.ts'

/** A wait that lasts longer than this is worth telling the person about. */
const TELL_AFTER_MS = 1_000

export interface SlotWait {
  readonly clock: Clock
  readonly priority: LogPriority
  readonly maxWaitMs: number
  readonly signal?: AbortSignal | undefined
  readonly onWaiting?: (() => void) | undefined
  /** What is thrown when the wait has lasted `maxWaitMs`. */
  readonly refusal: () => Error
}

const PRIORITIES: Readonly<Record<LogPriority, number>> = { person: 0, background: 5 }

/**
 * Resolves when the limiter gives a slot, which the caller then has to give back. A wait given up (in time, or by the
 * signal) takes no slot: its place in the queue, which cannot be removed, hands the slot on when its turn comes.
 *
 * The slot is only a turn; what is done with it runs where it was awaited, so its async context is the caller's.
 */
export async function waitForSlot(limiter: Bottleneck, wait: SlotWait): Promise<void> {
  const { clock, signal, maxWaitMs, onWaiting, refusal } = wait
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let state: 'waiting' | 'given' | 'gone' = 'waiting'
  const leave = (reason: unknown): void => {
    if (state !== 'waiting') return
    state = 'gone'
    reject(reason instanceof Error ? reason : new Error('Aborted'))
  }
  const abort = (): void => leave(signal?.reason)
  const tell = clock.after(TELL_AFTER_MS, () => onWaiting?.())
  const tooLong = clock.after(maxWaitMs, () => leave(refusal()))
  signal?.addEventListener('abort', abort, { once: true })

  const turn = limiter.schedule({ priority: PRIORITIES[wait.priority] }, async () => {
    if (state === 'gone') {
      await limiter.incrementReservoir(1)
    } else {
      state = 'given'
      resolve()
    }
  })
  turn.catch(leave)
  try {
    await promise
  } finally {
    tell.cancel()
    tooLong.cancel()
    signal?.removeEventListener('abort', abort)
  }
}
