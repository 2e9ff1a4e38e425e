import { emptyMinute, linesOf, type MinuteTally } from '../../../src/alerts/minute-tally.ts'
import type { MinuteCounts } from '../../../src/store/minute-counts.ts'

/** The first minute that is looked at: a Tuesday at noon. */
export const FIRST_MINUTE = Date.UTC(2026, 10, 17, 12) / 60_000
/** So many of the thousand zones fail, for so long in each hour. */
const FAILING_EVERY = 500
const FAILING = { from: 20, until: 40 }
/** A quiet zone is read anew as far back as this with each poll. */
const QUIET_MINUTES = 15
/** A busy one's minute once more after this. */
const AGAIN_AFTER = 5

/**
 * The lines of a thousand made-up zones, minute by minute, the same each time they are asked for: a tenth has next to no
 * traffic, most some, a few very much, and all have their hours of the day.
 */
export function linesAt(zone: number, minute: number): MinuteTally {
  const counts = emptyMinute(minute, 60_000)
  const noise = chance(zone * 7_919 + minute)
  const day = 1 + 0.4 * Math.sin(((minute % 1_440) + zone) / 229)
  const lines = Math.round(usualLines(zone) * day * (0.85 + 0.3 * noise))
  const fails = isFailing(zone, minute)
  const part = (share: number, salt: number): number =>
    Math.round(lines * share * (0.7 + 0.6 * chance(zone + minute * 31 + salt)))
  counts.stale = part(fails ? 0.4 : 0.001, 1)
  counts.miss = part(fails ? 0.3 : 0.06, 2)
  counts.bypass = part(0.02, 3)
  counts.updating = part(0.01, 4)
  counts.uncached = part(0.01, 5)
  counts.hit = Math.max(0, lines - counts.stale - counts.miss - counts.bypass - counts.updating - counts.uncached)
  const all = linesOf(counts)
  counts.c5xx = Math.min(all, part(fails ? 0.3 : 0.002, 6))
  counts.c4xx = Math.min(all - counts.c5xx, part(0.02, 7))
  counts.c2xx = all - counts.c5xx - counts.c4xx
  return counts
}

/**
 * What a poll brings when a minute has become ready: that minute, and those that are read again, of which some have got late
 * lines since.
 */
export function polledAt(zone: number, minute: number): readonly MinuteCounts[] {
  const back = usualLines(zone) < 100 ? QUIET_MINUTES : AGAIN_AFTER
  const first = usualLines(zone) < 100 ? minute - back + 1 : minute
  const again = first === minute ? [late(zone, minute - back, back)] : []
  const minutes = Array.from({ length: minute - first + 1 }, (_, index) =>
    late(zone, first + index, minute - first - index),
  )
  return [...again, ...minutes]
}

/** A minute as it is seen so many minutes later: one in a hundred lines comes late, all of them within three minutes. */
function late(zone: number, minute: number, age: number): MinuteCounts {
  const counts = linesAt(zone, minute)
  const missing = age >= 3 ? 0 : Math.min(counts.hit, counts.c2xx, Math.round(counts.hit * 0.01))
  counts.hit -= missing
  counts.c2xx -= missing
  return counts
}

function isFailing(zone: number, minute: number): boolean {
  const within = (minute - FIRST_MINUTE) % 60
  return zone % FAILING_EVERY === 7 && within >= FAILING.from && within < FAILING.until
}

/** Lines a minute. */
function usualLines(zone: number): number {
  const place = (zone * 37) % 100
  return place < 10 ? 3 : place < 50 ? 60 : place < 90 ? 700 : 20_000
}

/** A number from 0 to below 1, the same for the same seed. */
function chance(seed: number): number {
  let mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}
