import { describe, expect, test } from 'vitest'
import { actions, button, overflow } from '../../src/block-kit/buttons.ts'
import { textInput } from '../../src/block-kit/inputs.ts'
import { md } from '../../src/block-kit/mrkdwn.ts'
import { context, divider, preformatted, section } from '../../src/block-kit/sections.ts'
import { fitTable } from '../../src/block-kit/table.ts'
import { home, modal } from '../../src/block-kit/view.ts'
import { checkView } from '../../src/playground/slack/blocks/message-rules.ts'

const input = (blockId: string): ReturnType<typeof textInput> => textInput({ blockId, label: 'x' })
const table = fitTable({ caption: 'c', columns: [{ title: 'T', kind: 'text' }], rows: [['a']] }).block
const TABLE = [section(md`*c*`), preformatted('T\na')]

describe('a modal', () => {
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })
  const bare = { type: 'modal', callback_id: 'c', title: plain('t') }
  const of = (blocks: Parameters<typeof modal>[0]['blocks'], more: object = {}) =>
    modal({ callbackId: 'c', title: 't', blocks, ...more })

  test('holds what was given', () => {
    const ids = { privateMetadata: 'id', externalId: 'e1', notifyOnClose: true }
    expect(of([input('a')], { submit: 'Add the record', close: 'Back', ...ids })).toEqual({
      ...bare,
      blocks: [input('a')],
      submit: plain('Add the record'),
      close: plain('Back'),
      private_metadata: 'id',
      external_id: 'e1',
      notify_on_close: true,
    })
  })

  test('shows tables as text', () => {
    expect(of([table], { notifyOnClose: false })).toEqual({ ...bare, blocks: TABLE })
  })

  test('counts parts beyond 100 but refuses to lose a field', () => {
    const dividers = Array.from({ length: 120 }, () => divider())
    const { blocks } = of(dividers)
    expect(blocks).toEqual([...dividers.slice(0, 99), context('21 more parts did not fit.')])
    expect(of(dividers.slice(20)).blocks).toEqual(dividers.slice(20))
    expect(() => of([...dividers, input('a')])).toThrow('split the form')
  })

  test('stays within 250,000 bytes', () => {
    const full = Array.from({ length: 90 }, () => section('漢'.repeat(3_000)))
    const view = of(full, { privateMetadata: '\0'.repeat(3_000) })
    expect(Buffer.byteLength(JSON.stringify(view))).toBeGreaterThan(200_000)
    expect(checkView(view, 'modal')).toMatchObject({ ok: true })
    expect(JSON.stringify(view.blocks.at(-1))).toContain('more parts did not fit.')
    expect(() => of([...full, input('a')])).toThrow('split the form')
  })
})

test('a Home page shows tables as text and is never empty', () => {
  expect(home({ blocks: [table] })).toEqual({ type: 'home', blocks: TABLE })
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
  const go = { type: 'button', action_id: 'go', text: plain('Go'), style: 'danger' }
  const menu = overflow({ actionId: 'menu', choices: [{ value: 'v', label: 'Mute' }] })
  expect(actions('row', [button({ actionId: 'go', text: 'Go', style: 'danger' }), menu])).toEqual({
    type: 'actions',
    block_id: 'row',
    elements: [go, { type: 'overflow', action_id: 'menu', options: [{ text: plain('Mute'), value: 'v' }] }],
  })
})
