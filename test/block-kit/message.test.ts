import { describe, expect, test } from 'vitest'
import type { Block } from '../../src/block-kit/blocks.ts'
import { actions, button } from '../../src/block-kit/buttons.ts'
import { lineChart } from '../../src/block-kit/chart.ts'
import * as messages from '../../src/block-kit/message.ts'
import { md } from '../../src/block-kit/mrkdwn.ts'
import { bullets, context, divider, facts, header, preformatted, section } from '../../src/block-kit/sections.ts'
import { fitTable, type DataTableBlock } from '../../src/block-kit/table.ts'
import { messageProblems } from '../support/slack-rules.ts'

const { message, formWith, withBlocks, withFooter } = messages
const days = {
  caption: 'Days',
  columns: [
    { title: 'Day', kind: 'text' },
    { title: 'Used', kind: 'number' },
  ],
  rows: [
    ['a', 1],
    ['b', 2],
  ],
} as const
const table = fitTable(days).block
const buttons = actions('row', [button({ actionId: 'go', text: 'Go' })])
const typesOf = (blocks: readonly Block[] | undefined): readonly string[] => (blocks ?? []).map(({ type }) => type)
const unfit = (parts: string) => context(`${parts} of this message did not fit.`)
const letters = (count: number): Block => preformatted('x'.repeat(count))
const cells = (caption: string, text: string): DataTableBlock => ({
  type: 'data_table',
  caption,
  rows: [[{ type: 'raw_text', text }]],
})

function chart(title: string) {
  const drawn = lineChart({
    title,
    xLabel: 'Day',
    yLabel: 'GB',
    series: [{ name: 'Used', points: [{ label: 'Nov 1', value: 5 }] }],
  })
  if (drawn === undefined) throw new TypeError('Nothing drawn')
  return drawn
}

test.each([
  ['<!here> & \u202E', '&lt;!here&gt; &amp; \\u{202E}'],
  [' \n', '–'],
  ['x'.repeat(4_000), 'x'.repeat(4_000)],
  ['x'.repeat(4_001), `${'x'.repeat(3_996)}…`],
  ['&'.repeat(5_000), `${'&amp;'.repeat(799)}…`],
  ['ö'.repeat(2_500), `${'ö'.repeat(1_997)}…`],
  ['ö'.repeat(5_000), `${'ö'.repeat(1_997)}…`],
  ['😀'.repeat(5_000), `${'😀'.repeat(999)}…`],
  [`${'x'.repeat(3_000)}${'&'.repeat(2_000)}`, `${'x'.repeat(3_000)}${'&amp;'.repeat(199)}…`],
])('the text twin is escaped, visible, never empty and at most 4,000 bytes: %.9s', (given, text) => {
  expect(message({ text: given, blocks: [] }).text).toBe(text)
})

describe('blocks', () => {
  test('above 50 are left out from the end, and the last one says how many', () => {
    const blocks = (count: number) => message({ text: 'x', blocks: Array.from({ length: count }, divider) }).blocks
    expect(blocks(50)).toEqual(Array.from({ length: 50 }, divider))
    expect(blocks(60)).toEqual([...Array.from({ length: 49 }, divider), unfit('11 more parts')])
  })

  test('above 10,000 characters lose their text, never their buttons', () => {
    const long = section('x'.repeat(2_500).slice(0, 2_000))
    const built = message({ text: 'x', blocks: [...Array.from({ length: 6 }, () => long), buttons] })
    expect(built.blocks).toEqual([long, long, long, long, buttons, unfit('2 more parts')])
    expect(messageProblems(built)).toEqual([])
  })

  const drawn = JSON.stringify(chart('Used')).length
  test.each<readonly [what: string, fitting: readonly Block[], more: readonly Block[], left: readonly number[]]>([
    ['words', [letters(4_000), letters(6_000)], [letters(4_000), letters(6_001)], [0]],
    [
      'a part that others make room for',
      [letters(8_000), letters(2_000)],
      [letters(8_000), letters(1_900), divider(), letters(101)],
      [0, 1, 2],
    ],
    [
      'charts',
      [letters(8_000), letters(2_000 - drawn), chart('Used')],
      [letters(8_000), letters(2_001 - drawn), chart('Used')],
      [0, 1],
    ],
    [
      'tables, apart from words',
      [letters(8_000), cells('c', 'x'.repeat(4_000)), cells('d', 'x'.repeat(5_998))],
      [letters(8_000), cells('cc', 'x'.repeat(4_000)), cells('d', 'x'.repeat(5_998))],
      [0, 1],
    ],
  ])('take 10,000 characters: %s', (_, fitting, more, left) => {
    expect(message({ text: 'x', blocks: fitting }).blocks).toEqual(fitting)
    expect(message({ text: 'x', blocks: more }).blocks).toEqual([...left.map((at) => more[at]), unfit('1 more part')])
  })

  test('hold two charts; a third is left out', () => {
    const { blocks } = message({ text: 'x', blocks: [chart('One'), chart('Two'), chart('Three')] })
    expect(blocks).toEqual([chart('One'), chart('Two'), unfit('1 more part')])
  })
})

