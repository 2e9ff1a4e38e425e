import { describe, expect, it } from 'vitest'
import { checkMessageBlocks } from '../../../../src/playground/slack/block-rules/message-rules.ts'
import { written } from '../../../../src/playground/slack/block-rules/problems.ts'
import { checkView } from '../../../../src/playground/slack/block-rules/view-rules.ts'
import { actions, chart, dataTable, input, modal, option, plain, section, type Piece } from '../sample-blocks.ts'

const MENU = { options: [option('a')] }
const text = { type: 'text', text: 't' }
const rich = (part: Piece): Piece => ({ type: 'rich_text', elements: [part] })

/** What Slack has and the bot never sends: where it stands, its type, and a block with it. */
const OTHERS: readonly (readonly [place: string, type: string, make: (type: string) => Piece])[] = [
  ...[
    'alert',
    'card',
    'carousel',
    'container',
    'context_actions',
    'file',
    'image',
    'markdown',
    'table',
    'video',
    'button',
  ].map((type) => ['/type', type, () => ({ type })] as const),
  ...[
    'checkboxes',
    'radio_buttons',
    'multi_static_select',
    'overflow',
    'workflow_button',
    'image',
    'datepicker',
    'timepicker',
    'datetimepicker',
    'users_select',
    'channels_select',
    'conversations_select',
    'rich_text_input',
    'feedback_buttons',
    'icon_button',
  ].flatMap((type) => [
    ['/elements/0/type', type, () => actions({ type, action_id: 'a', ...MENU })] as const,
    ['/accessory/type', type, () => ({ ...section('s'), accessory: { type, action_id: 'a', ...MENU } })] as const,
  ]),
  ...[
    'button',
    'datepicker',
    'timepicker',
    'datetimepicker',
    'email_text_input',
    'url_text_input',
    'file_input',
    'rich_text_input',
    'users_select',
    'channels_select',
    'conversations_select',
    'multi_external_select',
    'multi_users_select',
    'multi_channels_select',
    'multi_conversations_select',
  ].map((type) => ['/element/type', type, () => input({ type, action_id: 'a', ...MENU })] as const),
  ['/elements/0/type', 'image', (type) => ({ type: 'context', elements: [{ type, image_url: 'u', alt_text: 'a' }] })],
  ...['rich_text_section', 'rich_text_quote', 'rich_text_list'].map(
    (type) => ['/elements/0/type', type, () => rich({ type, elements: [text] })] as const,
  ),
  ...['link', 'user', 'usergroup', 'channel', 'broadcast', 'emoji', 'date', 'color'].map(
    (type) =>
      [
        '/elements/0/elements/0/type',
        type,
        () => rich({ type: 'rich_text_preformatted', elements: [{ ...text, type }] }),
      ] as const,
  ),
]

/** The same for what stands in messages and on Home only. */
const DRAWN: typeof OTHERS = [
  ...['pie', 'bar', 'area'].map((type) => ['/chart/type', type, () => chart({ type })] as const),
  ['/rows/1/0/type', 'rich_text', () => dataTable(2, 1, { rows: [[raw], [rich(text)]] })],
]
const raw = { type: 'raw_text', text: 'x' }

describe('What Slack has and the bot never sends', () => {
  it.each([...OTHERS, ...DRAWN])('is refused at %s of a message by its name: %s', (place, type, make) => {
    const checked = checkMessageBlocks([make(type)])
    expect(checked).toMatchObject({ ok: false, error: 'invalid_blocks' })
    expect(checked.ok ? [] : checked.problems.map(written)).toEqual([
      `unsupported type: ${type} [json-pointer:/blocks/0${place}]`,
    ])
  })

  it.each(OTHERS)('is refused at %s of a modal by its name: %s', (place, type, make) => {
    const checked = checkView(modal([make(type)], { title: plain('t') }), 'modal')
    expect(checked).toMatchObject({ ok: false, error: 'invalid_arguments' })
    expect(checked.ok ? [] : checked.problems.map(written)).toEqual([
      `unsupported type: ${type} [json-pointer:/view/blocks/0${place}]`,
    ])
  })
})
