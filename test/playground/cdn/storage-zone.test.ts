import { describe, expect, it } from 'vitest'
import { dayOf, seedStorageZones, storageOn } from '../../../src/playground/cdn/world/zones.ts'

const TODAY = dayOf(Date.parse('2026-11-20T18:00:00Z'))
const [shop, media] = seedStorageZones(TODAY)

describe('storageOn', () => {
  it('has 90 days up to today and nothing before', () => {
    expect(storageOn('s', shop!, TODAY - 90)).toBeUndefined()
    expect(storageOn('s', shop!, TODAY - 89)).toBeDefined()
  })

  it('gives the same figures again, and others for another seed', () => {
    expect(storageOn('s', shop!, TODAY)).toEqual(storageOn('s', shop!, TODAY))
    expect(storageOn('s', shop!, TODAY)).not.toEqual(storageOn('t', shop!, TODAY))
  })

  it('grows from month to month', () => {
    const before = storageOn('s', shop!, TODAY - 30)!
    const after = storageOn('s', shop!, TODAY)!
    expect(after.bytes).toBeGreaterThan(before.bytes)
    expect(after.files).toBeGreaterThan(before.files)
  })

  it('shows the day on which much was deleted', () => {
    const dayBefore = storageOn('s', media!, TODAY - 20)!
    const dayAfter = storageOn('s', media!, TODAY - 19)!
    expect(Number(dayAfter.files) / Number(dayBefore.files)).toBeCloseTo(0.82, 1)
  })
})
