import { describe, expect, it } from 'vitest'
import { cacheNotWorking } from '../../../src/alerts/kinds/cache-not-working.ts'
import { DAY, type Happening } from '../traffic-of-days.ts'
import { daily, during, type Life, lived, phases, type Phase, told, within } from './life-of-kind.ts'

const ZONE = { lines: 100, swing: 0.6, dispersion: 3, hit: 0.85 }
const EVEN = { lines: 300, hit: 0.85 }
const of = (life: Partial<Life>) => lived({ kind: 'cache-not-working', zone: ZONE, minutes: 200, ...life })
const bypassed = (bypass: number, lines: number): Partial<Life> => ({
  zone: { lines, hit: 0.85 },
  minutes: 160,
  happening: during(100, { bypass }),
})
const missed = (hit: number, lines = 300): Partial<Life> => ({
  zone: { ...EVEN, lines },
  happening: during(90, { hit }),
})
/** What is missing halves in so many minutes. */
const purged = (half: number): Partial<Life> => ({
  happening: (minute) => (within(minute, 20, 120) ? { hit: 0.85 * (1 - 0.5 ** ((minute - 20) / half)) } : {}),
})
const even = (...all: readonly Phase[]): Partial<Life> => ({ zone: EVEN, happening: phases(...all) })
const CRAWLED: Partial<Life> = { zone: { lines: 400, hit: 0.85 }, happening: during(90, { times: 0.72, crawled: 200 }) }

it.each<[Partial<Life>, string]>([
  [bypassed(0.2, 100), '35 warning 0.21 of 990 in 10 (0 0.2), 128 over 0.85'],
  [bypassed(0.3, 100), '25 warning 0.27 of 510 in 5 (0 0.2), 128 over 0.85'],
  [bypassed(0.3, 10), '37 warning 0.67 of 180 in 20 (0.84 0.77), 129 over 0.77'],
  [bypassed(0.3, 2), '79 warning 0.32 of 150 in 60 (0 0.2), 144 over 0.86'],
  [bypassed(0.5, 100), '23 warning 0.31 of 470 in 5 (0 0.2), 41 critical 0.52 of 500 in 5 (0 0.2), 129 over 0.88'],
  [bypassed(0.2, 10), '103 warning 0.71 of 900 in 90 (0.84 0.77), 129 over 0.77'],
  [
    { zone: { ...ZONE, bypass: 0.3 }, happening: during(100, { bypass: 0.8 }) },
    '36 critical 0.24 of 1500 in 20 (0.59 0.52), 127 over 0.6',
  ],
  // Of a time in which nobody came nothing is usual.
  [even([-300, 320, { times: 0 }], [20, 60, { bypass: 0.6 }]), '22 critical 0.59 of 630 in 5 (0 0.2), 88 over 0.85'],
  [even([20, 10, { times: 0 }], [30, 60, { hit: 0.2 }]), '40 critical 0.22 of 2800 in 20 (0.85 0.78), 96 over 0.89'],
  [missed(0.75), '35 warning 0.77 of 6100 in 20 (0.85 0.78), 117 over 0.86'],
  [missed(0.65, 100), '35 warning 0.71 of 1900 in 20 (0.85 0.78), 116 over 0.87'],
  [missed(0.65, 10), '39 warning 0.63 of 190 in 20 (0.84 0.77), 117 over 0.86'],
  [missed(0.5), '35 warning 0.59 of 6100 in 20 (0.85 0.78), 38 critical 0.54 of 6000 in 20 (0.85 0.78), 117 over 0.86'],
  [missed(0.2), '35 critical 0.35 of 6000 in 20 (0.85 0.78), 117 over 0.86'],
  [
    { ...missed(0.45), parameters: { warning: 20, critical: 38 } },
    '35 warning 0.55 of 6100 in 20 (0.85 0.65), 40 critical 0.47 of 6000 in 20 (0.85 0.65), 117 over 0.86',
  ],
  [missed(0.1, 1), '41 critical 0.16 of 21 in 20 (0.83 0.76), 114 over 1'],
  [missed(0.1, 0.5), '93 critical 0.18 of 35 in 90 (0.79 0.72), 114 over 1'],
  [
    { ...missed(0.5), past: 600 },
    '35 warning 0.59 of 6100 in 20 (0.85 0.78), 38 critical 0.54 of 6000 in 20 (0.85 0.78), 117 over 0.86',
  ],
  [
    { zone: { lines: 300, hit: 0.7, steadiness: 4 }, happening: during(90, { hit: 0.3 }) },
    '37 critical 0.36 of 6100 in 20 (0.71 0.64), 116 over 0.84',
  ],
  [purged(3), ''],
  [purged(6), '33 critical 0.52 of 1500 in 20 (0.85 0.78), 41 over 0.76'],
  [purged(25), '35 critical 0.29 of 1500 in 20 (0.85 0.78), 75 over 0.66'],
  [even([20, 90, { times: 0.72, crawled: 150 }]), ''],
  [CRAWLED, '44 critical 0.5 of 9500 in 20 (0.85 0.78), 117 over 0.86'],
  // More hits have to be missing while last week is not known.
  [{ ...CRAWLED, past: 3 * DAY }, ''],
  [even([20, 60, { hit: 0.5 }], [40 - DAY, 60, { hit: 0.5 }]), ''],
  [
    even([20, 60, { hit: 0.5 }], [60 - DAY, 60, { hit: 0.5 }]),
    '35 warning 0.59 of 6100 in 20 (0.85 0.78), 38 critical 0.54 of 6000 in 20 (0.85 0.78), 88 over 0.85',
  ],
  [
    even([20, 60, { hit: 0.4 }], [20 - DAY, 60, { hit: 0.75 }]),
    '35 critical 0.51 of 6100 in 20 (0.85 0.78), 88 over 0.85',
  ],
  [
    even([20, 60, { hit: 0.5 }], [80, 80, { hit: 0.68 }]),
    '35 warning 0.59 of 6100 in 20 (0.85 0.78), 38 critical 0.54 of 6000 in 20 (0.85 0.78), 164 over 0.85',
  ],
  [
    { zone: EVEN, happening: (minute) => (within(minute, 20, 150) ? { hit: 0.85 - (minute - 20) / 400 } : {}) },
    '57 warning 0.78 of 5900 in 20 (0.85 0.78), 180 over 0.87',
  ],
  [{ minutes: 300, happening: during(300, { hit: 0.6 }) }, '35 warning 0.67 of 1500 in 20 (0.85 0.78), 275 over 0.61'],
  [
    { ...even([20, 580, { bypass: 0.6 }], [1_000, 100, { bypass: 0.6 }]), minutes: 1_200 },
    '23 warning 0.36 of 1500 in 5 (0 0.2), 25 critical 0.59 of 1600 in 5 (0 0.2), 263 over 0.33, 1003 warning 0.37 of 1500 in 5 (0 0.2), 1005 critical 0.6 of 1500 in 5 (0 0.2), 1109 over 0.89',
  ],
  [
    even([20, 40, { bypass: 0.6 }], [60, 60, { bypass: 0.12 }]),
    '23 warning 0.36 of 1500 in 5 (0 0.2), 25 critical 0.59 of 1600 in 5 (0 0.2), 126 over 0.89',
  ],
  [
    even([20, 60, { hit: 0.4 }], [95, 80, { hit: 0.4 }]),
    '35 critical 0.51 of 6100 in 20 (0.85 0.78), 88 over 0.85, 135 critical 0.4 of 6100 in 20 (0.71 0.64), 180 over 0.87',
  ],
])('tells of %o: %s', (life, turns) => {
  expect(told(of(life))).toBe(turns)
})

