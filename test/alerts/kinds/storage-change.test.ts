import { describe, expect, it } from 'vitest'
import { storageChange } from '../../../src/alerts/kinds/storage-change.ts'
import type { StorageView } from '../../../src/alerts/alert-kind.ts'

const GB = 1_000_000_000
const now = new Date('2026-11-20T12:00:00Z')
function level(gigabytes: readonly (number | undefined)[], look: Partial<StorageView> = {}, quota = 1_000) {
  return read(gigabytes, look, quota).level
}
function read(gigabytes: readonly (number | undefined)[], look: Partial<StorageView> = {}, quota = 1_000) {
  const start = Date.UTC(2026, 10, 20) - (gigabytes.length - 1) * 86_400_000
  const days = gigabytes.map((each, day) => ({
    dayMs: start + day * 86_400_000,
    bytes: each === undefined ? undefined : each * GB,
    files: each === undefined ? undefined : 10,
  }))
  return storageChange.observe({ days, now, firing: false, ...look }, { quota: quota * GB, change: 1_000 })
}
/** Fourteen days that end with so much, growing evenly. */
function growing(last: number, daily: number): readonly number[] {
  return Array.from({ length: 14 }, (_, day) => last - (13 - day) * daily)
}

describe('threshold of growth', () => {
  it('warns when it is full within thirty days', () => {
    expect(level(growing(700, 9.9))).toBe('clear')
    expect(level(growing(700, 10))).toBe('warning')
  })

  it('is critical within seven days', () => {
    expect(level(growing(700, 42))).toBe('warning')
    expect(level(growing(700, 43))).toBe('critical')
  })

  it('warns from 80 % of the quota on, and is critical from 90 %', () => {
    expect(level(growing(799, 0))).toBe('clear')
    expect(level(growing(800, 0))).toBe('warning')
    expect(level(growing(899, 0))).toBe('warning')
    expect(level(growing(900, 0))).toBe('critical')
    expect(level(growing(1_001, 0))).toBe('critical')
  })

  it('does not follow a single day', () => {
    expect(level([...growing(300, 1).slice(0, 13), 700])).toBe('clear')
  })

  it('states its numbers', () => {
    const { facts } = read(growing(700, 10))
    expect(facts).toMatchObject({ value: 700 * GB, unit: 'bytes', sample: 14, threshold: 1_000 * GB })
    expect(facts.sentence).toContain(
      '700 GB are stored on 2026-11-20, 70% of the quota of 1,000 GB; it grows by 10 GB a day (trend of 14 days) and is full in 30 days',
    )
  })
})

describe('window of growth', () => {
  it('is the newest fourteen days', () => {
    expect(level([...growing(100, 0), ...growing(500, 20)])).toBe('warning')
    expect(level([...growing(700, 40), ...growing(700, 0)])).toBe('clear')
  })
})

describe('minimum of growth', () => {
  it('wants seven days', () => {
    expect(level(growing(950, 0).slice(-6))).toBe('no data')
    expect(level(growing(950, 0).slice(-7))).toBe('critical')
    expect(level([...growing(950, 0).slice(-6), undefined])).toBe('no data')
  })

  it('wants a quota, without which only jumps are told', () => {
    expect(level(growing(950, 0), {}, 0)).toBe('clear')
    expect(level(growing(950, 0).slice(-6), {}, 0)).toBe('no data')
    expect(read(growing(950, 0).slice(-6), {}, 0).facts.sentence).toBe('No data: no quota is set for this zone.')
  })
})

describe('hysteresis of growth', () => {
  it('clears under 75 %, and when it lasts longer than 45 days', () => {
    const look = { firing: true, severity: 'warning' } as const
    expect(level(growing(750, 0), look)).toBe('between')
    expect(level(growing(749, 0), look)).toBe('clear')
    expect(level(growing(700, 300 / 44), look)).toBe('between')
    expect(level(growing(700, 300 / 46), look)).toBe('clear')
  })

  it('is critical until it is under 85 % and lasts longer than fourteen days', () => {
    const look = { firing: true, severity: 'critical' } as const
    expect(level(growing(850, 0), look)).toBe('critical')
    expect(level(growing(849, 0), look)).toBe('warning')
    expect(level(growing(700, 300 / 14 + 0.01), look)).toBe('critical')
    expect(level(growing(700, 300 / 14.1), look)).toBe('warning')
  })

  it('waits for what cannot be said of jumps', () => {
    const gap = [...growing(300, 0), undefined, 300]
    expect([level(gap), level(gap, { firing: true, severity: 'warning' })]).toEqual(['clear', 'between'])
  })

  it('clears when it was read so twice, six hours apart', () => {
    expect(storageChange.timing({})).toMatchObject({ apartMs: 5 * 3_600_000, clearForMs: 5 * 3_600_000 })
  })
})
