/**
 * What a pull zone's log said of one minute: how many lines there are of each cache status and of each class of status
 * code. Numbers are of the lines that were read; `coveredMs` says of how much of the minute these are all.
 */
export interface MinuteCounts {
  /** Whole minutes since 1970. */
  readonly minute: number
  /** 0 to 60,000: the time of the minute that was read whole. 0 means that nothing is known of it, not that it was quiet. */
  readonly coveredMs: number
  readonly hit: number
  readonly miss: number
  readonly stale: number
  readonly updating: number
  readonly revalidated: number
  readonly bypass: number
  /** `-`: no cache was involved. */
  readonly uncached: number
  /** Statuses the contract does not name, such as EXPIRED. */
  readonly other: number
  readonly c1xx: number
  readonly c2xx: number
  readonly c3xx: number
  readonly c4xx: number
  readonly c5xx: number
  /** Lines without a status code. */
  readonly uncoded: number
  /** Of `miss`, those that were answered 4xx: what scanners ask for, and nothing that the cache could have. */
  readonly miss4xx: number
}

/** The columns that count lines, cache statuses first. */
const CACHE_COUNTS = ['hit', 'miss', 'stale', 'updating', 'revalidated', 'bypass', 'uncached', 'other'] as const
const CODE_COUNTS = ['c1xx', 'c2xx', 'c3xx', 'c4xx', 'c5xx', 'uncoded'] as const
export const COUNTS = [...CACHE_COUNTS, ...CODE_COUNTS, 'miss4xx'] as const
export type CountName = (typeof COUNTS)[number]

/** Minutes are kept for two weeks and a day, so that the same hour of the week can be looked at twice. */
export const MINUTE_RETENTION_MS = 15 * 86_400_000
