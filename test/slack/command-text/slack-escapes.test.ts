import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unescapeSlack } from '../../../src/slack/command-text/slack-escapes.ts'

describe('the text of a command as Slack escapes it', () => {
  it.each([
    ['<http://shop.example|shop.example>', 'shop.example'],
    ['<http://shop.example/?a=1&amp;b=2>', 'http://shop.example/?a=1&b=2'],
    ['<mailto:ann@shop.example|ann@shop.example>', 'ann@shop.example'],
    ['<mailto:ann@shop.example>', 'ann@shop.example'],
    ['<tel:+493012345|030 12345>', '030 12345'],
    ['&lt;b&gt; &amp; c', '<b> & c'],
    ['&amp;lt;', '&lt;'],
    ['<http://x.example/?a=1&amp;amp;b|x &amp; y>', 'x & y'],
    ['<!here> <!channel|@channel> <!subteam^S0123|@ops>', '@here @channel @ops'],
    ['a < b, c > d, <b>bold</b>, <>', 'a < b, c > d, <b>bold</b>, <>'],
    ['v=spf1 include:<http://mail.example|mail.example> -all', 'v=spf1 include:mail.example -all'],
  ])('reads %s as it was typed', (escaped, typed) => {
    expect(unescapeSlack(escaped).text).toBe(typed)
  })

  it('shows a mention as it was typed and says whom it means', () => {
    expect(unescapeSlack('ask <@U012AB|ann b> in <#C99|ops> or <#C98|> or <@W7>')).toEqual({
      text: 'ask @ann b in #ops or #C98 or @W7',
      mentions: [
        { start: 4, end: 10, id: 'U012AB' },
        { start: 14, end: 18, id: 'C99' },
        { start: 22, end: 26, id: 'C98' },
        { start: 30, end: 33, id: 'W7' },
      ],
    })
  })

  it('gives back any text that Slack escaped', () => {
    const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('&', '<', '>', '|', '@', 'U', 'a', 'm', 'p', 'l', 't', ';', '!', ':', 'ü', '🙂'),
        }),
        (text) => {
          expect(unescapeSlack(escape(text))).toEqual({ text, mentions: [] })
        },
      ),
    )
  })

  it('takes time in proportion to the text, however the brackets stand', () => {
    const text = '<http://'.repeat(1_000) + '<@U'.repeat(1_000) + '<!subteam^'.repeat(1_000)
    expect(unescapeSlack(text)).toEqual({ text, mentions: [] })
  })
})
