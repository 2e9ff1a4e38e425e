import { describe, expect, it } from 'vitest'
import { DAY, type Happening } from '../traffic-of-days.ts'
import { daily, during, type Life, lived, spells, turns, within } from './life-of-kind.ts'

const ZONE = { lines: 60, swing: 0.6, dispersion: 5 }
const of = (life: Partial<Life>) => lived({ kind: 'traffic-surge', zone: ZONE, minutes: 200, ...life })

describe('begins', () => {
  it.each([10, 30, 100, 1_000])('within three minutes when five times %i lines a minute come, and ends', (lines) => {
    const zone = { lines, dispersion: lines > 20 ? 4 : 2, swing: 0.5 }
    const { begin, end } = turns(of({ zone, happening: during(60, { times: 5 }) }))
    expect(begin?.minute).toBeLessThanOrEqual(23)
    expect(end?.minute).toBeLessThanOrEqual(90)
    expect(begin?.facts?.sentence).toMatch(/^[\d.,]+ requests a minute in the last 3 min · usually [\d.]+ at most\.$/)
  })

  it('as a warning, and never more than that', () => {
    const life = of({ happening: during(60, { times: 100 }) })
    expect(new Set(life.flatMap(({ severity }) => severity ?? []))).toEqual(new Set(['warning']))
  })

  it('at night by less, where visitors and no crawl come', () => {
    const zone = { lines: 100, swing: 0.8 }
    const night = (what: Happening) => (minute: number) => (within(minute, 1_150, 60) ? what : {})
    expect(spells(of({ zone, minutes: 1_300, happening: night({ times: 3.4 }) }))).toHaveLength(1)
    expect(spells(of({ zone, minutes: 1_300, happening: night({ crawled: 70 }) }))).toEqual([])
  })

  it('in the first hours of a zone by twice as much', () => {
    const first = (times: number) => spells(of({ past: 300, zone: { lines: 200 }, happening: during(60, { times }) }))
    expect(first(6)).toHaveLength(1)
    expect(first(4)).toEqual([])
    expect(spells(of({ zone: { lines: 200 }, happening: during(60, { times: 4 }) }))).toHaveLength(1)
  })
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
    expect(spells(of(life))).toEqual([])
  })

  it.each([1, 7])('for a short job that came somewhat earlier or later %i days ago', (days) => {
    for (const then of [5, 20, 35]) {
      const job = (minute: number): Happening =>
        within(minute, 20, 8) || within(minute, then - days * DAY, 8) ? { times: 5 } : {}
      expect(spells(of({ zone: { lines: 100 }, happening: job }))).toEqual([])
    }
  })
})

describe('ends', () => {
  it('after three hours: what has lasted is what is usual now', () => {
    const life = of({ minutes: 500, happening: (minute) => (minute >= 20 ? { times: 6 } : {}) })
    const from = spells(life)[0]?.from ?? 0
    expect(spells(life)).toEqual([{ from, until: from + 180 }])
    expect(turns(life).end?.facts?.sentence).toMatch(
      /^New normal: [\d.,]+ requests a minute in the last 10 min · usually [\d.]+ at most\.$/,
    )
  })

  it('and does not begin anew for ten minutes', () => {
    const gap = (minute: number): Happening => (within(minute, 20, 180) && !within(minute, 25, 9) ? { times: 9 } : {})
    const [first, second] = spells(of({ zone: { lines: 200 }, minutes: 300, happening: gap }))
    expect(first?.until).toBeLessThan(36)
    expect(second?.from).toBe((first?.until ?? 0) + 10)
  })
})
