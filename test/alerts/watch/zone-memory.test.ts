import { describe, expect, it } from 'vitest'
import { HELD_MINUTES, emptyMinute } from '../../../src/alerts/series/minute-series.ts'
import { ZoneMemory } from '../../../src/alerts/watch/traffic-watch.ts'
import type { MinuteCounts } from '../../../src/store/schema/minute-counts.ts'
import { benchOfTest } from '../alert-bench.ts'

const MINUTE_MS = 60_000
const NONE: readonly MinuteCounts[] = []

async function remembering(...kinds: readonly string[]) {
  const bench = await benchOfTest()
  await bench.watch('pull/301', ...kinds)
  const until = Math.floor(bench.clock.now().getTime() / MINUTE_MS)
  let reads = 0
  const { minutes } = bench.store
  const counted: Pick<typeof minutes, 'read'> = {
    read: (...asked) => {
      reads += 1
      return minutes.read(...asked)
    },
  }
  const memory = new ZoneMemory(counted, '301')
  return {
    bench,
    until,
    at: (back: number, hit: number) => ({ ...emptyMinute(until - back, MINUTE_MS), hit }),
    take: ({ revision = 0, first = until - 2, fresh = NONE } = {}) => memory.take(revision, first, until, fresh),
    memory,
    reads: () => reads,
  }
}

it('a week and some hours are loaded, with what was just read in its place', async () => {
  const { bench, until, at, take } = await remembering('origin-failing')
  await bench.store.minutes.put('301', [
    at(HELD_MINUTES + 20, 32),
    at(HELD_MINUTES, 1),
    at(1_000, 2),
    at(5, 4),
    at(4, 8),
  ])
  await bench.store.minutes.put('302', [at(10, 1_000)])
  const fresh = [at(5, 4), at(4, 9), at(3, 16)]
  const { series, baseline, news } = await take({ fresh })
  expect(news).toEqual([at(4, 9), at(3, 16)])
  expect(series.total('lines', until - 2 * HELD_MINUTES, until)).toBe(1 + 2 + 4 + 9 + 16)
  expect(baseline.at(until).days).toBeCloseTo(1 / 1_440, 9)
})

describe('a minute that was read anew', () => {
  it('is news when more of it was read, or when lines came late, and not when less was, or the same', async () => {
    const { bench, until, at, take } = await remembering('origin-failing')
    const part = (back: number, hit: number) => ({ ...at(back, hit), coveredMs: 59_999 })
    // Some of them farther back than the newest ones, which are held against the store.
    const kept = [at(120, 2), at(119, 2), part(118, 2), at(117, 2)]
    const newest = Array.from({ length: 16 }, (_each, index) => at(20 - index, 2))
    await bench.store.minutes.put('301', [...kept, ...newest])
    const old = [at(120, 2), at(119, 3), at(118, 2), part(117, 9)]
    const fresh = [...old, at(9, 2), at(8, 3), part(7, 9), at(3, 1)]
    const { news, series } = await take({ first: until - 120, fresh })
    expect(news).toEqual([at(119, 3), at(118, 2), at(8, 3), at(3, 1)])
    expect(series.total('lines', until - 130, until)).toBe(4 * 2 + 1 + 16 * 2 + 1 + 1)
  })
})

describe('what is held', () => {
  it('is asked of the store once, and again when somebody else has committed', async () => {
    const { bench, until, at, take, memory, reads } = await remembering('origin-failing', 'cache-not-working')
    await bench.store.minutes.put('301', [at(40, 1)])
    await take()
    memory.settle(1)
    const loaded = reads()
    await take({ revision: 1, first: until - 1, fresh: [at(2, 3)] })
    memory.settle(2)
    // Only what was just read is compared with the store.
    expect(reads()).toBe(loaded + 1)
    await bench.store.minutes.put('301', [at(39, 5)])
    const { series } = await take({ revision: 3, first: until, fresh: [] })
    expect(series.total('lines', until - 60, until)).toBe(6)
    expect(reads()).toBeGreaterThan(loaded)
  })

  it('is forgotten when it is not known what became of a commit', async () => {
    const { until, at, take, memory, reads } = await remembering('origin-failing')
    await take()
    memory.settle(1)
    await take({ revision: 1, first: until - 1, fresh: [at(2, 3)] })
    const before = reads()
    const { series } = await take({ revision: 1, first: until - 1 })
    expect(reads()).toBeGreaterThan(before)
    expect(series.total('lines', until - 5, until)).toBe(0)
  })

  it('is the same whatever rules there are, and is loaded anew for minutes too far back to be replaced', async () => {
    const { bench, until, at, take, memory, reads } = await remembering('origin-failing')
    await bench.store.minutes.put('301', [at(400, 5), at(3, 1)])
    await take()
    memory.settle(1)
    const before = reads()
    const { series, news } = await take({ revision: 1, fresh: [at(400, 6)] })
    expect(news).toEqual([at(400, 6)])
    expect(series.total('lines', until - 500, until)).toBe(6 + 1)
    expect(reads()).toBeGreaterThan(before + 1)
  })
})