describe('the plain form', () => {
  test('exists only where something is drawn', () => {
    const words = message({ text: 'x', blocks: [section('a')] })
    expect(formWith(words, [])).toEqual(words.blocks)
  })

  test('has tables as text and charts as numbers, the rest as it is', () => {
    expect(formWith(message({ text: 'x', blocks: [section('a'), table, chart('Used')] }), [])).toEqual([
      section('a'),
      section(md`*Days*`),
      preformatted('Day  Used\na       1\nb       2'),
      section(md`*Used*\nUsed: Nov 1 5`),
    ])
  })

  test('of charts leaves tables, and the other way round', () => {
    const both = message({ text: 'x', blocks: [table, chart('Used')] })
    expect(typesOf(formWith(both, ['table']))).toEqual(['data_table', 'section'])
    expect(typesOf(formWith(both, ['chart']))).toEqual(['section', 'rich_text', 'data_visualization'])
    expect(formWith(both, ['chart', 'table'])).toBe(both.blocks)
    expect(messages.drawingsIn(both)).toEqual(['chart', 'table'])
    expect(messages.drawingsIn(message({ text: 'x', blocks: [table, divider()] }))).toEqual(['table'])
  })
})

describe('withBlocks', () => {
  test('makes room for the buttons of a full message', () => {
    const full = message({ text: 'x', blocks: [letters(8_000), section('x'.repeat(1_999))] })
    const built = withBlocks(full, buttons)
    expect(built).toEqual({ text: 'x', blocks: [letters(8_000), buttons, unfit('1 more part')] })
    expect(messageProblems(built)).toEqual([])
  })
})

describe('a last line', () => {
  const footer = md`*The* end`
  const last = context(footer)

  test('stands below all that fits beside it, and is read as well', () => {
    const form = { text: 'x', blocks: [section('a')], thread_ts: '1' }
    expect(withFooter(form, footer)).toEqual({ ...form, text: 'x\nThe end', blocks: [section('a'), last] })
    const full = { text: 'x', blocks: Array.from({ length: 50 }, divider) }
    expect(withFooter(full, footer).blocks).toEqual([...full.blocks.slice(1), last])
    const long = { text: 'x', blocks: [letters(8_000), letters(1_992), letters(1)] }
    expect(withFooter(long, footer).blocks).toEqual([letters(8_000), letters(1), last])
  })

  test('is no block where there are none, and not read where there is no room', () => {
    expect(withFooter({ text: 'x'.repeat(3_992) }, footer)).toEqual({ text: `${'x'.repeat(3_992)}\nThe end` })
    const long = { text: 'x'.repeat(3_993), blocks: [] }
    expect(withFooter(long, footer)).toEqual({ ...long, blocks: [last] })
  })
})

describe('a message of parts', () => {
  const { chartPart, factList, heading, messageOf, paragraphs, readLast, smallPrint, tablePart, titledList } = messages

  test('has all their blocks, and their lines for a notification and a screen reader', () => {
    const rows = [
      ['A', 'a'],
      ['B', md`*b*`],
    ] as const
    const parts = [
      heading('<Days>'),
      paragraphs(md`*One*`, false, md`two`),
      readLast(chartPart(chart('Used'))),
      titledList('Names', [md`_x_`, md`y`]),
      titledList('Nothing', []),
      chartPart(undefined),
      factList(rows),
      smallPrint(false, md`*small*`, md`print`),
    ]
    expect(messageOf(...parts)).toEqual({
      text: '&lt;Days&gt;\nOne\ntwo\nNames:\n- x\n- y\nA: a\nB: b\nsmall\nprint\nUsed: Nov 1 5',
      blocks: [
        header('<Days>'),
        section(md`*One*`),
        section('two'),
        chart('Used'),
        section(md`*Names*`),
        bullets([md`_x_`, 'y']),
        ...facts(rows),
        context(md`*small*`),
        context('print'),
      ],
    })
  })

  test('says of a table the rows that are asked for, and how many it holds', () => {
    expect(tablePart(days, 1)).toEqual({ blocks: [table], lines: ['Day a, Used 1\nand 1 more'], kept: 2, total: 2 })
  })

  test('of words alone has paragraphs, a list and small print', () => {
    expect(messages.wordsMessage([md`*a*`, md`b`], { list: [md`*c*`], small: [md`d`] })).toEqual({
      text: 'a\nb\nc\nd',
      blocks: [section(md`*a*`), section('b'), bullets([md`*c*`]), context('d')],
    })
    expect(messages.wordsMessage([md`a`])).toEqual({ text: 'a', blocks: [section('a')] })
  })
})
