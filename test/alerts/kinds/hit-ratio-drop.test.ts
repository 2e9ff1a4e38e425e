import { describe, expect, it } from 'vitest'
import { hitRatioDrop } from '../../../src/alerts/kinds/hit-ratio-drop.ts'
import { observed, readingOf, seriesOf, TRUSTED, type Minutes } from '../../support/minute-lines.ts'
import { MinuteSeries } from '../../../src/alerts/minute-series.ts'

const USUAL: Minutes = { of: 240, hit: 90, miss: 10, bypass: 20 }
/** A quarter of an hour of 1,500 lines, so many of them hits. */
function quarter(hit: number, before: Minutes = USUAL): readonly Minutes[] {
  const each = Math.floor(hit / 15)
  const last = hit - 14 * each
  return [before, { of: 14, hit: each, miss: 100 - each }, { of: 1, hit: last, miss: 100 - last }]
}

describe('threshold', () => {
  it('warns where the upper bound is ten points under what is usual', () => {
    expect(readingOf(hitRatioDrop, quarter(1_170)).level).toBe('clear')
    expect(readingOf(hitRatioDrop, quarter(1_169)).level).toBe('warning')
  })

  it('is critical where it is twenty points under', () => {
    expect(readingOf(hitRatioDrop, quarter(1_016)).level).toBe('warning')
    expect(readingOf(hitRatioDrop, quarter(1_015)).level).toBe('critical')
  })

  it('fires when it was so at two looks five minutes apart', () => {
    expect(hitRatioDrop.timing({})).toMatchObject({ times: 2, of: 2, apartMs: 300_000, clearForMs: 900_000 })
  })

  it('states value, baseline and where that is from', () => {
    const { facts } = readingOf(hitRatioDrop, quarter(1_020))
    expect(facts).toMatchObject({ value: 0.68, sample: 1_500, baseline: 0.9 })
    expect(facts.sentence).toContain('68% of 1,500 lines were answered from the cache (95% interval ')
    expect(facts.sentence).toContain('22 points under the usual 90% (median of 16 windows in the hours before)')
  })
})

describe('window', () => {
  it('is a quarter of an hour', () => {
    expect(readingOf(hitRatioDrop, [USUAL, { of: 15, hit: 60, miss: 40 }, { of: 1, hit: 90, miss: 10 }]).level).toBe(
      'critical',
    )
    expect(readingOf(hitRatioDrop, [USUAL, { of: 15, hit: 60, miss: 40 }, { of: 15, hit: 90, miss: 10 }]).level).toBe(
      'clear',
    )
  })

  it('grows where traffic is low', () => {
    const { level, facts } = readingOf(hitRatioDrop, [
      { of: 240, hit: 9, miss: 1 },
      { of: 60, hit: 5, miss: 5 },
    ])
    expect(level).toBe('critical')
    expect(facts.sample).toBe(500)
  })

  it('is compared with the same hour of the week once two weeks are known', () => {
    const { series, at } = seriesOf(
      { of: 14 * 1_440 + 120, hit: 70, miss: 30 },
      { ...USUAL, of: 239 },
      { of: 15, hit: 68, miss: 32 },
    )
    const view = { series, at, trust: TRUSTED, firing: false, frozenBaseline: undefined }
    const { level, facts } = observed(hitRatioDrop, view)
    expect(level).toBe('clear')
    expect(facts.sentence).toContain('70% (median of 16 windows at the same time of the last two weeks)')
    const { apart = [] } = hitRatioDrop.reach({})
    expect(apart.map(({ from, until }) => [from, until])).toEqual([
      [7 * 1_440 + 120, 7 * 1_440 - 60],
      [14 * 1_440 + 120, 14 * 1_440 - 60],
    ])
  })
})

describe('minimum', () => {
  it('says nothing with fewer than 500 lines in an hour', () => {
    const quiet = { of: 59, miss: 4, bypass: 50 }
    expect(readingOf(hitRatioDrop, [USUAL, quiet, { of: 1, miss: 263 }]).level).toBe('no data')
    expect(readingOf(hitRatioDrop, [USUAL, quiet, { of: 1, miss: 264 }]).level).toBe('critical')
  })

  it('says nothing with fewer than eight windows before', () => {
    expect(readingOf(hitRatioDrop, quarter(900, { ...USUAL, of: 105 })).level).toBe('no data')
    expect(readingOf(hitRatioDrop, quarter(900, { ...USUAL, of: 106 })).level).toBe('critical')
  })
})

describe('hysteresis', () => {
  it('clears within five points of what was usual when it began', () => {
    const low = { of: 240, hit: 50, miss: 50 }
    const look = { firing: true, frozenBaseline: 0.9 }
    expect(readingOf(hitRatioDrop, quarter(1_274, low), look).level).toBe('between')
    expect(readingOf(hitRatioDrop, quarter(1_275, low), look).level).toBe('clear')
    expect(readingOf(hitRatioDrop, quarter(1_000, low), look).level).toBe('critical')
    expect(readingOf(hitRatioDrop, quarter(1_000, low)).level).toBe('clear')
  })

  it('does not need the hours before for it', () => {
    const { series, at } = seriesOf({ of: 15, hit: 90, miss: 10 })
    const view = {
      series: new MinuteSeries(series.from, series.until, []),
      at,
      trust: TRUSTED,
      firing: true,
      frozenBaseline: 0.9,
    }
    expect(observed(hitRatioDrop, view).level).toBe('no data')
    expect(observed(hitRatioDrop, { ...view, series }).level).toBe('clear')
  })
})
