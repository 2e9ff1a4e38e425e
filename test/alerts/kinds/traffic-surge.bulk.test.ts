import { describe, expect, it } from 'vitest'
import { DAY, type Happening } from '../traffic-of-days.ts'
import { trafficSurge } from '../../../src/alerts/kinds/traffic-surge.ts'
import { daily, during, type Life, lived, phases, type Phase, told, within } from './life-of-kind.ts'

const ZONE = { lines: 60, swing: 0.6, dispersion: 5 }
const of = (life: Partial<Life>) => lived({ kind: 'traffic-surge', zone: ZONE, minutes: 200, ...life })
const coming = (times: number, lines: number): Partial<Life> => ({ zone: { lines }, happening: during(60, { times }) })
const clumps = (lines: number, dispersion: number): Partial<Life> => ({
  zone: { lines, dispersion, swing: 0.5 },
  happening: during(60, { times: 5 }),
})
const night = (what: Happening): Partial<Life> => ({
  zone: { lines: 100, swing: 0.8 },
  minutes: 1_240,
  happening: (minute) => (within(minute, 1_150, 60) ? what : {}),
})
const even = (lines: number, ...all: readonly Phase[]): Partial<Life> => ({
  zone: { lines },
  happening: phases(...all),
})

it.each<[Partial<Life>, string]>([
  [clumps(3, 2), '26 warning 16 in 5 (3 6.9), 87 over 3'],
  [clumps(10, 2), '23 warning 41 in 3 (9.7 22), 87 over 8.7'],
  [clumps(100, 4), '22 warning 300 in 3 (86 200), 88 over 110'],
  [coming(2.4, 200), '23 warning 480 in 3 (200 470), 85 over 190'],
  [coming(3.2, 10), '41 warning 29 in 20 (13 29), 85 over 10'],
  [{ happening: during(60, { times: 100 }) }, '21 warning 1500 in 3 (51 120), 88 over 43'],
  [night({ times: 2.6 }), '1162 warning 57 in 10 (24 55), 1214 over 22'],
  [night({ crawled: 90 }), '1153 warning 120 in 3 (24 56), 1217 over 21'],
  [night({ crawled: 70 }), ''],
  [{ ...coming(4, 200), past: 300 }, ''],
  [{ ...coming(5, 200), past: 300 }, '23 warning 1000 in 3 (190 900), 87 over 200'],
  [{ parameters: { warning: 8 }, happening: during(60, { times: 12 }) }, '23 warning 560 in 3 (53 420), 88 over 43'],
  [{ ...coming(1.8, 400), parameters: { warning: 1.5 } }, '23 warning 750 in 3 (410 610), 83 over 430'],
  [{ minutes: 300, happening: during(300, { times: 6 }) }, '22 warning 210 in 3 (52 120), 202 over 430'],
  [
    even(200, [20, 5, { times: 9 }], [34, 120, { times: 9 }]),
    '21 warning 750 in 3 (200 470), 33 over 190, 43 warning 1800 in 3 (510 1200), 159 over 200',
  ],
  [even(200, [20, 30, { times: 5 }], [50, 60, { times: 1.8 }]), '21 warning 480 in 3 (200 470), 112 over 250'],
  [even(200, [20, 30, { times: 5 }], [50, 60, { times: 1.4 }]), '21 warning 480 in 3 (200 470), 58 over 300'],
  [
    { happening: (minute) => (within(minute, 20, 80) ? { times: 1 + (minute - 20) / 15 } : {}) },
    '56 warning 130 in 20 (56 130), 108 over 47',
  ],
  [even(100, [20, 10, { times: 5 }], [30, 20, { read: 0 }]), '22 warning 370 in 3 (100 240), 54 over 100'],
])('tells of %o: %s', (life, turns) => {
  expect(told(of(life))).toBe(turns)
})

describe('does not begin', () => {
  it.each<[string, Partial<Life>]>([
    ['for twice as much', { happening: during(60, { times: 1.8 }) }],
    ['for a job that came yesterday', { minutes: 2 * DAY, happening: daily(30, { times: 6 }) }],
    ['as the morning rises, in clumps', { zone: { lines: 20, swing: 0.9, dispersion: 8 }, minutes: DAY }],
    ['for a scanner of what is not there', { happening: during(60, { scanned: 1_000 }) }],
    ['for a small crawl', { happening: during(60, { crawled: 50 }) }],
    ['when what nobody read is over', { happening: during(60, { read: 0 }) }],
    ['when all of a minute is read again', { happening: during(60, { read: 0.2 }) }],
    ['below the times that are asked for', { parameters: { warning: 8 }, happening: during(60, { times: 5 }) }],
  ])('%s', (_, life) => {
    expect(told(of(life))).toBe('')
  })

  it.each([1, 7])('for a short job that came somewhat earlier or later %i days ago', (days) => {
    for (const then of [5, 20, 35]) {
      const job = (minute: number): Happening =>
        within(minute, 20, 8) || within(minute, then - days * DAY, 8) ? { times: 5 } : {}
      expect(told(of({ zone: { lines: 100 }, happening: job }))).toBe('')
    }
  })
})

it('shows any line', () => {
  expect(trafficSurge.shows?.({ atMs: 0, cacheStatus: 'HIT', statusCode: 200 })).toBe(true)
})
