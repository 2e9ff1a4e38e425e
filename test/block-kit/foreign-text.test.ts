import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Block } from '../../src/block-kit/blocks.ts'
import { actions, button } from '../../src/block-kit/buttons.ts'
import { lineChart } from '../../src/block-kit/chart.ts'
import { externalSelect, numberInput, textInput, oneOf, someOf, type InputBlock } from '../../src/block-kit/inputs.ts'
import { message, withBlocks } from '../../src/block-kit/message.ts'
import { code, dateTime, link, md, mention } from '../../src/block-kit/mrkdwn.ts'
import { bullets, context, divider, facts, header, preformatted, section } from '../../src/block-kit/sections.ts'
import { fitTable, type Table } from '../../src/block-kit/table.ts'
import { messageProblems, viewProblems } from '../support/slack-rules.ts'
import { home, modal } from '../../src/block-kit/view.ts'
import { CONTROL, drawsPicture, foreignText, HIDDEN, markupOf, stringsOf } from './foreign-text.ts'

const MOMENT = new Date('2026-11-20T18:20:00Z')
const PANEL = new URL('https://panel.example/zones?a=1&b=2')
/** The only control sequences the blocks below put in themselves. */
const OURS = /^<(?:@U0123ABC>|!date\^1795198800\^|https:\/\/panel\.example\/zones\?a=1&amp;b=2\|)/

const value = fc.oneof(foreignText, fc.bigInt(), fc.double(), fc.constant(undefined))
const table: fc.Arbitrary<Table> = fc
  .record({
    caption: foreignText,
    columns: fc.array(
      fc.record({
        title: foreignText,
        kind: fc.constantFrom('text', 'number'),
      }),
      { maxLength: 24 },
    ),
    rows: fc.array(fc.array(value, { maxLength: 24 }), { maxLength: 5 }),
    times: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ times, rows, ...rest }) => ({ ...rest, rows: Array.from({ length: times }, () => rows).flat() }))

const chart = fc
  .record({
    title: foreignText,
    xLabel: foreignText,
    yLabel: foreignText,
    series: fc.array(
      fc.record({
        name: foreignText,
        points: fc.array(fc.record({ label: foreignText, value: fc.double() }), { maxLength: 30 }),
      }),
      { maxLength: 3 },
    ),
    times: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ times, series, ...rest }) =>
    lineChart({ ...rest, series: Array.from({ length: times }, () => series).flat() }),
  )

const choices = fc
  .array(fc.record({ label: foreignText }), { minLength: 1, maxLength: 130 })
  .map((entries) => entries.map((entry, index) => ({ ...entry, value: `v${index}` })))

const block: fc.Arbitrary<readonly Block[]> = fc.oneof(
  foreignText.map((text) => [header(text)]),
  fc
    .tuple(foreignText, foreignText, foreignText)
    .map(([text, name, label]) => [
      section(md`*${text}* by ${mention('U0123ABC')} ${dateTime(MOMENT)} ${link(PANEL, label)} in ${code(name)}`),
    ]),
  fc.array(fc.tuple(foreignText, value), { maxLength: 14 }).map((rows) => facts(rows)),
  fc.array(foreignText, { maxLength: 60 }).map((parts) => [context(...parts), bullets(parts), divider()]),
  foreignText.map((text) => [preformatted(text)]),
  table.map((drawn) => [fitTable(drawn).block]),
  chart.map((drawn) => (drawn === undefined ? [] : [drawn])),
)

const row = fc.array(fc.tuple(foreignText, foreignText), { minLength: 1, maxLength: 25 }).map((words) =>
  actions(
    'row',
    words.map(([text, question], index) =>
      button({
        actionId: `a${index}`,
        text,
        accessibilityLabel: question,
        confirm: { title: text, text: question, confirm: text, deny: question },
      }),
    ),
  ),
)

