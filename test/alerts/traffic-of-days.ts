import { type Random, seededRandom } from '../../src/playground/cdn/world/seeded-random.ts'
import type { MinuteCounts } from '../../src/store/schema/minute-counts.ts'

const MINUTE_MS = 60_000
export const DAY = 1_440
/** Where days that are made up end, as a minute since 1970: a Friday, 12:00 UTC. */
export const NOON = Date.UTC(2026, 10, 20, 12) / MINUTE_MS

/** How a zone is on days on which nothing happens. */
export interface Zone {
  /** Lines a minute, over the whole day. */
  readonly lines: number
  /** How much more come at 20:00 UTC, and less at 8:00, as a part of that. */
  readonly swing?: number
  /** Variance of lines over their mean: more than 1 where they come in clumps. */
  readonly dispersion?: number
  /** What the cache answers of what it could. */
  readonly hit?: number
  /** Share of the lines. */
  readonly c5xx?: number
  readonly c4xx?: number
  readonly bypass?: number
  /** How little shares differ from minute to minute beyond chance: as if each were of so many lines. */
  readonly steadiness?: number
}

/** What is otherwise in a minute. */
export interface Happening extends Partial<Omit<Zone, 'lines' | 'swing'>> {
  /** So many times the lines. */
  readonly times?: number
  /** Share of what was cached that is served STALE. */
  readonly stale?: number
  /** So many more lines a minute: of a crawl, all MISS, or of a scanner, MISS with 404. */
  readonly crawled?: number
  readonly scanned?: number
  /** The share of the minute that was read; nothing is there of a minute with 0. */
  readonly read?: number
}

/** Minutes of a zone, each the same whatever the others are. */
export function trafficOf(
  zone: Zone,
  from: number,
  until: number,
  happening: (minute: number) => Happening = () => ({}),
): readonly MinuteCounts[] {
  const quiet = quietMinutesOf(zone)
  return Array.from({ length: until - from }, (_, index) => from + index).flatMap((minute) => {
    const happens = happening(minute)
    const counts = Object.keys(happens).length > 0 ? minuteOf(zone, minute, happens) : quiet(minute)
    return counts.coveredMs > 0 ? [counts] : []
  })
}

/** The week before something happens is the same in many tests of a zone. */
function quietMinutesOf(zone: Zone): (minute: number) => MinuteCounts {
  const key = JSON.stringify(zone)
  const known = quiet.get(key) ?? new Map<number, MinuteCounts>()
  quiet.set(key, known)
  return (minute) => {
    const counts = known.get(minute) ?? minuteOf(zone, minute, {})
    known.set(minute, counts)
    return counts
  }
}

const quiet = new Map<string, Map<number, MinuteCounts>>()

function minuteOf(zone: Zone, minute: number, happening: Happening): MinuteCounts {
  const random = seededRandom(`${zone.lines}/${minute}`)
  const { swing = 0, dispersion = 1.5, hit = 0.9, c5xx = 0.0005, c4xx = 0.01, bypass = 0, steadiness = 200 } = zone
  const { times = 1, stale = 0, crawled = 0, scanned = 0, read = 1 } = happening
  const now = { dispersion, hit, c5xx, c4xx, bypass, ...happening }
  const clock = Math.cos(((minute % DAY) / DAY - 20 / 24) * 2 * Math.PI)
  const of = (n: number, share: number): number => binomial(random, n, beta(random, share, steadiness))
  const lines = clumped(random, zone.lines * (1 + swing * clock) * times * read, now.dispersion)
  const failed = of(lines, now.c5xx)
  const notFound = of(lines - failed, now.c4xx)
  const around = of(lines, now.bypass)
  const hits = of(lines - around, now.hit)
  const old = binomial(random, hits, stale)
  const [crawl, scan] = [poisson(random, crawled * read), poisson(random, scanned * read)]
  const missed = lines - around - hits
  return {
    ...EMPTY,
    minute,
    coveredMs: Math.round(read * MINUTE_MS),
    hit: hits - old,
    stale: old,
    bypass: around,
    miss: missed + crawl + scan,
    miss4xx: binomial(random, missed, now.c4xx) + scan,
    c5xx: failed,
    c4xx: notFound + scan,
    c2xx: lines - failed - notFound + crawl,
  }
}

const EMPTY = { updating: 0, revalidated: 0, uncached: 0, other: 0, c1xx: 0, c3xx: 0, uncoded: 0 }

/** How many lines come where so many are expected: negative binomial. */
function clumped(random: Random, mean: number, dispersion: number): number {
  if (dispersion <= 1 || mean <= 0) return poisson(random, mean)
  return poisson(random, gamma(random, mean / (dispersion - 1)) * (dispersion - 1))
}

/** A share around another one, as sure as so many lines are. */
function beta(random: Random, share: number, steadiness: number): number {
  if (share <= 0 || share >= 1) return share
  const [one, other] = [gamma(random, share * steadiness), gamma(random, (1 - share) * steadiness)]
  return one / (one + other)
}

/** By Marsaglia and Tsang. */
function gamma(random: Random, shape: number): number {
  if (shape < 1) return gamma(random, shape + 1) * (1 - random.next()) ** (1 / shape)
  const d = shape - 1 / 3
  for (;;) {
    const x = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
    const v = (1 + x / Math.sqrt(9 * d)) ** 3
    if (v > 0 && Math.log(1 - random.next()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}

/** Up to so many expected hits a draw is exact; beyond, the normal curve is nearer than anything that is counted here. */
const EXACT_UP_TO = 30

/** How many of `n` things with the chance `p` each happen. */
function binomial(random: Random, n: number, p: number): number {
  if (n <= 0 || p <= 0) return 0
  if (p >= 1) return n
  if (p > 0.5) return n - binomial(random, n, 1 - p)
  const mean = n * p
  if (mean > EXACT_UP_TO) return Math.min(n, poisson(random, mean, 1 - p))
  // Counts the gaps between hits, which are geometric.
  const logMiss = Math.log1p(-p)
  let hits = 0
  for (let at = gap(random, logMiss); at <= n; at += gap(random, logMiss)) hits += 1
  return hits
}

/** How often something happens that is expected `mean` times; where that is often, its variance can be less. */
function poisson(random: Random, mean: number, spread = 1): number {
  if (mean <= 0) return 0
  if (mean > EXACT_UP_TO) return Math.max(0, Math.round(mean + Math.sqrt(mean * spread) * normal(random)))
  let count = 0
  for (let left = mean + Math.log(positive(random)); left > 0; left += Math.log(positive(random))) count += 1
  return count
}

/** One of the standard normal curve. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(positive(random))) * Math.cos(2 * Math.PI * random.next())
}

function gap(random: Random, logMiss: number): number {
  return Math.floor(Math.log(positive(random)) / logMiss) + 1
}

function positive(random: Random): number {
  return 1 - random.next()
}
