import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block, InputBlock } from '../../src/block-kit/blocks.ts'
import { actions, button } from '../../src/block-kit/buttons.ts'
import { lineChart } from '../../src/block-kit/chart.ts'
import * as inputs from '../../src/block-kit/inputs.ts'
import { message } from '../../src/block-kit/message.ts'
import { bullets, context, divider, facts, header, preformatted, section } from '../../src/block-kit/sections.ts'
import { fitTable } from '../../src/block-kit/table.ts'
import { messageProblems, viewProblems } from '../support/slack-rules.ts'
import { home, modal } from '../../src/block-kit/view.ts'
import { foreignText } from './foreign-text.ts'

/*
 * Nothing judges a message before it is sent, so the builders keep Slack's limits by themselves: whatever is put into
 * them, the emulator, whose limits were read in the reference anew, takes what they make.
 */

const RUNS = { numRuns: 40 }

/** Makes blocks under an id of their own. */
type Made<B> = (id: string) => readonly B[]

const texts = (max: number) => fc.array(foreignText, { maxLength: max })
const count = (max: number) => fc.integer({ min: 0, max })
const value = fc.oneof(foreignText, fc.integer(), fc.double(), fc.bigInt(), fc.constant(undefined))

const pressed = fc.record({
  text: foreignText,
  accessibilityLabel: foreignText,
  wantsConfirm: fc.boolean(),
  words: foreignText,
})
const row = fc.array(pressed, { minLength: 1, maxLength: 25 }).map((given): Made<Block> => (id) => [
  actions(
    id,
    given.map(({ text, accessibilityLabel, wantsConfirm, words }, index) =>
      button({
        actionId: `${id}-${index}`,
        text,
        accessibilityLabel,
        value: id,
        ...(wantsConfirm && { confirm: { title: words, text: words, confirm: words, deny: words } }),
      }),
    ),
  ),
])
const table = fc
  .record({
    caption: foreignText,
    titles: texts(24),
    rows: fc.array(fc.array(value, { maxLength: 24 }), { maxLength: 8 }),
    times: count(40),
    isNumeric: fc.boolean(),
  })
  .map(({ caption, titles, rows, times, isNumeric }): Made<Block> => () => [
    fitTable({
      caption,
      columns: titles.map((title) => ({ title, kind: isNumeric ? 'number' : 'text' })),
      rows: Array.from({ length: times }, () => rows).flat(),
    }).block,
  ])
const point = fc.record({ label: foreignText, value: fc.double() })
const chart = fc
  .record({
    title: foreignText,
    xLabel: foreignText,
    name: foreignText,
    points: fc.array(point, { maxLength: 30 }),
    series: count(14),
  })
  .map(({ title, xLabel, name, points, series }): Made<Block> => () => {
    const drawn = lineChart({ title, xLabel, series: Array.from({ length: series }, () => ({ name, points })) })
    return drawn === undefined ? [] : [drawn]
  })

const shown: fc.Arbitrary<Made<Block>> = fc.oneof(
  foreignText.map((text) => () => [header(text)]),
  foreignText.map((text) => () => [section(text)]),
  texts(14).map((given) => () => facts(given.map((text) => [text, text] as const))),
  texts(14).map((given) => () => [context(...given)]),
  foreignText.map((text) => () => [preformatted(text)]),
  texts(60).map((given) => () => [bullets(given)]),
  fc.constant(() => [divider()]),
  row,
  table,
  chart,
)

const choices = fc
  .array(fc.record({ text: foreignText }), { minLength: 1, maxLength: 130 })
  .map((given) => given.map((choice, index) => ({ ...choice, value: `v${index}` })))
const words = { label: foreignText, hint: foreignText, placeholder: foreignText }
const filled = fc.record({
  ...words,
  initial: foreignText,
  max: count(3_100),
  multiline: fc.boolean(),
})
const digits = fc.oneof(fc.bigInt().map(String), foreignText)
const picked = fc.record({ ...words, choices, initial: fc.nat(140).map((index) => `v${index}`) })

const asked: fc.Arbitrary<Made<InputBlock>> = fc.oneof(
  filled.map(({ max, ...rest }) => (blockId: string) => [inputs.textInput({ blockId, ...rest, maxLength: max })]),
  fc
    .record({ ...words, initial: digits, decimals: fc.boolean() })
    .map((given) => (blockId: string) => [inputs.numberInput({ blockId, ...given })]),
  picked.map((given) => (blockId: string) => [inputs.select({ blockId, ...given })]),
  picked.map(({ initial, ...given }) => (blockId: string) => [
    inputs.multiSelect({ blockId, ...given, initial: [initial] }),
  ]),
  picked.map(({ initial, ...given }) => (blockId: string) => [
    inputs.checkboxes({ blockId, ...given, initial: [initial] }),
  ]),
  picked.map((given) => (blockId: string) => [inputs.radios({ blockId, ...given })]),
  fc.record(words).map((given) => (blockId: string) => [inputs.externalSelect({ blockId, ...given })]),
)

const made = <B>(makers: readonly Made<B>[]): readonly B[] => makers.flatMap((make, index) => make(`id-${index}`))

describe('What the bot would send', () => {
  it('as a message, charts or plain, is taken', () => {
    const built = fc.record({ text: foreignText, makers: fc.array(shown, { maxLength: 60 }) })
    fc.assert(
      fc.property(built, ({ text, makers }) => {
        const whole = message({ text, blocks: made(makers) })
        expect(messageProblems(whole)).toEqual([])
      }),
      RUNS,
    )
  })

  it('as a form is taken', () => {
    const built = fc.record({ title: foreignText, makers: fc.array(fc.oneof(shown, asked), { maxLength: 20 }) })
    fc.assert(
      fc.property(built, ({ title, makers }) => {
        const view = modal({
          callbackId: 'c',
          title,
          submit: title,
          close: title,
          blocks: made<Block | InputBlock>(makers).slice(0, 100),
        })
        expect(viewProblems(view)).toEqual([])
      }),
      RUNS,
    )
  })

  it('as a Home is taken', () => {
    fc.assert(
      fc.property(fc.array(shown, { maxLength: 12 }), (makers) => {
        const view = home({ blocks: made(makers) })
        expect(viewProblems(view)).toEqual([])
      }),
      RUNS,
    )
  })
})
