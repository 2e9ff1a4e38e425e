import { describe, expect, test } from 'vitest'
import { button } from '../../src/block-kit/buttons.ts'
import { textInput } from '../../src/block-kit/inputs.ts'
import { divider, section } from '../../src/block-kit/sections.ts'
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
    expect(modal({ callbackId: 'c', title: 't', blocks: [input('a')] })).toMatchObject({ submit: { text: 'Submit' } })
    expect(modal({ callbackId: 'c', title: 't', blocks: [section('a')] })).not.toHaveProperty('submit')
  })

  test('shows tables as text', () => {
    const { blocks } = modal({ callbackId: 'c', title: 't', blocks: [table] })
    expect(blocks.map(({ type }) => type)).toEqual(['section', 'rich_text'])
  })

  test('never cuts what it carries', () => {
    const base = { callbackId: 'c', title: 't', blocks: [section('a')] }
    expect(() => modal({ ...base, privateMetadata: 'x'.repeat(3_001) })).toThrow('private_metadata')
    expect(() => modal({ ...base, callbackId: 'x'.repeat(256) })).toThrow(RangeError)
  })

  test('counts parts beyond 100 but refuses to lose a field', () => {
    const dividers = Array.from({ length: 120 }, () => divider())
    const { blocks } = modal({ callbackId: 'c', title: 't', blocks: dividers })
    expect(blocks).toHaveLength(100)
    expect(JSON.stringify(blocks.at(-1))).toContain('21 more parts did not fit.')
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
  expect(home({ blocks: [] }).blocks).toHaveLength(1)
})

test('a button says and asks what it was given', () => {
  expect(
    button({
      actionId: 'approve',
      text: 'Approve',
      value: 'id',
      style: 'primary',
      accessibilityLabel: 'Approve the change',
      confirm: { title: 'Sure?', text: 'x'.repeat(301), confirm: 'Approve', deny: 'Go back' },
    }),
  ).toMatchObject({
    type: 'button',
    action_id: 'approve',
    value: 'id',
    accessibility_label: 'Approve the change',
    confirm: { text: { text: `${'x'.repeat(299)}…` }, deny: { text: 'Go back' } },
  })
  expect(() => button({ actionId: 'a', text: 'b', value: 'x'.repeat(2_001) })).toThrow(RangeError)
})
