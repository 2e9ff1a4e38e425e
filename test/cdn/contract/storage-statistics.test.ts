import { describe, expect, it } from 'vitest'
import { chartUtcDay, StorageStatistics } from '../../../src/cdn/contract/storage-statistics.ts'

describe('storage statistics', () => {
  it('come in the order of their days, whatever order and form they were sent in', () => {
    const { StorageUsedChart } = StorageStatistics.parse({
      StorageUsedChart: { '2026-01-03': 3, total: 9, '2026-01-01T00:00:00Z': 1, '2026-01-02T00:00:00.0000000': 2 },
    })
    expect([...StorageUsedChart]).toEqual([
      ['2026-01-01T00:00:00Z', 1n],
      ['2026-01-02T00:00:00.0000000', 2n],
      ['2026-01-03', 3n],
      ['total', 9n],
    ])
  })

  it('are empty charts where the platform sends null, nothing or no points', () => {
    for (const sent of [{}, { StorageUsedChart: null, FileCountChart: {} }]) {
      const { StorageUsedChart, FileCountChart } = StorageStatistics.parse(sent)
      expect([StorageUsedChart.size, FileCountChart.size]).toEqual([0, 0])
    }
  })

  it('name what else came, harmless and bounded, since the contract allows nothing else', () => {
    const names = Array.from({ length: 18 }, (_, index) => `Other${index}`)
    const others = Object.fromEntries([...names, 'x'.repeat(65), 'y'].map((name) => [name, 1]))
    const { otherFields } = StorageStatistics.parse({
      StorageUsedChart: null,
      'Evil\u202Ename': 'value-canary',
      ...others,
    })
    expect(otherFields).toEqual([String.raw`Evil\u{202E}name`, ...names, `${'x'.repeat(63)}…`])
    expect(StorageStatistics.parse({ FileCountChart: {} }).otherFields).toEqual([])
  })

  it.each([
    [[]],
    [{ StorageUsedChart: [1] }],
    [{ StorageUsedChart: { '2026-01-01': '1' } }],
    [{ StorageUsedChart: { '2026-01-01': 1.5 } }],
    [{ FileCountChart: { '2026-01-01': 9_223_372_036_854_775_808n } }],
    [{ FileCountChart: { ['k'.repeat(65)]: 1 } }],
    [{ FileCountChart: Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`d${index}`, 1])) }],
  ])('are refused when they are something else (%#)', (sent) => {
    expect(StorageStatistics.safeParse(sent).success).toBe(false)
  })

  it('may have a value for each of ten thousand days, by keys of up to 64 characters', () => {
    const days = Array.from({ length: 10_000 }, (_, index) => [`${index}`.padStart(64, 'k'), index])
    expect(StorageStatistics.parse({ FileCountChart: Object.fromEntries(days) }).FileCountChart.size).toBe(10_000)
  })

  it('have keys that are days of UTC, where they are dates', () => {
    expect(['2026-01-01T23:00:00-02:00', '2026-01-01', 'total'].map(chartUtcDay)).toEqual([
      '2026-01-02',
      '2026-01-01',
      undefined,
    ])
  })

  it('do not let a field name reach the prototype of anything', () => {
    const sent: unknown = JSON.parse('{"__proto__":{"polluted":1},"StorageUsedChart":{"__proto__":5}}')
    const { StorageUsedChart, otherFields } = StorageStatistics.parse(sent)
    expect(StorageUsedChart.get('__proto__')).toBe(5n)
    expect(otherFields).toEqual([])
    expect('polluted' in {}).toBe(false)
  })
})
