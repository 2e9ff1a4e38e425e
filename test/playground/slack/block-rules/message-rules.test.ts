import { describe, expect, it } from 'vitest'
import { checkMessageBlocks } from '../../../../src/playground/slack/block-rules/message-rules.ts'
import { written } from '../../../../src/playground/slack/block-rules/problems.ts'
import {
  actions,
  button,
  chars,
  chart,
  container,
  dataTable,
  input,
  line,
  option,
  pie,
  plain,
  rawText,
  section,
  select,
  table,
  textInput,
  times,
  type Piece,
} from '../sample-blocks.ts'

function complaints(...blocks: readonly unknown[]): readonly string[] {
  const checked = checkMessageBlocks(blocks)
  return checked.ok ? [] : checked.problems.map(written)
}

const REFUSED: readonly (readonly [string, Piece, string])[] = [
  ['a type nobody knows', { type: 'button' }, 'unsupported type: button [json-pointer:/blocks/0/type]'],
  ['no type', {}, 'missing required field: type [json-pointer:/blocks/0]'],
  ['a missing field', { type: 'header' }, 'missing required field: text [json-pointer:/blocks/0]'],
  [
    'a field nobody knows',
    { ...section('s'), colour: 'red' },
    'invalid additional property: colour [json-pointer:/blocks/0]',
  ],
  ['a wrong type', { type: 'divider', block_id: 7 }, 'must provide a string [json-pointer:/blocks/0/block_id]'],
  ['empty text', section(''), 'must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
  ['a section of nothing', { type: 'section' }, 'missing required field: text [json-pointer:/blocks/0]'],
  [
    'a long button',
    actions(button({ text: plain(chars(76)) })),
    'must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]',
  ],
  [
    'mrkdwn on a button',
    actions(button({ text: { type: 'mrkdwn', text: 'x' } })),
    'must be one of: plain_text [json-pointer:/blocks/0/elements/0/text/type]',
  ],
  [
    'an unknown style',
    actions(button({ style: 'loud' })),
    'must be one of: primary, danger [json-pointer:/blocks/0/elements/0/style]',
  ],
  [
    'an input element in actions',
    actions(textInput()),
    'unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0/type]',
  ],
  ['a button in an input', input(button()), 'unsupported type: button [json-pointer:/blocks/0/element/type]'],
  [
    'no options',
    actions(select({ options: [] })),
    'no fewer than 1 items allowed [json-pointer:/blocks/0/elements/0/options]',
  ],
  [
    'options and groups',
    actions(select({ option_groups: [{ label: plain('g'), options: [option('a')] }] })),
    'must provide exactly one of options or option_groups [json-pointer:/blocks/0/elements/0]',
  ],
  [
    'a value twice',
    actions(select({ options: [option('a'), option('a')] })),
    'option values must be unique [json-pointer:/blocks/0/elements/0/options]',
  ],
  [
    'an initial option that is not offered',
    actions(select({ initial_option: option('b') })),
    'initial_option must match exactly one of the options [json-pointer:/blocks/0/elements/0/initial_option]',
  ],
  [
    'a picture from nowhere',
    { type: 'image', alt_text: 'a' },
    'must provide exactly one of image_url or slack_file [json-pointer:/blocks/0]',
  ],
  [
    'a file by id and address',
    { type: 'image', alt_text: 'a', slack_file: { id: 'F0ABCDEFGH', url: 'u' } },
    'must provide exactly one of id or url [json-pointer:/blocks/0/slack_file]',
  ],
  [
    'a pie with nothing in a slice',
    chart({ type: 'pie', segments: [{ label: 'a', value: 0 }] }),
    'must be greater than 0 [json-pointer:/blocks/0/chart/segments/0/value]',
  ],
  [
    'two series of one name',
    chart({ ...line(1, 1), series: times(2, () => ({ name: 'n', data: [{ label: 'p0', value: 1 }] })) }),
    'series names must be unique [json-pointer:/blocks/0/chart/series]',
  ],
  [
    'a point too few',
    chart({ ...line(1, 2), axis_config: { categories: ['p0', 'p1', 'p2'] } }),
    'must have exactly one data point for each category [json-pointer:/blocks/0/chart/series/0/data]',
  ],
  [
    'a point of no category',
    chart({ ...line(1, 2), axis_config: { categories: ['p0', 'px'] } }),
    'must have exactly one data point for each category [json-pointer:/blocks/0/chart/series/0/data]',
  ],
  ['an unknown chart', chart({ type: 'radar' }), 'unsupported type: radar [json-pointer:/blocks/0/chart/type]'],
  [
    'rows of different lengths',
    dataTable(2, 2, { rows: [[rawText('a'), rawText('b')], [rawText('c')]] }),
    'all rows must have the same number of cells [json-pointer:/blocks/0/rows/1]',
  ],
  ['a table of a header only', dataTable(1, 1), 'no fewer than 2 items allowed [json-pointer:/blocks/0/rows]'],
  [
    'a rich header cell',
    dataTable(2, 1, {
      rows: [[{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [] }] }], [rawText('c')]],
    }),
    'header cells must not be rich_text [json-pointer:/blocks/0/rows/0/0]',
  ],
  [
    'a row header of no column',
    dataTable(2, 2, { row_header_column_index: 2 }),
    'must be the index of a column [json-pointer:/blocks/0/row_header_column_index]',
  ],
  [
    'an empty cell',
    table(1, 1, { rows: [[rawText('')]] }),
    'must be more than 0 characters [json-pointer:/blocks/0/rows/0/0/text]',
  ],
  [
    'a chart in a container',
    container([chart(pie(1))]),
    'unsupported type: data_visualization [json-pointer:/blocks/0/child_blocks/0/type]',
  ],
  [
    'an alert in a message',
    { type: 'alert', text: plain('a') },
    'unsupported type: alert [json-pointer:/blocks/0/type]',
  ],
  [
    'a number input in a message',
    input({ type: 'number_input', is_decimal_allowed: false }),
    'unsupported type: number_input [json-pointer:/blocks/0/element/type]',
  ],
]

