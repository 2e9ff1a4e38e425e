import { describe, expect, it } from 'vitest'
import {
  type CheckedBlocks,
  type CheckedView,
  checkMessageBlocks,
  checkView,
} from '../../../src/playground/slack/blocks/message-rules.ts'
import {
  actions,
  button,
  chars,
  chart,
  dataTable,
  input,
  line,
  modal,
  mrkdwn,
  option,
  plain,
  rawText,
  section,
  select,
  textInput,
  times,
  type Piece,
} from './sample-blocks.ts'

type Checked = CheckedBlocks | CheckedView

/** Where something is wrong. */
const pointers = (checked: Checked): readonly string[] =>
  checked.ok ? [] : checked.problems.map((each) => each.pointer)
const inMessage = (...blocks: readonly unknown[]): Checked => checkMessageBlocks(blocks)
const inModal = (blocks: readonly Piece[], over: Piece = {}): Checked => checkView(modal(blocks, over), 'modal')
const onHome = (...blocks: readonly Piece[]): Checked => checkView({ type: 'home', blocks }, 'home')

const divider = { type: 'divider' }
const number = (over: Piece = {}): Piece => input({ type: 'number_input', is_decimal_allowed: false, ...over })
const radios = (count: number): Piece => ({ type: 'radio_buttons', options: times(count, (i) => option(`${i}`)) })
const confirm = (over: Piece): Piece => actions(button({ confirm: { text: plain('Sure?'), ...over } }))
const optionWith = (over: Piece): Piece => input(select({ options: [option('v', over)] }))
const series = { name: 's', data: [{ label: 'p0', value: 1 }] }
const drawn = (over: Piece): Piece => chart({ ...line(1, 1), ...over })
const axes = (which: string, characters: number): Piece =>
  drawn({ axis_config: { categories: ['p0'], [which]: chars(characters) } })
const category = (label: string): Piece =>
  drawn({ series: [{ name: 's', data: [{ label, value: 1 }] }], axis_config: { categories: [label] } })
const wideText = (characters: number): Piece[] =>
  times(Math.ceil(characters / 2_500), (i) => section(chars(Math.min(2_500, characters - i * 2_500))))

