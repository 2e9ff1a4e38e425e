import { describe, expect, it } from 'vitest'
import { DAY, type Happening, NOON } from '../traffic-of-days.ts'
import { during, type Life, lived, spells, turns, within } from './life-of-kind.ts'

const ZONE = { lines: 60, swing: 0.3 }
const of = (life: Partial<Life>) => lived({ kind: 'origin-failing', zone: ZONE, minutes: 120, ...life })

describe('begins', () => {
  it.each([10, 30, 100, 1_000])(
    'within four minutes when the origin fails for a zone of %i lines a minute',
    (lines) => {
      const zone = { ...ZONE, lines }
      for (const c5xx of [0.25, 0.6]) {
        const { begin } = turns(of({ zone, happening: during(60, { c5xx }) }))
        expect(begin?.minute).toBeGreaterThanOrEqual(22)
        expect(begin?.minute).toBeLessThanOrEqual(24)
        expect(begin?.severity).toBe('critical')
      }
    },
  )

  it.each([10, 30, 100, 1_000])('within half an hour when a part of %i lines a minute fails', (lines) => {
    for (const c5xx of [0.05, 0.07, 0.1]) {
      const { begin } = turns(of({ zone: { ...ZONE, lines }, happening: during(60, { c5xx }) }))
      expect(begin?.minute).toBeGreaterThanOrEqual(22)
      expect(begin?.minute).toBeLessThanOrEqual(lines >= 100 ? 24 : 50)
    }
  })

  it('when visitors get what is old', () => {
    const { begin } = turns(of({ happening: during(40, { stale: 0.4 }) }))
    expect(begin?.minute).toBe(22)
    expect(begin?.facts?.sentence).toMatch(/^\d+ % STALE of origin traffic in the last 2 min · usually 0\.\d+ %\.$/)
  })

  it('when little fails for long, as a warning, once a day of the zone is known', () => {
    const burns = { zone: { lines: 1_000 }, minutes: 260, happening: during(180, { c5xx: 0.008 }) }
    const { begin } = turns(of(burns))
    expect(begin?.minute).toBeLessThanOrEqual(60)
    expect(begin?.severity).toBe('warning')
    expect(spells(of({ ...burns, past: 600 }))).toEqual([])
    expect(spells(of({ zone: { lines: 1_000 }, past: 600, happening: during(60, { c5xx: 0.1 }) }))).toHaveLength(1)
  })

  it('a little above the share that is asked for', () => {
    const life = { parameters: { warning: 10, critical: 50 }, happening: during(60, { c5xx: 0.14 }) }
    expect(turns(of(life)).begin?.minute).toBeLessThanOrEqual(30)
  })

  it('where some always fail, with far more than that', () => {
    const zone = { ...ZONE, c5xx: 0.03 }
    expect(turns(of({ zone, happening: during(60, { c5xx: 0.3 }) })).begin?.minute).toBeLessThanOrEqual(24)
  })
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
    expect(spells(of(life))).toEqual([])
  })
})

describe('while it goes on', () => {
  it('becomes as grave as the worst of it, and no milder', () => {
    const worse = (minute: number): Happening =>
      within(minute, 20, 20)
        ? { c5xx: 0.04 }
        : within(minute, 40, 15)
          ? { c5xx: 0.5 }
          : within(minute, 55, 20)
            ? { c5xx: 0.11 }
            : {}
    const severities = of({ zone: { ...ZONE, lines: 300 }, minutes: 160, happening: worse }).flatMap(
      ({ severity }) => severity ?? [],
    )
    expect(severities.filter((each, index) => each !== severities[index - 1])).toEqual(['warning', 'critical'])
    expect(severities.length).toBeGreaterThan(50)
  })

  it('is one as long as few lines fail for hours', () => {
    for (const c5xx of [0.01, 0.012, 0.015]) {
      const burn = of({ zone: { lines: 30 }, minutes: 460, happening: during(360, { c5xx }) })
      expect(spells(burn)).toHaveLength(1)
      expect(turns(burn).end?.minute).toBeGreaterThan(380)
    }
  })

  it.each([100, 300, 3_000])('is one while it comes and goes for %i lines a minute', (lines) => {
    for (const pause of [2, 5, 10]) {
      const flaps = (minute: number): Happening =>
        within(minute, 20, 90) && (minute - 20) % (5 + pause) < 5 ? { c5xx: 0.5 } : {}
      const life = of({ zone: { lines }, minutes: 160, happening: flaps })
      expect(spells(life)).toHaveLength(1)
      expect(turns(life).end?.minute).toBeLessThanOrEqual(125)
    }
  })

  it('goes on through what nobody read, of which nothing is said', () => {
    const life = of({
      happening: (minute) => (within(minute, 20, 40) ? { c5xx: 0.5, read: within(minute, 30, 20) ? 0 : 1 } : {}),
    })
    expect(spells(life)).toHaveLength(1)
    const unread = life.filter(({ minute }) => within(minute, 35, 16))
    expect(unread.every(({ firing, reading }) => firing && reading === undefined)).toBe(true)
    expect(turns(life).end?.minute).toBeGreaterThan(60)
  })
})

describe('ends', () => {
  it.each([10, 60, 1_000])('within a quarter of an hour after the last bad minute of %i lines', (lines) => {
    const { end } = turns(of({ zone: { ...ZONE, lines }, happening: during(40, { c5xx: 0.5 }) }))
    expect(end?.minute).toBeGreaterThan(60)
    expect(end?.minute).toBeLessThanOrEqual(75)
  })

  it('with the number of the newest minutes, in which nothing of the trouble is left', () => {
    const ends = [10, 60, 1_000].map((lines) => {
      const life = of({ zone: { ...ZONE, lines }, happening: during(40, { c5xx: 0.9 }) })
      const { end } = turns(life)
      const after = life.find(({ minute, reading }) => minute > (end?.minute ?? 0) && reading !== undefined)
      return [end, after].map((each) => each?.facts?.value ?? 1)
    })
    for (const value of ends.flat()) expect(value).toBeLessThan(0.05)
  })

  it('and begins again by what came after that alone', () => {
    const life = of({
      zone: { lines: 1_000 },
      minutes: 200,
      happening: (minute) => (within(minute, 20, 60) || within(minute, 92, 60) ? { c5xx: 0.04 } : {}),
    })
    const [first, second] = spells(life)
    expect(first?.until).toBeLessThan(92)
    const again = life.find(({ minute }) => minute === second?.from)
    expect(again?.facts?.window?.fromMs).toBeGreaterThanOrEqual((NOON + (first?.until ?? 0)) * 60_000)
  })
})
