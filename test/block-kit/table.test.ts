import type { Block } from '../../src/block-kit/blocks.ts'
import type { RichTextBlock } from '../../src/block-kit/sections.ts'
import { describe, expect, test } from 'vitest'
import {
  fitTable,
  tableBox,
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
      ],
    })
  })

  test('keeps the first 100 rows and tells how many', () => {
    const fitted = fitTable(tableOf(Array.from({ length: 250 }, (_, index) => [`d${index}`, index])))
    expect(fitted).toMatchObject({ kept: 100, total: 250 })
    expect(drawn(fitted.block).rows.at(-1)?.[0]).toEqual(text('d99'))
  })

  test('keeps as many rows as 10,000 characters hold', () => {
    const fitted = fitTable(tableOf(Array.from({ length: 100 }, () => ['x'.repeat(399), 1])))
    expect(fitted.kept).toBe(24)
    expect(
      JSON.stringify(drawn(fitted.block).rows.map((row) => row.map((cell) => cell.text).join(''))).length,
    ).toBeLessThan(10_200)
  })

  test('without rows is a sentence', () => {
    expect(fitTable(tableOf([]))).toMatchObject({
      kept: 0,
      block: { type: 'section', text: { text: '*Storage by day*\nNo rows.' } },
    })
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
          [cell('w'.repeat(41)), cell('5', 5)],
        ],
      }),
    )
    expect(box.split('\n')).toEqual([
      `Name${' '.repeat(39)}Files`,
      `a${' '.repeat(41)}12,000`,
      `${'w'.repeat(39)}…${' '.repeat(7)}5`,
    ])
  })

  test('counts the rows that do not fit', () => {
    const days = Array.from({ length: 500 }, (_, index) => [cell(`day ${index}`), cell(`${index}`, index)])
    const rows = [[cell('Day'), cell('Used')], ...days]
    const box = boxOf(tableBox({ type: 'data_table', caption: 'Days', rows }))
    const lines = box.split('\n')
    expect(box.length).toBeLessThanOrEqual(3_500)
    expect(lines.at(-1)).toBe(`… and ${501 - (lines.length - 1)} more rows`)
  })
})

test('a table in words says its first rows and counts the others', () => {
  expect(
    tableText(
      tableOf([
        ['a', 1_000],
        ['b', undefined],
        ['c', 3],
      ]),
      2,
    ),
  ).toBe('Day a, Used 1,000\nDay b, Used –\nand 1 more')
})

function text(value: string): { type: 'raw_text'; text: string } {
  return { type: 'raw_text', text: value }
}

function boxOf({ elements }: RichTextBlock): string {
  return elements[0]?.elements[0]?.text ?? ''
}
