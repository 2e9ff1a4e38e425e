import { describe, expect, it } from 'vitest'
import { hitRatioFloor } from '../../../src/alerts/kinds/hit-ratio-floor.ts'
import { readingOf, type Minutes } from '../../support/minute-lines.ts'

/** Ten minutes of 1,000 lines that a cache could answer, so many of them hits. */
function exact(hit: number): readonly Minutes[] {
  return [
    { of: 60, hit: 100 },
    { of: 9, bypass: 40 },
    { of: 1, hit, miss: 1_000 - hit, uncached: 900, other: 50 },
  ]
}

describe('threshold', () => {
  it('warns where the upper bound is under 80 %', () => {
    expect(readingOf(hitRatioFloor, exact(776)).level).toBe('clear')
    expect(readingOf(hitRatioFloor, exact(775)).level).toBe('warning')
  })

  it('is critical where the upper bound is under 60 %', () => {
    expect(readingOf(hitRatioFloor, exact(570)).level).toBe('warning')
    expect(readingOf(hitRatioFloor, exact(569)).level).toBe('critical')
  })

  it('takes old and revalidated content for answered, and leaves out what went round the cache', () => {
    const { level, facts } = readingOf(hitRatioFloor, [
      { of: 10, hit: 30, stale: 20, updating: 20, revalidated: 20, miss: 10, bypass: 900, uncached: 900 },
    ])
    expect(level).toBe('clear')
    expect(facts).toMatchObject({ value: 0.9, sample: 1_000 })
  })

  it('fires when it was so for ten minutes', () => {
    expect(hitRatioFloor.timing({})).toMatchObject({ times: 11, of: 11, apartMs: 60_000, clearForMs: 900_000 })
  })
})

describe('window', () => {
  it('is the newest ten minutes', () => {
    expect(
      readingOf(hitRatioFloor, [
        { of: 1, miss: 900 },
        { of: 9, hit: 100 },
      ]).level,
    ).toBe('critical')
    expect(
      readingOf(hitRatioFloor, [
        { of: 1, miss: 900 },
        { of: 10, hit: 100 },
      ]).level,
    ).toBe('clear')
  })

  it('grows where traffic is low', () => {
    expect(readingOf(hitRatioFloor, [{ of: 60, miss: 5 }]).facts.sample).toBe(200)
  })
})

describe('minimum', () => {
  it('says nothing with fewer than 200 lines in an hour', () => {
    expect(readingOf(hitRatioFloor, [{ of: 1, miss: 199, bypass: 900 }]).level).toBe('no data')
    expect(readingOf(hitRatioFloor, [{ of: 1, miss: 200 }]).level).toBe('critical')
  })
})

describe('hysteresis', () => {
  it('clears three points over the floor', () => {
    expect(readingOf(hitRatioFloor, exact(829), { firing: true }).level).toBe('between')
    expect(readingOf(hitRatioFloor, exact(830), { firing: true }).level).toBe('clear')
    expect(readingOf(hitRatioFloor, exact(829)).level).toBe('clear')
  })
})
