import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html } from '../../../src/playground/page/html.ts'
import { anyCharacter } from '../../block-kit/foreign-text.ts'
import { shapeOf, tagsOf, textOf } from './page-markup.ts'

describe('the template of the page', () => {
  it('shows any text as itself, between tags and in attributes, without a tag more', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const markup = html`<p title="${text}">${text}</p>`
        expect(shapeOf(markup)).toEqual(['p'])
        expect(tagsOf(markup)[0]?.attributes).toEqual({ title: text })
        expect(textOf(markup)).toBe(text)
      }),
    )
  })

  it('takes markup it made before as it is, lists in order, and nothing for nothing', () => {
    const inner = html`<b>${'&'}</b>`
    expect(html`${[inner, 'a', undefined, null, false, [1, 2n]]}`.toString()).toBe('<b>&#38;</b>a12')
  })
})
