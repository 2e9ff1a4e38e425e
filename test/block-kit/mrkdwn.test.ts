import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { message } from '../../src/block-kit/message.ts'
import {
  code,
  dateTime,
  joinMd,
  link,
  md,
  mention,
  mentionChannel,
  mentionEither,
  mentionGroup,
  linkMessage,
  openInPanel,
  plainOf,
  textOf,
  type Mrkdwn,
} from '../../src/block-kit/mrkdwn.ts'
import { CONTROL, foreignText, HIDDEN } from './foreign-text.ts'

describe('foreign text in a template', () => {
  test.each([
    ['<!channel>', '&lt;!channel&gt;'],
    ['<http://x.example|bank>', '&lt;http://x.example|bank&gt;'],
    ['a & b', 'a &amp; b'],
    ['&lt;', '&amp;lt;'],
    ['*bold*', '*bold∗'],
    ['_it_ and ~gone~', '_it＿ and ~gone∼'],
    ['`code`', 'ˋcodeˋ'],
    ['```fence', 'ˋˋˋfence'],
    ['> quoted', '› quoted'],
    ['>>', '››'],
    ['a > b', 'a &gt; b'],
    ['\u202Eexe', '\\u{202E}exe'],
    ['\uD83D', '\uFFFD'],
  ])('%j becomes %j', (text, shown) => {
    expect(textOf(md`${text}`)).toBe(shown)
  })

  test.each(['_dmarc.example.net', '*.example.net', 'snake_case_name', '2*3*4', '_a and _b', '5 * 3 * 2'])(
    '%j pairs with nothing and stays exact',
    (text) => {
      expect(textOf(md`${text}`)).toBe(text)
    },
  )

  test.each([
    [':white_check_mark:', '∶white_check_mark:'],
    ['a:fire::+1:b', 'a∶fire:∶+1:b'],
    [':wave::skin-tone-2:', '∶wave:∶skin-tone-2:'],
    ['x:a:b:c', 'x∶a∶b:c'],
    [':100: :1234:', '∶100: ∶1234:'],
    ["l':piñata:", "l'∶piñata:"],
    ['2001:db8:de::1', '2001:db8∶de::1'],
  ])('%j is drawn as no picture: %j', (text, shown) => {
    expect(textOf(md`${text}`)).toBe(shown)
    expect(message({ text, blocks: [] }).text).toBe(shown)
  })

  test.each([
    '12:30:45',
    '2001:db8:85a3::8a2e:370:7334',
    '00:1b:44:11:3a:b7',
    'https://shop.example:8080/a:b/c',
    'shop.example:443:8443',
    'Note: this: is fine',
    '::',
    ':SHOUT:',
  ])('%j holds no name of a picture, and stays exact', (text) => {
    expect(textOf(md`${text}`)).toBe(text)
    expect(message({ text, blocks: [] }).text).toBe(text)
  })

  test('draws no picture together with what stands around it, and leaves ours alone', () => {
    expect(textOf(md`${':fi'}${'re:'} ${':fire'}: :${'fire'}:`)).toBe('∶fire: ∶fire: ∶fire:')
    expect(textOf(md`:warning: *${':x:'}* :${code(':x:')}: ${':x'}`)).toBe(':warning: *∶x:* :`:x:`: :x')
    expect(textOf(link(new URL('https://panel.example/'), ':x:'))).toBe('<https://panel.example/|∶x:>')
  })

  test('beside markup of our own gives up every delimiter that could join it', () => {
    expect(textOf(md`*Zone* ${'*.example.net'}`)).toBe('*Zone* ∗.example.net')
    expect(textOf(md`_${'a_'} b_`)).toBe('_a＿ b_')
  })

  test('is judged on its own line only', () => {
    expect(textOf(md`*Zone*\n${'*.example.net'}`)).toBe('*Zone*\n*.example.net')
  })

  test('cannot pair with foreign text inserted elsewhere', () => {
    expect(textOf(md`${'*a'} and ${'b*'}`)).toBe('*a and b∗')
  })

  test('is cut at 2,000 code points before it is escaped', () => {
    const shown = textOf(md`${'&'.repeat(2_001)}`, Number.POSITIVE_INFINITY)
    expect(shown).toBe(`${'&amp;'.repeat(1_999)}…`)
  })

  test('takes numbers and bigints as digits and undefined as nothing', () => {
    expect(textOf(md`${1.5} ${9_007_199_254_740_993n}${undefined}`)).toBe('1.5 9007199254740993')
  })
})

