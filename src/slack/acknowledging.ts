import type { Clock } from '../shared/clock.ts'

/** Slack gives up after 3 s; a second is left for the way to Slack and back. */
export const ACK_BUDGET_MS = 2_000

/** Tells Slack that a delivery has arrived. Called again, it does nothing more. */
export type Acknowledge = () => Promise<void>

/**
 * Does `work` for a delivery and acknowledges it: when the work says so, when it is over, or when Slack's patience is.
 * What changes something is acknowledged once it is committed, so that Slack sends again what a crash took away.
 */
export async function acknowledging(
  clock: Clock,
  ack: () => Promise<void>,
  work: (acknowledge: Acknowledge) => Promise<void>,
): Promise<void> {
  let acked: Promise<void> | undefined
  const acknowledge = (): Promise<void> => (acked ??= ack())
  // Whether it worked is seen at the end, where it is awaited.
  const timer = clock.after(ACK_BUDGET_MS, () => void acknowledge().catch(() => undefined))
  try {
    await work(acknowledge)
  } finally {
    timer.cancel()
    await acknowledge()
  }
}
