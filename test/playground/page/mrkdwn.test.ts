import { glob, readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { message } from '../../../src/block-kit/message.ts'
import { link, md, textOf as markupText } from '../../../src/block-kit/mrkdwn.ts'
import { context, section } from '../../../src/block-kit/sections.ts'
import { emojiPicture, mrkdwn } from '../../../src/playground/page/mrkdwn.ts'
import { harmIn, HOSTILE, reader, tagsOf, textOf } from './page-markup.ts'

const shown = (text: string): string => mrkdwn(text, reader).toString()

/** Names between colons in the source outside of the playground, but for comments and parts of addresses. */
async function sentEmoji(): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for await (const path of glob('src/**/*.ts', { exclude: ['src/playground/**'] })) {
    const code = (await readFile(path, 'utf8')).replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, '')
    for (const [, name = ''] of code.matchAll(/(?<![\w:]):([a-z][a-z0-9_+-]*):(?![\w:])/g)) names.add(name)
  }
  return names
}

describe('mrkdwn on the page', () => {
  it.each([
    ['*bold* and _leaning_ and ~gone~', '<strong>bold</strong> and <em>leaning</em> and <s>gone</s>'],
    ['*bold with _leaning_ inside*', '<strong>bold with <em>leaning</em> inside</strong>'],
    ['`*not bold*`', '<code>*not bold*</code>'],
    ['2*3*4 and snake_case_name', '2*3*4 and snake_case_name'],
    ['* not bold *', '* not bold *'],
    ['a\nb', 'a\nb'],
    ['&lt;b&gt; &amp;amp;', '&#60;b&#62; &#38;amp;'],
    ['```\ncode *here*\n```', '<pre class="code">code *here*\n</pre>'],
    ['&gt; quoted\n&gt; twice\nand not', '<blockquote>quoted\ntwice</blockquote>and not'],
    [':white_check_mark: done :no_such_thing:', '✅ done :no_such_thing:'],
    ['10:30:45', '10:30:45'],
  ])('shows %j', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it.each([':white_check_mark: Done', ':no_entry:', 'x:pencil2:y', ':x::no_entry:', ':x', 'x:'])(
    'shows our own pictures, and none that a stranger wrote: %j',
    (foreign) => {
      const markup = markupText(
        md`:warning: *${foreign}*: ${foreign}:${foreign} ${link(new URL('https://a.example'), foreign)}`,
      )
      const pictures = textOf(mrkdwn(markup, reader)).match(/\p{Extended_Pictographic}/gu)
      expect(pictures).toEqual(['⚠'])
      const { text, blocks } = message({ text: foreign, blocks: [context(foreign), section(foreign)] })
      for (const each of [text, JSON.stringify(blocks)]) {
        expect(textOf(mrkdwn(each, reader))).not.toMatch(/\p{Extended_Pictographic}/u)
      }
    },
  )

  it('has a picture for every name that the code of the bot can send', async () => {
    const names = await sentEmoji()
    expect(names.size).toBeGreaterThan(10)
    expect([...names].filter((name) => emojiPicture(name) === undefined)).toEqual([])
  })

  it('links to http and https only, and opens beside the page', () => {
    expect(tagsOf(mrkdwn('<https://example.net/a?b=1&amp;c=2|the page>', reader))).toEqual([
      {
        name: 'a',
        attributes: { href: 'https://example.net/a?b=1&c=2', target: '_blank', rel: 'noopener noreferrer' },
      },
    ])
    const others = 'javascript:alert(1) data:text/html,x file:///etc/passwd //example.net JaVaScRiPt:x'
    for (const scheme of others.split(' ')) {
      expect(tagsOf(mrkdwn(`<${scheme}|press>`, reader))).toEqual([])
    }
  })

  it.each(HOSTILE)('does no harm with %s', (_name, text) => {
    expect(harmIn(mrkdwn(text, reader))).toEqual([])
    expect(harmIn(mrkdwn(`*${text}* _${text}_ \`${text}\` > ${text}`, reader))).toEqual([])
  })

  it('makes of any text clean markup without harm', () => {
    const pieces = fc.constantFrom(' ', '\n', ...'< > &lt; | * _ ~ ` ``` : ! @U " \' a https://a.b/'.split(' '))
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        expect(harmIn(mrkdwn(parts.join(''), reader))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})