describe('what is written in a template', () => {
  test('formats but can neither link nor mention', () => {
    expect(textOf(md`*a* <!channel> & ${1}`)).toBe('*a* &lt;!channel&gt; &amp; 1')
  })
})

describe('trusted parts', () => {
  test('mention people by valid ids only', () => {
    expect([mention('W12'), mentionEither('U12')].map((each) => textOf(each))).toEqual(['<@W12>', '<@U12>'])
    expect(plainOf(mention('W12'))).toBe('somebody')
    expect(textOf(mention('u12'))).toBe('`u12`')
    for (const id of ['u123', 'U1', 'U123>', 'B123', `U${'1'.repeat(21)}`])
      expect(textOf(mention(id))).not.toMatch(CONTROL)
  })

  test('mention groups and channels by valid ids only', () => {
    const shown = [mentionGroup('S0OPS'), mentionEither('S12'), mentionChannel('C0OPS'), mentionChannel('G12')]
    expect(shown.map((each) => textOf(each))).toEqual(['<!subteam^S0OPS>', '<!subteam^S12>', '<#C0OPS>', '<#G12>'])
    expect(shown.map(plainOf)).toEqual(['a group', 'a group', 'a channel', 'a channel'])
    expect([mentionGroup('s0'), mentionChannel('c0')].map((each) => textOf(each))).toEqual(['`s0`', '`c0`'])
    for (const id of ['!here', 'S1', 'C1', 'D0123', 'S0OPS>', `C${'1'.repeat(21)}`]) {
      expect(textOf(mentionGroup(id))).not.toMatch(CONTROL)
      expect(textOf(mentionChannel(id))).not.toMatch(CONTROL)
    }
  })

  test('link with an encoded target and a harmless label', () => {
    const url = new URL('https://panel.example/z?a=1&b=<>|"#x|y')
    expect(textOf(link(url, 'Zone <b> `|` *x*'))).toBe(
      '<https://panel.example/z?a=1&amp;b=%3C%3E%7C%22#x%7Cy|Zone &lt;b&gt; ˋ¦ˋ *x∗>',
    )
    expect(plainOf(link(new URL('https://panel.example/'), 'Panel'))).toBe('Panel (https://panel.example/)')
  })

  test('refuse a link to another scheme, or with credentials', () => {
    expect(() => link(new URL('javascript:alert(1)'), 'x')).toThrow(TypeError)
    for (const user of ['a:b', 'a', ':b'])
      expect(() => link(new URL(`https://${user}@panel.example`), 'x')).toThrow('credentials')
    expect(textOf(link(new URL('http://panel.example'), 'x'))).toBe('<http://panel.example/|x>')
  })

  test('link a message, its channel, and the panel where there is one', () => {
    const address = 'https://slack.com/app_redirect?team=T1&amp;channel=C1&amp;message_ts='
    expect(textOf(linkMessage({ team: 'T1', channel: 'C1', ts: '1.2' }, 'Open'))).toBe(`<${address}1.2|Open>`)
    expect(textOf(linkMessage({ team: 'T1', channel: 'C1' }, 'Open'))).toBe(`<${address}|Open>`)
    expect(openInPanel(undefined)).toEqual([])
    const panel = openInPanel(new URL('https://panel.example/7')).map((place) => textOf(place))
    expect(panel).toEqual(['<https://panel.example/7|Open in the panel>'])
  })

  test('show a moment in the reader zone with a fallback in UTC', () => {
    const date = new Date('2026-11-20T18:20:59Z')
    expect(textOf(dateTime(date))).toBe('<!date^1795198859^{date_short_pretty} {time}|2026-11-20 18:20 UTC>')
    expect(plainOf(dateTime(date))).toBe('2026-11-20 18:20 UTC')
  })

  test('show a date that is none in words', () => {
    expect(textOf(dateTime(new Date(Number.NaN)))).toBe('unknown time')
    expect(textOf(dateTime(new Date(-1)))).toBe('1969-12-31 23:59 UTC')
  })

  test('join with a separator', () => {
    expect(textOf(joinMd([md`*${'a'}*`, '<b>', undefined, 3], ', '))).toBe('*a*, &lt;b&gt;, , 3')
    expect(textOf(joinMd([], ', '))).toBe('')
  })

  test('show code on one line without a way out', () => {
    expect(textOf(code('a`b\nc <d>'))).toBe('`aˋb c &lt;d&gt;`')
    expect(textOf(code(''))).toBe('')
  })
})

