import { describe, expect, test } from 'vitest'
import type { Block, ContextBlock, DataTableBlock, SectionBlock, TableCell } from '../../src/block-kit/blocks.ts'
import type { Button, MrkdwnText, PlainText } from '../../src/block-kit/elements.ts'
import { messageProblems } from '../../src/block-kit/validator.ts'

/*
 * Messages written by hand, around the builders: each limit holds at its value and is broken one beyond.
 */

const plain = (text: string): PlainText => ({ type: 'plain_text', text, emoji: false })
const mrkdwn = (text: string): MrkdwnText => ({ type: 'mrkdwn', text, verbatim: true })
const x = (length: number): string => 'x'.repeat(length)
const list = <T>(length: number, entry: (index: number) => T): readonly T[] =>
  Array.from({ length }, (_, index) => entry(index))

const section = (length: number): SectionBlock => ({ type: 'section', text: mrkdwn(x(length)) })
const context = (elements: number): ContextBlock => ({ type: 'context', elements: list(elements, () => mrkdwn('x')) })
const button = (part: Partial<Button>): Button => ({ type: 'button', action_id: 'a', text: plain('x'), ...part })
const row = (...elements: readonly Button[]): Block => ({ type: 'actions', elements })
const cell = (length: number): TableCell => ({ type: 'raw_text', text: x(length) })
const table = (rows: DataTableBlock['rows'], part: Partial<DataTableBlock> = {}): DataTableBlock => ({
  type: 'data_table',
  caption: 'c',
  rows,
  ...part,
})
const confirm = { title: plain('x'), text: plain('x'), confirm: plain('x'), deny: plain('x') }

interface ChartSize {
  readonly title?: number
  readonly series?: number
  readonly points?: number
  readonly label?: number
  readonly name?: number
  readonly axis?: number
}

function chart({ title = 1, series = 1, points = 1, label = 2, name = 2, axis = 1 }: ChartSize): Block {
  const categories = list(points, (index) => String(index).padStart(label, '0'))
  return {
    type: 'data_visualization',
    title: x(title),
    chart: {
      type: 'line',
      series: list(series, (index) => ({
        name: String(index).padStart(name, '0'),
        data: categories.map((category) => ({ label: category, value: 1 })),
      })),
      axis_config: { categories, x_label: x(axis), y_label: x(axis) },
    },
  }
}

type Case = readonly [name: string, limit: number, build: (size: number) => readonly Block[]]

const CASES: readonly Case[] = [
  ['blocks', 50, (size) => list(size, () => ({ type: 'divider' }))],
  ['block_id', 255, (size) => [{ type: 'divider', block_id: x(size) }]],
  ['section text', 3_000, (size) => [section(size)]],
  ['section fields', 10, (size) => [{ type: 'section', fields: list(size, () => mrkdwn('x')) }]],
  ['section field', 2_000, (size) => [{ type: 'section', fields: [mrkdwn(x(size))] }]],
  ['header', 150, (size) => [{ type: 'header', text: plain(x(size)) }]],
  ['context elements', 10, (size) => [context(size)]],
  ['actions', 25, (size) => [row(...list(size, (index) => button({ action_id: `a${index}` })))]],
  ['action_id', 255, (size) => [row(button({ action_id: x(size) }))]],
  ['button text', 75, (size) => [row(button({ text: plain(x(size)) }))]],
  ['button value', 2_000, (size) => [row(button({ value: x(size) }))]],
  ['button url', 3_000, (size) => [row(button({ url: x(size) }))]],
  ['accessibility label', 75, (size) => [row(button({ accessibility_label: x(size) }))]],
  ['confirm title', 100, (size) => [row(button({ confirm: { ...confirm, title: plain(x(size)) } }))]],
  ['confirm text', 300, (size) => [row(button({ confirm: { ...confirm, text: plain(x(size)) } }))]],
  ['confirm confirm', 30, (size) => [row(button({ confirm: { ...confirm, confirm: plain(x(size)) } }))]],
  ['confirm deny', 30, (size) => [row(button({ confirm: { ...confirm, deny: plain(x(size)) } }))]],
  ['text of a message', 10_000, (size) => [section(3_000), section(3_000), section(3_000), section(size - 9_000)]],
  ['table rows with header', 201, (size) => [table(list(size, () => [cell(1)]))]],
  ['table columns', 20, (size) => [table(list(2, () => list(size, () => cell(1))))]],
  ['table characters', 20_000, (size) => [table([[cell(1)], [cell(size - 2)]])]],
  [
    'characters of all tables',
    20_000,
    (size) => [table([[cell(1)], [cell(9_998)]]), table([[cell(1)], [cell(size - 10_002)]])],
  ],
  ['table page', 100, (size) => [table([[cell(1)], [cell(1)]], { page_size: size })]],
  ['table caption', 150, (size) => [table([[cell(1)], [cell(1)]], { caption: x(size) })]],
  ['charts', 2, (size) => list(size, () => chart({}))],
  ['chart title', 50, (size) => [chart({ title: size })]],
  ['chart series', 12, (size) => [chart({ series: size })]],
  ['chart points', 20, (size) => [chart({ points: size })]],
  ['chart label', 20, (size) => [chart({ label: size })]],
  ['series name', 20, (size) => [chart({ name: size })]],
  ['axis label', 50, (size) => [chart({ axis: size })]],
]

