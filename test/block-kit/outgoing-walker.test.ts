import { describe, expect, test } from 'vitest'
import { message } from '../../src/block-kit/message.ts'
import { code, dateTime, link, md, mention, mentionChannel, mentionGroup } from '../../src/block-kit/mrkdwn.ts'
import { section } from '../../src/block-kit/sections.ts'
import { outgoingProblems } from '../support/outgoing-walker.ts'

const KNOWN = {
  ids: new Set(['U0OLGA0001', 'C0OPS00001', 'S0OPERATOR']),
  hosts: new Set(['panel.example.com']),
}
const QUIET = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false }
const PANEL = new URL('https://panel.example.com/zones?a=1&b=2')

function posted(more: object): readonly string[] {
  return outgoingProblems(
    [{ method: 'chat.postMessage', args: { channel: 'C1', ...QUIET, text: 'Said.', ...more } }],
    KNOWN,
  )
}

function markup(text: string): readonly string[] {
  return posted({ blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }] })
}

test('nothing is wrong with what the builders make', () => {
  const people = md`${mention('U0OLGA0001')} ${mentionGroup('S0OPERATOR')} ${mentionChannel('C0OPS00001')}`
  const words = md`*${people}* ${dateTime(new Date(0))} ${link(PANEL, 'a > b')} ${code('<!here>')} & < ${'<!channel>'}`
  expect(posted(message({ text: '<!channel> & co', blocks: [section(words)] }))).toEqual([])
})

describe('the walker finds', () => {
  test.each([
    ['<!channel>', /not ours/],
    ['<@U0STRANGER>', /somebody unknown/],
    ['<@U0OLGA0001|olga>', /not ours/],
    ['<!subteam^S0UNKNOWN1>', /somebody unknown/],
    ['<https://evil.example|Deploy ok>', /a link/],
    ['<https://panel.example.com@evil.example/|Panel>', /a link/],
    ['<https://panel.example.com/>', /not ours/],
    ['<!date^1^{date}|<!here>>', /not ours/],
    ['<!date^1^{date}|Your password has run out>', /not ours/],
    ['a < b', /not ours/],
    ['AT&T', /no entity/],
    ['cut &am…', /no entity/],
    ['Name: :fire:', /a picture, :fire:/],
    ['right \u202Eto left', /hides/],
  ])('%j in markup', (text, what) => {
    expect(markup(text)).toEqual([expect.stringMatching(what)])
  })

  test.each([
    [{ text: '<!channel>' }, /text: a control sequence/],
    [{ text: 'zero\u200Bwidth' }, /hides/],
    [{ text: ':white_check_mark: Done' }, /a picture in plain words/],
    [{ unfurl_links: true }, /may unfurl/],
    [{ parse: 'full' }, /bare words/],
    [{ initial_comment: 'hello' }, /initial_comment/],
    [{ username: 'Slack' }, /username/],
    [{ attachments: [{ fallback: 'x' }] }, /attachments/],
    [{ blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'a' } }] }, /verbatim/],
    [{ blocks: [{ type: 'header', text: { type: 'plain_text', text: 'a', emoji: true } }] }, /:names:/],
    [{ blocks: [{ type: 'actions', elements: [{ type: 'button', url: 'https://evil.example/' }] }] }, /address/],
    [{ blocks: [{ type: 'image', image_url: 'https://evil.example/x.png' }] }, /image is never used/],
    [
      { blocks: [{ type: 'rich_text', elements: [{ type: 'link', url: 'https://panel.example.com/' }] }] },
      /link is never/,
    ],
    [{ blocks: [{ type: 'rich_text', elements: [{ type: 'broadcast', range: 'here' }] }] }, /broadcast is never/],
  ])('%j in a message', (more, what) => {
    expect(posted(more).join('\n')).toMatch(what)
  })

  test.each([
    ['files.getUploadURLExternal', { filename: '../etc/passwd' }, /file name/],
    ['files.completeUploadExternal', { files: [{ id: 'F1', title: 'two\nlines' }] }, /title of several/],
    ['views.open', { view: { title: { type: 'plain_text', text: '\u0000', emoji: false } } }, /hides/],
    ['answer to interactive', { response_action: 'errors', errors: { name: 'bad\u2028' } }, /hides/],
  ])('something wrong with %s %j', (method, args, what) => {
    expect(outgoingProblems([{ method, args }], KNOWN).join('\n')).toMatch(what)
  })
})