describe('the plain form', () => {
  test('leaves our own pictures out, which stand beside words everywhere', () => {
    expect(plainOf(md`:white_check_mark: The ${':x:'} was :no_entry: *added* at 12:30:45`)).toBe(
      'The :x: was added at 12:30:45',
    )
  })

  test('loses markup and escapes but no character of a name', () => {
    expect(plainOf(md`*Zone* ${'*.a_b.net'} & \`x\` snake_case 5 * 3 ${code('_dmarc')}`)).toBe(
      'Zone *.a_b.net & x snake_case 5 * 3 _dmarc',
    )
  })
})

describe('cutting', () => {
  test('leaves a control sequence out whole', () => {
    expect(textOf(md`ab ${mention('U0123ABC')}`, 13)).toBe('ab …')
    expect(textOf(md`ab ${mention('U0123ABC')}`, 14)).toBe('ab <@U0123ABC>')
  })

  test('closes the code it cuts', () => {
    expect(textOf(code('abcdef'), 6)).toBe('`abc`…')
  })

  test('never exceeds the limit, splits an entity, splits a pair or leaves a hidden character', () => {
    fc.assert(
      fc.property(foreignText, foreignText, fc.integer({ min: 1, max: 200 }), (first, second, limit) => {
        const text: Mrkdwn = md`*a* ${first} & ${code(second)} ${mention('U0123ABC')}`
        const shown = textOf(text, limit)
        expect(shown.length).toBeLessThanOrEqual(limit)
        expect(shown.isWellFormed()).toBe(true)
        expect(shown.replace(/&(?:amp|lt|gt);/g, '')).not.toContain('&')
        expect(shown).not.toMatch(HIDDEN)
        expect(shown.match(CONTROL) ?? []).toSatisfy((found: readonly string[]) =>
          found.every((sequence) => sequence === '<@U0123ABC>'),
        )
      }),
    )
  })

  test('never lets foreign text add a backtick or a pair of delimiters', () => {
    fc.assert(
      fc.property(foreignText, (text) => {
        const shown = textOf(md`${text}`, Number.POSITIVE_INFINITY)
        expect(shown).not.toContain('`')
        // An opening delimiter, then a closing one of the same kind on the same line, with words between them.
        expect(shown).not.toMatch(/(?<![\p{L}\p{N}])([*_~])(?!\s)[^\n]*(?<!\s)\1(?![\p{L}\p{N}])/u)
      }),
    )
  })

  test('does a bounded amount of work for any text', () => {
    // One step per pair of characters would be 40 billion; a run through them is not felt.
    const started = performance.now()
    textOf(
      joinMd(
        Array.from({ length: 100 }, () => '>'.repeat(2_000)),
        '',
      ),
      Number.POSITIVE_INFINITY,
    )
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
