import { describe, expect, test } from 'vitest'
import { actions, button, overflow } from '../../src/block-kit/buttons.ts'
import { lineChart } from '../../src/block-kit/chart.ts'
import { externalSelect, numberInput, oneOf, option, someOf, textInput } from '../../src/block-kit/inputs.ts'
import { code, link, md, textOf } from '../../src/block-kit/mrkdwn.ts'
import { header, section } from '../../src/block-kit/sections.ts'
import { fitTable } from '../../src/block-kit/table.ts'
import { modal } from '../../src/block-kit/view.ts'

const view = { callbackId: 'c', title: 't', blocks: [] }
const input = { blockId: 'b', label: 'l' }
const go = { actionId: 'a', text: 't' }
const confirm = { title: 't', text: 't', confirm: 'c', deny: 'd' }
const many = <T>(length: number, each: (index: number) => T): readonly T[] =>
  Array.from({ length }, (_, index) => each(index))
const choice = (value: string) => ({ value, label: 'l' })
const point = (label: string) => ({ label, value: 1 })
const POINT = point('l')
const column = (title: string) => ({ title, kind: 'text' }) as const
const table = { caption: 'c', columns: [], rows: [['a']] }
const chart = (more: object) =>
  lineChart({ title: 't', xLabel: 'x', yLabel: 'y', series: [{ name: 'n', points: [POINT] }], ...more })

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
    ['the caption of a table', 150, (caption) => fitTable({ ...table, caption })],
    ['a cell', 400, (title) => fitTable({ ...table, columns: [column(title)] })],
    ['the title of a chart', 50, (title) => chart({ title })],
    ['its x axis', 50, (xLabel) => chart({ xLabel })],
    ['its y axis', 50, (yLabel) => chart({ yLabel })],
    ['a point of it', 20, (label) => chart({ series: [{ name: 'n', points: [point(label)] }] })],
    ['a line of it', 20, (name) => chart({ series: [{ name, points: [POINT] }] })],
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
    ['action_id', 255, (actionId) => overflow({ actionId, choices: [choice('v')] })],
    ['The value of a button', 2_000, (value) => button({ ...go, value })],
    ['The value of an option', 150, (value) => option({ value, label: 'l' })],
  ])('is never cut but refused: %s', (what, most, make) => {
    expect(JSON.stringify(make('x'.repeat(most)))).toContain(`"${'x'.repeat(most)}"`)
    const refusal = new RangeError(`${what} must have 1 to ${most} characters`)
    for (const id of ['', 'x'.repeat(most + 1)]) expect(() => make(id)).toThrow(refusal)
  })
})

describe('more than Slack takes', () => {
  const list = { ...input, choices: [] }
  test.each<readonly [what: string, most: number, make: (names: readonly string[]) => unknown]>([
    ['choices of one', 100, (names) => oneOf('static_select', { ...list, choices: names.map(choice) })],
    ['buttons to choose', 10, (names) => oneOf('radio_buttons', { ...list, choices: names.map(choice) })],
    ['choices of several', 100, (names) => someOf('multi_static_select', { ...list, choices: names.map(choice) })],
    ['boxes to tick', 10, (names) => someOf('checkboxes', { ...list, choices: names.map(choice) })],
    ['lines of a chart', 12, (names) => chart({ series: names.map((name) => ({ name, points: [POINT] })) })],
    ['points of a line', 20, (names) => chart({ series: [{ name: 'n', points: names.map(point) }] })],
    ['columns of a table', 20, (names) => fitTable({ ...table, columns: names.map(column) })],
  ])('is left out: %s', (_, most, make) => {
    const shown = (length: number) => new Set(JSON.stringify(make(many(length, String))).match(/(?<=")\d+(?=")/g)).size
    expect([shown(most), shown(most + 1)]).toEqual([most, most])
  })

  test('is refused where it would be a button that is lost, and so is none', () => {
    const row = (length: number) => () =>
      actions(
        'b',
        many(length, () => button(go)),
      )
    const menu = (length: number) => () => overflow({ actionId: 'a', choices: many(length, String).map(choice) })
    expect([row(25)().elements.length, menu(5)().options.length]).toEqual([25, 5])
    for (const length of [0, 26]) {
      expect(row(length)).toThrow(new RangeError(`A row of actions must have 1 to 25 elements, not ${length}`))
      expect(menu(length)).toThrow(new RangeError(`A menu of actions must have 1 to 5 choices, not ${length}`))
    }
    expect(menu(6)).toThrow(RangeError)
  })
})
