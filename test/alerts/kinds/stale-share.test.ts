import { describe, expect, it } from 'vitest'
import { staleShare } from '../../../src/alerts/kinds/stale-share.ts'
import { readingOf, type Minutes } from '../../support/minute-lines.ts'

const TROUBLED: Minutes = { of: 25, hit: 196, stale: 4 }
/** Five minutes of 1,000 lines, with so many STALE among them, after 25 minutes that are bad enough. */
function five(stale: number, before: Minutes = TROUBLED): readonly Minutes[] {
  return [before, { of: 4, hit: 200 }, { of: 1, hit: 200 - stale, stale }]
}

describe('threshold', () => {
  it('warns where the lower bound in both windows is over 1 %', () => {
    expect(readingOf(staleShare, five(16)).level).toBe('clear')
    expect(readingOf(staleShare, five(17)).level).toBe('warning')
  })

  it('is critical where the lower bound in both windows is over 5 %', () => {
    const before = { of: 25, hit: 180, stale: 20 }
    expect(readingOf(staleShare, five(63, before)).level).toBe('warning')
    expect(readingOf(staleShare, five(64, before)).level).toBe('critical')
  })

  it('states value, sample, interval, window, threshold', () => {
    const { facts } = readingOf(staleShare, five(17))
    expect(facts).toMatchObject({ value: 0.017, unit: 'share', sample: 1_000, threshold: 0.01, covered: 1 })
    expect(facts.interval?.map((bound) => Number(bound.toFixed(4)))).toEqual([0.0106, 0.0271])
    expect(facts.sentence).toBe(
      '1.7% of 1,000 cacheable lines were STALE (95% interval 1.06% to 2.71%), 1.95% over 30 minutes; warning when certainly above 1% in both. From 00:25 to 00:30 UTC.',
    )
  })

  it('names the threshold of how bad it is, and that of a warning where it is well', () => {
    const rule = (stretches: readonly Minutes[]) =>
      /; (.*) in both/.exec(readingOf(staleShare, stretches).facts.sentence)?.[1]
    expect(rule(five(64, { of: 25, hit: 180, stale: 20 }))).toBe('critical when certainly above 5%')
    expect(rule(five(17))).toBe('warning when certainly above 1%')
    expect(rule(five(16))).toBe('warning when certainly above 1%')
  })

  it('says how much of the time was read', () => {
    const { level, facts } = readingOf(staleShare, [{ of: 30, hit: 180, stale: 20, covered: 0.4 }])
    expect(level).toBe('critical')
    expect(facts.sentence).toContain(' 40% of the time was read.')
  })
})

describe('window', () => {
  it('needs the long one too: 75 STALE of 6,000 are not certainly over 1 %, 76 are', () => {
    const quiet = { of: 24, hit: 200 }
    expect(readingOf(staleShare, [quiet, { of: 1, hit: 142, stale: 58 }, ...five(17).slice(1)]).level).toBe('clear')
    expect(readingOf(staleShare, [quiet, { of: 1, hit: 141, stale: 59 }, ...five(17).slice(1)]).level).toBe('warning')
  })

  it('needs the short one too: what was six minutes ago is over', () => {
    expect(
      readingOf(staleShare, [
        { of: 25, stale: 200 },
        { of: 5, hit: 200 },
      ]).level,
    ).toBe('clear')
  })

  it('grows where traffic is low, to the newest 200 lines', () => {
    const { level, facts } = readingOf(staleShare, [{ of: 60, hit: 8, stale: 2 }])
    expect(level).toBe('critical')
    expect(facts.sample).toBe(200)
  })
})

describe('minimum', () => {
  it('says nothing with fewer than 200 lines in an hour', () => {
    const sparse = { of: 59, stale: 3 }
    expect(readingOf(staleShare, [sparse, { of: 1, stale: 22 }]).level).toBe('no data')
    expect(readingOf(staleShare, [sparse, { of: 1, stale: 23 }]).level).toBe('critical')
  })

  it('wants ten STALE lines', () => {
    const few = (stale: number) => [
      { of: 25, hit: 30, stale: 10 },
      { of: 4, hit: 40 },
      { of: 1, hit: 40 - stale, stale },
    ]
    expect(readingOf(staleShare, few(9)).level).toBe('clear')
    expect(readingOf(staleShare, few(10)).level).toBe('warning')
  })
})

describe('hysteresis', () => {
  it('clears under half a percent only', () => {
    expect(readingOf(staleShare, five(5), { firing: true }).level).toBe('between')
    expect(readingOf(staleShare, five(4), { firing: true }).level).toBe('clear')
  })

  it('takes two STALE lines for none', () => {
    expect(
      readingOf(
        staleShare,
        [
          { of: 60, hit: 40 },
          { of: 1, hit: 197, stale: 3 },
        ],
        { firing: true },
      ).level,
    ).toBe('between')
    expect(
      readingOf(
        staleShare,
        [
          { of: 60, hit: 40 },
          { of: 1, hit: 198, stale: 2 },
        ],
        { firing: true },
      ).level,
    ).toBe('clear')
  })

  it('ends in a zone too quiet to tell once nothing of twenty lines is STALE', () => {
    expect(readingOf(staleShare, [{ of: 19, hit: 1 }], { firing: true }).level).toBe('no data')
    expect(readingOf(staleShare, [{ of: 20, hit: 1 }], { firing: true }).level).toBe('clear')
    expect(
      readingOf(
        staleShare,
        [
          { of: 20, hit: 1 },
          { of: 1, stale: 1 },
        ],
        { firing: true },
      ).level,
    ).toBe('no data')
    expect(readingOf(staleShare, [{ of: 20, hit: 1 }]).level).toBe('no data')
  })
})

describe('fast lane', () => {
  const minute = (bad: Partial<Minutes>, hit: number) => [
    { of: 60, hit: 20 },
    { of: 1, hit, ...bad },
  ]
  it('is over 25 % beyond doubt in the newest minute', () => {
    expect(readingOf(staleShare, minute({ stale: 33 }, 67)).fast).toBeUndefined()
    expect(readingOf(staleShare, minute({ stale: 34 }, 66)).fast).toBe(true)
  })

  it('wants five such lines', () => {
    expect(readingOf(staleShare, minute({ stale: 4 }, 0)).fast).toBeUndefined()
    expect(readingOf(staleShare, minute({ stale: 5 }, 0)).fast).toBe(true)
  })

  it('counts 5xx as well, where STALE are at least half of both', () => {
    expect(readingOf(staleShare, minute({ stale: 17, c5xx: 17 }, 83)).fast).toBe(true)
    expect(readingOf(staleShare, minute({ stale: 17, c5xx: 18 }, 83)).fast).toBeUndefined()
  })
})
