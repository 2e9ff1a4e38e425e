import { describe, expect, test } from 'vitest'
import type { DataTableBlock, InputBlock, ModalView, ViewBlock } from '../../src/block-kit/blocks.ts'
import type { InputElement, Option, PlainText, PlainTextInput } from '../../src/block-kit/elements.ts'
import { viewProblems } from '../../src/block-kit/validator.ts'

/*
 * Views written by hand, around the builders: each limit holds at its value and is broken one beyond.
 */

const x = (length: number): string => 'x'.repeat(length)
const plain = (text: string): PlainText => ({ type: 'plain_text', text, emoji: false })
const list = <T>(length: number, entry: (index: number) => T): readonly T[] =>
  Array.from({ length }, (_, index) => entry(index))
const option = (value: string, text = 'x'): Option => ({ text: plain(text), value })
const options = (length: number): readonly Option[] => list(length, (index) => option(`v${index}`))

function modal(blocks: readonly ViewBlock[], part: Partial<ModalView> = {}): ModalView {
  return { type: 'modal', callback_id: 'c', title: plain('t'), submit: plain('s'), blocks, ...part }
}

function input(element: InputElement, part: Partial<InputBlock> = {}): InputBlock {
  return { type: 'input', block_id: 'b', label: plain('l'), element, ...part }
}

const text = (part: Partial<PlainTextInput> = {}): PlainTextInput => ({
  type: 'plain_text_input',
  action_id: 'value',
  max_length: 3_000,
  ...part,
})
const menu = (choices: readonly Option[], part: object = {}): InputElement => ({
  type: 'static_select',
  action_id: 'value',
  options: choices,
  ...part,
})
const boxes = (choices: readonly Option[], part: object = {}): InputElement => ({
  type: 'checkboxes',
  action_id: 'value',
  options: choices,
  ...part,
})

type Case = readonly [name: string, limit: number, build: (size: number) => ModalView]
const divider = { type: 'divider' } as const

const CASES: readonly Case[] = [
  ['blocks', 100, (size) => modal(list(size, () => divider))],
  ['title', 24, (size) => modal([divider], { title: plain(x(size)) })],
  ['submit', 24, (size) => modal([divider], { submit: plain(x(size)) })],
  ['close', 24, (size) => modal([divider], { close: plain(x(size)) })],
  ['callback_id', 255, (size) => modal([divider], { callback_id: x(size) })],
  ['external_id', 255, (size) => modal([divider], { external_id: x(size) })],
  ['private_metadata', 3_000, (size) => modal([divider], { private_metadata: x(size) })],
  ['label', 2_000, (size) => modal([input(text(), { label: plain(x(size)) })])],
  ['hint', 2_000, (size) => modal([input(text(), { hint: plain(x(size)) })])],
  ['placeholder', 150, (size) => modal([input(text({ placeholder: plain(x(size)) }))])],
  ['max_length', 3_000, (size) => modal([input(text({ max_length: size }))])],
  ['initial_value', 10, (size) => modal([input(text({ max_length: 10, initial_value: x(size) }))])],
  ['options of a menu', 100, (size) => modal([input(menu(options(size)))])],
  ['options of checkboxes', 10, (size) => modal([input(boxes(options(size)))])],
  ['option text', 75, (size) => modal([input(menu([option('v', x(size))]))])],
  ['option value', 150, (size) => modal([input(menu([option(x(size))]))])],
  ['option description', 75, (size) => modal([input(menu([{ ...option('v'), description: plain(x(size)) }]))])],
  [
    'elements with the focus',
    1,
    (size) =>
      modal([
        ...list(2, (index) => input(text(index < size ? { focus_on_load: true } : {}), { block_id: `b${index}` })),
      ]),
  ],
]

describe('a modal at each limit', () => {
  test.each(CASES)('%s: %d pass, one more does not', (_name, limit, build) => {
    expect(viewProblems(build(limit))).toEqual([])
    expect(viewProblems(build(limit + 1))).not.toEqual([])
  })

  test('has at most 250,000 bytes', () => {
    const full = { type: 'section', text: { type: 'mrkdwn', text: x(2_905), verbatim: true } } as const
    const filled = (length: number): ModalView =>
      modal(
        list(83, () => full),
        { private_metadata: x(length) },
      )
    const rest = 250_000 - Buffer.byteLength(JSON.stringify(filled(0)))
    expect(viewProblems(filled(rest))).toEqual([])
    expect(viewProblems(filled(rest + 1))).toEqual([
      { pointer: '', sentence: 'Must have at most 250000 bytes, not 250001.' },
    ])
  })
})

const table: DataTableBlock = {
  type: 'data_table',
  caption: 'c',
  rows: list(2, () => [{ type: 'raw_text', text: 'x' }]),
}

const BROKEN: readonly (readonly [rule: string, pointer: string, view: ModalView])[] = [
  ['a table', '/blocks/0', modal([table])],
  ['no blocks', '/blocks', modal([])],
  ['equal block ids', '/blocks', modal([input(text()), input(text())])],
  ['no options', '/blocks/0/element/options', modal([input(menu([]))])],
  ['a value twice', '/blocks/0/element/options', modal([input(menu([option('a'), option('a', 'y')]))])],
  [
    'an initial option that is not offered',
    '/blocks/0/element',
    modal([input(menu([option('a')], { initial_option: option('a', 'other text') }))]),
  ],
  [
    'initial options that are not offered',
    '/blocks/0/element',
    modal([input(boxes([option('a')], { initial_options: [option('b')] }))]),
  ],
  [
    'more chosen than may be',
    '/blocks/0/element/initial_options',
    modal([
      input({
        type: 'multi_static_select',
        action_id: 'value',
        options: options(2),
        initial_options: options(2),
        max_selected_items: 1,
      }),
    ]),
  ],
  [
    'a text below its minimum',
    '/blocks/0/element/initial_value',
    modal([input(text({ min_length: 2, initial_value: 'x' }))]),
  ],
  ['bounds out of order', '/blocks/0/element/min_length', modal([input(text({ min_length: 5, max_length: 4 }))])],
  [
    'a number out of bounds',
    '/blocks/0/element/initial_value',
    modal([
      input({
        type: 'number_input',
        action_id: 'value',
        is_decimal_allowed: false,
        initial_value: '5',
        max_value: '4',
      }),
    ]),
  ],
  [
    'a bound that is no number',
    '/blocks/0/element/min_value',
    modal([input({ type: 'number_input', action_id: 'value', is_decimal_allowed: false, min_value: '1.5' })]),
  ],
]

describe('a modal is refused', () => {
  test.each(BROKEN)('for %s, saying where', (_rule, pointer, view) => {
    expect(viewProblems(view).map((problem) => problem.pointer)).toContain(pointer)
  })

  test('with inputs but no submit button', () => {
    const { submit: _, ...view } = modal([input(text())])
    expect(viewProblems(view)).toEqual([{ pointer: '/submit', sentence: 'A modal with inputs needs a submit button.' }])
  })
})

test('a Home page takes the table a modal does not', () => {
  expect(viewProblems({ type: 'home', blocks: [table] })).toEqual([])
})

test('no block takes an element that belongs elsewhere', () => {
  // The types forbid it, so the payload comes from where no types are.
  const element: unknown = { ...text() }
  const view = modal([{ type: 'actions', elements: [element as never] }])
  expect(viewProblems(view)).toEqual([
    { pointer: '/blocks/0/elements/0', sentence: 'A block of type actions takes no element of type plain_text_input.' },
  ])
})
