import { describe, expect, it } from 'vitest'
import { expectRate, expectLeast, expectMost, readRateBefore } from '../../../src/alerts/series/baseline.ts'
import { type MinuteSeries, buildSeries, emptyMinute } from '../../../src/alerts/series/minute-series.ts'
import { DAY, NOON } from '../traffic-of-days.ts'

const MINUTE_MS = 60_000
const WEEK = 7 * DAY
const WINDOW = { at: NOON, minutes: 10 }

/** Minutes that each have so many lines; undefined of what was not read. */
function series(lines: (minute: number) => number | undefined, days = 7): MinuteSeries {
  const from = NOON - days * DAY - 120
  const minutes = Array.from({ length: NOON - from }, (_, index) => from + index)
  return buildSeries(
    from,
    minutes.flatMap((minute) => {
      const hit = lines(minute)
      return hit === undefined ? [] : [{ ...emptyMinute(minute, MINUTE_MS), hit, c2xx: hit }]
    }),
  )
}

/** Around the time of the window on another day, as far as that is looked at for it. */
const onDay = (minute: number, back: number): boolean => Math.abs(minute - (NOON - 5 - back)) <= 30

function of(forecast: typeof expectRate, known: MinuteSeries): number | undefined {
  return forecast(known, 'traffic', WINDOW)?.rate
}

describe('the rate before a window', () => {
  it('is that of forty minutes that end three minutes before it', () => {
    const known = series((minute) => (minute >= NOON - 53 && minute < NOON - 13 ? 60 : 10))
    expect(readRateBefore(known, 'traffic', WINDOW)).toBe(60)
    expect(readRateBefore(known, 'traffic', WINDOW, DAY)).toBe(10)
  })

  it('is that of two hours where most of the forty minutes were not read', () => {
    const known = series((minute) => (minute >= NOON - 53 && minute < NOON - 23 ? undefined : 10))
    expect(readRateBefore(known, 'traffic', WINDOW)).toBe(10)
  })

  it('is not known where most of these were not read either, and then nothing is expected', () => {
    const known = series((minute) => (minute >= NOON - 80 && minute < NOON - 13 ? undefined : 10))
    expect(readRateBefore(known, 'traffic', WINDOW)).toBeUndefined()
    for (const forecast of [expectRate, expectLeast, expectMost]) expect(of(forecast, known)).toBeUndefined()
  })
})

describe('what is expected', () => {
  it('is the rate before where no other day is known', () => {
    const known = series((minute) => (minute < NOON - 10 ? 30 : 0), 0)
    for (const forecast of [expectRate, expectLeast, expectMost]) expect(of(forecast, known)).toBe(30)
  })

  it('of a day like the others is what they had, whatever comes now', () => {
    for (const now of [0, 30, 900]) {
      const known = series((minute) => (minute < NOON - 10 ? 30 : now))
      for (const forecast of [expectRate, expectLeast, expectMost]) expect(of(forecast, known)).toBe(30)
    }
  })

  const fallen = (to: number) =>
    series((minute) => (minute > NOON - 5 - DAY - 20 && minute < NOON - DAY + 60 ? to : 100))
  const lower = series((minute) => (onDay(minute, WEEK) || minute < NOON - WEEK + 30 ? 40 : 100))
  const unlike = series((minute) => (onDay(minute, WEEK) ? undefined : onDay(minute, DAY) ? 40 : 100))
  const job = (off: number, back: number) =>
    series((minute) => (Math.abs(minute - (NOON - 5 + off - back)) <= 6 ? 500 : 100))
  const idle = series((minute) => (minute < NOON - 200 ? 0 : 100))
  const risen = (times: number) =>
    series((minute) => {
      const [day, week] = [minute - (NOON - DAY), minute - (NOON - WEEK)]
      return (day > -13 && day < 60) || (week > -13 && week < 60) ? 10 * times : minute > NOON - 200 ? 100 : 10
    })

  it.each<[what: string, known: MinuteSeries, expected: readonly [rate: number, least: number, most: number]]>([
    ['falls as yesterday fell', fallen(60), [84.1, 70.8, 100]],
    ['falls to a fifth at least', fallen(0), [32.2, 20, 100]],
    ['is at least no more than last week had, though yesterday had more', lower, [100, 40, 100]],
    ['is at least no more than yesterday had, where last week is not known', unlike, [59.7, 40, 100]],
    ['is at most what a job brought yesterday', job(0, DAY), [147, 100, 500]],
    ['a little earlier', job(-20, DAY), [87.1, 75.9, 500]],
    ['or later', job(20, DAY), [126, 100, 500]],
    ['but not long before', job(-85, DAY), [100, 100, 100]],
    ['is at most what a job brought last week', job(0, WEEK), [147, 100, 500]],
    ['a little earlier than that', job(-20, WEEK), [87.1, 75.9, 500]],
    ['or later than that', job(20, WEEK), [126, 100, 500]],
    ['rises as both days rose', risen(2), [162, 10.6, 162]],
    ['rises to three times where it is to be told well', risen(50), [300, 38.6, 1260]],
    ['is the rate before where nothing came on other days', idle, [100, 0, 100]],
  ])('%s', (_, known, expected) => {
    const rates = [expectRate, expectLeast, expectMost].map((forecast) => of(forecast, known) ?? 0)
    expect(rates.map((each) => Number(each.toPrecision(3)))).toEqual(expected)
  })

  it('of a day that was not read is as if there were no such day', () => {
    const known = series((minute) => (onDay(minute, DAY) ? undefined : minute < NOON - 2 * DAY ? 100 : 30))
    expect(expectLeast(known, 'traffic', WINDOW)).toEqual({ rate: 30, days: 1 })
    expect(of(expectRate, known)).toBe(30)
    for (const [many, days] of [0, 1, 2].entries()) {
      const even = series(() => 30, [0, 1, 7][many])
      expect([expectLeast(even, 'traffic', WINDOW)?.days, expectMost(even, 'traffic', WINDOW)?.days]).toEqual([
        days,
        days,
      ])
    }
  })
})
