import { describe, expect, test } from 'vitest'
import type { Block } from '../../src/block-kit/blocks.ts'
import { actions, button, overflow } from '../../src/block-kit/buttons.ts'
import { lineChart } from '../../src/block-kit/chart.ts'
import { externalSelect, numberInput, oneOf, option, someOf, textInput } from '../../src/block-kit/inputs.ts'
import { code, link, md, textOf } from '../../src/block-kit/mrkdwn.ts'
import { context, facts, header, section } from '../../src/block-kit/sections.ts'
import { fitTable } from '../../src/block-kit/table.ts'
import { modal } from '../../src/block-kit/view.ts'

const view = { callbackId: 'c', title: 't', blocks: [] }
const input = { blockId: 'b', label: 'l' }
const go = { actionId: 'a', text: 't' }
const confirm = { title: 't', text: 't', confirm: 'c', deny: 'd' }
const many = <T>(length: number, each: (index: number) => T): readonly T[] =>
  Array.from({ length }, (_, index) => each(index))
const choices = (length: number) => many(length, (index) => ({ value: `v${index}`, label: `l${index}` }))
const chart = (more: object) =>
  lineChart({ title: 't', series: [{ name: 'n', points: [{ label: 'l', value: 1 }] }], ...more })

describe('words that are longer than Slack shows', () => {
  test.each<readonly [what: string, most: number, make: (text: string) => unknown]>([
    ['a header', 150, header],
    ['a section', 3_000, (text) => section(md`${text.slice(0, 1_500)}${text.slice(1_500)}`)],
    ['what is inserted', 2_000, section],
    ['inline code', 500, (text) => textOf(code(text))],
    ['a link', 150, (label) => textOf(link(new URL('https://panel.example/'), label))],
    ['the title of a modal', 24, (title) => modal({ ...view, title })],
    ['what submits it', 24, (submit) => modal({ ...view, submit })],
    ['what closes it', 24, (close) => modal({ ...view, close })],
    ['a button', 75, (text) => button({ ...go, text })],
    ['its words for a screen reader', 75, (accessibilityLabel) => button({ ...go, accessibilityLabel })],
    ['the title of its question', 100, (title) => button({ ...go, confirm: { ...confirm, title } })],
    ['its question', 300, (text) => button({ ...go, confirm: { ...confirm, text } })],
    ['the yes to it', 30, (yes) => button({ ...go, confirm: { ...confirm, confirm: yes } })],
    ['the no to it', 30, (deny) => button({ ...go, confirm: { ...confirm, deny } })],
    ['the label of a field', 2_000, (label) => textInput({ ...input, label })],
    ['its hint', 2_000, (hint) => numberInput({ ...input, hint })],
    ['its placeholder', 150, (placeholder) => externalSelect({ ...input, placeholder })],
    ['a choice', 75, (label) => option({ value: 'v', label })],
    ['the caption of a table', 150, (caption) => fitTable({ caption, columns: [], rows: [] })],
    ['a cell', 400, (text) => fitTable({ caption: 'c', columns: [{ title: text, kind: 'text' }], rows: [['a']] })],
    ['the title of a chart', 50, (title) => chart({ title })],
    ['its x axis', 50, (xLabel) => chart({ xLabel })],
    ['its y axis', 50, (yLabel) => chart({ yLabel })],
    ['a point of it', 20, (label) => chart({ series: [{ name: 'n', points: [{ label, value: 1 }] }] })],
    ['a line of it', 20, (name) => chart({ series: [{ name, points: [{ label: 'l', value: 1 }] }] })],
  ])('are cut: %s after %d characters', (_, most, make) => {
    expect(JSON.stringify(make('x'.repeat(most)))).toMatch(new RegExp(`\\bx{${most}}\\b`))
    expect(JSON.stringify(make('x'.repeat(most + 1)))).toMatch(new RegExp(`\\bx{${most - 1}}…`))
  })
})

