import { describe, expect, it } from 'vitest'
import { richTextHtml } from '../../../src/playground/page/rich-text.ts'
import { richText } from '../../../src/playground/slack/block-rules/rich-text.ts'
import { harmIn, HOSTILE, reader, shapeOf, tagsOf, textOf } from './page-markup.ts'

const section = (...elements: readonly unknown[]) => ({ type: 'rich_text_section', elements })
const text = (words: string, style?: unknown) => ({
  type: 'text',
  text: words,
  ...(style === undefined ? {} : { style }),
})
const shown = (...elements: readonly unknown[]) => richTextHtml(richText.parse({ type: 'rich_text', elements }), reader)

describe('rich text on the page', () => {
  it('nests the styles of a piece', () => {
    expect(
      shapeOf(shown(section(text('all', { bold: true, italic: true, strike: true, code: true, underline: true })))),
    ).toEqual(['div', 'div', 'u', 's', 'em', 'strong', 'code'])
  })

  it('shows lists, quotes and boxes as what they are', () => {
    const markup = shown(
      { type: 'rich_text_list', style: 'ordered', offset: 2, indent: 1, elements: [section(text('third'))] },
      { type: 'rich_text_list', style: 'bullet', elements: [section(text('one')), section(text('two'))] },
      { type: 'rich_text_quote', elements: [text('said')] },
      { type: 'rich_text_preformatted', elements: [text('a  b\nc')] },
    )
    expect(shapeOf(markup)).toEqual(['div', 'ol', 'li', 'ul', 'li', 'li', 'blockquote', 'pre'])
    expect(tagsOf(markup)[1]?.attributes).toEqual({ class: 'indent-1', start: '3' })
    expect(textOf(markup)).toContain('a  b\nc')
  })

  it('shows what ids, moments and pictures stand for', () => {
    const markup = shown(
      section(
        { type: 'user', user_id: 'U0VERA0001' },
        { type: 'channel', channel_id: 'C0OPS00001' },
        { type: 'usergroup', usergroup_id: 'S0ADMINS01' },
        { type: 'broadcast', range: 'here' },
        { type: 'emoji', name: 'x' },
        { type: 'date', timestamp: 1_795_118_400, format: '{date_num} {time}' },
        { type: 'link', url: 'javascript:alert(1)', text: 'press' },
        { type: 'link', url: 'https://example.net/' },
      ),
    )
    expect(textOf(markup)).toBe('@vera#ops@cdn-admins@here❌2026-11-19 3:00 PMpresshttps://example.net/')
    expect(shapeOf(markup).filter((name) => name === 'a')).toHaveLength(1)
  })

  it.each(HOSTILE)('shows %s as it is', (_name, hostile) => {
    const markup = shown({ type: 'rich_text_preformatted', elements: [text(hostile)] })
    expect(shapeOf(markup)).toEqual(['div', 'pre'])
    expect(textOf(markup)).toBe(hostile)
    expect(harmIn(shown(section({ type: 'link', url: 'https://a.b', text: hostile })))).toEqual([])
  })
})
