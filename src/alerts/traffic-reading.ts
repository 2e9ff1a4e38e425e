import type { Facts, Level, Reading, Severity } from './reading.ts'
import { coverage, span } from './reading-sentence.ts'
import { inMilliseconds, type Window } from './window.ts'
import type { Share } from './wilson.ts'
import type { Counts } from './minute-series.ts'

/** Lines in which a cache was involved: hits, misses and what lies between, not `-`. */
export function cacheable({ hit, miss, stale, updating, revalidated, bypass }: Counts): number {
  return hit + miss + stale + updating + revalidated + bypass
}

/** Cacheable lines that did not go round the cache. */
export function throughCache(counts: Counts): number {
  return cacheable(counts) - counts.bypass
}

/** Lines answered from the cache, what was old or had to be asked for again included. */
export function answered({ hit, stale, updating, revalidated }: Counts): number {
  return hit + stale + updating + revalidated
}

/** Lines that carry a status code. */
export function coded({ c1xx, c2xx, c3xx, c4xx, c5xx }: Counts): number {
  return c1xx + c2xx + c3xx + c4xx + c5xx
}

/** A share as charts show it; undefined of nothing. */
export function shareValue(part: number, whole: number): number | undefined {
  return whole > 0 ? part / whole : undefined
}

/** Fewer of the minutes of a stretch were read at all: nothing can be said about how many lines there were. */
const RATED_FROM = { known: 0.5, covered: 0.05 }

/**
 * Whether enough of a stretch was read to scale its lines up: half of its minutes at least in part. Whole parts of every minute
 * are a fair sample, as in a zone too busy to read whole; minutes of which nothing was read are a gap, and no quiet time.
 */
export function rated({ known, covered }: Pick<Counts, 'known' | 'covered'>): boolean {
  return known >= RATED_FROM.known && covered >= RATED_FROM.covered
}

/** Lines a minute, scaled by how much was read; undefined where that was too little. */
export function rateOf(counts: Pick<Counts, 'lines' | 'covered' | 'known' | 'minutes'>): number | undefined {
  return counts.minutes > 0 && rated(counts) ? counts.lines / (counts.covered * counts.minutes) : undefined
}

/** The level of one look: bad, or else clear, or while it fires and is not yet good enough, between both. */
export function levelOf(bad: Severity | undefined, clear: boolean, firing: boolean): Level {
  return bad ?? (clear || !firing ? 'clear' : 'between')
}

/** The gravest severity that holds. */
export function gravest(critical: boolean, warning: boolean): Severity | undefined {
  return critical ? 'critical' : warning ? 'warning' : undefined
}

/** Facts about a window: the sentence gets its time and, where not all was read, how much was. */
export function factsOf(
  window: Window,
  sentence: string,
  numbers: Omit<Facts, 'sentence' | 'window' | 'covered'>,
): Facts {
  const { covered } = window.counts
  return {
    ...numbers,
    sentence: `${sentence} From ${span(window)}.${coverage(covered)}`,
    window: inMilliseconds(window),
    covered,
  }
}

/** What facts say of a share. */
export function shareNumbers(share: Share): Pick<Facts, 'value' | 'unit' | 'sample' | 'interval'> {
  return { value: share.value, unit: 'share', sample: share.sample, interval: [share.low, share.high] }
}

/** Nothing can be said, and why. */
export function noData(window: Window, why: string, numbers: Omit<Facts, 'sentence'> = {}): Reading {
  return { level: 'no data', facts: factsOf(window, `No data: ${why}.`, numbers) }
}
