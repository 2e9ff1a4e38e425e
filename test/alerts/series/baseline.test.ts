import { describe, expect, it } from 'vitest'
import { COLUMN, buildSeries } from '../../../src/alerts/series/minute-series.ts'
import { type LineShare, type Baseline, WeeklyBaseline } from '../../../src/alerts/series/baseline.ts'
import { DAY, type Happening, NOON, trafficOf, type Zone } from '../traffic-of-days.ts'

const WEEK = 7 * DAY
const FROM = NOON - WEEK - 120
const FAILED: LineShare = { bad: [COLUMN.c5xx, COLUMN.stale], whole: COLUMN.lines }

function usualOf(zone: Zone, happening?: (minute: number) => Happening, from = FROM): Baseline {
  return new WeeklyBaseline(buildSeries(from, trafficOf(zone, from, NOON, happening))).at(NOON)
}

describe('the usual share', () => {
  it('is that of the week but for its worst hours, of all that counts as bad', () => {
    const { share, spread } = usualOf({ lines: 100, c5xx: 0.03, steadiness: 1e6 }).share(FAILED)
    expect(share).toBeCloseTo(0.03, 2)
    expect(spread).toBeLessThan(0.006)
    const stale = usualOf({ lines: 100, c5xx: 0.01, hit: 0.5 }, () => ({ stale: 0.04 })).share(FAILED)
    expect(stale.share).toBeCloseTo(0.03, 2)
  })

  it('is not raised by a problem of eleven hours, but by one of a day', () => {
    const failing = (hours: number) =>
      usualOf({ lines: 50, c5xx: 0.002 }, (minute) =>
        minute >= NOON - DAY && minute < NOON - DAY + hours * 60 ? { c5xx: 0.5 } : {},
      ).share(FAILED)
    expect(failing(11).share).toBeLessThan(0.003)
    expect(failing(11).spread).toBeLessThan(0.03)
    // 13 of 168 hours stay, of which half is bad.
    expect(failing(24).share).toBeCloseTo((0.5 * 13) / 157, 2)
  })

  it('spreads by what is beyond chance, as single minutes do', () => {
    // Of ten minutes, so a tenth of the variance.
    const bursts = (minute: number): Happening => ({ c5xx: Math.floor(minute / 10) % 4 === 0 ? 0.08 : 0 })
    const { spread } = usualOf({ lines: 1_000, steadiness: 1e6 }, bursts).share(FAILED)
    expect(spread).toBeCloseTo(0.02 * Math.sqrt(3) * Math.sqrt(10), 1)
  })

  it('is nothing where nothing is known, or too little in ten minutes to spread', () => {
    expect(usualOf({ lines: 100 }, () => ({ read: 0 })).share(FAILED)).toEqual({ share: 0, spread: 0 })
    expect(usualOf({ lines: 1, c5xx: 0.3 }).share(FAILED).spread).toBe(0)
  })
})

describe('the dispersion of lines', () => {
  it('is 1.2 where they come by chance, and about what it is where they come in clumps', () => {
    expect(usualOf({ lines: 30, dispersion: 1 }).dispersion).toBe(1.2)
    expect(usualOf({ lines: 30, dispersion: 6 }).dispersion).toBeCloseTo(6, 0)
    expect(usualOf({ lines: 30, dispersion: 6, swing: 0.7 }).dispersion).toBeCloseTo(6, 0)
  })

  it('is that of what was read whole, and a careful guess where nothing was', () => {
    const gaps = (minute: number): Happening => ({ read: minute % 40 < 5 ? 0 : 1 })
    expect(usualOf({ lines: 30, dispersion: 6 }, gaps).dispersion).toBeCloseTo(6, 0)
    expect(usualOf({ lines: 30 }, (minute) => ({ read: minute % 2 })).dispersion).toBe(3)
  })

  it('is not made by a few leaps', () => {
    const leaps = (minute: number): Happening => (minute % 500 < 5 ? { times: 50 } : {})
    expect(usualOf({ lines: 30, dispersion: 1 }, leaps).dispersion).toBeLessThan(3)
  })
})

it('the rates are those of the week, as if all was read', () => {
  const { rate, cacheableRate } = usualOf({ lines: 40, c4xx: 0.1, bypass: 0.1 }, () => ({ read: 0.5 }))
  expect(rate).toBeCloseTo(36, 0)
  // 4xx of MISS are not what the cache could answer.
  expect(cacheableRate).toBeCloseTo(40 * (0.9 * (0.9 + 0.1 * 0.9) + 0.1), 0)
})

describe('the spread of the hit ratio', () => {
  it('is small of a steady zone, larger of one that wanders, and bounded', () => {
    expect(usualOf({ lines: 500, steadiness: 1e6 }).ratioSpread).toBeCloseTo(0.06, 1)
    const wandering =
      (step: number) =>
      (minute: number): Happening => ({ hit: 0.5 + (Math.floor(minute / 240) % 2 === 0 ? step : -step) })
    const some = usualOf({ lines: 500, steadiness: 1e6 }, wandering(0.05)).ratioSpread
    expect(some).toBeGreaterThan(0.15)
    expect(some).toBeLessThan(0.5)
    expect(usualOf({ lines: 500 }, wandering(0.4)).ratioSpread).toBe(0.6)
  })

  it('is a careful guess where too little is known', () => {
    expect(usualOf({ lines: 500 }, undefined, NOON - 300).ratioSpread).toBe(0.5)
    expect(usualOf({ lines: 0.15 }).ratioSpread).toBe(0.5)
  })
})

it('is learnt once an hour, from minutes that get no late lines any more', () => {
  const series = buildSeries(FROM, trafficOf({ lines: 40 }, FROM, NOON))
  const usual = new WeeklyBaseline(series)
  const now = usual.at(NOON)
  const late = trafficOf({ lines: 4_000 }, NOON - 60, NOON + 120)
  for (const counts of late) series.put(counts)
  expect(usual.at(NOON + 59)).toBe(now)
  const later = usual.at(NOON + 60)
  expect(later).not.toBe(now)
  // The hour that is learnt from now ends at noon.
  expect(later.rate).toBeGreaterThan(1.2 * now.rate)
  expect(new WeeklyBaseline(series).at(NOON).rate).toBe(now.rate)
})
