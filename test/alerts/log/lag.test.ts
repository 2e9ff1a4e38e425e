import { expect, it } from 'vitest'
import { FIRST_LAG, LagMeter, LagRecord } from '../../../src/alerts/log/lag.ts'

const NOTHING: ReadonlySet<number> = new Set()
const seconds = (amount: number): number => amount * 1_000

/** Stretches of so many lines, looked at at these ages, when this share of the lines was there. */
function learnt(
  looks: readonly (readonly [ageMs: number, share: number])[],
  { lines = 100, stretches = 30, before = FIRST_LAG } = {},
) {
  const meter = new LagMeter()
  let record: LagRecord = before
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    for (const [ageMs, share] of looks) meter.look(stretch, ageMs, Math.round(lines * share))
    record = meter.learn(record, NOTHING)
  }
  return record
}

it('is two minutes until something is known', () => {
  expect(new LagMeter().learn(FIRST_LAG, NOTHING).lagMs).toBe(120_000)
})

it('takes no lines for late that came before the end of a stretch, as when the clock is put back', () => {
  const looks = [
    [seconds(-30), 0.6],
    [seconds(65), 1],
    [seconds(605), 1],
  ] as const
  const { lagMs, ages } = learnt(looks)
  expect([lagMs, ages.map(([age]) => age)]).toEqual([100_000, [0, 6, 60]])
})

it('is the time by which 95 % are there and half a minute more, when lines come sooner', () => {
  const looks = [
    [seconds(5), 0.6],
    [seconds(65), 0.95],
    [seconds(125), 1],
    [seconds(605), 1],
  ] as const
  expect(learnt(looks).lagMs).toBe(100_000)
})

it('is longer when lines come later than was thought', () => {
  const looks = [
    [seconds(65), 0.3],
    [seconds(125), 0.94],
    [seconds(185), 0.99],
    [seconds(605), 1],
  ] as const
  expect(learnt(looks).lagMs).toBe(160_000)
})

it('stays as it is where what is known allows it', () => {
  const looks = [
    [seconds(5), 0.2],
    [seconds(125), 1],
    [seconds(605), 1],
  ] as const
  expect(learnt(looks).lagMs).toBe(120_000)
})

it('is never more than ten minutes', () => {
  const looks = [
    [seconds(590), 0.2],
    [seconds(900), 1],
  ] as const
  expect(learnt(looks).lagMs).toBe(600_000)
})

it('is not learnt from stretches without lines, from too few lines, or from looks that end too soon', () => {
  const early = [seconds(5), 0.1] as const
  const late = [seconds(605), 1] as const
  expect(learnt([[seconds(65), 1], late], { lines: 0 })).toEqual(FIRST_LAG)
  expect(learnt([[seconds(65), 1], late], { lines: 1, stretches: 100 }).lagMs).toBe(120_000)
  expect(learnt([early, [seconds(65), 1]])).toEqual(FIRST_LAG)
})

it('is not forgotten while a zone has no lines', () => {
  const known = learnt([
    [seconds(65), 1],
    [seconds(605), 1],
  ])
  expect(learnt([[seconds(605), 1]], { lines: 0, before: known })).toEqual(known)
})

it('follows the platform when it becomes slower, and when it becomes faster again', () => {
  const fast = [
    [seconds(5), 1],
    [seconds(65), 1],
    [seconds(605), 1],
  ] as const
  const slow = [
    [seconds(5), 0.1],
    [seconds(65), 0.2],
    [seconds(125), 0.5],
    [seconds(605), 1],
  ] as const
  const first = learnt(fast)
  expect(first.lagMs).toBe(40_000)
  const second = learnt(slow, { before: first, stretches: 100 })
  expect(second.lagMs).toBeGreaterThanOrEqual(160_000)
  expect(learnt(fast, { before: second, stretches: 300 }).lagMs).toBe(40_000)
})

it('leaves stretches open that go on being looked at', () => {
  const meter = new LagMeter()
  meter.look(1, seconds(65), 500)
  expect(meter.learn(FIRST_LAG, new Set([1]))).toBe(FIRST_LAG)
  meter.look(1, seconds(605), 500)
  expect(meter.learn(FIRST_LAG, NOTHING).lagMs).toBe(100_000)
})

it('is kept as JSON of a bounded size', () => {
  const looks = Array.from({ length: 200 }, (_, index) => [seconds(index * 10), 1] as const)
  const record = learnt(looks, { lines: 1_000_000 })
  expect(LagRecord.parse(JSON.parse(JSON.stringify(record)))).toEqual(record)
  expect(JSON.stringify(record).length).toBeLessThan(3_000)
})
