import { describe, expect, it } from 'vitest'
import { checkView, written } from '../../../src/playground/slack/blocks/message-rules.ts'
import {
  actions,
  button,
  chars,
  chart,
  dataTable,
  input,
  line,
  modal,
  option,
  overLimit,
  plain,
  section,
  select,
  textInput,
  times,
  type Piece,
} from './sample-blocks.ts'

const number = (over: Piece = {}): Piece => ({ type: 'number_input', is_decimal_allowed: false, ...over })
const radios = (count: number): Piece => ({ type: 'radio_buttons', options: times(count, (i) => option(`${i}`)) })

function complaints(view: Piece, surface: 'modal' | 'home' = 'modal'): readonly string[] {
  const checked = checkView(view, surface)
  return checked.ok ? [] : checked.problems.map(written)
}

const LIMITS: readonly (readonly [string, number, (amount: number) => Piece])[] = [
  ['blocks', 100, (n) => modal(times(n, () => ({ type: 'divider' })))],
  ['characters of a title', 24, (n) => modal([section('s')], { title: plain(chars(n)) })],
  ['characters on submit', 24, (n) => modal([section('s')], { submit: plain(chars(n)) })],
  ['characters on close', 24, (n) => modal([section('s')], { close: plain(chars(n)) })],
  ['characters of private metadata', 3_000, (n) => modal([section('s')], { private_metadata: chars(n) })],
  ['characters of a callback id', 255, (n) => modal([section('s')], { callback_id: chars(n) })],
  ['characters of an external id', 255, (n) => modal([section('s')], { external_id: chars(n) })],
  ['characters of a label', 2_000, (n) => modal([input(textInput(), { label: plain(chars(n)) })])],
  ['characters of a hint', 2_000, (n) => modal([input(textInput(), { hint: plain(chars(n)) })])],
  ['length of an input', 3_000, (n) => modal([input(textInput({ max_length: n }))])],
  ['characters of an initial value', 3_000, (n) => modal([input(textInput({ initial_value: chars(n) }))])],
  ['radio buttons', 10, (n) => modal([input(radios(n))])],
  ['characters of a placeholder', 150, (n) => modal([input(textInput({ placeholder: plain(chars(n)) }))])],
  ['options of a select', 100, (n) => modal([input(select({ options: times(n, (i) => option(`${i}`)) }))])],
]

describe('The limits of a modal', () => {
  it.each(LIMITS)('takes %s up to %i and refuses one more', (_what, most, make) => {
    expect(checkView(make(most), 'modal')).toMatchObject({ ok: true })
    expect(checkView(make(most + 1), 'modal')).toMatchObject({ ok: false, error: 'invalid_arguments' })
    const found = complaints(make(most + 1))
    expect(found.filter((each) => !overLimit(most, '/view').test(each))).toEqual([])
    expect(found.length).toBeGreaterThan(0)
  })

  it('are 250 kB in all', () => {
    const wide = (count: number) => modal(times(count, () => section(chars(2_900))))
    expect(checkView(wide(84), 'modal')).toMatchObject({ ok: true })
    expect(checkView(wide(86), 'modal')).toMatchObject({ ok: false, error: 'view_too_large' })
  })
})

const REFUSED: readonly (readonly [string, Piece, string])[] = [
  [
    'inputs and nothing to send them with',
    modal([input(textInput())], { submit: undefined }),
    'missing required field: submit [json-pointer:/view]',
  ],
  ['no title', modal([], { title: undefined }), 'missing required field: title [json-pointer:/view]'],
  ['a chart', modal([chart(line(1, 1))]), 'unsupported type: data_visualization [json-pointer:/view/blocks/0/type]'],
  ['a data table', modal([dataTable(2, 1)]), 'unsupported type: data_table [json-pointer:/view/blocks/0/type]'],
  ['a Home view', { type: 'home', blocks: [] }, 'must be a view of type modal [json-pointer:/view/type]'],
  [
    'an option too long',
    modal([
      section('a'),
      section('b'),
      input({ type: 'static_select', options: [option('a', { text: plain(chars(76)) })] }),
    ]),
    'must be less than 76 characters [json-pointer:/view/blocks/2/element/options/0/text/text]',
  ],
  [
    'an initial value longer than allowed',
    modal([input(textInput({ max_length: 3, initial_value: 'four' }))]),
    'must be less than 4 characters [json-pointer:/view/blocks/0/element/initial_value]',
  ],
  [
    'an initial number out of bounds',
    modal([input(number({ max_value: '3', initial_value: '4' }))]),
    'must not be more than max_value [json-pointer:/view/blocks/0/element/initial_value]',
  ],
  [
    'a bound that is a number and not text',
    modal([input(number({ min_value: 3 }))]),
    'must provide a string [json-pointer:/view/blocks/0/element/min_value]',
  ],
  [
    'a bound that is no whole number where only those may be given',
    modal([input(number({ min_value: '1.5' }))]),
    'must be a whole number [json-pointer:/view/blocks/0/element/min_value]',
  ],
  [
    'a text that may have no characters',
    modal([input(textInput({ max_length: 0 }))]),
    'must be greater than or equal to 1 [json-pointer:/view/blocks/0/element/max_length]',
  ],
]

describe('What Slack refuses in a modal', () => {
  it.each(REFUSED)('is %s', (_what, view, complaint) => {
    expect(complaints(JSON.parse(JSON.stringify(view)) as Piece)).toEqual([complaint])
  })
})

describe('A Home view', () => {
  const home = (...blocks: readonly Piece[]): Piece => ({ type: 'home', blocks })

  it('takes charts and tables', () => {
    expect(complaints(home(chart(line(1, 1)), dataTable(2, 1)), 'home')).toEqual([])
  })

  it('takes as many charts as a message does', () => {
    expect(complaints(home(...times(3, () => chart(line(1, 1)))), 'home')).toEqual([
      'no more than 2 data_visualization blocks allowed [json-pointer:/view/blocks]',
    ])
  })

  it('has no title and no buttons of its own', () => {
    expect(complaints({ ...home(actions(button())), title: plain('t') }, 'home')).toEqual([
      'invalid additional property: title [json-pointer:/view]',
    ])
  })
})