describe('What Slack refuses in a message', () => {
  it.each(REFUSED)('is %s', (_what, block, complaint) => {
    expect(complaints(block)).toEqual([complaint])
  })

  it('is a block id used twice, containers included', () => {
    expect(complaints({ ...section('a'), block_id: 'one' }, container([{ ...section('b'), block_id: 'one' }]))).toEqual(
      ['block_id already exists: one [json-pointer:/blocks/1/child_blocks/0/block_id]'],
    )
  })

  it('is an action id used twice in one block but not in two', () => {
    expect(complaints(actions(button(), button()))).toEqual([
      'action_id already exists: go [json-pointer:/blocks/0/elements/1/action_id]',
    ])
    expect(complaints(actions(button()), actions(button()))).toEqual([])
  })

  it('is a table hidden in a container beside another', () => {
    expect(complaints(table(1, 1), container([table(1, 1)]))).toEqual([
      'no more than 1 table block allowed [json-pointer:/blocks]',
    ])
  })

  it('is what is no list of blocks', () => {
    expect(checkMessageBlocks('[]')).toMatchObject({
      ok: false,
      error: 'invalid_blocks',
      problems: [{ message: 'must provide an array', pointer: '/blocks' }],
    })
    expect(complaints(null)).toEqual(['must provide an object [json-pointer:/blocks/0]'])
  })

  it('is a chart or a table where they are switched off', () => {
    for (const block of [chart(pie(1)), dataTable(2, 1), table(1, 1), container([table(1, 1)])]) {
      expect(checkMessageBlocks([block])).toMatchObject({ ok: true })
      expect(checkMessageBlocks([block], { refuseCharts: true })).toMatchObject({ ok: false, error: 'invalid_blocks' })
    }
  })
})
