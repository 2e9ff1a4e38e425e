import { expect, it } from 'vitest'
import { buildSeries } from '../../../src/alerts/series/minute-series.ts'
import { verdict } from '../../../src/operations/status/zone-status.ts'
import type { ZoneStatus } from '../../../src/operations/status/status-reading.ts'
import { operationContext } from '../../support/operation-context.ts'
import { ordinaryMinute } from '../alerts/alerts-bench.ts'

type Counts = NonNullable<Parameters<typeof ordinaryMinute>[1]>

const AT = 30_000_000
const DAY = 1_440
const NOTHING: Counts = { hit: 0, miss: 0, stale: 0, c2xx: 0, c5xx: 0 }
/** By the clock of the reader, an hour ahead of UTC. */
const CLOCK = '09:00'
const actor = { ...operationContext().actor, timeZone: 'Europe/Ljubljana' }
const TRUST = { lagMs: 120_000, behindMinutes: 0, covered: 1 }

function minutes(until: number, counts: Counts) {
  return buildSeries(
    until - 60,
    Array.from({ length: 60 }, (_, index) => ordinaryMinute(until - 60 + index, counts)),
  )
}

function said(now: Counts, yesterday: Counts | undefined, rest: Partial<ZoneStatus> = {}): string {
  const before = yesterday && minutes(AT - DAY, yesterday)
  const status = { series: minutes(AT, now), at: AT, trust: TRUST, incidents: [], yesterday: before, ...rest }
  return verdict(status, 'shop', operationContext({}, { now: new Date(AT * 60_000 + 150_000), actor }))
}

it.each<readonly [what: string, sentence: string, now: Counts, yesterday: Counts | undefined]>([
  [
    'nothing wrong',
    `🟢 shop looks healthy as of ${CLOCK}: no 5xx, no STALE in 500 requests of 5 min; the log is 2 min behind`,
    {},
    {},
  ],
  [
    'what is wrong each day',
    `🟢 shop looks healthy as of ${CLOCK}: 7.0 % 5xx, no STALE in 500 requests of 5 min; the log is 2 min behind`,
    { c2xx: 93, c5xx: 7 },
    { c2xx: 96, c5xx: 4 },
  ],
  ['errors of today', '🟠 shop: 5.0 % 5xx (0.0 % yesterday) in the last 5 min', { c2xx: 95, c5xx: 5 }, {}],
  ['errors without a yesterday', '🟠 shop: 5.0 % 5xx in the last 5 min', { c2xx: 95, c5xx: 5 }, undefined],
  ['old content', '🟠 shop: 20.0 % STALE (0.0 % yesterday) in the last 5 min', { hit: 70, stale: 20 }, {}],
  [
    'a cache that does not work',
    '🟠 shop: hit ratio 40.0 % (90.0 % yesterday) in the last 5 min',
    { hit: 40, miss: 60 },
    {},
  ],
  ['traffic that is gone', '🟠 shop: no requests in the last 60 min, 6,000 at this time yesterday', NOTHING, {}],
  ['a zone that is asleep', '⚪ shop: no requests in the last 60 min', NOTHING, NOTHING],
])('the verdict about %s is %s', (_, sentence, now, yesterday) => {
  expect(said(now, yesterday)).toBe(sentence)
})

it('takes nothing for silence of which nothing was read', () => {
  expect(said({}, {}, { series: buildSeries(AT - 60, []) })).toBe('⚪ shop: nothing is read yet of the last 60 min')
})

it('says how far the reading does not keep up', () => {
  const sentence = said({}, {}, { trust: { ...TRUST, behindMinutes: 8 } })
  expect(sentence).toMatch(/healthy as of 08:52: .*; the log is 10 min behind$/)
})

it('says that nothing can be read, and not that all is well', () => {
  const failure = { cause: 'key refused or zone suspended', sinceMs: 0 } as const
  expect(said(NOTHING, {}, { trust: { ...TRUST, failure } })).toBe(
    '⚪ shop: nothing can be read, key refused or zone suspended',
  )
})
