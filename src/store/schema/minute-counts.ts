import * as z from 'zod'
import { MINUTE_MS } from '../../shared/durations.ts'

const Count = z.int().min(0)

/**
 * What a pull zone's log said of one minute: how many lines there are of each cache status and of each class of status
 * code. Numbers are of the lines that were read; `coveredMs` says of how much of the minute these are all.
 */
export const MinuteRow = z.object({
  /** Whole minutes since 1970. */
  minute: z.int(),
  /** The time of the minute that was read whole. 0 means that nothing is known of it, not that it was quiet. */
  coveredMs: Count.max(MINUTE_MS),
  hit: Count,
  miss: Count,
  stale: Count,
  updating: Count,
  revalidated: Count,
  bypass: Count,
  /** `-`: no cache was involved. */
  uncached: Count,
  /** Statuses the contract does not name, such as EXPIRED. */
  other: Count,
  c1xx: Count,
  c2xx: Count,
  c3xx: Count,
  c4xx: Count,
  c5xx: Count,
  uncoded: Count,
  /** Of `miss`, those that were answered 4xx: what scanners ask for, and nothing that the cache could have. */
  miss4xx: Count,
})
export type MinuteCounts = Readonly<z.output<typeof MinuteRow>>

/** The columns that count lines, cache statuses first. */
export const COUNTS = MinuteRow.omit({ minute: true, coveredMs: true }).keyof().options
export type CountName = (typeof COUNTS)[number]

/** Minutes are kept for two weeks and a day, so that the same hour of the week can be looked at twice. */
export const MINUTE_RETENTION_MS = 15 * 86_400_000
