import { describe, expect, it } from 'vitest'
import { updatingShare } from '../../../src/alerts/kinds/updating-share.ts'
import { readingOf, type Minutes } from '../../support/minute-lines.ts'

const USUAL: Minutes = { of: 240, hit: 99, updating: 1 }
/** A quarter of an hour of 1,500 lines, so many of them UPDATING. */
function quarter(updating: number, before: Minutes = USUAL): readonly Minutes[] {
  const each = Math.floor(updating / 15)
  const last = updating - 14 * each
  return [before, { of: 14, hit: 100 - each, updating: each }, { of: 1, hit: 100 - last, updating: last }]
}

describe('threshold', () => {
  it('tells, as information, where the lower bound is over 10 %', () => {
    expect(readingOf(updatingShare, quarter(172)).level).toBe('clear')
    expect(readingOf(updatingShare, quarter(173)).level).toBe('info')
  })

  it('wants three times what is usual', () => {
    const before = { of: 240, hit: 95, updating: 5 }
    expect(readingOf(updatingShare, quarter(252, before)).level).toBe('clear')
    expect(readingOf(updatingShare, quarter(253, before)).level).toBe('info')
  })

  it('is never graver', () => {
    const { level, facts } = readingOf(updatingShare, quarter(1_500))
    expect(level).toBe('info')
    expect(facts.sentence).toContain('usually 1% (median of 16 windows in the hours before)')
  })
})

describe('window', () => {
  it('is a quarter of an hour', () => {
    expect(readingOf(updatingShare, [USUAL, { of: 10, updating: 100 }, { of: 15, hit: 100 }]).level).toBe('clear')
    expect(readingOf(updatingShare, [USUAL, { of: 10, updating: 100 }, { of: 12, hit: 100 }]).level).toBe('info')
  })

  it('grows where traffic is low', () => {
    expect(
      readingOf(updatingShare, [
        { of: 240, hit: 10 },
        { of: 60, hit: 5, updating: 5 },
      ]).facts.sample,
    ).toBe(500)
  })
})

describe('minimum', () => {
  it('says nothing with fewer than 500 lines in an hour', () => {
    const quiet = { of: 59, updating: 4 }
    expect(readingOf(updatingShare, [USUAL, quiet, { of: 1, updating: 263 }]).level).toBe('no data')
    expect(readingOf(updatingShare, [USUAL, quiet, { of: 1, updating: 264 }]).level).toBe('info')
  })
})

describe('hysteresis', () => {
  it('clears under 5 %, after half an hour of it', () => {
    const look = { firing: true, frozenBaseline: 0.01 }
    expect(readingOf(updatingShare, quarter(75), look).level).toBe('between')
    expect(readingOf(updatingShare, quarter(74), look).level).toBe('clear')
    expect(updatingShare.timing({}).clearForMs).toBe(1_800_000)
  })
})
