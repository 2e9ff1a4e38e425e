import { trafficMix, type IncidentKind } from '../../../src/playground/cdn/world/traffic-mix.ts'
import { type Random, seededRandom } from '../../../src/playground/cdn/world/seeded-random.ts'
import { CACHE_COUNTS, type MinuteCounts } from '../../../src/store/minute-counts.ts'
import { binomial, multinomial, poisson } from './draws.ts'
import type { Mishap, Scripted } from './script.ts'
import { dayCurve, type Site } from './sites.ts'

const MINUTE_MS = 60_000
/** Each minute has up to so much more or less than the curve says. */
const MINUTE_NOISE = 0.2
/** Of requests that reach the origin, while nothing is wrong: well within an objective of 99.9 %. */
const USUAL_FAILURES = 0.0005
const OUTAGE_FAILURES = 0.85
/** Fewer people come, which is neither an outage nor silence. */
const DROP_VOLUME = 0.3
/** A cache that was purged on purpose is filled again: what is missing halves in this time. */
const REFILL_HALF_MS = 3 * MINUTE_MS
const CODE_WEIGHTS = [920, 50, 30]

/** How the emulated platform's world calls what goes wrong. */
const KINDS: Readonly<Partial<Record<Mishap, IncidentKind>>> = {
  'origin outage': 'origin outage',
  'purge storm': 'purge',
  'marked purge': 'purge',
  'bypass slip': 'bypass',
  'traffic surge': 'surge',
  'log silence': 'silence',
}
const ORDER = ['HIT', 'MISS', 'STALE', 'UPDATING', 'REVALIDATED', 'BYPASS', '-', 'EXPIRED'] // as CACHE_COUNTS

/** Every line that a site's edge wrote in a minute since 1970: a pure function of seed, site, minute and script. */
export function linesIn(seed: string, site: Site, minute: number, script: readonly Scripted[]): MinuteCounts {
  const random = seededRandom(`${seed}/${site.zoneId}/${minute}`)
  const usual = site.perMinute * dayCurve(site, minute) * (1 - MINUTE_NOISE + 2 * MINUTE_NOISE * random.next())
  const startMs = minute * MINUTE_MS
  const parts = script
    .filter((each) => each.site === site && each.fromMs < startMs + MINUTE_MS && each.untilMs > startMs)
    .map((each) => {
      const lasts = Math.min(each.untilMs, startMs + MINUTE_MS) - Math.max(each.fromMs, startMs)
      return { share: lasts / MINUTE_MS, what: each.what, sinceMs: startMs - each.fromMs }
    })
  const untouched = 1 - parts.reduce((sum, { share }) => sum + share, 0)
  const drawn = [{ share: untouched, what: undefined, sinceMs: 0 }, ...parts].map((part) =>
    drawPart(random, site, usual * part.share, part),
  )
  return drawn.reduce((sum, part) => added(sum, part), { ...EMPTY, minute, coveredMs: MINUTE_MS })
}

/** What is left of a minute when each of its lines was read with this chance, and so much time is covered. */
export function thinned(random: Random, lines: MinuteCounts, chance: number, coveredMs: number): MinuteCounts {
  const keep = (count: number): number => binomial(random, count, chance)
  const { hit, miss, stale, updating, revalidated, bypass, uncached, other } = lines
  const kept = [hit, miss, stale, updating, revalidated, bypass, uncached, other].map(keep)
  const total = kept.reduce((sum, count) => sum + count, 0)
  const failed = Math.min(total, keep(lines.c5xx))
  return { ...byStatus(kept), ...byCode(random, total - failed, failed), minute: lines.minute, coveredMs }
}

export function linesOf(counts: MinuteCounts): number {
  return CACHE_COUNTS.reduce((sum, name) => sum + counts[name], 0)
}

interface Part {
  readonly what: Mishap | undefined
  readonly sinceMs: number
}

function drawPart(random: Random, { flavour }: Site, usual: number, { what, sinceMs }: Part): MinuteCounts {
  const mix = trafficMix(flavour, what === undefined ? undefined : KINDS[what])
  const volume = what === 'traffic drop' ? DROP_VOLUME : mix.volume
  const lines = poisson(random, usual * volume)
  const wrong = what === 'marked purge' ? 0.5 ** (Math.max(0, sinceMs) / REFILL_HALF_MS) : 1
  const usualWeights = shares(trafficMix(flavour, undefined).cacheStatuses)
  const weights = shares(mix.cacheStatuses).map((share, at) => wrong * share + (1 - wrong) * (usualWeights[at] ?? 0))
  const drawn = multinomial(random, lines, weights)
  const [, miss = 0, , , , bypass = 0, , other = 0] = drawn
  const failed = binomial(random, miss + bypass + other, what === 'origin outage' ? OUTAGE_FAILURES : USUAL_FAILURES)
  return { ...byStatus(drawn), ...byCode(random, lines - failed, failed), minute: 0, coveredMs: 0 }
}

function shares(weighted: readonly { readonly value: string; readonly weight: number }[]): readonly number[] {
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0)
  return ORDER.map((status) => (weighted.find(({ value }) => value === status)?.weight ?? 0) / total)
}

function byStatus(drawn: readonly number[]) {
  const [hit = 0, miss = 0, stale = 0, updating = 0, revalidated = 0, bypass = 0, uncached = 0, other = 0] = drawn
  return { hit, miss, stale, updating, revalidated, bypass, uncached, other }
}

function byCode(random: Random, fine: number, c5xx: number) {
  const [c2xx = 0, c3xx = 0, c4xx = 0] = multinomial(random, fine, CODE_WEIGHTS)
  return { c1xx: 0, c2xx, c3xx, c4xx, c5xx, uncoded: 0 }
}

const EMPTY: MinuteCounts = { minute: 0, coveredMs: 0, ...byStatus([]), ...byCode(seededRandom(''), 0, 0) }

function added(one: MinuteCounts, other: MinuteCounts): MinuteCounts {
  const status = (name: (typeof CACHE_COUNTS)[number]): number => one[name] + other[name]
  return {
    minute: one.minute,
    coveredMs: one.coveredMs,
    ...byStatus(CACHE_COUNTS.map(status)),
    c1xx: 0,
    c2xx: one.c2xx + other.c2xx,
    c3xx: one.c3xx + other.c3xx,
    c4xx: one.c4xx + other.c4xx,
    c5xx: one.c5xx + other.c5xx,
    uncoded: 0,
  }
}
