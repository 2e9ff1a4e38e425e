import { expect, it } from 'vitest'
import { buildSeries } from '../../../src/alerts/series/minute-series.ts'
import { verdict } from '../../../src/operations/status/zone-status.ts'
import type { ZoneStatus } from '../../../src/operations/status/status-reading.ts'
import { ordinaryMinute } from '../alerts/alerts-bench.ts'

type Counts = NonNullable<Parameters<typeof ordinaryMinute>[1]>

const AT = 30_000_000
const DAY = 1_440
const NOTHING: Counts = { hit: 0, miss: 0, stale: 0, c2xx: 0, c5xx: 0 }
const FEW: Counts = { ...NOTHING, hit: 2, c2xx: 2 }
const TRUST = { lagMs: 120_000, behindMinutes: 0, covered: 1 }

/** An hour of such minutes, of which the last may be another. */
function minutes(until: number, counts: Counts, last = counts) {
  return buildSeries(
    until - 60,
    Array.from({ length: 60 }, (_, index) => ordinaryMinute(until - 60 + index, index === 59 ? last : counts)),
  )
}

function said(now: Counts, yesterday: Counts | undefined, rest: Partial<ZoneStatus> = {}): string {
  const before = yesterday && minutes(AT - DAY, yesterday)
  const status = { series: minutes(AT, now), at: AT, trust: TRUST, incidents: [], yesterday: before, ...rest }
  return verdict(status, 'shop')
}

/** So many of a hundred lines. */
function errors(c5xx: number): Counts {
  return { c2xx: 100 - c5xx, c5xx }
}

function healthy(words: string, minutes = 5): string {
  return `🟢 shop looks healthy: ${words} in ${minutes} min`
}

it.each<readonly [what: string, sentence: string, now: Counts, yesterday: Counts | undefined]>([
  ['nothing wrong', healthy('no 5xx, no STALE'), {}, {}],
  ['what is wrong each day', healthy('7.0 % 5xx, no STALE'), errors(7), errors(4)],
  ['errors of today', '🟠 shop: 5.0 % 5xx (0.0 % yesterday) in the last 5 min', errors(5), {}],
  ['errors without a yesterday', '🟠 shop: 5.0 % 5xx in the last 5 min', errors(5), undefined],
  ['old content', '🟠 shop: 20.0 % STALE (0.0 % yesterday) in the last 5 min', { hit: 70, stale: 20 }, {}],
  [
    'a cache that does not work',
    '🟠 shop: hit ratio 40.0 % (90.0 % yesterday) in the last 5 min',
    { hit: 40, miss: 60 },
    {},
  ],
  ['traffic that is gone', '🟠 shop: no requests in the last 60 min, 6,000 at this time yesterday', NOTHING, {}],
  ['a zone that is asleep', '⚪ shop: no requests in the last 60 min', NOTHING, NOTHING],
  ['few requests', healthy('no 5xx, no STALE', 60), FEW, FEW],
  ['a zone that nearly was', '⚪ shop: no requests in the last 60 min', NOTHING, { ...NOTHING, hit: 1 }],
  [
    'a night of few',
    '🟠 shop: no requests in the last 60 min, 120 at this time yesterday',
    NOTHING,
    { ...NOTHING, hit: 2 },
  ],
  ['twice yesterday’s errors', '🟠 shop: 9.0 % 5xx (4.0 % yesterday) in the last 5 min', errors(9), errors(4)],
  ['a little more than yesterday', healthy('3.0 % 5xx, no STALE'), errors(3), errors(1)],
  ['errors of all kinds', healthy('2.0 % 5xx, 2.0 % STALE'), { ...errors(2), hit: 88, stale: 2 }, {}],
  ['a hit ratio like others', healthy('no 5xx, no STALE'), { hit: 71, miss: 29 }, {}],
  ['one much lower', '🟠 shop: hit ratio 70.0 % (90.0 % yesterday) in the last 5 min', { hit: 70, miss: 30 }, {}],
  ['lines without codes', healthy('no STALE'), { c2xx: 0, uncoded: 100 }, {}],
])('the verdict about %s is %s', (_, sentence, now, yesterday) => {
  expect(said(now, yesterday)).toBe(sentence)
})

it.each<readonly [sentence: string, last: Counts, rest: Partial<ZoneStatus>]>([
  ['🟠 shop: 3.0 % 5xx (0.0 % yesterday) in the last 5 min', { hit: 100, miss: 0, c2xx: 97, c5xx: 3 }, {}],
  [healthy('2.0 % 5xx, no STALE', 60), { hit: 99, miss: 0, c2xx: 97, c5xx: 2 }, {}],
  [
    '🟠 shop: no requests in the last 60 min, 100 at this time yesterday',
    NOTHING,
    { yesterday: minutes(AT - DAY, { ...NOTHING, hit: 1 }, { ...NOTHING, hit: 41 }) },
  ],
  [healthy('10.0 % 5xx, no STALE'), { hit: 20, miss: 0, c2xx: 18, c5xx: 2 }, { trust: undefined }],
])('judges few requests by the hour, and not by a stray line: %s', (sentence, last, rest) => {
  expect(said({}, {}, { series: minutes(AT, NOTHING, last), ...rest })).toBe(sentence)
})

it('takes nothing for silence of which nothing was read', () => {
  expect(said({}, {}, { series: buildSeries(AT - 60, []) })).toBe('⚪ shop: nothing is read yet of the last 60 min')
})

it('says that nothing can be read, and not that all is well', () => {
  const failure = { cause: 'key refused or zone suspended', sinceMs: 0 } as const
  expect(said(NOTHING, {}, { trust: { ...TRUST, failure } })).toBe(
    '⚪ shop: nothing can be read, key refused or zone suspended',
  )
})
