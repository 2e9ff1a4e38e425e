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
import { cpuOf } from '../support/cpu-spent.ts'

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

  test.each(['_dmarc.example.net', '*.example.net', 'snake_case_name', '2*3*4', '_a and _b', '5 * 3 * 2', '(*)'])(
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
})

const PANEL = new URL('https://panel.example/')
const DATE = new Date('2026-11-20T18:20:59Z')

const SHOWN: readonly (readonly [what: string, text: Mrkdwn, shown: string, plain?: string])[] = [
  ['a picture of two parts', md`${':fi'}${'re:'} ${':fire'}: :${'fire'}:`, '∶fire: ∶fire: ∶fire:'],
  ['a picture that ends in foreign text', md`:fire${':'} :fir${'e'}:`, '∶fire: ∶fire:'],
  ['pictures of ours', md`:warning: *${':x:'}* :${code(':x:')}: ${':x'}`, ':warning: *∶x:* :`:x:`: :x'],
  ['a picture in a link', link(PANEL, ':x:'), '<https://panel.example/|∶x:>', ':x: (https://panel.example/)'],
  ['a delimiter beside ours', md`*Zone* ${'*.example.net'}`, '*Zone* ∗.example.net'],
  ['one that would join ours', md`_${'a_'} b_`, '_a＿ b_'],
  ['one on a line of its own', md`*Zone*\n${'*.example.net'}`, '*Zone*\n*.example.net'],
  ['one that would pair with another insertion', md`${'*a'} and ${'b*'}`, '*a and b∗'],
  ['numbers, and nothing', md`${1.5} ${9_007_199_254_740_993n}${undefined}`, '1.5 9007199254740993'],
  ['what is written', md`*a* <!channel> & ${1}`, '*a* &lt;!channel&gt; &amp; 1'],
  ['code', code('a`b\nc <d>'), '`aˋb c &lt;d&gt;`'],
  ['no code', code(''), ''],
  ['parts', joinMd([md`*${'a'}*`, '<b>', undefined, false, 3], ', '), '*a*, &lt;b&gt;, 3'],
  ['no parts', joinMd([], ', '), ''],
  [
    'a moment',
    dateTime(DATE),
    '<!date^1795198859^{date_short_pretty} {time}|2026-11-20 18:20 UTC>',
    '2026-11-20 18:20 UTC',
  ],
  ['no moment', dateTime(new Date(Number.NaN)), 'unknown time'],
  ['the first', dateTime(new Date(0)), '<!date^0^{date_short_pretty} {time}|1970-01-01 00:00 UTC>'],
  ['a moment before Slack’s', dateTime(new Date(-1)), '1969-12-31 23:59 UTC'],
  ['somebody', mention('W12'), '<@W12>', 'somebody'],
  ['somebody or a group', mentionEither('U12'), '<@U12>', 'somebody'],
  ['a group', mentionGroup('S0OPS'), '<!subteam^S0OPS>', 'a group'],
  ['a group or somebody', mentionEither('S12'), '<!subteam^S12>', 'a group'],
  ['a channel', mentionChannel('C0OPS'), '<#C0OPS>', 'a channel'],
  ['a private channel', mentionChannel('G12'), '<#G12>', 'a channel'],
  ['ids that are none', md`${mention('u12')} ${mentionGroup('s0')} ${mentionChannel('c0')}`, '`u12` `s0` `c0`'],
  [
    'a picture of ours, and words with colons',
    md`:white_check_mark: The ${':x:'} was :no_entry: *added* at 12:30:45`,
    ':white_check_mark: The ∶x: was :no_entry: *added* at 12:30:45',
    'The :x: was added at 12:30:45',
  ],
  [
    'names with delimiters',
    md`*Zone* ${'*.a_b.net'} & \`x\` snake_case 5 * 3 ${code('_dmarc')}`,
    '*Zone* ∗.a_b.net &amp; `x` snake_case 5 * 3 `_dmarc`',
    'Zone *.a_b.net & x snake_case 5 * 3 _dmarc',
  ],
]
const shownCases = SHOWN.map(([what, text, shown, plain]) => ({ what, text, shown, plain }))

test.each(shownCases)('markup says what stands in it, and nothing else: $what', ({ text, shown, plain }) => {
  expect(textOf(text)).toBe(shown)
  if (plain !== undefined) expect(plainOf(text)).toBe(plain)
})

test.each<readonly [text: Mrkdwn, limit: number, shown: string]>([
  [md`${'&'.repeat(2_001)}`, Number.POSITIVE_INFINITY, `${'&amp;'.repeat(1_999)}…`],
  [md`ab ${mention('U0123ABC')}`, 13, 'ab …'],
  [md`ab ${mention('U0123ABC')}`, 14, 'ab <@U0123ABC>'],
  [md`ab ${mention('U0123ABC')} more`, 15, 'ab <@U0123ABC>…'],
  [code('abcdef'), 6, '`abc`…'],
  [code('abcdef'), 3, '…'],
  [md`a${'<<'}`, 8, 'a&lt;…'],
])('%j is cut at %d: no control sequence, code or entity is split', (text, limit, shown) => {
  expect(textOf(text, limit)).toBe(shown)
})

describe('trusted parts', () => {
  test('mention people by valid ids only', () => {
    for (const id of ['u123', 'U1', 'U123>', 'B123', `U${'1'.repeat(21)}`])
      expect(textOf(mention(id))).not.toMatch(CONTROL)
  })

  test('mention groups and channels by valid ids only', () => {
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
    for (const address of ['javascript:alert(1)', 'xhttps://panel.example', 'httpsx://panel.example'])
      expect(() => link(new URL(address), 'x')).toThrow('A link must be http or https, not')
    for (const user of ['a:b', 'a', ':b'])
      expect(() => link(new URL(`https://${user}@panel.example`), 'x')).toThrow('credentials')
    expect(textOf(link(new URL('http://panel.example'), 'x'))).toBe('<http://panel.example/|x>')
  })

  test('link a message, its channel, and the panel where there is one', () => {
    const address = 'https://slack.com/app_redirect?team=T1&amp;channel=C1'
    expect(textOf(linkMessage({ team: 'T1', channel: 'C1', ts: '1.2' }, 'Open'))).toBe(
      `<${address}&amp;message_ts=1.2|Open>`,
    )
    expect(textOf(linkMessage({ team: 'T1', channel: 'C1' }, 'Open'))).toBe(`<${address}|Open>`)
    expect(openInPanel(undefined)).toEqual([])
    const panel = openInPanel(new URL('https://panel.example/7')).map((place) => textOf(place))
    expect(panel).toEqual(['<https://panel.example/7|Open in the panel>'])
  })
})

describe('cutting', () => {
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
    const parts = Array.from({ length: 100 }, () => '>'.repeat(2_000))
    expect(cpuOf(() => textOf(joinMd(parts, ''), Number.POSITIVE_INFINITY))).toBeLessThan(2_000)
  })
})
