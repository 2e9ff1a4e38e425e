import { describe, expect, it } from 'vitest'
import { originFailing } from '../../../src/alerts/kinds/origin-failing.ts'
import { DAY } from '../traffic-of-days.ts'
import { during, type Life, lived, phases, told, within } from './life-of-kind.ts'

const ZONE = { lines: 60, swing: 0.3 }
const of = (life: Partial<Life>) => lived({ kind: 'origin-failing', zone: ZONE, minutes: 120, ...life })
const failing = (lines: number, c5xx: number, minutes = 60): Partial<Life> => ({
  zone: { ...ZONE, lines },
  minutes: minutes + 100,
  happening: during(minutes, { c5xx }),
})
const uncached = (lines: number, c5xx: number): Partial<Life> => ({
  ...failing(lines, c5xx, 180),
  zone: { lines, hit: 0.1, c5xx: 0.0002 },
})
/** Some bad minutes, so many good ones, and so on. */
const flapping = (pause: number, bad = 5): Partial<Life> => ({
  zone: { lines: 100 },
  minutes: 60,
  happening: (minute) => (minute >= 20 && (minute - 20) % (bad + pause) < bad ? { c5xx: 0.5 } : {}),
})
/** One minute of so many is not read. */
const unread = (each: number): Partial<Life> => ({
  zone: { lines: 30 },
  happening: (minute) => (within(minute, 20, 60) ? { c5xx: 0.05, read: minute % each === 0 ? 0 : 1 } : {}),
})

it.each<[Partial<Life>, string]>([
  [failing(100, 0.6), '22 critical 0.57 of 190 in 2 (0.00043 0.13), 88 over 0'],
  [failing(3, 0.6), '26 critical 0.79 of 14 in 3 (0 0.065), 91 over 0'],
  [failing(10, 0.25), '24 critical 0.31 of 45 in 5 (0.00032 0.029), 88 over 0'],
  [failing(3, 0.25), '27 critical 0.38 of 32 in 10 (0 0.019), 89 over 0'],
  [failing(1, 0.5, 200), '45 critical 0.32 of 19 in 15 (0 0.019), 246 over 0'],
  [{ ...failing(2, 0.15, 200), zone: { lines: 2 } }, '37 critical 0.13 of 67 in 30 (0 0.01), 255 over 0'],
  [uncached(30, 0.012), '74 warning 0.014 of 1900 in 60 (0.00015 0.0052), 223 over 0'],
  [uncached(60, 0.006), '187 warning 0.0068 of 7100 in 120 (0.00018 0.0039), 244 over 0'],
  [
    failing(1_000, 0.05),
    '23 warning 0.46 of 290 in 3 (0.0048 0.2), 24 critical 0.59 of 190 in 2 (0.0048 0.33), 88 over 0',
  ],
  [failing(100, 0.1), '23 critical 0.79 of 28 in 3 (0.0043 0.2), 89 over 0'],
  [failing(100, 0.05), '24 warning 0.35 of 43 in 5 (0.0043 0.1), 36 critical 0.76 of 21 in 3 (0.0043 0.2), 89 over 0'],
  [failing(100, 0.03), '29 warning 0.23 of 84 in 10 (0.0043 0.065), 89 over 0'],
  [failing(100, 0.02), '36 warning 0.18 of 100 in 15 (0.0043 0.065), 88 over 0'],
  [failing(10, 0.02), '64 warning 0.31 of 29 in 30 (0.0032 0.039), 106 over 0'],
  [failing(30, 0.012, 160), '59 warning 0.099 of 150 in 60 (0.004 0.019), 202 over 0'],
  [failing(30, 0.005, 200), '128 warning 0.053 of 320 in 120 (0.0041 0.016), 248 over 0'],
  [{ happening: during(40, { stale: 0.4 }) }, '22 critical 0.87 of 46 in 2 (0.0048 0.33), 69 over 0'],
  [
    { zone: { lines: 300 }, happening: during(40, { stale: 0.2, c5xx: 0.1 }) },
    '22 critical 0.25 of 630 in 2 (0.00045 0.13), 69 over 0',
  ],
  [
    { zone: { lines: 300, hit: 0.99 }, happening: during(60, { c5xx: 0.008 }) },
    '34 warning 0.8 of 35 in 10 (0.046 0.31), 89 over 0',
  ],
  [
    { zone: { lines: 60, c5xx: 0.03 }, happening: during(60, { c5xx: 0.3 }) },
    '23 critical 0.22 of 200 in 3 (0.029 0.096), 90 over 0.049',
  ],
  [
    { zone: { lines: 200, c5xx: 0.03, steadiness: 30 }, happening: during(60, { c5xx: 0.2 }) },
    '29 critical 0.14 of 2000 in 10 (0.029 0.095), 88 over 0.014',
  ],
  [
    { past: 600, zone: { lines: 1_000 }, happening: during(60, { c5xx: 0.1 }) },
    '23 critical 0.1 of 3100 in 3 (0.00039 0.065), 88 over 0',
  ],
  [
    { past: 600, zone: { lines: 30 }, happening: during(60, { c5xx: 0.03 }) },
    '71 warning 0.053 of 470 in 15 (0.0005 0.019), 88 over 0',
  ],
  [
    { parameters: { warning: 10, critical: 50 }, happening: during(60, { c5xx: 0.14 }) },
    '29 warning 0.76 of 68 in 10 (0.0048 0.33), 89 over 0',
  ],
  [flapping(10), '22 critical 0.49 of 210 in 2 (0.00043 0.13)'],
  [
    flapping(14),
    '22 critical 0.49 of 210 in 2 (0.00043 0.13), 37 over 0, 41 critical 0.56 of 210 in 2 (0.00043 0.13), 56 over 0, 60 critical 0.49 of 240 in 2 (0.00043 0.13)',
  ],
  [flapping(9, 1), '31 warning 0.074 of 1500 in 15 (0.00043 0.019), 50 critical 0.44 of 420 in 30 (0.0043 0.039)'],
  [
    { zone: { lines: 100 }, minutes: 180, happening: phases([20, 40, { c5xx: 0.5 }], [60, 60, { c5xx: 0.03 }]) },
    '22 critical 0.49 of 210 in 2 (0.00043 0.13), 69 over 0.022, 79 warning 0.27 of 120 in 10 (0.0043 0.065), 129 over 0',
  ],
  [
    { zone: { lines: 1_000 }, minutes: 200, happening: phases([20, 60, { c5xx: 0.04 }], [92, 60, { c5xx: 0.04 }]) },
    '23 warning 0.35 of 320 in 3 (0.0047 0.2), 58 critical 0.76 of 160 in 2 (0.0047 0.33), 89 over 0, 94 critical 0.47 of 230 in 2 (0.0047 0.33), 159 over 0',
  ],
  [
    { zone: { lines: 30 }, minutes: 160, happening: phases([20, 20, { c5xx: 0.5 }], [40, 40, { times: 0 }]) },
    '22 critical 0.62 of 55 in 2 (0.00039 0.13), 80 over 0',
  ],
  [unread(4), '28 critical 0.48 of 25 in 10 (0.004 0.065) read 0.8, 91 over 0'],
  [unread(3), ''],
])('tells of %o: %s', (life, turns) => {
  expect(told(of(life))).toBe(turns)
})

