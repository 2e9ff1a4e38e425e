import { describe, expect, it } from 'vitest'
import { trafficAnomaly } from '../../../src/alerts/kinds/traffic-anomaly.ts'
import { readingOf, type Minutes } from '../../support/minute-lines.ts'

const USUAL: Minutes = { of: 270, hit: 100 }
/** Five minutes at another rate, after hours of 100 lines a minute. */
function five(hit: number, before: Minutes = USUAL): readonly Minutes[] {
  return [before, { of: 5, hit }]
}

describe('threshold', () => {
  it('tells a surge of half as much again', () => {
    const ten = (hit: number) => [USUAL, { of: 10, hit }]
    expect(readingOf(trafficAnomaly, ten(149)).level).toBe('clear')
    expect(readingOf(trafficAnomaly, ten(150)).level).toBe('warning')
    expect(readingOf(trafficAnomaly, five(150)).level).toBe('clear')
  })

  it('is critical from z 6 on', () => {
    const ten = (hit: number) => [USUAL, { of: 10, hit }]
    expect(readingOf(trafficAnomaly, ten(155)).level).toBe('warning')
    expect(readingOf(trafficAnomaly, ten(156)).level).toBe('critical')
    const { level, facts } = readingOf(trafficAnomaly, five(170))
    expect(level).toBe('critical')
    expect(facts.sentence).toContain(
      'Traffic has risen to 170 lines a minute (95% interval 159 to 181), usually 100 (median of 48 windows in 4 hours, z 7.6), 170% of half an hour ago',
    )
  })

  it('warns of a drop to 70 % of half an hour ago that two windows show', () => {
    const ten = (hit: number) => [
      { of: 270, hit: 1_000 },
      { of: 10, hit },
    ]
    expect(readingOf(trafficAnomaly, ten(665)).level).toBe('warning')
    expect(readingOf(trafficAnomaly, ten(701)).level).toBe('clear')
    expect(
      readingOf(trafficAnomaly, [
        { of: 275, hit: 1_000 },
        { of: 5, hit: 665 },
      ]).level,
    ).toBe('clear')
  })

  it('is critical at 60 % of half an hour ago', () => {
    const ten = (hit: number) => [
      { of: 270, hit: 1_000 },
      { of: 10, hit },
    ]
    expect(readingOf(trafficAnomaly, ten(601)).level).toBe('warning')
    expect(readingOf(trafficAnomaly, ten(600)).level).toBe('critical')
  })

  it('measures a drop by half an hour ago, unless that was itself half as much again as usual', () => {
    const dropAfter = (hit: number) =>
      readingOf(trafficAnomaly, [
        { of: 230, hit: 1_000 },
        { of: 40, hit },
        { of: 10, hit: 850 },
      ])
    expect(dropAfter(1_400).level).toBe('warning')
    expect(dropAfter(1_499).level).toBe('critical')
    expect(dropAfter(1_500).level).toBe('clear')
  })

  it('takes the end of a surge for no drop, and the end of a drop for no surge', () => {
    expect(readingOf(trafficAnomaly, [USUAL, { of: 40, hit: 500 }, { of: 5, hit: 100 }]).level).toBe('clear')
    expect(readingOf(trafficAnomaly, [USUAL, { of: 150, hit: 20 }, { of: 5, hit: 100 }]).level).toBe('clear')
    // A little below what is usual, and far below the surge.
    expect(readingOf(trafficAnomaly, [USUAL, { of: 40, hit: 500 }, { of: 10, hit: 75 }]).level).toBe('clear')
  })

  it('takes silence of the log for no drop, and its end for no surge', () => {
    const silence = [
      { of: 240, hit: 16 },
      { of: 36, hit: 0 },
    ]
    expect(readingOf(trafficAnomaly, [...silence, { of: 6, hit: 16 }]).level).toBe('no data')
    expect(readingOf(trafficAnomaly, [...silence, { of: 35, hit: 26 }]).level).toBe('clear')
  })

  it('takes an evening for no drop, and a morning for no surge', () => {
    for (const slope of [-0.0036, 0.0036]) {
      const day = Array.from({ length: 300 }, (_, minute) => ({
        of: 1,
        hit: Math.round(1_000 * Math.exp(slope * minute)),
      }))
      expect(readingOf(trafficAnomaly, day).level).toBe('clear')
    }
  })

  it('fires at the second look', () => {
    expect(trafficAnomaly.timing({})).toMatchObject({ times: 2, of: 2, apartMs: 60_000, clearForMs: 900_000 })
  })
})

