import type { CountName, MinuteCounts } from '../store/minute-counts.ts'

/** Counts of one minute while lines are still added to them. */
export type MinuteTally = { -readonly [Name in keyof MinuteCounts]: MinuteCounts[Name] }

/** A minute without a line. `coveredMs`: how much of it was read. */
export function emptyMinute(minute: number, coveredMs: number): MinuteTally {
  return {
    minute,
    coveredMs,
    hit: 0,
    miss: 0,
    stale: 0,
    updating: 0,
    revalidated: 0,
    bypass: 0,
    uncached: 0,
    other: 0,
    c1xx: 0,
    c2xx: 0,
    c3xx: 0,
    c4xx: 0,
    c5xx: 0,
    uncoded: 0,
    miss4xx: 0,
  }
}

/** Adds one line: by its cache status as the contract spells it, and by the class of its status code. */
export function countLine(tally: MinuteTally, cacheStatus: string | undefined, statusCode: number | undefined): void {
  tally[cacheCount(cacheStatus)] += 1
  const code = codeCount(statusCode)
  tally[code] += 1
  if (code === 'c4xx' && cacheStatus === 'MISS') tally.miss4xx += 1
}

function cacheCount(cacheStatus: string | undefined): CountName {
  switch (cacheStatus) {
    case 'HIT':
      return 'hit'
    case 'MISS':
      return 'miss'
    case 'STALE':
      return 'stale'
    case 'UPDATING':
      return 'updating'
    case 'REVALIDATED':
      return 'revalidated'
    case 'BYPASS':
      return 'bypass'
    case '-':
      return 'uncached'
    default:
      return 'other'
  }
}

function codeCount(statusCode: number | undefined): CountName {
  if (statusCode === undefined || statusCode < 100 || statusCode > 599) return 'uncoded'
  if (statusCode < 200) return 'c1xx'
  if (statusCode < 300) return 'c2xx'
  if (statusCode < 400) return 'c3xx'
  return statusCode < 500 ? 'c4xx' : 'c5xx'
}