describe('does not begin', () => {
  it.each<[string, Partial<Life>]>([
    ['for one bad minute', { happening: during(1, { hit: 0 }) }],
    ['for one minute that went round the cache', { happening: during(1, { bypass: 1 }) }],
    ['for a crawl, which adds misses', { happening: during(90, { crawled: 70 }) }],
    ['for a scanner of what is not there', { happening: during(90, { scanned: 400 }) }],
    ['for a job that other days had at that time', { happening: daily(60, { hit: 0.5 }) }],
    ['on a day like any other', { zone: { ...ZONE, lines: 30 }, minutes: DAY }],
    ['where a third always goes round the cache', { zone: { ...ZONE, bypass: 0.3 }, minutes: 400 }],
    [
      'for a few misses where few lines come, which may be chance',
      { zone: { lines: 1.4, hit: 0.99 }, happening: during(150, { hit: 0.93 }) },
    ],
    ['for what nobody read', { happening: during(60, { read: 0 }) }],
    [
      'below the points that are asked for',
      { parameters: { warning: 40, critical: 50 }, happening: during(90, { hit: 0.6 }) },
    ],
    [
      'below the BYPASS that is asked for',
      { parameters: { bypass: 90, warning: 90, critical: 95 }, happening: during(60, { bypass: 0.6 }) },
    ],
  ])('%s', (_, life) => {
    expect(told(of(life))).toBe('')
  })

  it.each([1, 7])('for a job that came a quarter of an hour earlier or later %i days ago', (days) => {
    const zone = { lines: 100, hit: 0.85 }
    for (const then of [5, 35]) {
      const job = (minute: number): Happening =>
        within(minute, 20, 60) || within(minute, then - days * DAY, 60) ? { hit: 0.5 } : {}
      expect(told(of({ zone, happening: job }))).toBe('')
    }
  })
})

it('is no new normal while nothing is read', () => {
  const unread = phases([20, 235, { hit: 0.6 }], [255, 45, { hit: 0.6, read: 0 }], [300, 20, { hit: 0.6 }])
  const life = of({ minutes: 320, happening: unread })
  expect(told(life)).toBe('35 warning 0.67 of 1500 in 20 (0.85 0.78), 301 over 0.64 read 0.1')
})

it('shows lines that missed the cache or went round it', () => {
  const statuses = ['HIT', 'MISS', 'STALE', 'BYPASS', '-', '']
  const shown = statuses.filter((cacheStatus) => cacheNotWorking.shows?.({ atMs: 0, cacheStatus, path: '/' }))
  expect(shown).toEqual(['MISS', 'BYPASS'])
})