/** What is counted, how much is allowed, and what has just so much of it. */
const LIMITS: readonly (readonly [string, number, (amount: number) => Checked])[] = [
  ['blocks of a message', 50, (n) => inMessage(...times(n, () => divider))],
  ['characters of a section', 3_000, (n) => inMessage(section(chars(n)))],
  ['fields of a section', 10, (n) => inMessage({ type: 'section', fields: times(n, () => plain('f')) })],
  ['characters of a field', 2_000, (n) => inMessage({ type: 'section', fields: [plain(chars(n))] })],
  ['characters of a header', 150, (n) => inMessage({ type: 'header', text: plain(chars(n)) })],
  ['elements of a context', 10, (n) => inMessage({ type: 'context', elements: times(n, () => plain('c')) })],
  ['characters of a context', 3_000, (n) => inMessage({ type: 'context', elements: [mrkdwn(chars(n))] })],
  ['elements of actions', 25, (n) => inMessage(actions(...times(n, (i) => button({ action_id: `b${i}` }))))],
  ['characters of a block id', 255, (n) => inMessage({ ...section('s'), block_id: chars(n) })],
  ['characters of an action id', 255, (n) => inMessage(actions(button({ action_id: chars(n) })))],
  ['characters on a button', 75, (n) => inMessage(actions(button({ text: plain(chars(n)) })))],
  ['characters of a button value', 2_000, (n) => inMessage(actions(button({ value: chars(n) })))],
  ['characters of an accessibility label', 75, (n) => inMessage(actions(button({ accessibility_label: chars(n) })))],
  ['characters of a confirm title', 100, (n) => inMessage(confirm({ title: plain(chars(n)) }))],
  ['characters of a confirm text', 300, (n) => inMessage(confirm({ text: plain(chars(n)) }))],
  ['characters on a confirm button', 30, (n) => inMessage(confirm({ confirm: plain(chars(n)) }))],
  ['characters on a deny button', 30, (n) => inMessage(confirm({ deny: plain(chars(n)) }))],
  ['characters of a placeholder', 150, (n) => inMessage(input(select({ placeholder: plain(chars(n)) })))],
  ['options of a select', 100, (n) => inMessage(input(select({ options: times(n, (i) => option(`${i}`)) })))],
  ['characters of an option', 75, (n) => inMessage(optionWith({ text: plain(chars(n)) }))],
  ['characters of an option value', 150, (n) => inMessage(optionWith({ value: chars(n) }))],
  ['checkboxes', 10, (n) => inMessage(input({ type: 'checkboxes', options: times(n, (i) => option(`${i}`)) }))],
  ['rows of a data table', 201, (n) => inMessage(dataTable(n, 2))],
  ['columns of a data table', 20, (n) => inMessage(dataTable(2, n))],
  ['rows a page of a data table', 100, (n) => inMessage(dataTable(2, 2, { page_size: n }))],
  [
    'characters of data tables in all',
    20_000,
    (n) =>
      inMessage(...[9_999, n - 10_001].map((c) => dataTable(2, 1, { rows: [[rawText(chars(c))], [rawText('x')]] }))),
  ],
  ['charts', 2, (n) => inMessage(...times(n, () => drawn({})))],
  ['charts on Home', 2, (n) => onHome(...times(n, () => drawn({})))],
  ['characters of a chart title', 50, (n) => inMessage(chart(line(1, 1), { title: chars(n) }))],
  ['series of a chart', 12, (n) => inMessage(chart(line(n, 2)))],
  ['points of a series', 20, (n) => inMessage(chart(line(1, n)))],
  ['characters of a series name', 20, (n) => inMessage(drawn({ series: [{ ...series, name: chars(n) }] }))],
  ['characters of a category', 20, (n) => inMessage(category(chars(n)))],
  ['characters of a label beside an axis', 50, (n) => inMessage(axes('y_label', n))],
  ['characters of a label under an axis', 50, (n) => inMessage(axes('x_label', n))],
  ['blocks of a modal', 100, (n) => inModal(times(n, () => divider))],
  ['characters of a title', 24, (n) => inModal([], { title: plain(chars(n)) })],
  ['characters on submit', 24, (n) => inModal([], { submit: plain(chars(n)) })],
  ['characters on close', 24, (n) => inModal([], { close: plain(chars(n)) })],
  ['characters of private metadata', 3_000, (n) => inModal([], { private_metadata: chars(n) })],
  ['characters of a callback id', 255, (n) => inModal([], { callback_id: chars(n) })],
  ['characters of an external id', 255, (n) => inModal([], { external_id: chars(n) })],
  ['characters of a label', 2_000, (n) => inModal([input(textInput(), { label: plain(chars(n)) })])],
  ['characters of a hint', 2_000, (n) => inModal([input(textInput(), { hint: plain(chars(n)) })])],
  ['length of an input', 3_000, (n) => inModal([input(textInput({ max_length: n }))])],
  ['characters of an initial value', 3_000, (n) => inModal([input(textInput({ initial_value: chars(n) }))])],
  ['radio buttons', 10, (n) => inModal([input(radios(n))])],
]

