import { expect, it } from 'vitest'
import { buildSeries } from '../../../src/alerts/series/minute-series.ts'
import { type LineShare, WeeklyBaseline } from '../../../src/alerts/series/baseline.ts'
import { DAY, type Happening, NOON, trafficOf, type Zone } from '../traffic-of-days.ts'

const WEEK = 7 * DAY
const FROM = NOON - WEEK - 120
const FAILED: LineShare = { bad: ['c5xx', 'stale'], whole: 'lines' }
const EVEN = { lines: 500, steadiness: 1e6 }

/** Half of a day's first hours. */
const failing = (hours: number) => (minute: number) =>
  minute >= NOON - DAY && minute < NOON - DAY + hours * 60 ? { c5xx: 0.5 } : {}
const wandering = (step: number) => (minute: number) => ({ hit: 0.5 + (minute % 480 < 240 ? step : -step) })

/** Days, the dispersion of lines, these and cacheable ones a minute, the spread of the hit ratio, a share, and its spread. */
it.each<
  [
    what: string,
    zone: Zone,
    learnt: readonly number[],
    happening?: ((minute: number) => Happening) | undefined,
    from?: number,
  ]
>([
  ['an even week', { ...EVEN, c5xx: 0.03 }, [7, 1.51, 496, 500, 0.05, 0.0299, 0]],
  [
    'a share of all that is bad',
    { lines: 100, c5xx: 0.01, hit: 0.5 },
    [7, 1.55, 98.8, 99.2, 0.0565, 0.0297, 0.0085],
    () => ({ stale: 0.04 }),
  ],
  [
    'a problem of eleven hours as nothing',
    { lines: 50, c5xx: 0.002 },
    [7, 1.55, 49.6, 50, 0.119, 0.00202, 0.0029],
    failing(11),
  ],
  [
    'one of a day as what 13 of 168 hours are',
    { lines: 50, c5xx: 0.002 },
    [7, 1.54, 49.6, 50, 0.119, 0.0364, 0.398],
    failing(24),
  ],
  [
    'what differs beyond chance',
    EVEN,
    [7, 1.53, 495, 500, 0.05, 0.0195, 0.109],
    (minute) => ({ c5xx: minute % 40 < 10 ? 0.08 : 0 }),
  ],
  ['nothing where nothing was read', { lines: 100 }, [0, 3, 0, 0, 0.5, 0, 0], () => ({ read: 0 })],
  ['no spread of too little in ten minutes', { lines: 1, c5xx: 0.3 }, [7, 1.47, 0.996, 1, 0.6, 0.294, 0]],
  ['lines that come by chance', { lines: 30, dispersion: 1 }, [7, 1.2, 29.6, 29.9, 0.163, 0.000318, 0.000459]],
  ['lines that come in clumps', { lines: 30, dispersion: 6, swing: 0.7 }, [7, 6.31, 29.7, 30, 0.174, 0.000452, 0]],
  [
    'clumps by what was read whole',
    { lines: 30, dispersion: 6 },
    [6.13, 6.03, 29.7, 29.9, 0.166, 0.000397, 0.000465],
    (minute) => ({ read: minute % 40 < 5 ? 0 : 1 }),
  ],
  [
    'clumps of nothing that was, by a guess',
    { lines: 30 },
    [3.5, 3, 29.7, 30, 0.21, 0.000278, 0],
    (minute) => ({ read: minute % 2 }),
  ],
  [
    'a few leaps as few',
    { lines: 30, dispersion: 1 },
    [7, 2.24, 44.7, 45.1, 0.16, 0.000301, 0.000835],
    (minute) => (minute % 500 < 5 ? { times: 50 } : {}),
  ],
  [
    'rates as if all was read',
    { lines: 40, c4xx: 0.1, bypass: 0.1 },
    [7, 1.5, 35.9, 39.6, 0.142, 0.000331, 0],
    () => ({ read: 0.5 }),
  ],
  ['a hit ratio that wanders', EVEN, [7, 1.53, 495, 498, 0.293, 0.000487, 0.000294], wandering(0.05)],
  ['one that wanders far', EVEN, [7, 1.53, 495, 498, 0.6, 0.000487, 0.000294], wandering(0.4)],
  ['little of a few hours', EVEN, [0.167, 1.75, 496, 500, 0.5, 0.000368, 0.000277], undefined, NOON - 300],
  ['little of few lines', { lines: 0.15 }, [7, 1.33, 0.148, 0.15, 0.5, 0, 0]],
])('learns %s', (_, zone, learnt, happening, from = FROM) => {
  const usual = new WeeklyBaseline(buildSeries(from, trafficOf(zone, from, NOON, happening))).at(NOON)
  const { days, dispersion, rate, cacheableRate, ratioSpread } = usual
  const { share, spread } = usual.share(FAILED)
  const numbers = [days, dispersion, rate, cacheableRate, ratioSpread, share, spread]
  expect(numbers.map((number) => Number(number.toPrecision(3)))).toEqual(learnt)
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
  for (const minute of [NOON, NOON + 59]) expect(new WeeklyBaseline(series).at(minute).rate).toBe(now.rate)
})
