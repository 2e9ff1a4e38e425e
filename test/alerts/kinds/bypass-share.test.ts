import { describe, expect, it } from 'vitest'
import { bypassShare } from '../../../src/alerts/kinds/bypass-share.ts'
import { readingOf, type Minutes } from '../../support/minute-lines.ts'

const USUAL: Minutes = { of: 240, hit: 90, bypass: 10 }
/** A quarter of an hour of 1,500 lines, so many of them round the cache. */
function quarter(bypass: number, before: Minutes = USUAL): readonly Minutes[] {
  const each = Math.floor(bypass / 15)
  const last = bypass - 14 * each
  return [before, { of: 14, hit: 100 - each, bypass: each }, { of: 1, hit: 100 - last, bypass: last }]
}

describe('threshold', () => {
  it('warns where the lower bound is ten points over what is usual', () => {
    expect(readingOf(bypassShare, quarter(330)).level).toBe('clear')
    expect(readingOf(bypassShare, quarter(331)).level).toBe('warning')
  })

  it('is critical where it is 25 points over', () => {
    expect(readingOf(bypassShare, quarter(561)).level).toBe('warning')
    expect(readingOf(bypassShare, quarter(562)).level).toBe('critical')
  })

  it('states its numbers', () => {
    const { facts } = readingOf(bypassShare, quarter(450))
    expect(facts).toMatchObject({ value: 0.3, sample: 1_500, baseline: 0.1 })
    expect(facts.sentence).toContain('20 points over the usual 10% (median of 16 windows in the hours before)')
  })
})

describe('window', () => {
  it('is a quarter of an hour', () => {
    expect(readingOf(bypassShare, [USUAL, { of: 10, bypass: 100 }, { of: 14, hit: 100 }]).level).toBe('clear')
    expect(readingOf(bypassShare, [USUAL, { of: 10, bypass: 100 }, { of: 10, hit: 100 }]).level).toBe('warning')
  })

  it('grows where traffic is low', () => {
    const { level, facts } = readingOf(bypassShare, [
      { of: 240, hit: 10 },
      { of: 60, hit: 5, bypass: 5 },
    ])
    expect(level).toBe('critical')
    expect(facts.sample).toBe(500)
  })
})

describe('minimum', () => {
  it('says nothing with fewer than 500 lines in an hour', () => {
    const quiet = { of: 59, bypass: 4, uncached: 90 }
    expect(readingOf(bypassShare, [USUAL, quiet, { of: 1, bypass: 263 }]).level).toBe('no data')
    expect(readingOf(bypassShare, [USUAL, quiet, { of: 1, bypass: 264 }]).level).toBe('critical')
  })

  it('says nothing with fewer than eight windows before', () => {
    expect(readingOf(bypassShare, quarter(900, { ...USUAL, of: 105 })).level).toBe('no data')
    expect(readingOf(bypassShare, quarter(900, { ...USUAL, of: 106 })).level).toBe('critical')
  })
})

describe('hysteresis', () => {
  it('clears within five points of what was usual when it began', () => {
    const high = { of: 240, hit: 50, bypass: 50 }
    const look = { firing: true, frozenBaseline: 0.1 }
    expect(readingOf(bypassShare, quarter(226, high), look).level).toBe('between')
    expect(readingOf(bypassShare, quarter(225, high), look).level).toBe('clear')
    expect(readingOf(bypassShare, quarter(750, high), look).level).toBe('critical')
    expect(readingOf(bypassShare, quarter(750, high)).level).toBe('clear')
  })
})
