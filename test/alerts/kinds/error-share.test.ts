import { describe, expect, it } from 'vitest'
import { errorShare } from '../../../src/alerts/kinds/error-share.ts'
import { readingOf, type Minutes } from '../../support/minute-lines.ts'

/** Five minutes of 1,000 lines, with so many errors among them. */
function five(c5xx: number, before: Minutes = { of: 55, c2xx: 200, hit: 200 }): readonly Minutes[] {
  return [before, { of: 4, c2xx: 200, hit: 200 }, { of: 1, c2xx: 200 - c5xx, c5xx, hit: 200 }]
}
/** The same with errors in two minutes. */
function many(c5xx: number): readonly Minutes[] {
  return [
    { of: 58, c2xx: 200, hit: 200 },
    { of: 1, c5xx: 200, hit: 200 },
    { of: 1, c2xx: 400 - c5xx, c5xx: c5xx - 200, hit: 200 },
  ]
}

describe('threshold', () => {
  it('warns where the lower bound is over 5 %', () => {
    expect(readingOf(errorShare, five(63)).level).toBe('clear')
    expect(readingOf(errorShare, five(64)).level).toBe('warning')
  })

  it('is critical where the lower bound is over 20 %', () => {
    expect(readingOf(errorShare, many(224)).level).toBe('warning')
    expect(readingOf(errorShare, many(225)).level).toBe('critical')
  })

  it('fires when it was so for five minutes: six looks one minute apart', () => {
    expect(errorShare.timing({})).toMatchObject({ times: 6, of: 6, apartMs: 60_000, clearForMs: 900_000 })
  })

  it('states its numbers', () => {
    const { facts } = readingOf(errorShare, [
      { of: 3, c2xx: 200, hit: 200 },
      { of: 2, c2xx: 168, c5xx: 32, hit: 200 },
    ])
    expect(facts).toMatchObject({ value: 0.064, sample: 1_000, threshold: 0.05 })
    expect(facts.sentence).toContain(
      '6.4% of 1,000 lines were 5xx (95% interval 5.04% to 8.09%); warning when certainly above 5%, with 20 errors or more.',
    )
  })
})

describe('window', () => {
  it('is the newest five minutes', () => {
    expect(
      readingOf(errorShare, [
        { of: 1, c5xx: 200, hit: 200 },
        { of: 4, c2xx: 200, hit: 200 },
      ]).level,
    ).toBe('warning')
    expect(
      readingOf(errorShare, [
        { of: 1, c5xx: 200, hit: 200 },
        { of: 5, c2xx: 200, hit: 200 },
      ]).level,
    ).toBe('clear')
  })

  it('grows where traffic is low', () => {
    const { level, facts } = readingOf(errorShare, [{ of: 60, c2xx: 3, c5xx: 1, hit: 4 }])
    expect(level).toBe('warning')
    expect(facts.sample).toBe(200)
  })
})

describe('minimum', () => {
  it('says nothing with fewer than 200 lines that carry a code', () => {
    expect(readingOf(errorShare, [{ of: 1, c5xx: 199, hit: 199 }]).level).toBe('no data')
    expect(readingOf(errorShare, [{ of: 1, c5xx: 200, hit: 200 }]).level).toBe('critical')
  })

  it('wants twenty errors', () => {
    expect(
      readingOf(errorShare, [{ of: 1, c5xx: 19, c2xx: 181, hit: 200 }], { parameters: { warning: 2 } }).level,
    ).toBe('clear')
    expect(
      readingOf(errorShare, [{ of: 1, c5xx: 20, c2xx: 180, hit: 200 }], { parameters: { warning: 2 } }).level,
    ).toBe('warning')
  })

  it('has no data where lines carry no codes', () => {
    const { level, facts } = readingOf(errorShare, [{ of: 10, hit: 1_000, uncoded: 1_000 }])
    expect(level).toBe('no data')
    expect(facts.sentence).toContain('the lines of this zone carry no status codes')
  })
})

describe('hysteresis', () => {
  it('clears under 2.5 %', () => {
    expect(readingOf(errorShare, five(25), { firing: true }).level).toBe('between')
    expect(readingOf(errorShare, five(24), { firing: true }).level).toBe('clear')
  })
})

describe('fast lane', () => {
  it('is over 25 % beyond doubt in the newest minute', () => {
    const minute = (c5xx: number) => [
      { of: 60, c2xx: 20, hit: 20 },
      { of: 1, c5xx, c2xx: 100 - c5xx, hit: 100 },
    ]
    expect(readingOf(errorShare, minute(33)).fast).toBeUndefined()
    const { fast, facts } = readingOf(errorShare, minute(34))
    expect(fast).toBe(true)
    expect(facts.sentence).toContain('In the newest minute 34% of 100 lines were STALE or 5xx, mostly 5xx')
  })
})
