import { expect, it } from 'vitest'
import { FIRST_LAG, LagMeter, LagRecord } from '../../../src/alerts/log/lag.ts'

const NOTHING: ReadonlySet<number> = new Set()

/** Which share of a stretch's lines was there so many seconds after its end. */
type Looks = Readonly<Record<number, number>>

/** What is learnt of stretches of so many lines that are looked at in this way. */
function learnt(looks: Looks, { lines = 100, stretches = 30, before = FIRST_LAG } = {}) {
  const meter = new LagMeter()
  let record: LagRecord = before
  const inOrder = Object.entries(looks).toSorted(([a], [b]) => Number(a) - Number(b))
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    for (const [age, share] of inOrder) meter.look(stretch, Number(age) * 1_000, Math.round(lines * share))
    record = meter.learn(record, NOTHING)
  }
  return record
}

it('is learnt of what was there at each age, of what is there in the end; what is older counts less', () => {
  expect(new LagMeter().learn(FIRST_LAG, NOTHING)).toEqual({ lagMs: 120_000, ages: [] })
  // More than in the end is all there is.
  const { lagMs, ages } = learnt({ 5: 3, 65: 0.5, 605: 1, 9_999: 1 }, { lines: 1_000, stretches: 2 })
  expect([lagMs, ...ages.map(String)]).toEqual([120_000, '0,1980,1980', '6,990,1980', '60,1980,1980', '63,1980,1980'])
})

it('takes no lines for late that came before the end of a stretch, as when the clock is put back', () => {
  const { lagMs, ages } = learnt({ '-30': 0.6, 65: 1, 605: 1 })
  expect([lagMs, ages.map(([age]) => age)]).toEqual([100_000, [0, 6, 60]])
})

it.each<[string, Looks, number]>([
  [
    'the time by which 95 % are there and half a minute more, when lines come sooner',
    { 5: 0.6, 65: 0.95, 125: 1, 605: 1 },
    100,
  ],
  ['longer when lines come later than was thought', { 65: 0.3, 125: 0.94, 185: 0.99, 605: 1 }, 160],
  ['as it was where what is known allows it', { 5: 0.2, 125: 1, 605: 1 }, 120],
  ['never more than ten minutes', { 590: 0.2, 900: 1 }, 600],
])('is %s', (_, looks, seconds) => {
  expect(learnt(looks).lagMs).toBe(seconds * 1_000)
})

it('is not learnt from stretches without lines, from too few lines, or from looks that end too soon', () => {
  expect(learnt({ 65: 1, 605: 1 }, { lines: 0 })).toEqual(FIRST_LAG)
  const lagOf = (lines: number) => learnt({ 65: 1, 605: 1 }, { lines, stretches: 1 }).lagMs
  expect([lagOf(199), lagOf(200)]).toEqual([120_000, 100_000])
  expect(learnt({ 5: 0.1, 299: 1 })).toEqual(FIRST_LAG)
  expect(learnt({ 5: 0.1, 300: 1 })).not.toEqual(FIRST_LAG)
})

it('is not forgotten while a zone has no lines', () => {
  const known = learnt({ 65: 1, 605: 1 })
  expect(learnt({ 605: 1 }, { lines: 0, before: known })).toEqual(known)
})

it('follows the platform when it becomes slower, and when it becomes faster again', () => {
  const fast = { 5: 1, 65: 1, 605: 1 }
  const first = learnt(fast)
  expect(first.lagMs).toBe(40_000)
  const second = learnt({ 5: 0.1, 65: 0.2, 125: 0.5, 605: 1 }, { before: first, stretches: 100 })
  expect(second.lagMs).toBeGreaterThanOrEqual(160_000)
  expect(learnt(fast, { before: second, stretches: 300 }).lagMs).toBe(40_000)
})

it('leaves stretches open that go on being looked at', () => {
  const meter = new LagMeter()
  meter.look(1, 65_000, 500)
  expect(meter.learn(FIRST_LAG, new Set([1]))).toBe(FIRST_LAG)
  meter.look(1, 605_000, 500)
  expect(meter.learn(FIRST_LAG, NOTHING).lagMs).toBe(100_000)
})

it('is learnt of so many stretches at once', () => {
  const meter = new LagMeter()
  for (const age of [5, 605])
    for (let stretch = 0; stretch < 40; stretch += 1) meter.look(stretch, age * 1_000, stretch < 31 ? 0 : 500)
  expect(meter.learn(FIRST_LAG, NOTHING).ages.map(String)).toEqual(['0,500,500', '60,500,500'])
})

it('is kept as JSON of a bounded size', () => {
  const looks = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [index * 10, 1]))
  const record = learnt(looks, { lines: 1_000_000 })
  expect(LagRecord.parse(JSON.parse(JSON.stringify(record)))).toEqual(record)
  expect(JSON.stringify(record).length).toBeLessThan(3_000)
})