describe('what names something', () => {
  test.each<readonly [what: string, most: number, make: (id: string) => object]>([
    ['callback_id', 255, (callbackId) => modal({ ...view, callbackId })],
    ['external_id', 255, (externalId) => modal({ ...view, externalId })],
    ['private_metadata', 3_000, (privateMetadata) => modal({ ...view, privateMetadata })],
    ['block_id', 255, (blockId) => textInput({ ...input, blockId })],
    ['block_id', 255, (blockId) => actions(blockId, [button(go)])],
    ['action_id', 255, (actionId) => button({ ...go, actionId })],
    ['action_id', 255, (actionId) => overflow({ actionId, choices: choices(1) })],
    ['The value of a button', 2_000, (value) => button({ ...go, value })],
    ['The value of an option', 150, (value) => option({ value, label: 'l' })],
  ])('is never cut but refused: %s', (what, most, make) => {
    expect(JSON.stringify(make('x'.repeat(most)))).toContain(`"${'x'.repeat(most)}"`)
    const refusal = new RangeError(`${what} must have 1 to ${most} characters`)
    for (const id of ['', 'x'.repeat(most + 1)]) expect(() => make(id)).toThrow(refusal)
  })
})

describe('more than Slack takes', () => {
  test.each<readonly [what: string, most: number, make: (length: number) => unknown, sentence: string]>([
    [
      'elements of a row',
      25,
      (length) =>
        actions(
          'b',
          many(length, () => button(go)),
        ),
      'A row of actions must have',
    ],
    [
      'choices of a menu',
      5,
      (length) => overflow({ actionId: 'a', choices: choices(length) }),
      'A menu of actions must',
    ],
  ])('and none are refused: %s', (_, most, make, sentence) => {
    expect(() => make(most)).not.toThrow()
    for (const length of [0, most + 1]) expect(() => make(length)).toThrow(RangeError)
    expect(() => make(most + 1)).toThrow(sentence)
    expect(() => make(most + 1)).toThrow(`1 to ${most} `)
  })

  const fieldsIn = (blocks: readonly Block[]) =>
    blocks.flatMap((block) => (block.type === 'section' ? block.fields : []))
  test.each<readonly [what: string, most: number, make: (length: number) => readonly unknown[] | undefined]>([
    ['facts of a section', 10, (length) => fieldsIn(facts(many(length, (row) => [`L${row}`, row])).slice(0, 1))],
    ['small print', 10, (length) => context(...many(length, String)).elements],
    [
      'choices of a list',
      100,
      (length) => oneOf('static_select', { ...input, choices: choices(length) }).element.options,
    ],
    [
      'buttons to choose',
      10,
      (length) => oneOf('radio_buttons', { ...input, choices: choices(length) }).element.options,
    ],
    [
      'choices of several',
      100,
      (length) => someOf('multi_static_select', { ...input, choices: choices(length) }).element.options,
    ],
    ['boxes to tick', 10, (length) => someOf('checkboxes', { ...input, choices: choices(length) }).element.options],
    [
      'lines of a chart',
      12,
      (length) =>
        chart({ series: many(length, (name) => ({ name: `${name}`, points: [{ label: 'l', value: 1 }] })) })?.chart
          .series,
    ],
    [
      'points of a line',
      20,
      (length) =>
        chart({ series: [{ name: 'n', points: many(length, (label) => ({ label: `${label}`, value: 1 })) }] })?.chart
          .axis_config.categories,
    ],
    ['columns of a table', 20, (length) => columnsOf(many(length, () => ({ title: 't', kind: 'text' })))],
  ])('is left out: %s', (_, most, make) => {
    expect([make(most)?.length, make(most + 1)?.length]).toEqual([most, most])
  })
})

function columnsOf(columns: Parameters<typeof fitTable>[0]['columns']) {
  const { block } = fitTable({ caption: 'c', columns, rows: [['a']] })
  return block.type === 'data_table' ? block.rows[1] : undefined
}
