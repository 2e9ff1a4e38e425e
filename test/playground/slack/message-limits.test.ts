import { describe, expect, it } from 'vitest'
import { checkMessageBlocks, written } from '../../../src/playground/slack/blocks/message-rules.ts'
import {
  actions,
  button,
  chars,
  chart,
  dataTable,
  input,
  line,
  mrkdwn,
  option,
  overLimit,
  plain,
  rawText,
  section,
  select,
  times,
  type Piece,
} from './sample-blocks.ts'

const confirm = (over: Piece): Piece => actions(button({ confirm: { text: plain('Sure?'), ...over } }))
const wideText = (characters: number): Piece[] =>
  times(Math.ceil(characters / 2_500), (i) => section(chars(Math.min(2_500, characters - i * 2_500))))
const series = { name: 's', data: [{ label: 'p0', value: 1 }] }
const axes = (which: string, characters: number): Piece => ({ categories: ['p0'], [which]: chars(characters) })
const category = (label: string): Piece =>
  chart({ type: 'line', series: [{ name: 's', data: [{ label, value: 1 }] }], axis_config: { categories: [label] } })

/** What is counted, how much is allowed, and blocks that have just so much of it. */
const LIMITS: readonly (readonly [string, number, (amount: number) => readonly Piece[]])[] = [
  ['blocks of a message', 50, (n) => times(n, () => ({ type: 'divider' }))],
  ['characters of a section', 3_000, (n) => [section(chars(n))]],
  ['fields of a section', 10, (n) => [{ type: 'section', fields: times(n, () => plain('f')) }]],
  ['characters of a field', 2_000, (n) => [{ type: 'section', fields: [plain(chars(n))] }]],
  ['characters of a header', 150, (n) => [{ type: 'header', text: plain(chars(n)) }]],
  ['elements of a context', 10, (n) => [{ type: 'context', elements: times(n, () => plain('c')) }]],
  ['characters of a context', 3_000, (n) => [{ type: 'context', elements: [mrkdwn(chars(n))] }]],
  ['elements of actions', 25, (n) => [actions(...times(n, (i) => button({ action_id: `b${i}` })))]],
  ['characters of a block id', 255, (n) => [{ ...section('s'), block_id: chars(n) }]],
  ['characters of an action id', 255, (n) => [actions(button({ action_id: chars(n) }))]],
  ['characters on a button', 75, (n) => [actions(button({ text: plain(chars(n)) }))]],
  ['characters of a button value', 2_000, (n) => [actions(button({ value: chars(n) }))]],
  ['characters of an accessibility label', 75, (n) => [actions(button({ accessibility_label: chars(n) }))]],
  ['characters of a confirm title', 100, (n) => [confirm({ title: plain(chars(n)) })]],
  ['characters of a confirm text', 300, (n) => [confirm({ text: plain(chars(n)) })]],
  ['characters on a confirm button', 30, (n) => [confirm({ confirm: plain(chars(n)) })]],
  ['characters on a deny button', 30, (n) => [confirm({ deny: plain(chars(n)) })]],
  ['characters of a placeholder', 150, (n) => [input(select({ placeholder: plain(chars(n)) }))]],
  ['options of a select', 100, (n) => [input(select({ options: times(n, (i) => option(`${i}`)) }))]],
  ['characters of an option', 75, (n) => [input(select({ options: [option('v', { text: plain(chars(n)) })] }))]],
  ['characters of an option value', 150, (n) => [input(select({ options: [option('v', { value: chars(n) })] }))]],
  [
    'characters of an option description',
    75,
    (n) => [input(select({ options: [option('v', { description: plain(chars(n)) })] }))],
  ],
  ['checkboxes', 10, (n) => [input({ type: 'checkboxes', options: times(n, (i) => option(`${i}`)) })]],
  ['rows of a data table', 201, (n) => [dataTable(n, 2)]],
  ['columns of a data table', 20, (n) => [dataTable(2, n)]],
  ['rows a page of a data table', 100, (n) => [dataTable(2, 2, { page_size: n })]],
  [
    'characters of data tables in all',
    20_000,
    (n) => [
      { type: 'data_table', caption: 'a', rows: [[rawText(chars(9_999))], [rawText('x')]] },
      { type: 'data_table', caption: 'b', rows: [[rawText(chars(n - 10_001))], [rawText('x')]] },
    ],
  ],
  ['charts', 2, (n) => times(n, () => chart(line(1, 1)))],
  ['characters of a chart title', 50, (n) => [chart(line(1, 1), { title: chars(n) })]],
  ['series of a chart', 12, (n) => [chart(line(n, 2))]],
  ['points of a series', 20, (n) => [chart(line(1, n))]],
  ['characters of a series name', 20, (n) => [chart({ ...line(1, 1), series: [{ ...series, name: chars(n) }] })]],
  ['characters of a category', 20, (n) => [category(chars(n))]],
  ['characters of a label beside an axis', 50, (n) => [chart({ ...line(1, 1), axis_config: axes('y_label', n) })]],
  ['characters of a label under an axis', 50, (n) => [chart({ ...line(1, 1), axis_config: axes('x_label', n) })]],
]

describe('The limits of a message', () => {
  it.each(LIMITS)('takes %s up to %i and refuses one more', (_what, most, make) => {
    expect(checkMessageBlocks(make(most))).toMatchObject({ ok: true })
    const refused = checkMessageBlocks(make(most + 1))
    expect(refused).toMatchObject({ ok: false, error: 'invalid_blocks' })
    const complaints = refused.ok ? [] : refused.problems.map(written)
    expect(complaints.filter((each) => !overLimit(most, '/blocks').test(each))).toEqual([])
    expect(complaints.length).toBeGreaterThan(0)
  })

  it.each([
    ['points of a category', [chart({ ...line(1, 1), axis_config: { categories: [] } })]],
    ['rows under a header', [dataTable(1, 1)]],
    ['parts of a context', [{ type: 'context', elements: [] }]],
    ['fields', [{ type: 'section', fields: [] }]],
    ['rows a page', [dataTable(2, 1, { page_size: 0 })]],
  ])('wants some %s', (_what, blocks) => {
    const refused = checkMessageBlocks(blocks)
    expect(refused.ok ? '' : refused.problems.map(written)[0]).toMatch(
      /^(no fewer than [12] items allowed|must be greater than or equal to 1) \[json-pointer:\/blocks\/0\//,
    )
  })

  it('count what a reader sees of a message, not its ids, values, dialogs or table cells', () => {
    const unseen = button({ action_id: chars(255), value: chars(1_000), confirm: { text: plain(chars(300)) } })
    const rows = [[rawText(chars(5_000))], [rawText('x')]]
    const beside = [actions(unseen), { type: 'data_table', caption: 'c', rows }]
    expect(checkMessageBlocks([...wideText(9_998), ...beside])).toMatchObject({ ok: true })
    expect(checkMessageBlocks([...wideText(9_999), ...beside])).toMatchObject({
      ok: false,
      error: 'msg_blocks_too_long',
    })
  })

  it('says too many characters in all with an error of their own', () => {
    expect(checkMessageBlocks(wideText(10_000))).toMatchObject({ ok: true })
    expect(checkMessageBlocks(wideText(10_001))).toMatchObject({ ok: false, error: 'msg_blocks_too_long' })
    expect(checkMessageBlocks(wideText(10_001), { budget: false })).toMatchObject({ ok: true })
  })
})
