import { MINUTE_MS } from '../shared/durations.ts'
import { GROUP_WAIT_MS, REMINDER_MS, type AlertTiming } from './step.ts'

interface Asked {
  /** Minutes for which it has to be clear. */
  readonly clearFor: number
  readonly times?: number
  readonly of?: number
  /** Minutes from one look that counts to the next. */
  readonly apart?: number
}

/** The timing of a kind: bad once is enough if not said otherwise; group wait and reminder are the same for all. */
export function timingOf({ clearFor, times = 1, of = times, apart = 1 }: Asked): AlertTiming {
  return {
    times,
    of,
    apartMs: apart * MINUTE_MS,
    clearForMs: clearFor * MINUTE_MS,
    groupWaitMs: GROUP_WAIT_MS,
    reminderMs: REMINDER_MS,
  }
}

/** How many looks, one a minute, it takes until something has been so for some minutes: the first and the last count both. */
export function looksFor(minutes: number): number {
  return Math.floor(minutes) + 1
}

/** What mutes kinds that need to trust the numbers. */
export const UNTRUSTED = ['log-silence', 'poller-health'] as const
