import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { hidesSomething, isEveryday, visible } from '../../src/shared/untrusted.ts'
import { anyCharacter } from '../block-kit/foreign-text.ts'

describe('everyday text', () => {
  it('has nothing in it that hides, so that it needs no closer look', () => {
    const points = Array.from({ length: 0x10000 }, (_, point) => point)
    const everyday = points.map((point) => String.fromCharCode(point)).filter(isEveryday)
    expect(everyday.length).toBeGreaterThan(1_000)
    // With a letter that is none, so that each is looked at all the same.
    expect(everyday.filter((character) => hidesSomething(`\u6F22${character}`))).toEqual([])
    expect(everyday.filter((character) => visible(`\u6F22${character}`) !== `\u6F22${character}`)).toEqual([])
    expect(['\u6F22', '🙂', '\u00AD', '\u034F', '\u200B', '\u2028', '\r', '\u0085'].filter(isEveryday)).toEqual([])
  })
})

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
    ['blank \u3164\u115F\uFFA0\u2800', 'blank \\u{3164}\\u{115F}\\u{FFA0}\\u{2800}'],
    ['join\u034Fed', 'join\\u{034F}ed'],
    ['varied\uFE01 x\uFE0F', 'varied\\u{FE01} x\\u{FE0F}'],
    ['a digit 1\uFE0F', 'a digit 1\\u{FE0F}'],
    ['an emoji \u26A0\uFE0F', 'an emoji \u26A0\uFE0F'],
  ])('is shown with what it hides: %j', (text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  it('is cut between characters, never inside one', () => {
    expect(visible('🙂🙂🙂', 3)).toBe('🙂🙂🙂')
    expect(visible('🙂🙂🙂🙂', 3)).toBe('🙂🙂…')
    expect(Array.from(visible('x'.repeat(2_001)))).toHaveLength(2_000)
    expect(visible(`${'🙂'.repeat(4)}\ud83d`, 3)).toBe('🙂🙂…')
  })

  it('is looked at no further than it is shown', () => {
    const tail = `${'x'.repeat(20)}\u202E`
    expect(visible(`ab${tail}`, 3)).toBe('ab…')
    expect(visible(`🙂🙂\u202E🙂`, 9)).toBe('🙂🙂\\u{202…')
  })

  it('never hides anything, whatever it is', () => {
    const hiding = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), fc.integer({ min: 1, max: 60 }), (text, most) => {
        const shown = visible(text, most)
        expect(shown).not.toMatch(hiding)
        expect(shown.isWellFormed()).toBe(true)
        expect(Array.from(shown).length).toBeLessThanOrEqual(most)
      }),
      { numRuns: 2_000 },
    )
  })
})
