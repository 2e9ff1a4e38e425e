import { describe, expect, it } from 'vitest'
import { DAY, type Happening, NOON } from '../traffic-of-days.ts'
import { daily, during, type Life, lived, spells, turns, within } from './life-of-kind.ts'

const ZONE = { lines: 60, swing: 0.6, dispersion: 5 }
const of = (life: Partial<Life>) => lived({ kind: 'traffic-gone', zone: ZONE, minutes: 200, ...life })

describe('begins', () => {
  it.each([
    [10, 2, 26],
    [30, 4, 23],
    [100, 4, 23],
    [1_000, 4, 23],
  ])('when nothing comes to a zone of %i lines a minute', (lines, dispersion, latest) => {
    const { begin, end } = turns(of({ zone: { lines, dispersion, swing: 0.5 }, happening: during(60, { times: 0 }) }))
    expect(begin?.minute).toBeGreaterThanOrEqual(22)
    expect(begin?.minute).toBeLessThanOrEqual(latest)
    expect(end?.minute).toBeGreaterThan(80)
    expect(end?.minute).toBeLessThanOrEqual(90)
  })

  it('within twenty minutes when a third comes', () => {
    const { begin } = turns(of({ happening: during(60, { times: 0.3 }) }))
    expect(begin?.minute).toBeLessThanOrEqual(40)
    expect(begin?.severity).toBe('warning')
    expect(begin?.facts?.sentence).toMatch(/^[\d.]+ requests a minute in the last \d+ min · usually [\d.]+ or more\.$/)
  })

  it('in the first hours of a zone, when nearly nothing comes', () => {
    const first = (times: number) => spells(of({ past: 300, zone: { lines: 200 }, happening: during(60, { times }) }))
    expect(first(0.05)).toHaveLength(1)
    expect(first(0.4)).toEqual([])
    expect(spells(of({ zone: { lines: 200 }, happening: during(60, { times: 0.4 }) }))).toHaveLength(1)
  })
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
    expect(spells(of(life))).toEqual([])
  })
})

describe('while it goes on', () => {
  it('becomes as grave as the worst of it, and no milder', () => {
    const worse = (minute: number): Happening =>
      within(minute, 20, 30)
        ? { times: 0.35 }
        : within(minute, 50, 30)
          ? { times: 0.02 }
          : within(minute, 80, 30)
            ? { times: 0.3 }
            : {}
    const severities = of({ zone: { lines: 200 }, happening: worse }).flatMap(({ severity }) => severity ?? [])
    expect(severities.filter((each, index) => each !== severities[index - 1])).toEqual(['warning', 'critical'])
  })
})

describe('ends', () => {
  it('after twelve hours: what has lasted is what is usual now', () => {
    const zone = { lines: 200 }
    const life = of({ zone, minutes: 900, happening: (minute) => (minute >= 20 ? { times: 0.2 } : {}) })
    const from = spells(life)[0]?.from ?? 0
    expect(spells(life)).toEqual([{ from, until: from + 720 }])
    expect(turns(life).end?.facts?.sentence).toMatch(
      /^New normal: [\d.]+ requests a minute in the last 10 min · usually [\d.]+ or more\.$/,
    )
  })

  it('and does not begin anew for ten minutes, nor by what was before', () => {
    const back =
      (length: number) =>
      (minute: number): Happening =>
        within(minute, 20, 180) && !within(minute, 60, length) ? { times: 0 } : {}
    const [first, second] = spells(of({ zone: { lines: 200 }, minutes: 300, happening: back(7) }))
    expect(first?.until).toBeLessThan(67)
    expect(second?.from).toBe((first?.until ?? 0) + 10)
    // An hour in which there was nothing is not told once more when all is well.
    const once = of({ zone: { lines: 100, dispersion: 4, swing: 0.5 }, happening: during(60, { times: 0 }) })
    expect(spells(once)).toHaveLength(1)
    const again = of({ zone: { lines: 200 }, minutes: 300, happening: back(60) })
    const [one, other] = spells(again)
    const begin = again.find(({ minute }) => minute === other?.from)
    expect(begin?.facts?.window?.fromMs).toBeGreaterThanOrEqual((NOON + (one?.until ?? 0)) * 60_000)
  })
})
