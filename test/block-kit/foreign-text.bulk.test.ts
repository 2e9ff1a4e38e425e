import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Block } from '../../src/block-kit/blocks.ts'
import { actions, button } from '../../src/block-kit/buttons.ts'
import { lineChart } from '../../src/block-kit/chart.ts'
import { externalSelect, numberInput, textInput, oneOf, someOf, type InputBlock } from '../../src/block-kit/inputs.ts'
import { message, withBlocks } from '../../src/block-kit/message.ts'
import { code, dateTime, link, md, mention } from '../../src/block-kit/mrkdwn.ts'
import { bullets, context, divider, facts, header, preformatted, section } from '../../src/block-kit/sections.ts'
import { fitTable } from '../../src/block-kit/table.ts'
import { messageProblems, viewProblems } from '../support/slack-rules.ts'
import { home, modal } from '../../src/block-kit/view.ts'
import { CONTROL, drawsPicture, foreignText, HIDDEN, markupOf, stringsOf } from './foreign-text.ts'

const MOMENT = new Date('2026-11-20T18:20:00Z')
const PANEL = new URL('https://panel.example/zones?a=1&b=2')
/** The only control sequences the blocks below put in themselves. */
const OURS = /^<(?:@U0123ABC>|!date\^1795198800\^|https:\/\/panel\.example\/zones\?a=1&amp;b=2\|)/

type Made<T> = (texts: readonly string[]) => T

const columns = (titles: readonly string[]) =>
  titles.map((title, index) => ({ title, kind: index % 2 === 0 ? 'text' : 'number' }) as const)
const BLOCKS: readonly Made<readonly (Block | undefined)[]>[] = [
  ([text = '']) => [header(text), preformatted(text)],
  ([text = '', name = '', label = '']) => [
    section(md`*${text}* by ${mention('U0123ABC')} ${dateTime(MOMENT)} ${link(PANEL, label)} in ${code(name)}`),
  ],
  (texts) => facts(texts.map((text, index) => [text, texts[index + 1]])),
  (texts) => [context(...texts), bullets(texts), divider()],
  (texts) => [
    fitTable({ caption: texts[0] ?? '', columns: columns(texts), rows: texts.map((_, at) => texts.slice(at)) }).block,
  ],
  (texts) => [
    lineChart({ title: texts[0] ?? '', xLabel: texts[1] ?? '', yLabel: texts[2] ?? '', series: seriesOf(texts) }),
  ],
]

function seriesOf(texts: readonly string[]) {
  return texts.slice(0, 15).map((name, index) => {
    return { name, points: texts.map((label, at) => ({ label, value: at % 7 === 6 ? Number.NaN : index * at })) }
  })
}

const INPUTS: readonly Made<(blockId: string) => InputBlock>[] = [
  ([label = '', hint = '', initial = '', placeholder = '', ...more]) =>
    (blockId) =>
      textInput({
        blockId,
        label,
        hint,
        initial,
        placeholder,
        multiline: more.length % 2 === 0,
        maxLength: more.length * 300,
      }),
  ([label = '', initial = '']) =>
    (blockId) =>
      numberInput({ blockId, label, initial, decimals: initial.length % 2 === 0 }),
  ([label = '', text = '', placeholder = '']) =>
    (blockId) =>
      externalSelect({ blockId, label, placeholder, initial: { value: 'v', label: text } }),
  (texts) => (blockId) => oneOf('radio_buttons', { blockId, ...choicesOf(texts), initial: 'v3' }),
  (texts) => (blockId) => oneOf('static_select', { blockId, ...choicesOf([...texts, ...texts]), initial: 'v0' }),
  (texts) => (blockId) => someOf('checkboxes', { blockId, ...choicesOf(texts), initial: ['v0', 'v11', 'no'] }),
  (texts) => (blockId) =>
    someOf('multi_static_select', { blockId, ...choicesOf([...texts, ...texts]), initial: ['v101'] }),
]

function choicesOf(texts: readonly string[]) {
  return { label: texts[0] ?? '', choices: texts.map((label, index) => ({ value: `v${index}`, label })) }
}

const texts = fc.array(foreignText, { minLength: 1, maxLength: 60 })
const anyOf = <T>(making: readonly Made<T>[]) => fc.oneof(...making.map((make) => texts.map(make)))
const block = anyOf(BLOCKS).map((made) => made.filter((each) => each !== undefined))

const row = fc.array(fc.tuple(foreignText, foreignText), { minLength: 1, maxLength: 25 }).map((words) =>
  actions(
    'row',
    words.map(([text, question], index) => {
      const confirm = { title: text, text: question, confirm: text, deny: question }
      return button({ actionId: `a${index}`, text, accessibilityLabel: question, confirm })
    }),
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
      { numRuns: 50 },
    )
  })

  test('no modal has a problem, a control sequence that is not ours, or a hidden character', () => {
    fc.assert(
      fc.property(
        foreignText,
        fc.array(block, { maxLength: 3 }),
        fc.array(anyOf(INPUTS), { maxLength: 6 }),
        (text, blocks, inputs) => {
          const fields = inputs.map((build, index) => build(`field${index}`))
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
      { numRuns: 50 },
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