describe('window', () => {
  it('is five minutes', () => {
    expect(readingOf(trafficAnomaly, [...five(500), { of: 5, hit: 100 }]).level).toBe('clear')
    expect(readingOf(trafficAnomaly, [...five(500), { of: 4, hit: 100 }]).level).not.toBe('clear')
  })

  it('grows to half an hour where traffic is low', () => {
    const { level, facts } = readingOf(trafficAnomaly, [
      { of: 330, hit: 10 },
      { of: 30, hit: 1 },
    ])
    expect(level).toBe('critical')
    expect(facts.window).toMatchObject({ fromMs: (facts.window?.untilMs ?? 0) - 25 * 60_000 })
  })

  it('scales up what was sampled in every minute', () => {
    const { level, facts } = readingOf(trafficAnomaly, [
      { ...USUAL, covered: 0.25 },
      { of: 5, hit: 400 },
    ])
    expect(level).toBe('clear')
    expect(facts).toMatchObject({ value: 400, baseline: 400 })
  })

  it('says nothing where most of it was not read', () => {
    expect(readingOf(trafficAnomaly, [USUAL, { of: 3, covered: 0 }, { of: 2, hit: 500 }]).level).toBe('no data')
    expect(readingOf(trafficAnomaly, [USUAL, { of: 2, covered: 0 }, { of: 3, hit: 500 }]).level).toBe('critical')
  })
})

describe('minimum', () => {
  it('wants more than 200 lines in the window, now or usually', () => {
    expect(readingOf(trafficAnomaly, [{ of: 300, hit: 6 }]).level).toBe('no data')
    expect(readingOf(trafficAnomaly, [{ of: 300, hit: 7 }]).level).toBe('clear')
    expect(readingOf(trafficAnomaly, five(39, { of: 270, hit: 1 })).level).toBe('no data')
    expect(readingOf(trafficAnomaly, five(40, { of: 270, hit: 1 })).level).toBe('critical')
  })

  it('wants eight windows before', () => {
    expect(readingOf(trafficAnomaly, five(500, { of: 37, hit: 100 })).level).toBe('no data')
    expect(readingOf(trafficAnomaly, five(500, { of: 40, hit: 100 })).level).toBe('critical')
  })
})

describe('hysteresis', () => {
  it('clears within two deviations', () => {
    expect(readingOf(trafficAnomaly, five(119), { firing: true }).level).toBe('between')
    expect(readingOf(trafficAnomaly, five(118), { firing: true }).level).toBe('clear')
    expect(readingOf(trafficAnomaly, five(119)).level).toBe('clear')
  })

  it('clears where so little comes, and has come for hours, that nothing else would be said of it', () => {
    const firing = { firing: true }
    expect(readingOf(trafficAnomaly, [{ of: 330, hit: 2 }], firing).level).toBe('clear')
    expect(readingOf(trafficAnomaly, [{ of: 330, hit: 2 }]).level).toBe('no data')
    expect(readingOf(trafficAnomaly, [{ of: 330 }], firing).level).toBe('no data')
    expect(readingOf(trafficAnomaly, [{ of: 300, hit: 3 }, { of: 30 }], firing).level).toBe('no data')
  })

  it('stays bad when half an hour ago was so too', () => {
    const hour = [USUAL, { of: 60, hit: 30 }]
    expect(readingOf(trafficAnomaly, hour).level).toBe('clear')
    expect(readingOf(trafficAnomaly, hour, { firing: true }).level).toBe('between')
  })
})
