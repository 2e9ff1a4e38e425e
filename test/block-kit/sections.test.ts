import { describe, expect, test } from 'vitest'
import type { Block } from '../../src/block-kit/blocks.ts'
import { code, md } from '../../src/block-kit/mrkdwn.ts'
import {
  bullets,
  context,
  facts,
  header,
  preformatted,
  section,
  type RichTextBlock,
} from '../../src/block-kit/sections.ts'

const textIn = (block: Block): string => (block.type === 'section' ? (block.text?.text ?? '') : '')
const fieldsIn = (block: Block): readonly string[] =>
  block.type === 'section' ? (block.fields ?? []).map(({ text }) => text) : []
const boxIn = (block: RichTextBlock): string => block.elements[0]?.elements[0]?.text ?? ''

test('a header is plain text', () => {
  expect(header('<b>\n*x*')).toEqual({ type: 'header', text: { type: 'plain_text', text: '<b> *x*', emoji: false } })
})

test.each<readonly [what: string, Parameters<typeof section>[0], shown: string]>([
  ['mrkdwn without links of its own', md`*${'a'}*`, '*a*'],
  ['a string as foreign text', '<!here>', '&lt;!here&gt;'],
  ['at least a dash', '  \n', '–'],
  ['3,000 characters, escapes counted', md`${'<'.repeat(600)}${'<'.repeat(600)}`, `${'&lt;'.repeat(749)}…`],
])('a section shows %s, and never folds', (_, given, text) => {
  expect(section(given)).toEqual({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true }, expand: true })
})

describe('facts', () => {
  test('stand ten to a section, in their order, without the ones that have no value', () => {
    const rows = Array.from({ length: 12 }, (_, index) => [`L${index}`, index === 1 ? undefined : index] as const)
    const blocks = facts(rows)
    expect(blocks.map((block) => fieldsIn(block).length)).toEqual([10, 1])
    expect(fieldsIn(blocks[0]!)[1]).toBe('*L2*\n2')
    expect(blocks[1]).toEqual({ type: 'section', fields: [{ type: 'mrkdwn', text: '*L11*\n11', verbatim: true }] })
  })

  test('show an empty value as a dash and foreign names exactly', () => {
    expect(
      facts([
        ['A', ' '],
        ['B', '*.example.net'],
        ['C\nD', code('')],
      ]).flatMap(fieldsIn),
    ).toEqual(['*A*\n–', '*B*\n*.example.net', '*C D*\n–'])
  })

  test('give a long value a section of its own, between its neighbours', () => {
    const blocks = facts([
      ['A', 'x'.repeat(296)],
      ['B', 'x'.repeat(297)],
      ['C', 'c'],
    ])
    expect(blocks.map(fieldsIn)).toEqual([[`*A*\n${'x'.repeat(296)}`], [], ['*C*\nc']])
    expect(textIn(blocks[1]!)).toBe(`*B*\n${'x'.repeat(297)}`)
  })

  test('are no block at all when none has a value', () => {
    expect(facts([['A', undefined]])).toEqual([])
  })
})

test('small print has ten parts at most, none of them empty', () => {
  const shown = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })
  expect(context('', 'a')).toEqual({ type: 'context', elements: [shown('–'), shown('a')] })
  expect(context('0', ...Array.from({ length: 10 }, (_, index) => `${index + 1}`)).elements.at(-1)).toEqual(shown('9'))
})

describe('a preformatted box', () => {
  test('shows foreign text as structure, hidden characters spelled out', () => {
    expect(boxIn(preformatted('<!here> `x`\n\u202E'))).toBe('<!here> `x`\n\\u{202E}')
    expect(boxIn(preformatted(' \n'))).toBe('–')
    expect(boxIn(preformatted('x'.repeat(8_000)))).toBe('x'.repeat(8_000))
  })

  test('leaves out whole lines and says how many', () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index}`)
    const shown = boxIn(preformatted(lines.join('\n'))).split('\n')
    const kept = shown.slice(0, -1)
    expect(kept).toEqual(lines.slice(0, 896))
    expect(shown.at(-1)).toBe('… and 104 more lines')
  })

  test('cuts a single line that is too long between code points', () => {
    const shown = boxIn(preformatted(`x${'😀'.repeat(4_000)}`))
    expect(shown.isWellFormed()).toBe(true)
    expect(shown).toMatch(/^x(?:😀){3979}\n… and 1 more line$/u)
    expect(boxIn(preformatted(`\n${'x'.repeat(8_000)}`))).toBe(`\n${'x'.repeat(7_959)}\n… and 1 more line`)
  })
})

describe('bullets', () => {
  test('are lines of one section', () => {
    expect(textIn(bullets([md`*${'a'}*`, '<b>']))).toBe('• *a*\n• &lt;b&gt;')
  })

  test('are all there when they fit', () => {
    const items = Array.from({ length: 26 }, () => 'x'.repeat(109))
    expect(textIn(bullets([...items, 'x'.repeat(86)])).length).toBe(3_000)
    expect(textIn(bullets([...items, 'x'.repeat(87)]))).toMatch(/\nand 1 more$/)
  })

  test('count the items that do not fit', () => {
    // With a dot, a space and a line end twenty of them fill what the last line leaves.
    const items = Array.from({ length: 50 }, () => 'x'.repeat(146))
    expect(textIn(bullets(items)).split('\n').slice(19)).toEqual([`• ${items[0]}`, 'and 30 more'])
  })

  test('cut a first item that is too long by itself, rather than leave it out', () => {
    const long = md`${'x'.repeat(1_900)}${'y'.repeat(1_900)}`
    expect(textIn(bullets([long, 'b']))).toBe(`• ${'x'.repeat(1_900)}${'y'.repeat(1_097)}…`)
  })
})
