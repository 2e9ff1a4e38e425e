import { linesOf } from '../../../src/alerts/minute-series.ts'
import type { PastMinute } from '../../../src/alerts/backtest.ts'
import type { Random } from '../../../src/playground/cdn/world/seeded-random.ts'
import type { MinuteCounts } from '../../../src/store/minute-counts.ts'
import { binomial } from '../draws.ts'

/** The newest counts lack 2 to 30 %, and are put in whole one to four minutes later. */
export function late(minutes: readonly MinuteCounts[], random: Random): readonly PastMinute[] {
  const seen = minutes.flatMap((counts): readonly PastMinute[] => {
    const kept = 0.98 - 0.28 * random.next()
    const of = (amount: number): number => binomial(random, amount, kept)
    const { hit, miss, stale, updating, revalidated, bypass, uncached } = counts
    const caches = { hit, miss, stale, updating, revalidated, bypass, uncached }
    const there = Object.fromEntries(Object.entries(caches).map(([name, amount]) => [name, of(amount)]))
    const short: MinuteCounts = { ...counts, ...there }
    const lines = linesOf(short)
    const c5xx = Math.min(lines, of(counts.c5xx))
    const c4xx = Math.min(lines - c5xx, of(counts.c4xx))
    const codes = { c5xx, c4xx, c2xx: lines - c5xx - c4xx, miss4xx: Math.min(short.miss, c4xx, of(counts.miss4xx)) }
    const seenAt = counts.minute + 1
    return [
      { ...short, ...codes, seenAt },
      { ...counts, seenAt: seenAt + random.integer(1, 4) },
    ]
  })
  return seen.toSorted((a, b) => (a.seenAt ?? 0) - (b.seenAt ?? 0))
}

/** One minute of a hundred was not read, in stretches of up to an hour. */
export function gaps(minutes: readonly MinuteCounts[], random: Random): readonly MinuteCounts[] {
  let left = 0
  return minutes.filter(() => {
    left = left <= 0 && random.next() < 0.01 / 32 ? random.integer(5, 60) : left - 1
    return left <= 0
  })
}

/** As many 5xx, but a page's at once: of stretches of up to five minutes most have none, the others many times as many. */
export function clumps(
  minutes: readonly MinuteCounts[],
  random: Random,
  keeps: (minute: number) => boolean,
): readonly MinuteCounts[] {
  let [left, times] = [0, 0]
  return minutes.map((counts) => {
    if (left === 0) [left, times] = [random.integer(1, 5), random.next() < 0.15 ? 1 / 0.15 : 0]
    left -= 1
    if (keeps(counts.minute)) return counts
    const c5xx = Math.min(counts.c2xx + counts.c5xx, Math.floor(counts.c5xx * times + random.next()))
    return { ...counts, c5xx, c2xx: counts.c2xx + counts.c5xx - c5xx }
  })
}

/** What a plain rule sees of the newest minutes: lines, and the share of 5xx and STALE among them. */
export interface Plain {
  readonly lines: (minutes: number) => number
  readonly share: (minutes: number) => number
}

/** When a plain rule begins to hold, as minutes since the first one; it is over once it did not for ten minutes. */
export function begins(
  minutes: readonly MinuteCounts[],
  from: number,
  holds: (seen: Plain) => boolean,
): readonly number[] {
  const [lines, bad] = [new Float64Array(minutes.length + 1), new Float64Array(minutes.length + 1)]
  for (const [at, counts] of minutes.entries()) {
    lines[at + 1] = (lines[at] ?? 0) + linesOf(counts)
    bad[at + 1] = (bad[at] ?? 0) + counts.c5xx + counts.stale
  }
  const found: number[] = []
  let last = Number.NEGATIVE_INFINITY
  for (let at = from + 1; at <= minutes.length; at += 1) {
    const of = (sums: Float64Array, back: number): number => (sums[at] ?? 0) - (sums[Math.max(0, at - back)] ?? 0)
    const seen = {
      lines: (back: number) => of(lines, back),
      share: (back: number) => of(bad, back) / Math.max(1, of(lines, back)),
    }
    if (!holds(seen)) continue
    if (at - last > 10) found.push(at)
    last = at
  }
  return found
}
