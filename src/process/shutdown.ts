import type { InFlight } from '../execution/requests/in-flight.ts'
import { type Clock, waitAtMost } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'

/** A write in flight has 30 s for its answer; a little more lets that be put on record and told. */
const DRAIN_MS = 35_000
/** For results that Slack did not take yet: what is left is told after the next start. */
const ANNOUNCE_MS = 5_000
/** For the maintenance task that is running. */
const BACKGROUND_MS = 10_000
/** For requests that came before the links were closed. */
const LATE_DRAIN_MS = 5_000
/** For reads that nobody waits for any more. */
const CLOSE_MS = 2_000

export interface Stopping {
  readonly inFlight: Pick<InFlight, 'drain' | 'count'>
  /** Tells what stands in the store and was not told yet. */
  readonly announceAll: () => Promise<void>
  readonly unlink: () => Promise<void>
  /** Others serve Slack meanwhile: it is left before what is under way has ended. */
  readonly leavesFirst: boolean
  /** Resolves when all that the bot does by itself has ended. */
  readonly background: Promise<unknown>
  readonly cdn: { readonly close: () => Promise<void> }
  readonly clock: Clock
  readonly log: Log
}

/** Waits for requests in flight, for a bounded time, and closes the platform's client: then nothing needs the store any more. */
export async function drainAndClose(stopping: Stopping): Promise<void> {
  const { inFlight, announceAll, unlink, leavesFirst, background, cdn, clock, log } = stopping
  const drain = async (atMostMs: number): Promise<void> => {
    if (!(await inFlight.drain(atMostMs, leavesFirst)))
      log.warn({ left: inFlight.count }, 'stopped with requests still in flight')
  }
  if (leavesFirst) await unlink()
  await drain(DRAIN_MS)
  const announced = announceAll().catch((error: unknown) =>
    log.warn({ err: error }, 'messages wait for the next start'),
  )
  await waitAtMost(clock, ANNOUNCE_MS, announced)
  if (!leavesFirst) await unlink()
  if ((await waitAtMost(clock, BACKGROUND_MS, background)) === undefined)
    log.warn('stopped in the middle of maintenance')
  await drain(LATE_DRAIN_MS)
  await waitAtMost(clock, CLOSE_MS, cdn.close())
}
