import type { InFlight } from '../execution/in-flight.ts'
import { type Clock, waitAtMost } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'

/** A write in flight has 30 s for its answer; a little more lets that be put on record and told. */
const DRAIN_MS = 35_000
/** For the step of a round that is under way. */
const LIVING_MS = 10_000
/** For what began between the end of the first wait and that of the links. */
const LATE_DRAIN_MS = 5_000
/** For reads that nobody waits for any more. */
const CLOSE_MS = 2_000

export interface StoppingParts {
  readonly inFlight: Pick<InFlight, 'drain' | 'count'>
  readonly unlink: () => Promise<void>
  /** Resolves when nothing that the bot does by itself is under way any more. */
  readonly living: Promise<unknown>
  readonly cdn: { readonly close: () => Promise<void> }
  readonly clock: Clock
  readonly log: Log
}

/** Lets what is under way end, for a bounded time, and lets go of the platform: then nothing needs the store any more. */
export async function comeToRest({ inFlight, unlink, living, cdn, clock, log }: StoppingParts): Promise<void> {
  const drain = async (atMostMs: number): Promise<void> => {
    if (!(await inFlight.drain(atMostMs))) log.warn({ left: inFlight.count }, 'stopped with work still under way')
  }
  await drain(DRAIN_MS)
  await unlink()
  if ((await waitAtMost(clock, LIVING_MS, living)) === undefined) log.warn('stopped in the middle of maintenance')
  await drain(LATE_DRAIN_MS)
  await waitAtMost(clock, CLOSE_MS, cdn.close())
}
