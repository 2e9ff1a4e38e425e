import { describe, expect, it } from 'vitest'
import { checkMessageBlocks, written } from '../../../../src/playground/slack/blocks/message-rules.ts'
import {
  actions,
  button,
  chars,
  chart,
  dataTable,
  input,
  line,
  option,
  plain,
  rawText,
  section,
  select,
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
  ['text of blanks', section(' \n'), 'must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
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
    input(select({ options: [] })),
    'no fewer than 1 items allowed [json-pointer:/blocks/0/element/options]',
  ],
  [
    'a value twice',
    input(select({ options: [option('a'), option('a')] })),
    'option values must be unique [json-pointer:/blocks/0/element/options]',
  ],
  [
    'an initial option that is not offered',
    input(select({ initial_option: option('b') })),
    'initial_option must match exactly one of the options [json-pointer:/blocks/0/element/initial_option]',
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
  [
    'rows of different lengths',
    dataTable(2, 2, { rows: [[rawText('a'), rawText('b')], [rawText('c')]] }),
    'all rows must have the same number of cells [json-pointer:/blocks/0/rows/1]',
  ],
  ['a table of a header only', dataTable(1, 1), 'no fewer than 2 items allowed [json-pointer:/blocks/0/rows]'],
  [
    'an empty cell',
    dataTable(2, 1, { rows: [[rawText('')], [rawText('x')]] }),
    'must be more than 0 characters [json-pointer:/blocks/0/rows/0/0/text]',
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

  it('is a block id used twice', () => {
    expect(complaints(...times(2, () => ({ ...section('a'), block_id: 'one' })))).toEqual([
      'block_id already exists: one [json-pointer:/blocks/1/block_id]',
    ])
  })

  it('is an action id used twice in one block but not in two', () => {
    expect(complaints(actions(button(), button()))).toEqual([
      'action_id already exists: go [json-pointer:/blocks/0/elements/1/action_id]',
    ])
    expect(complaints(actions(button()), actions(button()))).toEqual([])
  })

  it('is a chart or a table where they are switched off', () => {
    for (const block of [chart(line(1, 1)), dataTable(2, 1)]) {
      expect(checkMessageBlocks([block])).toMatchObject({ ok: true })
      expect(checkMessageBlocks([block], { refused: ['data_visualization', 'data_table'] })).toMatchObject({
        ok: false,
        error: 'invalid_blocks',
      })
    }
  })
})
