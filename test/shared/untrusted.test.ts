import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { visible } from '../../src/shared/untrusted.ts'

describe('text from outside', () => {
  test.each([
    ['plain ä 漢 🙂 text', 'plain ä 漢 🙂 text'],
    ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
    ['right\u202Eto left', 'right\\u{202E}to left'],
    ['zero\u200Bwidth\uFEFF', 'zero\\u{200B}width\\u{FEFF}'],
    ['nul\u0000 esc\u001B[31m cr\r', 'nul\\u{0000} esc\\u{001B}[31m cr\\u{000D}'],
    ['line\u2028paragraph\u2029', 'line\\u{2028}paragraph\\u{2029}'],
    ['own\uE000 use', 'own\\u{E000} use'],
    ['tag\u{E0041}', 'tag\\u{E0041}'],
    ['half \ud83d of a pair', 'half \uFFFD of a pair'],
  ])('is shown with what it hides: %j', (text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  it('is cut between characters, never inside one', () => {
    expect(visible('🙂🙂🙂', 3)).toBe('🙂🙂🙂')
    expect(visible('🙂🙂🙂🙂', 3)).toBe('🙂🙂…')
    expect(Array.from(visible('x'.repeat(2_001)))).toHaveLength(2_000)
  })

  it('never hides anything, whatever it is', () => {
    const hiding = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 1, max: 60 }), (text, most) => {
        const shown = visible(text, most)
        expect(shown).not.toMatch(hiding)
        expect(shown.isWellFormed()).toBe(true)
        expect(Array.from(shown).length).toBeLessThanOrEqual(most)
      }),
      { numRuns: 2_000 },
    )
  })
})
