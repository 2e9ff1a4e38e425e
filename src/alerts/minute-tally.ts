import { type CountName, COUNTS, type MinuteCounts } from '../store/minute-counts.ts'

export type MinuteTally = { -readonly [Name in keyof MinuteCounts]: MinuteCounts[Name] }

// Each name is one of a count, and has 0.
const NO_LINES = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Record<CountName, number>

/** A minute without a line. `coveredMs`: how much of it was read. */
export function emptyMinute(minute: number, coveredMs: number): MinuteTally {
  return { minute, coveredMs, ...NO_LINES }
}

const CACHE_COUNTS: ReadonlyMap<string, CountName> = new Map([
  ['HIT', 'hit'],
  ['MISS', 'miss'],
  ['STALE', 'stale'],
  ['UPDATING', 'updating'],
  ['REVALIDATED', 'revalidated'],
  ['BYPASS', 'bypass'],
  ['-', 'uncached'],
])
const CODE_COUNTS = ['c1xx', 'c2xx', 'c3xx', 'c4xx', 'c5xx'] as const

/** Adds one line: by its cache status as the contract spells it, and by the class of its status code. */
export function countLine(tally: MinuteTally, cacheStatus = '', statusCode = 0): void {
  const cache = CACHE_COUNTS.get(cacheStatus) ?? 'other'
  const code = CODE_COUNTS[Math.floor(statusCode / 100) - 1] ?? 'uncoded'
  tally[cache] += 1
  tally[code] += 1
  if (code === 'c4xx' && cache === 'miss') tally.miss4xx += 1
}
