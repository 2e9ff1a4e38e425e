import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Block } from '../../src/block-kit/blocks.ts'
import { findStray, findStrayInMessage } from '../../src/block-kit/markup-gate.ts'
import { message } from '../../src/block-kit/message.ts'
import { dateTime, link, md, mention, mentionChannel, mentionGroup } from '../../src/block-kit/mrkdwn.ts'
import { section } from '../../src/block-kit/sections.ts'
import { modal } from '../../src/block-kit/view.ts'
import { hidesSomething } from '../../src/shared/untrusted.ts'
import { anyCharacter } from './foreign-text.ts'

/** As somebody might have put it into the store. */
const forged = (text: string): Block => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })

describe('markup of a message', () => {
  it('may be all that the builders make', () => {
    const panel = link(new URL('https://panel.example.com/?a=1&b=<2>|3'), 'Panel & more')
    const people = md`${mention('U0OLGA0001')} ${mentionGroup('S0OPERATOR')} ${mentionChannel('C0OPS00001')}`
    const shown = message({
      text: '<!here> & <@U0OLGA0001>',
      blocks: [section(md`${people} ${panel} ${dateTime(new Date())} < &`)],
    })
    expect(findStrayInMessage(shown)).toBeUndefined()
  })

  test.each([
    '<!channel>',
    '<!here|x>',
    '<https://evil.example>',
    '<@U0OLGA0001|ada>',
    'a < b',
    'a > b',
    'AT&T',
    '&#60;',
  ])('may not be %j, wherever it came from', (text) => {
    expect(findStrayInMessage({ text: 'Said.', blocks: [forged(text)] })).toBe('/blocks/0/text/text')
    const view = modal({ callbackId: 'c', title: 'Title', blocks: [] })
    expect(findStray({ ...view, blocks: [forged(text)] })).toBe('/blocks/0/text/text')
  })

  test.each(['<!channel>', '<@U0OLGA0001>', 'AT&T', 'a\u202Eb'])('is none in its plain words: %j', (text) => {
    expect(findStrayInMessage({ text, blocks: [section('Said.')] })).toBe('/text')
  })
})

test('a hidden character is found in whatever stands around it', () => {
  const parts = ['&', '<', '>', '\\', '"', '\n', '\t', '\r', '\0', '\\u202e', 'é', '漢', '🙂']
  const hidden = ['\u202E', '\u200B', '\u2028', '\u00AD', '\uD800', '\uDC00', '\u0085']
  const text = fc.array(
    fc.oneof(fc.constantFrom(...parts, ...hidden), fc.string({ unit: anyCharacter, maxLength: 3 })),
    {
      maxLength: 8,
    },
  )
  fc.assert(
    fc.property(text, (given) => {
      const cell = { type: 'raw_text', text: `x${given.join('')}` } as const
      const table: Block = { type: 'data_table', caption: 'c', rows: [[cell], [cell]] }
      const expected = hidesSomething(cell.text) ? '/blocks/0/rows/0/0/text' : undefined
      expect(findStrayInMessage({ text: 'x', blocks: [table] })).toBe(expected)
    }),
    { numRuns: 200 },
  )
})
