import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenize } from '../../../src/slack/command-text/tokens.ts'
import { unescapeSlack } from '../../../src/slack/command-text/slack-escapes.ts'
import { anyCharacter } from '../../block-kit/foreign-text.ts'

/** Whatever could confuse the splitting, and two letters. */
const DELIMITERS = ['a', 'b', ' ', '\n', '"', "'", '“', '”', '‘', '’', '\\', '—', '–', '-', '=']
const words = (text: string) => tokenize(text).tokens.map((token) => token.text)

describe('splitting a command line', () => {
  it.each<readonly [text: string, words: readonly string[]]>([
    ['  a  b\tc\nd ', ['a', 'b', 'c', 'd']],
    ['say "a b" c', ['say', 'a b', 'c']],
    [String.raw`"a \"b\" c"`, ['a "b" c']],
    [String.raw`"a \\ b"`, [String.raw`a \ b`]],
    [String.raw`a\ b c`, ['a b', 'c']],
    [String.raw`a\\b`, [String.raw`a\b`]],
    [String.raw`"a\\" b`, ['a\\', 'b']],
    [String.raw`\"a b\"`, ['"a', 'b"']],
    [String.raw`x\032y`, [String.raw`x\032y`]],
    ['\u00a0a\u3000b', ['a', 'b']],
    [String.raw`\»a \‚b`, ['»a', '‚b']],
    ...[
      '""',
      '"”',
      '“”',
      '“"',
      '““',
      '””',
      '”"',
      '„“',
      '„”',
      '„"',
      '«»',
      "''",
      "'’",
      '‘’',
      "‘'",
      '’’',
      "’'",
      '‚‘',
      '‚’',
      "‚'",
    ].map(([open = '', close = '']) => [`${open}a b${close} c`, ['a b', 'c']] as const),
    ['“a " b”', ['a " b']],
    ["‚a ' b‘", ["a ' b"]],
    ['"he said “hi” twice"', ['he said “hi” twice']],
    ["it's fine", ["it's", 'fine']],
    ["'it's fine' now", ["it's fine", 'now']],
    ['‘it’s fine’', ['it’s fine']],
    ['a"b c', ['a"b', 'c']],
    ['"a"b', ['ab']],
    ['""', ['']],
    ['—', ['—']],
    ['a—b–c', ['a—b–c']],
  ])('reads %j', (text, expected) => {
    expect(tokenize(text).openQuote).toBeUndefined()
    expect(words(text)).toEqual(expected)
  })

  it.each([
    ['--since 1h', 'since', undefined],
    ['—since 1h', 'since', undefined],
    ['–since 1h', 'since', undefined],
    ['--Since=1h', 'since', '1h'],
    ['—since=“last – hour”', 'since', 'last – hour'],
    ['--value=', 'value', ''],
    ['--É_9-x y', 'é_9-x', undefined],
    [`--value='a "b" c'`, 'value', 'a "b" c'],
  ])('sees the flag in %j', (text, flag, flagValue) => {
    expect(tokenize(text).tokens[0]).toMatchObject({ flag, flagValue })
  })

  it.each(['"--since"', '-5', '-since', '--', '–5', '---', '--a.b', '\\--since', 'a--since'])(
    'sees no flag in %j',
    (text) => {
      expect(tokenize(text).tokens[0]?.flag).toBeUndefined()
    },
  )

  it.each([
    ['a "b c', '"', 3],
    ["'tis", "'", 1],
    ['--value="a b', '"', 9],
    ['a “b c', '“', 3],
    [String.raw`"a\"`, '"', 1],
  ])('says where the open quote in %j stands', (text, quote, position) => {
    expect(tokenize(text).openQuote).toEqual({ quote, position })
  })

  it('says where each word stood, and where its value, and what of it was in quotes', () => {
    const text = ' x  "a b" --k="c d" --k=e"f" "g"h'
    const stood = tokenize(text).tokens.map(({ start, end, valueStart, quoted }) => [
      text.slice(start, end),
      text.slice(valueStart, end),
      quoted,
    ])
    expect(stood).toEqual([
      ['x', 'x', false],
      ['"a b"', '"a b"', true],
      ['--k="c d"', '"c d"', true],
      ['--k=e"f"', 'e"f"', false],
      ['"g"h', '"g"h', false],
    ])
  })

  it('gives back any value put in quotes', () => {
    const quote = (text: string) => `"${text.replace(/["\\“”„«»'‘’‚]/g, String.raw`\$&`)}"`
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter }), { maxLength: 5 }), (values) => {
        expect(tokenize(values.map(quote).join(' '))).toMatchObject({ openQuote: undefined })
        expect(words(values.map(quote).join(' '))).toEqual(values)
      }),
    )
  })

  it('ends on any text, in order and without overlap', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...DELIMITERS) }), (text) => {
        let end = 0
        for (const token of tokenize(text).tokens) {
          expect(token.start).toBeGreaterThanOrEqual(end)
          expect(token.end).toBeGreaterThan(token.start)
          ;({ end } = token)
        }
        expect(end).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})

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
    [
      '<tel:+493012345> <ftp://a.example> <sip:a@b> <sips:a@b> <https://a.example|>',
      '+493012345 ftp://a.example sip:a@b sips:a@b ',
    ],
    ['<!here> <!channel|@channel> <!everyone|all> <!here|>', '@here @channel @all @here'],
    ['<!subteam^S0123|@ops> <!subteam^S0123|&amp;> <!subteam^S0123>', '@ops @& @S0123'],
    ['a < b, c > d, <b>bold</b>, <>', 'a < b, c > d, <b>bold</b>, <>'],
    ['v=spf1 include:<http://mail.example|mail.example> -all', 'v=spf1 include:mail.example -all'],
  ])('reads %s as it was typed', (escaped, typed) => {
    expect(unescapeSlack(escaped).text).toBe(typed)
  })

  it('shows a mention as it was typed and says whom it means', () => {
    expect(unescapeSlack('ask <@U012AB|ann b> in <#C99|ops> or <#C98|> or <@W7> <!subteam^S0123|@a&amp;b>')).toEqual({
      text: 'ask @ann b in #ops or #C98 or @W7 @a&b',
      mentions: [
        { start: 4, end: 10, id: 'U012AB' },
        { start: 14, end: 18, id: 'C99' },
        { start: 22, end: 26, id: 'C98' },
        { start: 30, end: 33, id: 'W7' },
        { start: 34, end: 38, id: 'S0123' },
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
