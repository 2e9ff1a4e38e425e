import { describe, expect, it } from 'vitest'
import { DAY } from '../traffic-of-days.ts'
import { daily, during, type Life, lived, phases, type Phase, told, within } from './life-of-kind.ts'

const ZONE = { lines: 60, swing: 0.6, dispersion: 5 }
const of = (life: Partial<Life>) => lived({ kind: 'traffic-gone', zone: ZONE, minutes: 200, ...life })
const coming = (times: number, lines: number): Partial<Life> => ({ zone: { lines }, happening: during(60, { times }) })
const gone = (lines: number, dispersion: number): Partial<Life> => ({
  zone: { lines, dispersion, swing: 0.5 },
  happening: during(60, { times: 0 }),
})
const even = (lines: number, ...all: readonly Phase[]): Partial<Life> => ({
  zone: { lines },
  happening: phases(...all),
})
/** Far more comes in the evening than in the morning. */
const nightly = (...all: readonly Phase[]): Partial<Life> => ({
  zone: { lines: 100, swing: 0.95, dispersion: 3 },
  minutes: DAY,
  happening: phases(...all),
})

it.each<[Partial<Life>, string]>([
  [gone(10, 2), '25 critical 0 in 5 (6.4 3.5), 84 over 9.3'],
  [gone(100, 4), '22 warning 15 in 3 (75 41), 23 critical 0 in 3 (75 41), 84 over 85'],
  [coming(0, 5), '25 critical 0 in 5 (4.3 2.3), 83 over 6.7'],
  [coming(0, 1), '51 critical 0 in 30 (0.74 0.41), 87 over 1.3'],
  [{ happening: during(60, { times: 0.4 }) }, '42 warning 16 in 20 (39 22), 83 over 55'],
  [{ happening: during(60, { times: 0.2 }) }, '25 critical 6.6 in 5 (36 20), 84 over 60'],
  [coming(0.5, 1_000), '23 warning 530 in 3 (980 540), 28 over 540, 40 warning 500 in 12 (930 510), 81 over 680'],
  [coming(0.4, 200), '23 warning 81 in 3 (190 110), 82 over 170'],
  [coming(0.4, 10), '41 warning 3.5 in 20 (9.4 5.2), 84 over 9.7'],
  [coming(0.1, 5), '31 critical 0.25 in 8 (4.3 2.3), 83 over 6.7'],
  [{ ...coming(0.05, 200), past: 300 }, '23 critical 10 in 3 (190 48), 83 over 210'],
  [{ ...coming(0.02, 5), past: 300 }, '25 critical 0 in 5 (4.7 1.2), 84 over 6'],
  [{ ...coming(0.05, 200), past: 2_000 }, '22 warning 79 in 3 (190 110), 23 critical 10 in 3 (190 110), 83 over 210'],
  [{ ...coming(0.1, 5), past: 2_000 }, '30 critical 0.38 in 8 (4.7 2.6), 84 over 6'],
  [
    even(200, [20, 30, { times: 0.35 }], [50, 30, { times: 0.02 }], [80, 30, { times: 0.3 }]),
    '23 warning 71 in 3 (190 110), 53 critical 5 in 3 (110 60), 113 over 210',
  ],
  [
    { ...coming(0.6, 1_000), parameters: { warning: 80, critical: 70 } },
    '25 critical 620 in 5 (980 790), 30 over 600, 42 critical 600 in 12 (920 740), 47 over 590, 59 warning 590 in 12 (750 600), 60 critical 590 in 30 (920 740), 64 over 600',
  ],
  [
    { ...even(200, [20, 800, { times: 0.2 }]), minutes: 800 },
    '23 warning 41 in 3 (190 110), 26 critical 37 in 3 (190 110), 743 over 41',
  ],
  [
    even(200, [20, 60, { times: 0 }], [80, 100, { times: 0.5 }]),
    '22 warning 74 in 3 (190 110), 23 critical 0 in 3 (190 110), 181 over 140',
  ],
  [even(20, [20, 60, { times: 0 }], [80, 100, { times: 0.6 }]), '23 critical 0 in 3 (20 11), 108 over 14'],
  [
    even(200, [20, 40, { times: 0 }], [67, 99, { times: 0 }]),
    '22 warning 74 in 3 (190 110), 23 critical 0 in 3 (190 110), 63 over 210, 73 critical 0 in 3 (34 19), 167 over 69',
  ],
  [nightly([900, 600, { times: 0 }]), '903 critical 0 in 3 (68 37)'],
  [nightly([500, 500, { times: 0 }]), '502 warning 64 in 3 (180 100), 503 critical 0 in 3 (180 100), 1005 over 33'],
  [nightly([1_080, 220, { times: 0 }]), '1083 critical 0 in 3 (12 6.4), 1306 over 16'],
  [even(200, [20, 60, { times: 0.3 }], [20 - DAY, 60, { times: 0.3 }]), '25 warning 60 in 5 (120 65), 81 over 110'],
  [
    even(200, [20, 60, { times: 0 }], [-60 - 7 * DAY, 240, { read: 0 }]),
    '22 warning 74 in 3 (190 110), 23 critical 0 in 3 (190 110), 83 over 210',
  ],
  [even(200, [18, 4, { read: 0 }], [22, 40, { times: 0.02 }]), '24 critical 7.5 in 3 (190 110) read 0.67, 65 over 210'],
  [
    even(100, [20, 60, { times: 0, scanned: 100 }]),
    '22 warning 26 in 3 (100 55), 23 critical 0 in 3 (100 55), 84 over 95',
  ],
])('tells of %o: %s', (life, turns) => {
  expect(told(of(life))).toBe(turns)
})

describe('does not begin', () => {
  it.each<[string, Partial<Life>]>([
    ['for one minute without lines', { happening: during(1, { times: 0 }) }],
    [
      'as the evening falls, in clumps of many lines',
      { zone: { lines: 400, swing: 0.8, dispersion: 8 }, minutes: DAY },
    ],
    ['as the evening falls, in clumps of few', { zone: { lines: 20, swing: 0.8, dispersion: 8 }, minutes: DAY }],
    ['for what each day does at that time', { happening: daily(60, { times: 0.3 }) }],
    [
      'when a scanner of what is not there leaves',
      { happening: (minute) => (within(minute, -80, 100) ? { scanned: 500 } : {}) },
    ],
    [
      'when a crawl leaves in the first days of a zone',
      { past: 3 * DAY, happening: (minute) => (within(minute, -80, 100) ? { crawled: 100 } : {}) },
    ],
    ['for what nobody read', { happening: during(60, { read: 0 }) }],
    ['when parts of each minute are read', { happening: during(60, { read: 0.2 }) }],
    ['while more comes than is asked for', { parameters: { warning: 25 }, happening: during(60, { times: 0.45 }) }],
  ])('%s', (_, life) => {
    expect(told(of(life))).toBe('')
  })
})
