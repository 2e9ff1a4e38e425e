import { describe, expect, it } from 'vitest'
import { cacheNotWorking } from '../../../src/alerts/kinds/cache-not-working.ts'
import { DAY, type Happening, NOON } from '../traffic-of-days.ts'
import { daily, during, type Life, lived, spells, turns, within } from './life-of-kind.ts'

const ZONE = { lines: 100, swing: 0.6, dispersion: 3, hit: 0.85 }
const of = (life: Partial<Life>) => lived({ kind: 'cache-not-working', zone: ZONE, minutes: 200, ...life })
/** What is missing halves in three minutes. */
const purged = (minute: number): Happening =>
  within(minute, 20, 40) ? { hit: ZONE.hit * (1 - 0.5 ** ((minute - 20) / 3)) } : {}

describe('begins', () => {
  it.each([10, 30, 100, 1_000])('within six minutes when most of %i lines a minute go round the cache', (lines) => {
    const { begin, end } = turns(of({ zone: { ...ZONE, lines }, happening: during(60, { bypass: 0.7 }) }))
    expect(begin?.minute).toBeLessThanOrEqual(26)
    expect(begin?.facts?.sentence).toMatch(/^\d+ % BYPASS in the last 5 min · usually 0 %\.$/)
    expect(end?.minute).toBeLessThanOrEqual(95)
  })

  it.each([1.5, 2])('within two hours when 30 % of %d lines a minute go round the cache', (lines) => {
    const { begin } = turns(of({ zone: { lines, hit: 0.85 }, minutes: 260, happening: during(240, { bypass: 0.3 }) }))
    expect(begin?.minute).toBeLessThanOrEqual(140)
  })

  it.each([10, 30, 100, 1_000])(
    'within 25 minutes when the hit ratio of %i lines a minute falls by 20 points',
    (lines) => {
      const { begin, end } = turns(of({ zone: { ...ZONE, lines }, happening: during(90, { hit: 0.65 }) }))
      expect(begin?.minute).toBeGreaterThan(30)
      expect(begin?.minute).toBeLessThanOrEqual(45)
      expect(begin?.severity).toBe('warning')
      expect(begin?.facts?.sentence).toMatch(/^hit ratio [67]\d % in the last 20 min · usually 8\d %\.$/)
      expect(end?.minute).toBeGreaterThan(110)
      expect(end?.minute).toBeLessThanOrEqual(125)
    },
  )

  it('as critical when it falls by far more', () => {
    expect(turns(of({ happening: during(90, { hit: 0.2 }) })).begin?.severity).toBe('critical')
  })
})

describe('does not begin', () => {
  it.each<[string, Partial<Life>]>([
    ['for one bad minute', { happening: during(1, { hit: 0 }) }],
    ['for one minute that went round the cache', { happening: during(1, { bypass: 1 }) }],
    ['for a crawl, which adds misses', { happening: during(90, { crawled: 70 }) }],
    ['for a purge, after which the cache fills again', { happening: purged }],
    ['for a scanner of what is not there', { happening: during(90, { scanned: 400 }) }],
    ['for a job that other days had at that time', { happening: daily(60, { hit: 0.5 }) }],
    ['on a day like any other', { zone: { ...ZONE, lines: 30 }, minutes: DAY }],
    ['where a third always goes round the cache', { zone: { ...ZONE, bypass: 0.3 }, minutes: 400 }],
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
    expect(spells(of(life))).toEqual([])
  })

  it.each([1, 7])('for a job that came a quarter of an hour earlier or later %i days ago', (days) => {
    const zone = { lines: 100, hit: 0.85 }
    for (const then of [5, 35]) {
      const job = (minute: number): Happening =>
        within(minute, 20, 60) || within(minute, then - days * DAY, 60) ? { hit: 0.5 } : {}
      expect(spells(of({ zone, happening: job }))).toEqual([])
    }
  })
})

it('asks for more missing hits while last week is not known', () => {
  const life = { zone: { lines: 400, hit: 0.85 }, happening: during(90, { times: 0.72, crawled: 200 }) }
  expect(spells(of(life))).toHaveLength(1)
  expect(spells(of({ ...life, past: 3 * DAY }))).toEqual([])
})

it('shows lines that missed the cache or went round it', () => {
  const statuses = ['HIT', 'MISS', 'STALE', 'BYPASS', '-', '']
  const shown = statuses.filter((cacheStatus) => cacheNotWorking.shows({ atMs: 0, cacheStatus, path: '/' }))
  expect(shown).toEqual(['MISS', 'BYPASS'])
})

describe('ends', () => {
  it('after four hours: what has lasted is what is usual now', () => {
    const life = of({ minutes: 700, happening: (minute) => (minute >= 20 ? { hit: 0.6 } : {}) })
    const from = spells(life)[0]?.from ?? 0
    expect(spells(life)).toEqual([{ from, until: from + 240 }])
    expect(turns(life).end?.facts?.sentence).toMatch(
      /^New normal: hit ratio \d+ % in the last 10 min · usually 8\d %\.$/,
    )
  })

  it('after four hours of BYPASS as well, once, and tells a later one', () => {
    const bypass = (minute: number): Happening =>
      within(minute, 20, 580) || within(minute, 1_000, 100) ? { bypass: 0.6 } : {}
    const life = of({ minutes: 1_200, happening: bypass })
    const [first, later] = spells(life)
    const from = first?.from ?? 0
    expect(spells(life)).toHaveLength(2)
    expect(first).toEqual({ from, until: from + 240 })
    expect(turns(life).end?.facts?.sentence).toMatch(/^New normal: \d+ % BYPASS in the last 10 min/)
    expect(later?.from).toBeLessThanOrEqual(1_006)
  })

  it('and begins again by what came after that alone', () => {
    const twice = (minute: number): Happening => (within(minute, 20, 60) || within(minute, 95, 80) ? { hit: 0.4 } : {})
    const life = of({ minutes: 250, happening: twice })
    const [first, second] = spells(life)
    const begin = life.find(({ minute }) => minute === second?.from)
    expect(begin?.facts?.window?.fromMs).toBeGreaterThanOrEqual((NOON + (first?.until ?? 0)) * 60_000)
  })
})
