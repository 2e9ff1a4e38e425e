import { describe, expect, it } from 'vitest'
import { saysMore } from '../../src/alerts/latest-minutes.ts'
import { emptyMinute } from '../../src/alerts/minute-tally.ts'
import type { KnownState } from '../../src/alerts/watched-alert.ts'
import { COLUMN } from '../../src/alerts/traffic.ts'
import { ZoneMemory } from '../../src/alerts/zone-memory.ts'
import { alertBench } from './alert-bench.ts'

const MINUTE_MS = 60_000
const whole = emptyMinute(100, MINUTE_MS)
const NONE: readonly KnownState[] = []

describe('a minute that was read anew', () => {
  it('says more when more of it was read, or when lines came late', () => {
    expect(saysMore(whole, undefined)).toBe(true)
    expect(saysMore(whole, { ...whole, coveredMs: 59_999, hit: 9 })).toBe(true)
    expect(saysMore({ ...whole, hit: 3 }, { ...whole, hit: 2 })).toBe(true)
  })

  it('says nothing new when less of it was read, or the same', () => {
    expect(saysMore({ ...whole, coveredMs: 59_999, hit: 9 }, whole)).toBe(false)
    expect(saysMore({ ...whole, hit: 2 }, { ...whole, hit: 2 })).toBe(false)
  })
})

async function remembering(...kinds: readonly string[]) {
  const bench = await alertBench()
  await bench.watch('pull/301', ...kinds)
  const until = Math.floor(bench.clock.now().getTime() / MINUTE_MS)
  const rules = await bench.store.alertRules.list()
  let reads = 0
  const { minutes } = bench.store
  const counted: Pick<typeof minutes, 'read'> = {
    read: (...asked) => {
      reads += 1
      return minutes.read(...asked)
    },
  }
  return {
    bench,
    until,
    at: (back: number, hit: number) => ({ ...emptyMinute(until - back, MINUTE_MS), hit }),
    wanted: { rules, revision: 0, looks: [until - 2], fresh: [], until },
    memory: new ZoneMemory(counted, '301'),
    reads: () => reads,
  }
}

it('what rules look back on is loaded, with what was just read in its place', async () => {
  const { bench, until, at, wanted, memory } = await remembering('stale-share')
  await using _ = bench
  await bench.store.minutes.put('301', [at(40, 1), at(29, 2), at(5, 4), at(4, 8)])
  await bench.store.minutes.put('302', [at(10, 1_000)])
  const fresh = [at(5, 4), at(4, 9), at(3, 16)]
  const { series, news } = await memory.take({ ...wanted, fresh })
  expect(news).toEqual([at(4, 9), at(3, 16)])
  expect(series.total(COLUMN.lines, until - 30, until)).toBe(2 + 4 + 9 + 16)
})

describe('what is held', () => {
  it('is asked of the store once, and again when somebody else has committed', async () => {
    const { bench, until, at, wanted, memory, reads } = await remembering('stale-share', 'error-share')
    await using _ = bench
    await bench.store.minutes.put('301', [at(40, 1)])
    await memory.take(wanted)
    memory.settle(1, NONE)
    const loaded = reads()
    await memory.take({ ...wanted, revision: 1, looks: [until - 1], fresh: [at(2, 3)] })
    memory.settle(2, NONE)
    expect([reads(), memory.knows(2), memory.knows(3)]).toEqual([loaded, true, false])
    await bench.store.minutes.put('301', [at(39, 5)])
    const { series, states } = await memory.take({ ...wanted, revision: 3, looks: [until], fresh: [] })
    expect([states, series.total(COLUMN.lines, until - 60, until)]).toEqual([undefined, 6])
    expect(reads()).toBeGreaterThan(loaded)
  })

  it('is forgotten when it is not known what became of a commit', async () => {
    const { bench, until, at, wanted, memory, reads } = await remembering('stale-share')
    await using _ = bench
    await memory.take(wanted)
    memory.settle(1, NONE)
    await memory.take({ ...wanted, revision: 1, looks: [until - 1], fresh: [at(2, 3)] })
    const before = reads()
    expect(memory.knows(1)).toBe(false)
    const { series } = await memory.take({ ...wanted, revision: 1, looks: [until - 1] })
    expect(reads()).toBeGreaterThan(before)
    expect(series.total(COLUMN.lines, until - 5, until)).toBe(0)
  })

  it('is loaded anew for other rules, as far as these look back', async () => {
    const { bench, until, at, wanted, memory } = await remembering('stale-share')
    await using _ = bench
    await bench.store.minutes.put('301', [at(200, 5)])
    const near = await memory.take(wanted)
    memory.settle(1, NONE)
    expect(near.series.total(COLUMN.lines, until - 240, until)).toBe(0)
    await bench.watch('pull/301', 'traffic-anomaly')
    const rules = await bench.store.alertRules.list()
    const far = await memory.take({ ...wanted, rules, revision: 1 })
    expect(far.series.total(COLUMN.lines, until - 240, until)).toBe(5)
  })

  it('is not gone by once a log was read back: the watch is at another revision then', async () => {
    const { bench, at, wanted, memory } = await remembering('stale-share')
    await using _ = bench
    const { store } = bench
    await store.alerts.commit({ subject: 'pull/301', revision: 0, watch: {} })
    await memory.take({ ...wanted, revision: 1 })
    memory.settle(1, NONE)
    await store.minutes.put('301', [at(200, 5)])
    const view = await store.alerts.view('pull/301', bench.clock.now(), (revision) => memory.knows(revision))
    expect(view.watch?.revision).toBe(2)
    expect(memory.knows(2)).toBe(false)
  })
})
