import { expect, it } from 'vitest'
import { linesOf } from '../../src/alerts/minute-series.ts'
import { DAY, NOON, trafficOf } from './traffic-of-days.ts'

it('days that are made up have the mean, the clumps and the curve that were asked for', () => {
  const days = trafficOf({ lines: 40, dispersion: 5, hit: 0.8, c5xx: 0.02 }, NOON - 7 * DAY, NOON)
  const lines = days.map(linesOf)
  const mean = lines.reduce((sum, each) => sum + each, 0) / lines.length
  const variance = lines.reduce((sum, each) => sum + (each - mean) ** 2, 0) / lines.length
  expect(mean).toBeCloseTo(40, 0)
  expect(variance / mean).toBeCloseTo(5, 0)
  const share = (name: 'hit' | 'c5xx') => days.reduce((sum, each) => sum + each[name], 0) / mean / lines.length
  expect([share('hit'), share('c5xx')]).toEqual([expect.closeTo(0.8, 2), expect.closeTo(0.02, 2)])
  const curve = trafficOf({ lines: 400, swing: 0.5 }, NOON - DAY, NOON)
  const at = (hour: number) => curve.filter(({ minute }) => Math.floor((minute % DAY) / 60) === hour).map(linesOf)
  const sumAt = (hour: number) => at(hour).reduce((sum, each) => sum + each, 0)
  expect(sumAt(20) / sumAt(8)).toBeCloseTo(3, 0)
})

it('a minute is the same whatever happens before it, and nothing is there of one that was not read', () => {
  const zone = { lines: 30, c4xx: 0.1 }
  const quiet = trafficOf(zone, NOON - 10, NOON)
  const eventful = trafficOf(zone, NOON - 10, NOON, (minute) => (minute < NOON - 1 ? { c5xx: 0.5 } : {}))
  expect(eventful.at(-1)).toEqual(quiet.at(-1))
  expect(trafficOf(zone, NOON - 10, NOON, () => ({ read: 0 }))).toEqual([])
  for (const each of quiet) {
    expect(linesOf(each)).toBe(each.c2xx + each.c4xx + each.c5xx)
    expect(each.miss4xx).toBeLessThanOrEqual(Math.min(each.miss, each.c4xx))
  }
})
