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

test('a header is plain text and cut at 150 characters', () => {
  expect(header('<b>\n*x*')).toEqual({ type: 'header', text: { type: 'plain_text', text: '<b> *x*', emoji: false } })
  expect(header('x'.repeat(151))).toMatchObject({ text: { text: `${'x'.repeat(149)}…` } })
})

describe('a section', () => {
  test('shows mrkdwn without links of its own and never folds', () => {
    expect(section(md`*${'a'}*`)).toEqual({
      type: 'section',
      text: { type: 'mrkdwn', text: '*a*', verbatim: true },
      expand: true,
    })
  })

  test('takes a string as foreign text', () => {
    expect(textIn(section('<!here>'))).toBe('&lt;!here&gt;')
  })

  test('is never empty', () => {
    expect(textIn(section('  \n'))).toBe('–')
  })

  test('is cut at 3,000 characters, escapes counted', () => {
    const parts = md`${'<'.repeat(600)}${'<'.repeat(600)}`
    expect(textIn(section(parts))).toBe(`${'&lt;'.repeat(749)}…`)
  })
})

describe('facts', () => {
  test('stand ten to a section, in their order, without the ones that have no value', () => {
    const rows = Array.from({ length: 12 }, (_, index) => [`L${index}`, index === 1 ? undefined : index] as const)
    const blocks = facts(rows)
    expect(blocks.map((block) => fieldsIn(block).length)).toEqual([10, 1])
    expect(fieldsIn(blocks[0]!)[1]).toBe('*L2*\n2')
    expect(fieldsIn(blocks[1]!)).toEqual(['*L11*\n11'])
  })

  test('show an empty value as a dash and foreign names exactly', () => {
    expect(
      facts([
        ['A', ''],
        ['B', '*.example.net'],
        ['C', code('')],
      ]).flatMap(fieldsIn),
    ).toEqual(['*A*\n–', '*B*\n*.example.net', '*C*\n–'])
  })

  test('give a long value a section of its own, between its neighbours', () => {
    const blocks = facts([
      ['A', 'a'],
      ['Long', 'x'.repeat(400)],
      ['B', 'b'],
    ])
    expect(blocks.map(fieldsIn)).toEqual([['*A*\na'], [], ['*B*\nb']])
    expect(textIn(blocks[1]!)).toBe(`*Long*\n${'x'.repeat(400)}`)
  })

  test('are no block at all when none has a value', () => {
    expect(facts([['A', undefined]])).toEqual([])
  })
})

describe('context', () => {
  test('counts the parts that do not fit', () => {
    const parts = (length: number): string[] => Array.from({ length }, (_, index) => `p${index}`)
    expect(context(...parts(10))).toMatchObject({ elements: { length: 10, 9: { text: 'p9' } } })
    expect(context(...parts(12))).toMatchObject({ elements: { length: 10, 9: { text: 'and 3 more' } } })
  })
})

describe('a preformatted box', () => {
  test('shows foreign text as structure, hidden characters spelled out', () => {
    expect(boxIn(preformatted('<!here> `x`\n\u202E'))).toBe('<!here> `x`\n\\u{202E}')
  })

  test('leaves out whole lines and says how many', () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index}`)
    const shown = boxIn(preformatted(lines.join('\n'))).split('\n')
    const kept = shown.slice(0, -1)
    expect(kept).toEqual(lines.slice(0, kept.length))
    expect(kept.length).toBeGreaterThan(10)
    expect(shown.at(-1)).toBe(`… and ${1_000 - kept.length} more lines`)
    expect(shown.join('\n').length).toBeLessThanOrEqual(8_000)
  })

  test('cuts a single line that is too long between code points', () => {
    const shown = boxIn(preformatted(`x${'😀'.repeat(4_000)}`))
    expect(shown.isWellFormed()).toBe(true)
    expect(shown).toMatch(/^x(?:😀){3979}\n… and 1 more line$/u)
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
    const text = textIn(bullets(Array.from({ length: 50 }, () => 'x'.repeat(100))))
    expect(text.split('\n').length).toBe(29)
    expect(text).toMatch(/\nand 22 more$/)
  })
})
