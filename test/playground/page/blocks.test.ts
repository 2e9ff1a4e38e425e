import { describe, expect, it } from 'vitest'
import { blocksHtml } from '../../../src/playground/page/blocks.ts'
import {
  actions,
  box,
  button,
  chart,
  dataTable,
  input,
  line,
  mrkdwn,
  option,
  plain,
  rawText,
  section,
  select,
  textInput,
} from '../slack/sample-blocks.ts'
import { blocksOf, harmIn, HOSTILE, scene, shapeOf, tagsOf, textOf } from './page-markup.ts'

/** Every kind of block, with WORDS wherever an app may put text. */
const EVERY_BLOCK: readonly (readonly [type: string, block: Readonly<Record<string, unknown>>])[] = [
  [
    'section',
    { ...section('WORDS'), fields: [mrkdwn('WORDS'), plain('WORDS')], accessory: button({ text: plain('WORDS') }) },
  ],
  ['header', { type: 'header', text: plain('WORDS') }],
  ['divider', { type: 'divider' }],
  ['context', { type: 'context', elements: [mrkdwn('WORDS'), plain('WORDS')] }],
  [
    'actions',
    actions(
      button({ text: plain('WORDS'), value: 'WORDS' }),
      select({ placeholder: plain('WORDS'), options: [option('WORDS')] }),
    ),
  ],
  ['input', input(textInput({ placeholder: plain('WORDS') }), { label: plain('WORDS'), hint: plain('WORDS') })],
  ['rich_text', box('WORDS')],
  ['data_table', dataTable(2, 1, { caption: 'WORDS' })],
  ['data_visualization', chart(line(1, 2), { title: 'WORDS' })],
]

const shown = (given: unknown) => blocksHtml(blocksOf(given), scene)

/** The block with other words, cut to what is allowed at each place. */
function saying(given: unknown, words: string): unknown {
  return JSON.parse(
    JSON.stringify(given).replaceAll('WORDS', JSON.stringify(words.slice(0, 20)).slice(1, -1)),
  ) as unknown
}

describe('blocks on the page', () => {
  it.each(EVERY_BLOCK)('shows the words of a %s', (_type, given) => {
    const expected = JSON.stringify(given).split('WORDS').length - 1
    const markup = shown(given)
    expect(markup.toString().split('WORDS').length - 1).toBeGreaterThanOrEqual(expected > 0 ? 1 : 0)
    expect(harmIn(markup)).toEqual([])
  })

  it.each(EVERY_BLOCK.flatMap(([type, given]) => HOSTILE.map(([name, text]) => [type, name, given, text] as const)))(
    'keeps a %s in shape with %s',
    (type, _name, given, text) => {
      const markup = shown(saying(given, text))
      expect(harmIn(markup)).toEqual([])
      const mayFormat = /section|context/.test(type)
      if (!mayFormat) expect(shapeOf(markup)).toEqual(shapeOf(shown(saying(given, 'plain words'))))
    },
  )
})

const number = (value: number) => ({ type: 'raw_number', value, text: value.toLocaleString('en-US') })
const rows = (markup: ReturnType<typeof shown>) => tagsOf(markup).filter(({ name }) => name === 'tr')

describe('a data table', () => {
  it('shows the first page and keeps the others for later', () => {
    const markup = shown(dataTable(13, 2, { page_size: 5 }))
    expect(rows(markup)).toHaveLength(13)
    expect(rows(markup).filter(({ attributes }) => 'hidden' in attributes)).toHaveLength(7)
    expect(textOf(markup)).toContain('1–5 of 12')
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
})
