import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scaleFor } from '../../../src/playground/page/blocks.ts'
import { shortNumber } from '../../../src/playground/slack/render-text.ts'

describe('a scale', () => {
  it('marks round values around all it has to show', () => {
    expect(scaleFor([0, 97]).ticks).toEqual([0, 25, 50, 75, 100])
    expect(scaleFor([525.87, 581.42]).ticks).toEqual([520, 540, 560, 580, 600])
    expect(scaleFor([-30, 30]).ticks).toEqual([-40, -20, 0, 20, 40])
    expect(scaleFor([0, 0.002]).ticks).toEqual([0, 0.0005, 0.001, 0.0015, 0.002])
  })

  it('always has an upper and a lower end, and every value between them', () => {
    const value = fc.double({ min: -1e15, max: 1e15, noNaN: true })
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (values) => {
        const { ticks, position } = scaleFor(values)
        expect(ticks.length).toBeGreaterThanOrEqual(2)
        expect(ticks.length).toBeLessThan(12)
        for (const each of values) {
          expect(position(each)).toBeGreaterThanOrEqual(-1e-6)
          expect(position(each)).toBeLessThanOrEqual(1 + 1e-6)
        }
      }),
    )
  })

  it('writes numbers short', () => {
    expect([0, 0.125, 1_234, 1_650_000, -20].map(shortNumber)).toEqual(['0', '0.125', '1,234', '1.65M', '−20'])
  })
})
