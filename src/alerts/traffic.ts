import { MINUTE_MS } from '../shared/durations.ts'
import type { MinuteCounts } from '../store/minute-counts.ts'

/** What is added up of a pull zone's minutes. Numbers, since each look asks for hundreds of sums. */
export const COLUMN = {
  /** All lines, whatever their status. */
  lines: 0,
  /** Milliseconds that were read. */
  coveredMs: 1,
  /** Minutes of which at least a part was read. */
  known: 2,
  /** Lines in which a cache was involved: hits, misses and what lies between, not `-`. */
  cacheable: 3,
  /** Cacheable lines that did not go round the cache. */
  throughCache: 4,
  /** Lines answered from the cache, what was old or had to be asked for again included. */
  answered: 5,
  /** Lines that carry a status code. */
  coded: 6,
  c5xx: 7,
  stale: 8,
  miss: 9,
  updating: 10,
  bypass: 11,
} as const
export type Column = (typeof COLUMN)[keyof typeof COLUMN]
/** All of them, each at its own number. */
export const COLUMNS: readonly Column[] = Object.values(COLUMN)

/** The minutes of a pull zone, as far as they are known. Minutes are whole ones since 1970; ranges exclude their end. */
export interface Traffic {
  /** The sum of a column from one minute to another. Minutes of which nothing is known count as not read. */
  total(column: Column, from: number, until: number): number
}

/** What a minute adds to a column. */
export function amountOf(column: Column, counts: MinuteCounts): number {
  switch (column) {
    case COLUMN.lines:
      return cacheable(counts) + counts.uncached + counts.other
    case COLUMN.coveredMs:
      return counts.coveredMs
    case COLUMN.known:
      return counts.coveredMs > 0 ? 1 : 0
    case COLUMN.cacheable:
      return cacheable(counts)
    case COLUMN.throughCache:
      return cacheable(counts) - counts.bypass
    case COLUMN.answered:
      return counts.hit + counts.stale + counts.updating + counts.revalidated
    case COLUMN.coded:
      return counts.c1xx + counts.c2xx + counts.c3xx + counts.c4xx + counts.c5xx
    case COLUMN.c5xx:
      return counts.c5xx
    case COLUMN.stale:
      return counts.stale
    case COLUMN.miss:
      return counts.miss
    case COLUMN.updating:
      return counts.updating
    case COLUMN.bypass:
      return counts.bypass
  }
}

/** The share of a stretch that was read, 0 to 1; 0 of an empty one. */
export function coveredIn(traffic: Traffic, from: number, until: number): number {
  return until > from ? traffic.total(COLUMN.coveredMs, from, until) / ((until - from) * MINUTE_MS) : 0
}

/** The share of its minutes of which at least a part was read, 0 to 1; 0 of an empty one. */
function knownIn(traffic: Traffic, from: number, until: number): number {
  return until > from ? traffic.total(COLUMN.known, from, until) / (until - from) : 0
}

/** Fewer of the minutes of a stretch were read at all: nothing can be said about how many lines there were. */
const RATED_FROM = { known: 0.5, covered: 0.05 }

/**
 * Whether enough of a stretch was read to scale its lines up: half of its minutes at least in part. Whole parts of every minute
 * are a fair sample, as in a zone too busy to read whole; minutes of which nothing was read are a gap, and no quiet time.
 */
export function ratedIn(traffic: Traffic, from: number, until: number): boolean {
  return knownIn(traffic, from, until) >= RATED_FROM.known && coveredIn(traffic, from, until) >= RATED_FROM.covered
}

/** Lines a minute, scaled by how much was read; undefined where that was too little. */
export function rateIn(traffic: Traffic, from: number, until: number): number | undefined {
  const minutes = until - from
  if (minutes <= 0 || !ratedIn(traffic, from, until)) return undefined
  return traffic.total(COLUMN.lines, from, until) / (coveredIn(traffic, from, until) * minutes)
}

/** What a column is of another one, 0 to 1; undefined of nothing. */
export function shareIn(
  traffic: Traffic,
  part: Column,
  whole: Column,
  from: number,
  until: number,
): number | undefined {
  const all = traffic.total(whole, from, until)
  return all > 0 ? traffic.total(part, from, until) / all : undefined
}

function cacheable({ hit, miss, stale, updating, revalidated, bypass }: MinuteCounts): number {
  return hit + miss + stale + updating + revalidated + bypass
}
