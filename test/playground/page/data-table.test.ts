import { describe, expect, it } from 'vitest'
import { blocksHtml } from '../../../src/playground/page/blocks.ts'
import { dataTable, rawText, times } from '../slack/sample-blocks.ts'
import { blocksOf, HOSTILE, scene, shapeOf, tagsOf, textOf } from './page-markup.ts'

const number = (value: number) => ({ type: 'raw_number', value, text: value.toLocaleString('en-US') })
const shown = (given: Readonly<Record<string, unknown>>) => blocksHtml(blocksOf(given), scene)
const rows = (markup: ReturnType<typeof shown>) => tagsOf(markup).filter(({ name }) => name === 'tr')

describe('a data table', () => {
  it('shows the first page and keeps the others for later', () => {
    const markup = shown(dataTable(13, 2, { page_size: 5 }))
    expect(rows(markup)).toHaveLength(13)
    expect(rows(markup).filter(({ attributes }) => 'hidden' in attributes)).toHaveLength(7)
    expect(textOf(markup)).toContain('1–5 of 12')
  })

  it('has pages of five rows unless told otherwise, and no pager for a single page', () => {
    expect(textOf(shown(dataTable(7, 1)))).toContain('1–5 of 6')
    expect(textOf(shown(dataTable(6, 1)))).toContain('5 rows')
    expect(shown(dataTable(6, 1)).toString()).not.toContain('data-page=')
  })

  it('sorts a column by number only where all of it is numbers', () => {
    const markup = shown({
      type: 'data_table',
      caption: 'Numbers',
      rows: [
        [rawText('Name'), rawText('Size'), rawText('Mixed')],
        [rawText('a'), number(10_000), number(1)],
        [rawText('b'), number(9), rawText('–')],
      ],
    })
    const sorters = tagsOf(markup).filter(({ attributes }) => 'data-sort' in attributes)
    expect(sorters.map(({ attributes }) => attributes['data-numeric'])).toEqual(['no', 'yes', 'no'])
    const values = tagsOf(markup).flatMap(({ attributes }) => attributes['data-value'] ?? [])
    expect(values).toEqual(['10000', '1', '9'])
    expect(textOf(markup)).toContain('10,000')
  })

  it('says which cells head their rows and columns, and what the table is', () => {
    const markup = shown(dataTable(3, 2))
    const heads = tagsOf(markup).filter(({ name }) => name === 'th')
    expect(heads.map(({ attributes }) => attributes['scope'])).toEqual(['col', 'col', 'row', 'row'])
    expect(textOf(markup)).toContain('Numbers')
  })

  it.each(HOSTILE)('shows %s in a cell as it is', (_name, text) => {
    const given = (cell: string) => dataTable(2, 1, { caption: cell, rows: times(2, () => [rawText(cell)]) })
    expect(shapeOf(shown(given(text)))).toEqual(shapeOf(shown(given('x'))))
    expect(textOf(shown(given(text)))).toContain(text)
  })
})
