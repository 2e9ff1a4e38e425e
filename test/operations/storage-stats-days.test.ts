import { describe, expect, it } from 'vitest'
import { storageChange, storageDays } from '../../src/operations/storage-stats.ts'

function daysOf(used: Record<string, bigint>, files: Record<string, bigint> = {}) {
  return storageDays({
    StorageUsedChart: new Map(Object.entries(used)),
    FileCountChart: new Map(Object.entries(files)),
    otherFields: [],
  })
}

describe('joining the charts of a storage zone', () => {
  it('joins days whose keys are spelled differently', () => {
    const days = daysOf({ '2026-11-19T00:00:00Z': 1n }, { '2026-11-19T09:35:02': 2n, '2026-11-18': 3n })
    expect(days).toEqual([
      { day: '2026-11-18', dated: true, bytes: undefined, files: 3n },
      { day: '2026-11-19', dated: true, bytes: 1n, files: 2n },
    ])
  })

  it('takes the latest of several values of one day', () => {
    const days = daysOf({ '2026-11-19T01:00:00Z': 1n, '2026-11-19T23:00:00Z': 2n })
    expect(days.map(({ bytes }) => bytes)).toEqual([2n])
  })

  it('keeps words that are no dates at the end, harmless and out of the change', () => {
    const days = daysOf({ '2026-11-19': 5n, 'to\u202Etal': 99n })
    expect(days.map(({ day, dated }) => [day, dated])).toEqual([
      ['2026-11-19', true],
      ['to\\u{202E}tal', false],
    ])
    expect(storageChange(days, 'bytes')?.last.value).toBe(5n)
  })
})

describe('the change over a range', () => {
  it('is exact in both directions', () => {
    const days = daysOf({ '2026-11-18': 10n ** 18n + 1n, '2026-11-19': 10n ** 18n })
    expect(storageChange(days, 'bytes')?.difference).toBe(-1n)
  })

  it('has no share of zero', () => {
    const days = daysOf({ '2026-11-18': 0n, '2026-11-19': 5n })
    expect(storageChange(days, 'bytes')).toMatchObject({ difference: 5n, share: undefined })
  })

  it('is nothing without values', () => {
    expect(storageChange(daysOf({ '2026-11-18': 1n }), 'files')).toBeUndefined()
  })
})
