import { describe, expect, it, test } from 'vitest'
import type { Block } from '../../src/block-kit/blocks.ts'
import { message } from '../../src/block-kit/message.ts'
import { dateTime, link, md, mention, mentionChannel, mentionGroup } from '../../src/block-kit/mrkdwn.ts'
import { section } from '../../src/block-kit/sections.ts'
import { messageProblems, viewProblems } from '../../src/block-kit/validator.ts'
import { modal } from '../../src/block-kit/view.ts'

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
    expect(messageProblems(shown)).toEqual([])
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
    expect(messageProblems({ text: 'Said.', blocks: [forged(text)] })).toEqual([
      { pointer: '/blocks/0/text/text', sentence: 'Must not hold a control sequence that is not ours.' },
    ])
    const view = modal({ callbackId: 'c', title: 'Title', blocks: [] })
    expect(viewProblems({ ...view, blocks: [forged(text)] })).toHaveLength(1)
  })

  test.each(['<!channel>', '<@U0OLGA0001>', 'AT&T'])('is none in its plain words: %j', (text) => {
    expect(messageProblems({ text, blocks: [section('Said.')] })).toEqual([
      { pointer: '/text', sentence: 'Must not hold a control sequence.' },
    ])
  })
})