describe('The limits of messages and views', () => {
  it.each(LIMITS)('take %s up to %i and refuse one more', (_what, most, make) => {
    expect(make(most)).toMatchObject({ ok: true })
    const refused = make(most + 1)
    const complaints = refused.ok ? [] : refused.problems.map(({ message }) => message)
    expect(complaints.length).toBeGreaterThan(0)
    expect(complaints.filter((message) => !message.includes(String(most)))).toEqual([])
  })

  it('are 250 kB in all for a view', () => {
    const wide = (count: number) => inModal(times(count, () => section(chars(2_900))))
    expect(wide(84)).toMatchObject({ ok: true })
    expect(wide(86)).toMatchObject({ ok: false, error: 'view_too_large' })
  })

  it('count what a reader sees of a message, not its ids, values, dialogs or table cells', () => {
    const unseen = button({ action_id: chars(255), value: chars(1_000), confirm: { text: plain(chars(300)) } })
    const rows = [[rawText(chars(5_000))], [rawText('x')]]
    const beside = [actions(unseen), { type: 'data_table', caption: 'c', rows }]
    const tooLong = { ok: false, error: 'msg_blocks_too_long' }
    expect(inMessage(...wideText(9_998), ...beside)).toMatchObject({ ok: true })
    expect(inMessage(...wideText(9_999), ...beside)).toMatchObject(tooLong)
    expect(inMessage(...wideText(10_001))).toMatchObject(tooLong)
    expect(checkMessageBlocks(wideText(10_001), { budget: false })).toMatchObject({ ok: true })
  })
})

const menuOf = (over: Piece): Piece => input(select(over))
const list = { action_id: 'a', options: [option('a')] }
const text = { type: 'text', text: 't' }