describe('does not begin', () => {
  it.each<[string, Partial<Life>]>([
    ['for one bad minute', { happening: during(1, { c5xx: 1 }) }],
    ['where 3 % always fail', { zone: { ...ZONE, c5xx: 0.03 }, minutes: DAY }],
    [
      'for less than twice of what always fails, however steadily',
      { zone: { lines: 500, c5xx: 0.1, steadiness: 1e6 }, happening: during(60, { c5xx: 0.18 }) },
    ],
    ['on a day like any other', { zone: { ...ZONE, lines: 12, dispersion: 5 }, minutes: DAY }],
    ['for a scanner of what is not there', { happening: during(40, { scanned: 500 }) }],
    ['for a crawl', { happening: during(40, { crawled: 500 }) }],
    ['for a purge', { happening: during(40, { hit: 0 }) }],
    ['for what nobody read', { minutes: 160, happening: during(60, { read: 0 }) }],
    [
      'below the share that is asked for',
      { parameters: { warning: 40, critical: 50 }, happening: during(60, { c5xx: 0.05 }) },
    ],
    [
      'a little below it, for hours',
      { zone: { lines: 1_000 }, parameters: { warning: 10, critical: 50 }, happening: during(180, { c5xx: 0.08 }) },
    ],
  ])('%s', (_, life) => {
    expect(told(of(life))).toBe('')
  })
})

it('goes on through what nobody read, of which nothing is said', () => {
  const life = of({
    happening: (minute) => (within(minute, 20, 40) ? { c5xx: 0.5, read: within(minute, 30, 20) ? 0 : 1 } : {}),
  })
  const unread = life.filter(({ minute }) => within(minute, 35, 16))
  expect(unread.every(({ firing, reading }) => firing && reading === undefined)).toBe(true)
  expect(told(life)).toBe('22 critical 0.45 of 120 in 2 (0.00048 0.13), 81 over 0.0056')
})

it('shows lines that failed or are old', () => {
  const lines = [
    { statusCode: 499 },
    { statusCode: 500 },
    { cacheStatus: 'STALE', statusCode: 200 },
    { cacheStatus: 'HIT' },
  ]
  expect(lines.map((line) => originFailing.shows?.({ atMs: 0, ...line }))).toEqual([false, true, true, false])
})

it.each([10, 30, 100, 1_000])(
  'begins within four minutes when the origin fails for a zone of %i lines a minute',
  (lines) => {
    for (const c5xx of [0.25, 0.6]) expect(told(of(failing(lines, c5xx)))).toMatch(/^2[2-4] critical /)
  },
)