describe('a message at each limit', () => {
  test.each(CASES)('%s: %d pass, one more does not', (_name, limit, build) => {
    expect(messageProblems({ text: 'x', blocks: build(limit) })).toEqual([])
    expect(messageProblems({ text: 'x', blocks: build(limit + 1) })).not.toEqual([])
  })

  test('has a text of at most 4,000 bytes', () => {
    expect(messageProblems({ text: 'ö'.repeat(2_000), blocks: [] })).toEqual([])
    expect(messageProblems({ text: 'ö'.repeat(2_001), blocks: [] })).toEqual([
      { pointer: '/text', sentence: 'Must have at most 4000 bytes.' },
    ])
  })
})

const BROKEN: readonly (readonly [rule: string, pointer: string, blocks: readonly Block[]])[] = [
  ['empty text', '/blocks/0/text/text', [{ type: 'section', text: mrkdwn(' ') }]],
  ['a section of nothing', '/blocks/0', [{ type: 'section' }]],
  ['no fields', '/blocks/0/fields', [{ type: 'section', fields: [] }]],
  ['no elements', '/blocks/0/elements', [context(0)]],
  ['equal block ids', '/blocks', list(2, () => ({ type: 'divider', block_id: 'a' }))],
  ['equal action ids', '/blocks/0/elements', [row(button({}), button({}))]],
  ['a table without rows', '/blocks/0/rows', [table([[cell(1)]])]],
  ['rows of different length', '/blocks/0/rows/1', [table([[cell(1), cell(1)], [cell(1)]])]],
  ['an empty cell', '/blocks/0/rows/1/0/text', [table([[cell(1)], [cell(0)]])]],
  [
    'a cell that is no number',
    '/blocks/0/rows/1/0/value',
    [table([[cell(1)], [{ type: 'raw_number', value: Number.NaN, text: 'x' }]])],
  ],
  ['a hidden character', '/blocks/0/text/text', [{ type: 'section', text: mrkdwn('a\u202Eb') }]],
  ['half a surrogate pair', '/blocks/0/text/text', [{ type: 'section', text: mrkdwn('a\uD83D') }]],
]

describe('a message is refused', () => {
  test.each(BROKEN)('for %s, saying where', (_rule, pointer, blocks) => {
    expect(messageProblems({ text: 'x', blocks }).map((problem) => problem.pointer)).toContain(pointer)
  })

  test('without a text', () => {
    expect(messageProblems({ text: '', blocks: [section(1)] })).toEqual([
      { pointer: '/text', sentence: 'Must not be empty.' },
    ])
  })

  test('for its plain form as well', () => {
    expect(messageProblems({ text: 'x', blocks: [section(1)], plain: [section(3_001)] })).toEqual([
      { pointer: '/plain/blocks/0/text/text', sentence: 'Must have at most 3000 characters, not 3001.' },
    ])
  })

  test('for a chart that says a name or a label twice', () => {
    const drawn = chart({ points: 1 })
    if (drawn.type !== 'data_visualization') throw new TypeError('No chart')
    const point = { label: 'a', value: 1 }
    const series = { name: 'x', data: [point, point] }
    const twice = { type: 'line', series: [series, series], axis_config: { categories: ['a', 'a'] } } as const
    expect(messageProblems({ text: 'x', blocks: [{ ...drawn, chart: twice }] })).toEqual([
      { pointer: '/blocks/0/chart/axis_config/categories', sentence: 'Must not hold a label twice.' },
      { pointer: '/blocks/0/chart/series', sentence: 'Must not hold a name twice.' },
    ])
  })

  test('for a chart whose points do not match its categories', () => {
    const drawn = chart({ points: 2 })
    if (drawn.type !== 'data_visualization') throw new TypeError('No chart')
    const [series] = drawn.chart.series
    const turned = { name: 'x', data: [...(series?.data ?? [])].reverse() }
    const blocks: readonly Block[] = [{ ...drawn, chart: { ...drawn.chart, series: [turned] } }]
    expect(messageProblems({ text: 'x', blocks })).toEqual([
      {
        pointer: '/blocks/0/chart/series/0/data',
        sentence: 'Must have exactly one point for each category, in their order.',
      },
    ])
  })
})
