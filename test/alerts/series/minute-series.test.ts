import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Column,
  HELD_MINUTES,
  countLine,
  countLines,
  MinuteSeries,
  buildSeries,
  emptyMinute,
} from '../../../src/alerts/series/minute-series.ts'
import type { MinuteCounts } from '../../../src/store/schema/minute-counts.ts'
import { DAY, NOON } from '../traffic-of-days.ts'

const MINUTE_MS = 60_000
const EXACT = 200
const FROM = NOON - 1_000

/** Some lines of each kind, different in each minute. */
function mixed(minute: number, salt: number, coveredMs = MINUTE_MS): MinuteCounts {
  const n = (of: number) => (minute * 7 + salt * 13 + of * 5) % 11
  const cached = {
    hit: n(1),
    stale: n(2),
    updating: n(3),
    revalidated: n(4),
    bypass: n(5),
    uncached: n(6),
    other: n(7),
  }
  const miss4xx = n(8)
  const lines = countLines({ ...emptyMinute(minute, coveredMs), ...cached, miss: miss4xx + n(9) })
  const [c5xx, c4xx] = [n(10) % 4, miss4xx]
  const uncoded = Math.min(1, lines - c5xx - c4xx)
  return {
    ...emptyMinute(minute, coveredMs),
    ...cached,
    miss: miss4xx + n(9),
    miss4xx,
    c5xx,
    c4xx,
    uncoded,
    c2xx: lines - c5xx - c4xx - uncoded,
  }
}

/** What each column is of a minute, in other words than the series has. */
const SAID: readonly (readonly [name: Column, (counts: MinuteCounts) => number])[] = [
  ['lines', (c) => c.c1xx + c.c2xx + c.c3xx + c.c4xx + c.c5xx + c.uncoded],
  ['coveredMs', (c) => c.coveredMs],
  ['known', (c) => Math.sign(c.coveredMs)],
  ['traffic', (c) => countLines(c) - c.c4xx],
  ['firstHalf', (c) => (c.minute % 10 < 5 ? countLines(c) - c.c4xx : 0)],
  ['c5xx', (c) => c.c5xx],
  ['stale', (c) => c.stale],
  [
    'origin',
    (c) => Math.max(countLines(c) - c.hit - c.uncached - c.miss4xx, Math.min(countLines(c), c.c5xx + c.stale)),
  ],
  ['cacheable', (c) => countLines(c) - c.uncached - c.other - c.miss4xx],
  ['answered', (c) => c.hit + c.stale + c.updating + c.revalidated],
  ['bypass', (c) => c.bypass],
]

const puts = fc.array(
  fc.record({ ago: fc.integer({ min: 0, max: 450 }), salt: fc.nat(9), read: fc.constantFrom(0, 0.25, 1, 1) }),
  { minLength: 1, maxLength: 200, size: 'max' },
)