/** What is refused, and where. What Slack has and the bot never sends is refused too, so that a test shows new uses. */
const REFUSED: readonly (readonly [what: string, checked: Checked, pointer: string])[] = [
  ['a type nobody knows', inMessage({ type: 'button' }), '/blocks/0/type'],
  ['no type', inMessage({}), '/blocks/0/type'],
  ['a missing field', inMessage({ type: 'header' }), '/blocks/0/text'],
  ['a field nobody knows', inMessage({ ...section('s'), colour: 'red' }), '/blocks/0'],
  ['a wrong type', inMessage({ ...divider, block_id: 7 }), '/blocks/0/block_id'],
  ['empty text', inMessage(section('')), '/blocks/0/text/text'],
  ['text of blanks', inMessage(section(' \n')), '/blocks/0/text/text'],
  ['a section of nothing', inMessage({ type: 'section' }), '/blocks/0'],
  ['no fields', inMessage({ type: 'section', fields: [] }), '/blocks/0/fields'],
  ['a context of nothing', inMessage({ type: 'context', elements: [] }), '/blocks/0/elements'],
  ['mrkdwn on a button', inMessage(actions(button({ text: mrkdwn('x') }))), '/blocks/0/elements/0/text/type'],
  ['an unknown style', inMessage(actions(button({ style: 'loud' }))), '/blocks/0/elements/0/style'],
  ['an input element in actions', inMessage(actions(textInput())), '/blocks/0/elements/0/type'],
  ['a button in an input', inMessage(input(button())), '/blocks/0/element/type'],
  ['no options', inMessage(menuOf({ options: [] })), '/blocks/0/element/options'],
  ['a value twice', inMessage(menuOf({ options: times(2, () => option('a')) })), '/blocks/0/element/options'],
  ['an option not offered', inMessage(menuOf({ initial_option: option('b') })), '/blocks/0/element/initial_option'],
  [
    'a box not offered',
    inMessage(input({ type: 'checkboxes', ...list, initial_options: [option('b')] })),
    '/blocks/0/element/initial_options',
  ],
  ['two series of one name', inMessage(drawn({ series: [series, series] })), '/blocks/0/chart/series'],
  ['a point too few', inMessage(drawn({ axis_config: { categories: ['p0', 'p1'] } })), '/blocks/0/chart/series/0/data'],
  [
    'a point of no category',
    inMessage(drawn({ axis_config: { categories: ['px'] } })),
    '/blocks/0/chart/series/0/data',
  ],
  [
    'rows of different lengths',
    inMessage(dataTable(1, 2, { rows: [times(2, () => rawText('a')), [rawText('c')]] })),
    '/blocks/0/rows/1',
  ],
  ['a table of a header only', inMessage(dataTable(1, 1)), '/blocks/0/rows'],
  ['an empty cell', inMessage(dataTable(1, 1, { rows: [[rawText('')], [rawText('x')]] })), '/blocks/0/rows/0/0/text'],
  ['no rows a page', inMessage(dataTable(2, 1, { page_size: 0 })), '/blocks/0/page_size'],
  ['a number input in a message', inMessage(number()), '/blocks/0/element/type'],
  ['a block id twice', inMessage(...times(2, () => ({ ...section('a'), block_id: 'one' }))), '/blocks/1/block_id'],
  ['an action id twice in a block', inMessage(actions(button(), button())), '/blocks/0/elements/1/action_id'],
  ['another block of Slack’s', inMessage({ type: 'markdown' }), '/blocks/0/type'],
  ['another button', inMessage(actions({ type: 'datepicker', ...list })), '/blocks/0/elements/0/type'],
  [
    'another accessory',
    inMessage({ ...section('s'), accessory: { type: 'users_select' } }),
    '/blocks/0/accessory/type',
  ],
  ['another input', inMessage(input({ type: 'file_input', action_id: 'a' })), '/blocks/0/element/type'],
  [
    'a picture in a context',
    inMessage({ type: 'context', elements: [{ type: 'image' }] }),
    '/blocks/0/elements/0/type',
  ],
  [
    'another part of rich text',
    inMessage({ type: 'rich_text', elements: [{ type: 'rich_text_list', elements: [text] }] }),
    '/blocks/0/elements/0/type',
  ],
  ['another chart', inMessage(chart({ type: 'pie' })), '/blocks/0/chart/type'],
  [
    'another cell',
    inMessage(dataTable(1, 1, { rows: [[rawText('x')], [{ type: 'rich_text' }]] })),
    '/blocks/0/rows/1/0/type',
  ],
  ['inputs and nothing to send them with', inModal([input(textInput())], { submit: undefined }), '/view'],
  ['no title', inModal([], { title: undefined }), '/view/title'],
  ['a chart in a modal', inModal([drawn({})]), '/view/blocks/0/type'],
  ['a table in a modal', inModal([dataTable(2, 1)]), '/view/blocks/0/type'],
  ['Home as a modal', checkView({ type: 'home', blocks: [] }, 'modal'), '/view/type'],
  ['a title of Home', checkView({ type: 'home', blocks: [], title: plain('t') }, 'home'), '/view'],
  ['another field of a modal', inModal([], { clear_on_close: true }), '/view'],
  [
    'an initial value longer than allowed',
    inModal([input(textInput({ max_length: 3, initial_value: 'four' }))]),
    '/view/blocks/0/element/initial_value',
  ],
  [
    'an initial number out of bounds',
    inModal([number({ max_value: '3', initial_value: '4' })]),
    '/view/blocks/0/element/initial_value',
  ],
  [
    'bounds the wrong way round',
    inModal([number({ min_value: '4', max_value: '3' })]),
    '/view/blocks/0/element/initial_value',
  ],
  ['a bound that is not text', inModal([number({ min_value: 3 })]), '/view/blocks/0/element/min_value'],
  ['a bound that is not whole', inModal([number({ min_value: '1.5' })]), '/view/blocks/0/element/initial_value'],
  ['a text of no characters', inModal([input(textInput({ max_length: 0 }))]), '/view/blocks/0/element/max_length'],
]

describe('What Slack refuses', () => {
  it.each(REFUSED)('is %s', (_what, checked, pointer) => {
    expect(pointers(checked)).toEqual([pointer])
  })

  it('is a chart or a table where they are switched off', () => {
    for (const block of [drawn({}), dataTable(2, 1)]) {
      expect([inMessage(block), onHome(block)]).toMatchObject([{ ok: true }, { ok: true }])
      const off = checkMessageBlocks([block], { refused: ['data_visualization', 'data_table'] })
      expect(off).toMatchObject({ ok: false, error: 'invalid_blocks' })
      expect(pointers(off)).toEqual(['/blocks/0/type'])
    }
  })

  it('is no action id in two blocks', () => {
    expect(inMessage(actions(button()), actions(button()))).toMatchObject({ ok: true })
  })
})
