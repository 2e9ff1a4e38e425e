import { describe, expect, it } from 'vitest'
import { knownMinutes, saysMore } from '../../src/alerts/known-minutes.ts'
import { emptyMinute } from '../../src/alerts/minute-tally.ts'
import { alertBench } from './alert-bench.ts'

const MINUTE_MS = 60_000
const whole = emptyMinute(100, MINUTE_MS)

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

it('what rules look back on is loaded, with what was just read in its place', async () => {
  await using bench = await alertBench()
  await bench.watch('pull/301', 'stale-share')
  const until = Math.floor(bench.clock.now().getTime() / MINUTE_MS)
  const at = (back: number, hit: number) => ({ ...emptyMinute(until - back, MINUTE_MS), hit })
  await bench.store.minutes.put('301', [at(40, 1), at(29, 2), at(5, 4), at(4, 8)])
  await bench.store.minutes.put('302', [at(10, 1_000)])
  const rules = await bench.store.alertRules.list()
  const fresh = [at(5, 4), at(4, 9), at(3, 16)]
  const wanted = { pullZoneId: '301', rules, looks: [until - 2], fresh, until }
  const { series, news } = await knownMinutes(bench.store.minutes, wanted)
  expect(news).toEqual([at(4, 9), at(3, 16)])
  expect(series.sum(until - 30, until)).toMatchObject({ hit: 2 + 4 + 9 + 16 })
})

it('so much of the past is loaded as the rules look back on', async () => {
  await using bench = await alertBench()
  await bench.watch('pull/301', 'hit-ratio-drop')
  await bench.watch('pull/302', 'stale-share')
  const until = Math.floor(bench.clock.now().getTime() / MINUTE_MS)
  const hits = async (zone: string): Promise<number> => {
    await bench.store.minutes.put(zone, [{ ...emptyMinute(until - 200, MINUTE_MS), hit: 5 }])
    const rules = await bench.store.alertRules.list({ subject: `pull/${zone}` })
    const wanted = { pullZoneId: zone, rules, looks: [until], fresh: [], until }
    return (await knownMinutes(bench.store.minutes, wanted)).series.sum(until - 240, until).hit
  }
  expect(await hits('301')).toBe(5)
  expect(await hits('302')).toBe(0)
})