describe('sums of a series', () => {
  it('are those of the minutes, in whatever order they came, however often, and with what gaps', () => {
    fc.assert(
      fc.property(puts, fc.nat(EXACT), fc.nat(EXACT), (order, one, other) => {
        const series = new MinuteSeries(FROM)
        const known = new Map<number, MinuteCounts>()
        let until = FROM
        for (const { ago, salt, read } of order) {
          const minute = NOON - ago
          const counts = mixed(minute, salt, read * MINUTE_MS)
          series.put(counts)
          // What is older than the exact ones is left as it is.
          if (minute >= until - EXACT) known.set(minute, counts)
          until = Math.max(until, minute + 1)
        }
        expect([series.until, series.exactFrom]).toEqual([until, until - EXACT])
        const [from, end] = [until - Math.max(one, other), until - Math.min(one, other)]
        const steps = 10 * Math.floor(FROM / 10)
        for (const [name, said] of SAID) {
          const sum = (begin: number, before: number) =>
            [...known.values()].reduce((all, c) => all + (c.minute >= begin && c.minute < before ? said(c) : 0), 0)
          expect([name, series.total(name, from, end)]).toEqual([name, sum(from, end)])
          const tens = series.steps(name, steps, steps + 1_010)
          expect([name, [...tens]]).toEqual([
            name,
            Array.from(tens, (_, index) => sum(steps + index * 10, steps + index * 10 + 10)),
          ])
        }
      }),
      { numRuns: 60 },
    )
  })

  it('of what is farther back count a part of ten minutes as that part of their sum', () => {
    const hour = Math.floor(FROM / 60) * 60
    const minutes = Array.from({ length: 600 }, (_, index) => ({ ...emptyMinute(hour + index, MINUTE_MS), hit: index }))
    const series = buildSeries(hour, minutes)
    expect(series.total('lines', hour + 10, hour + 20)).toBe(145)
    expect(series.total('lines', hour + 12, hour + 17)).toBe(145 / 2)
    // Where exact minutes begin within ten minutes, the rest of these is in the ten minutes.
    const exact = hour + 400
    expect(series.exactFrom).toBe(exact)
    expect(series.total('lines', exact - 5, exact + 5)).toBeCloseTo((3_945 * 5) / 10 + 2_010)
    expect(series.total('lines', hour - 100, hour + 1_000)).toBe((599 * 600) / 2)
  })

  it('go a week and some hours back, and no farther: what is older does not come back', () => {
    const series = new MinuteSeries(NOON - 20_000)
    series.put({ ...emptyMinute(NOON - 20_000, MINUTE_MS), hit: 9 })
    series.put({ ...emptyMinute(NOON - HELD_MINUTES, MINUTE_MS), hit: 5 })
    series.put({ ...emptyMinute(NOON, MINUTE_MS), hit: 1 })
    expect(HELD_MINUTES).toBeGreaterThan(7 * DAY + 4 * 60)
    expect(series.total('lines', NOON - 30_000, NOON + 1)).toBe(6)
    expect(series.steps('lines', NOON - 20_000, NOON - 19_980)).toEqual(new Float64Array(2))
  })

  it('of the origin are no fewer than what failed', () => {
    const counts = { ...emptyMinute(NOON, MINUTE_MS), hit: 10, stale: 2, c5xx: 5, c2xx: 7 }
    expect(buildSeries(NOON, [counts]).total('origin', NOON, NOON + 1)).toBe(7)
  })

  it('count a line by its cache status, and by the class of its code', () => {
    const lines: readonly (readonly [status?: string, code?: number])[] = [
      ['HIT', 200],
      ['HIT', 304],
      ['MISS', 404],
      ['MISS', 502],
      ['STALE', 403],
      ['UPDATING', 101],
      ['REVALIDATED', 0],
      ['BYPASS', 600],
      ['-', 200],
      ['hit', 200],
      [],
    ]
    const tally = emptyMinute(7, 9)
    for (const line of lines) countLine(tally, ...line)
    const cached = {
      hit: 2,
      miss: 2,
      miss4xx: 1,
      stale: 1,
      updating: 1,
      revalidated: 1,
      bypass: 1,
      uncached: 1,
      other: 2,
    }
    const coded = { c1xx: 1, c2xx: 3, c3xx: 1, c4xx: 2, c5xx: 1, uncoded: 3 }
    expect(tally).toEqual({ minute: 7, coveredMs: 9, ...cached, ...coded })
  })

  it('know whether lines carry status codes', () => {
    const series = new MinuteSeries(0)
    series.put({ ...emptyMinute(0, 60_000), hit: 3, uncoded: 3 })
    expect(series.isCoded).toBe(false)
    series.put({ ...emptyMinute(1, 60_000), hit: 3, uncoded: 2, c2xx: 1 })
    expect(series.isCoded).toBe(true)
  })
})

describe('rates', () => {
  const of = (covered: (index: number) => number, length = 20) =>
    buildSeries(
      FROM,
      Array.from({ length }, (_, index) => ({
        ...emptyMinute(FROM + index, covered(index) * MINUTE_MS),
        hit: 40 * covered(index),
      })).filter(({ coveredMs }) => coveredMs > 0),
    )

  it('are those of the minutes that were read, and of parts of minutes as if all was', () => {
    expect(of(() => 1).rate('lines', FROM, FROM + 20)).toBe(40)
    expect(of(() => 0.25).rate('lines', FROM, FROM + 20)).toBeCloseTo(40)
    expect(of((index) => (index < 8 ? 0 : 1)).rate('lines', FROM, FROM + 20)).toBeCloseTo(40)
  })

  it('are not known where more than half was not read, or hardly anything of each minute', () => {
    expect(of((index) => (index < 10 ? 0 : 1)).rate('lines', FROM, FROM + 20)).toBeCloseTo(40)
    expect(of((index) => (index < 11 ? 0 : 1)).rate('lines', FROM, FROM + 20)).toBeUndefined()
    expect(of(() => 0.05).rate('lines', FROM, FROM + 20)).toBeCloseTo(40)
    expect(of(() => 0.01).rate('lines', FROM, FROM + 20)).toBeUndefined()
    expect(of(() => 1).rate('lines', FROM, FROM)).toBeUndefined()
  })

  it('say what share was read, and what a part is of the whole', () => {
    const series = of((index) => (index < 5 ? 0 : 0.5))
    expect(series.covered(FROM, FROM + 20)).toBeCloseTo(0.375)
    expect(series.covered(FROM, FROM)).toBe(0)
    expect(series.share('answered', 'lines', FROM, FROM + 20)).toBe(1)
    expect(series.share('answered', 'lines', FROM, FROM + 5)).toBeUndefined()
  })
})
