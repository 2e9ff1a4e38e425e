import { describe, expect, test } from 'vitest'
import { actions, button, overflow } from '../../src/block-kit/buttons.ts'
import { textInput } from '../../src/block-kit/inputs.ts'
import { context, divider, section } from '../../src/block-kit/sections.ts'
import { fitTable } from '../../src/block-kit/table.ts'
import { home, modal } from '../../src/block-kit/view.ts'
import { checkView } from '../../src/playground/slack/blocks/message-rules.ts'

const input = (blockId: string): ReturnType<typeof textInput> => textInput({ blockId, label: 'x' })
const table = fitTable({ caption: 'c', columns: [{ title: 'T', kind: 'text' }], rows: [['a']] }).block

describe('a modal', () => {
  test('holds what was given, words cut at 24 characters', () => {
    const view = modal({
      callbackId: 'review',
      title: 'Add a record to shop.example.net',
      blocks: [section('a')],
      submit: 'Add the record',
      close: 'Back',
      privateMetadata: 'id',
      externalId: 'e1',
      notifyOnClose: true,
    })
    expect(view).toEqual({
      type: 'modal',
      callback_id: 'review',
      title: { type: 'plain_text', text: 'Add a record to shop.ex…', emoji: false },
      blocks: [section('a')],
      submit: { type: 'plain_text', text: 'Add the record', emoji: false },
      close: { type: 'plain_text', text: 'Back', emoji: false },
      private_metadata: 'id',
      external_id: 'e1',
      notify_on_close: true,
    })
  })

  test('with inputs always has a submit button', () => {
    const bare = { type: 'modal', callback_id: 'c', title: { type: 'plain_text', text: 't', emoji: false } }
    expect(modal({ callbackId: 'c', title: 't', blocks: [input('a')] })).toEqual({
      ...bare,
      blocks: [input('a')],
      submit: { type: 'plain_text', text: 'Submit', emoji: false },
    })
    expect(modal({ callbackId: 'c', title: 't', blocks: [section('a')], notifyOnClose: false })).toEqual({
      ...bare,
      blocks: [section('a')],
    })
  })

  test('shows tables as text', () => {
    const { blocks } = modal({ callbackId: 'c', title: 't', blocks: [table] })
    expect(blocks.map(({ type }) => type)).toEqual(['section', 'rich_text'])
  })

  test('counts parts beyond 100 but refuses to lose a field', () => {
    const dividers = Array.from({ length: 120 }, () => divider())
    const { blocks } = modal({ callbackId: 'c', title: 't', blocks: dividers })
    expect(blocks).toEqual([...dividers.slice(0, 99), context('21 more parts did not fit.')])
    expect(modal({ callbackId: 'c', title: 't', blocks: dividers.slice(20) }).blocks).toHaveLength(100)
    expect(() => modal({ callbackId: 'c', title: 't', blocks: [...dividers, input('a')] })).toThrow('split the form')
  })

  test('stays within 250,000 bytes', () => {
    const full = Array.from({ length: 90 }, () => section('漢'.repeat(3_000)))
    const view = modal({ callbackId: 'c', title: 't', blocks: full, privateMetadata: '\0'.repeat(3_000) })
    expect(Buffer.byteLength(JSON.stringify(view))).toBeGreaterThan(200_000)
    expect(checkView(view, 'modal')).toMatchObject({ ok: true })
    expect(JSON.stringify(view.blocks.at(-1))).toContain('more parts did not fit.')
    expect(() => modal({ callbackId: 'c', title: 't', blocks: [...full, input('a')] })).toThrow('split the form')
  })
})

test('a Home page shows tables as text and is never empty', () => {
  expect(home({ blocks: [table] }).blocks.map(({ type }) => type)).toEqual(['section', 'rich_text'])
  expect(home({ blocks: [] })).toEqual({ type: 'home', blocks: [section('–')] })
})

test('a button says and asks what it was given', () => {
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })
  expect(
    button({
      actionId: 'approve',
      text: 'Approve',
      value: 'id',
      style: 'primary',
      accessibilityLabel: 'Approve the change',
      confirm: { title: 'Sure?', text: 'It is sent.', confirm: 'Approve', deny: 'Go back' },
    }),
  ).toEqual({
    type: 'button',
    action_id: 'approve',
    text: plain('Approve'),
    value: 'id',
    style: 'primary',
    confirm: { title: plain('Sure?'), text: plain('It is sent.'), confirm: plain('Approve'), deny: plain('Go back') },
    accessibility_label: 'Approve the change',
  })
  const go = { type: 'button', action_id: 'go', text: plain('Go') }
  const menu = overflow({ actionId: 'menu', choices: [{ value: 'v', label: 'Mute' }] })
  expect(actions('row', [button({ actionId: 'go', text: 'Go' }), menu])).toEqual({
    type: 'actions',
    block_id: 'row',
    elements: [go, { type: 'overflow', action_id: 'menu', options: [{ text: plain('Mute'), value: 'v' }] }],
  })
})
