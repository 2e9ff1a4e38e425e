import type { Block } from '../../src/block-kit/blocks.ts'
import { md } from '../../src/block-kit/mrkdwn.ts'
import { section, type RichTextBlock } from '../../src/block-kit/sections.ts'
import { describe, expect, test } from 'vitest'
import {
  fitTable,
  tableBox,
  tableOf as fromColumns,
  tableText,
  type Table,
  type DataTableBlock,
  type TableCell,
} from '../../src/block-kit/table.ts'

const COLUMNS = [
  { title: 'Day', kind: 'text' },
  { title: 'Used', kind: 'number' },
] as const

function tableOf(rows: Table['rows']): Table {
  return { caption: 'Storage by day', columns: COLUMNS, rows }
}

function drawn(block: Block): DataTableBlock {
  if (block.type !== 'data_table') throw new TypeError(`A ${block.type} is no data table`)
  return block
}

describe('a data table', () => {
  test('has a header, no empty cell, and numbers only where they are exact', () => {
    const rows = [
      ['a', 5n],
      ['', undefined],
      ['big', 2n ** 53n],
      ['half', 0.5],
      [7, 'seven'],
      ['far', Number.POSITIVE_INFINITY],
    ]
    expect(drawn(fitTable({ ...tableOf(rows), pageSize: 500 }).block)).toEqual({
      type: 'data_table',
      caption: 'Storage by day',
      page_size: 100,
      rows: [
        [text('Day'), text('Used')],
        [text('a'), { type: 'raw_number', value: 5, text: '5' }],
        [text('–'), text('–')],
        [text('big'), text('9,007,199,254,740,992')],
        [text('half'), { type: 'raw_number', value: 0.5, text: '0.5' }],
        [text('7'), text('seven')],
        [text('far'), text('unknown')],
      ],
    })
  })

  test('keeps the first 100 rows and tells how many', () => {
    const fitted = fitTable(tableOf(Array.from({ length: 250 }, (_, index) => [`d${index}`, index])))
    expect(fitted).toMatchObject({ kept: 100, total: 250 })
    expect(drawn(fitted.block).rows.at(-1)?.[0]).toEqual(text('d99'))
  })

  test.each([
    [379, 25],
    [380, 24],
  ])('keeps as many rows as 10,000 characters hold: with a last one of %d, %d', (last, kept) => {
    // Caption and header take 21 characters, as the other rows take 400 each.
    const rows = Array.from({ length: 24 }, () => ['x'.repeat(399), 1])
    expect(fitTable(tableOf([...rows, ['x'.repeat(last - 1), 1]])).kept).toBe(kept)
  })

  test('shows at least one row at once, and as many as Slack wants where nothing is said', () => {
    expect(drawn(fitTable({ ...tableOf([['a', 1]]), pageSize: 0 }).block).page_size).toBe(1)
    expect(drawn(fitTable(tableOf([['a', 1]])).block)).not.toHaveProperty('page_size')
  })

  test('without rows or columns is a sentence', () => {
    const block = section(md`*Storage by day*\nNo rows.`)
    expect(fitTable(tableOf([]))).toEqual({ kept: 0, total: 0, block })
    expect(fitTable({ caption: 'Storage by day', columns: [], rows: [['a']] })).toEqual({ kept: 0, total: 1, block })
  })
})

test('a table is made of columns that each say what they show of a row', () => {
  const columns = [
    ['Day', ({ day }: { readonly day: string; readonly used: number }) => day],
    ['Used', ({ used }: { readonly used: number }) => used, 'number'],
  ] as const
  const rows = [['a', 5]]
  expect(fromColumns('Days', columns, [{ day: 'a', used: 5 }], 7)).toEqual({
    caption: 'Days',
    columns: COLUMNS,
    rows,
    pageSize: 7,
  })
})

const cell = (text: string, value?: number): TableCell =>
  value === undefined ? { type: 'raw_text', text } : { type: 'raw_number', value, text }

describe('a table as fixed-width text', () => {
  test('aligns words left, numbers right, and cuts wide cells', () => {
    const box = boxOf(
      tableBox({
        type: 'data_table',
        caption: 'Files',
        rows: [
          [cell('Name'), cell('Files')],
          [cell('a'), cell('12,000', 12_000)],
          [cell('b'), cell('–')],
          [cell('w'.repeat(41)), cell('5', 5)],
        ],
      }),
    )
    expect(box.split('\n')).toEqual([
      `Name${' '.repeat(39)}Files`,
      `a${' '.repeat(41)}12,000`,
      `b${' '.repeat(46)}–`,
      `${'w'.repeat(39)}…${' '.repeat(7)}5`,
    ])
  })

  // Lines of 34 letters and a line end: a hundred of them are one character less than a box takes of a table.
  const boxed = (rows: number, last: number): readonly string[] => {
    const texts = [...Array.from({ length: rows }, () => 'x'.repeat(34)), 'x'.repeat(last)]
    const box = tableBox({ type: 'data_table', caption: 'Days', rows: texts.map((each) => [cell(each)]) })
    return boxOf(box).split('\n')
  }

  test('counts the rows that do not fit', () => {
    expect(boxed(99, 35).slice(98)).toEqual(['x'.repeat(34), 'x'.repeat(35)])
    expect(boxed(99, 36).slice(97)).toEqual(['x'.repeat(34), '… and 2 more lines'])
    expect(boxed(199, 34).slice(97)).toEqual(['x'.repeat(34), '… and 102 more lines'])
  })
})

test('a table in words says its first rows, five unless more are asked for, and counts the others', () => {
  const rows = [['a', 1_000], ['b', undefined], ...Array.from({ length: 1_004 }, () => ['c', 3])]
  const said = tableText(tableOf(rows), 2)
  expect(said).toBe('Day a, Used 1,000\nDay b, Used –\nand 1,004 more')
  expect(tableText(tableOf(rows)).split('\n').slice(4)).toEqual(['Day c, Used 3', 'and 1,001 more'])
  expect(tableText(tableOf(rows.slice(0, 1)))).toBe('Day a, Used 1,000')
})

function text(value: string): { type: 'raw_text'; text: string } {
  return { type: 'raw_text', text: value }
}

function boxOf({ elements }: RichTextBlock): string {
  return elements[0]?.elements[0]?.text ?? ''
}