const input: fc.Arbitrary<(options: { readonly blockId: string }) => InputBlock> = fc.oneof(
  fc
    .record({
      label: foreignText,
      hint: foreignText,
      initial: foreignText,
      placeholder: foreignText,
      multiline: fc.boolean(),
      maxLength: fc.integer({ min: 0, max: 3_100 }),
    })
    .map((part) => (field: { readonly blockId: string }) => textInput({ ...part, ...field })),
  fc
    .record({ label: foreignText, initial: fc.oneof(foreignText, fc.bigInt().map(String)), decimals: fc.boolean() })
    .map((part) => (field: { readonly blockId: string }) => numberInput({ ...part, ...field })),
  fc
    .record({ label: foreignText, choices, initial: fc.constantFrom('v0', 'v3', 'no') })
    .map(
      (part) => (field: { readonly blockId: string }) =>
        oneOf(part.initial === 'v3' ? 'radio_buttons' : 'static_select', { ...part, ...field }),
    ),
  fc.record({ label: foreignText, choices, initial: fc.constant(['v0', 'v11', 'no']), few: fc.boolean() }).map(
    ({ few, ...part }) =>
      (field: { readonly blockId: string }) =>
        someOf(few ? 'checkboxes' : 'multi_static_select', { ...part, ...field }),
  ),
  fc.record({ label: foreignText, text: foreignText, placeholder: foreignText }).map(
    ({ text, ...part }) =>
      (field: { readonly blockId: string }) =>
        externalSelect({ ...part, ...field, initial: { value: 'v', label: text } }),
  ),
)

/**
 * What must hold for everything that leaves, whatever was put in. Nothing judges a message before it is sent, so the
 * builders keep Slack's limits by themselves: the emulator, whose limits were read in the reference anew, takes it.
 */
function expectHarmless(payload: object): void {
  for (const { text } of stringsOf(payload)) {
    expect(text.isWellFormed()).toBe(true)
    expect(text).not.toMatch(HIDDEN)
  }
  for (const text of markupOf(payload)) {
    expectOwnControlsOnly(text)
    expect([text, drawsPicture(text)]).toEqual([text, false])
  }
}

function expectOwnControlsOnly(text: string): void {
  for (const [sequence] of text.matchAll(CONTROL)) expect(sequence).toMatch(OURS)
  // Every < that is no control sequence and every & that is no entity would have come from outside.
  expect(text.replaceAll(CONTROL, '')).not.toContain('<')
  expect(text.replaceAll(/&(?:amp|lt|gt);/g, '')).not.toContain('&')
}

describe('whatever strangers write', () => {
  test('no message has a problem, a control sequence that is not ours, or a hidden character', () => {
    fc.assert(
      fc.property(foreignText, fc.array(block, { maxLength: 40 }), row, (text, blocks, buttons) => {
        const built = withBlocks(message({ text, blocks: blocks.flat() }), buttons)
        expect(messageProblems(built)).toEqual([])
        expectHarmless(built)
        expectOwnControlsOnly(built.text)
        expect(built.text).not.toMatch(CONTROL)
        expect([built.text, drawsPicture(built.text)]).toEqual([built.text, false])
        expect(built.blocks).toContainEqual(buttons)
      }),
      { numRuns: 100 },
    )
  })

  test('no modal has a problem, a control sequence that is not ours, or a hidden character', () => {
    fc.assert(
      fc.property(
        foreignText,
        fc.array(block, { maxLength: 3 }),
        fc.array(input, { maxLength: 6 }),
        (text, blocks, inputs) => {
          const fields = inputs.map((build, index) => build({ blockId: `field${index}` }))
          const view = modal({
            callbackId: 'c',
            title: text,
            submit: text,
            close: text,
            blocks: [...blocks.flat(), ...fields],
          })
          expect(viewProblems(view)).toEqual([])
          expectHarmless(view)
        },
      ),
      { numRuns: 100 },
    )
  })

  test('no Home page within its budgets has a problem', () => {
    fc.assert(
      fc.property(fc.array(foreignText, { maxLength: 120 }), (texts) => {
        const view = home({ blocks: texts.map((text) => context(text)) })
        expect(viewProblems(view)).toEqual([])
        expectHarmless(view)
      }),
      { numRuns: 30 },
    )
  })
})
