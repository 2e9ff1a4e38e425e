import { describe, expect, it } from 'vitest'
import { storageChange } from '../../../src/alerts/kinds/storage-change.ts'

const now = new Date('2026-11-20T12:00:00Z')
const GB = 1_000_000_000
interface Day {
  readonly gb?: number
  readonly files?: number
}
function read(days: readonly Day[], firing = false) {
  const start = Date.UTC(2026, 10, 20) - (days.length - 1) * 86_400_000
  const known = days.map(({ gb, files }, day) => ({
    dayMs: start + day * 86_400_000,
    bytes: gb === undefined ? undefined : gb * GB,
    files,
  }))
  return storageChange.observe({ days: known, now, firing }, {})
}
/** So many days that hardly change, then one. */
function after(last: Day, before = 9, usual: Day = { gb: 100, files: 10_000 }): readonly Day[] {
  return [...Array.from({ length: before }, () => usual), last]
}

describe('threshold of jumps', () => {
  it('warns of more than 20 % more than the day before', () => {
    expect(read(after({ gb: 120, files: 10_000 })).level).toBe('clear')
    expect(read(after({ gb: 120.1, files: 10_000 })).level).toBe('warning')
  })

  it('is critical over 50 %', () => {
    expect(read(after({ gb: 150, files: 10_000 })).level).toBe('warning')
    expect(read(after({ gb: 150.1, files: 10_000 })).level).toBe('critical')
  })

  it('takes what is usual for the zone for no jump', () => {
    const restless = [100, 110, 90, 110, 88, 108, 86, 105, 85].map((gb) => ({ gb, files: 10_000 }))
    expect(read([...restless, { gb: 110, files: 10_000 }]).level).toBe('clear')
  })

  it('warns when 10 % of the files are gone, and is critical at 30 %', () => {
    expect(read(after({ gb: 100, files: 9_001 })).level).toBe('clear')
    const gone = read(after({ gb: 100, files: 9_000 }))
    expect(gone.level).toBe('warning')
    expect(gone.facts).toMatchObject({ value: 9_000, unit: 'files', baseline: 10_000 })
    expect(read(after({ gb: 100, files: 7_001 })).level).toBe('warning')
    expect(read(after({ gb: 100, files: 7_000 })).level).toBe('critical')
  })

  it('states its numbers', () => {
    expect(read(after({ gb: 160, files: 10_000 })).facts.sentence).toContain(
      'On 2026-11-20 it holds 160 GB, +60% since the day before (usually +0%), in 10,000 files, +0%',
    )
  })
})

describe('window of jumps', () => {
  it('is the newest day and the day before it', () => {
    expect(read([...after({ gb: 200, files: 10_000 }), { gb: 200, files: 10_000 }]).level).toBe('clear')
    expect(read([...after({}), { gb: 200, files: 10_000 }]).level).toBe('no data')
  })
})

describe('minimum of jumps', () => {
  it('wants seven days', () => {
    expect(read(after({ gb: 200, files: 10_000 }, 5)).level).toBe('no data')
    expect(read(after({ gb: 200, files: 10_000 }, 6)).level).toBe('critical')
  })

  it('wants more than 1 GB or 1,000 files, before or after', () => {
    const small = { gb: 0.4, files: 500 }
    expect(read(after({ gb: 1, files: 1_000 }, 9, small)).level).toBe('no data')
    expect(read(after({ gb: 1.1, files: 1_000 }, 9, small)).level).toBe('critical')
    expect(read(after({ gb: 1, files: 1_001 }, 9, small)).level).toBe('critical')
  })
})

describe('hysteresis of jumps', () => {
  it('clears on the next normal day', () => {
    expect(read(after({ gb: 110, files: 10_000 }), true).level).toBe('between')
    expect(read(after({ gb: 109, files: 10_000 }), true).level).toBe('clear')
    expect(read(after({ gb: 100, files: 9_499 }), true).level).toBe('between')
    expect(read(after({ gb: 100, files: 9_500 }), true).level).toBe('clear')
  })
})
