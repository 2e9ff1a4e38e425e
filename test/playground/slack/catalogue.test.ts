import { describe, expect, it } from 'vitest'
import { checkMessageBlocks, checkView, written } from '../../../src/playground/slack/blocks/message-rules.ts'
import { OPS } from '../../../src/playground/slack/state/seed.ts'
import { sendEvent } from '../../../src/playground/slack/wire/events.ts'
import { METHODS } from '../../../src/playground/slack/wire/methods.ts'
import { manifest, METHOD_SCOPES } from '../../support/slack-scopes.ts'
import { actions, chart, dataTable, input, modal, option, rawText, section, type Piece } from './sample-blocks.ts'
import { scene } from './scripted-app.ts'

/*
 * What the bot sends is taken in every end-to-end test; whatever else Slack has is refused by its name, so that a test
 * shows it where the bot begins to send something new.
 */

const text = { type: 'text', text: 't' }
const menu = { action_id: 'a', options: [option('a')] }

const REFUSED: readonly (readonly [place: string, type: string, block: Piece])[] = [
  ['/type', 'markdown', { type: 'markdown' }],
  ['/elements/0/type', 'datepicker', actions({ type: 'datepicker', ...menu })],
  ['/accessory/type', 'users_select', { ...section('s'), accessory: { type: 'users_select', ...menu } }],
  ['/element/type', 'file_input', input({ type: 'file_input', action_id: 'a' })],
  ['/elements/0/type', 'image', { type: 'context', elements: [{ type: 'image', image_url: 'u', alt_text: 'a' }] }],
  [
    '/elements/0/type',
    'rich_text_list',
    { type: 'rich_text', elements: [{ type: 'rich_text_list', elements: [text] }] },
  ],
]

/** The same for what stands in messages and on Home only. */
const DRAWN: typeof REFUSED = [
  ['/chart/type', 'pie', chart({ type: 'pie' })],
  [
    '/rows/1/0/type',
    'rich_text',
    dataTable(2, 1, { rows: [[rawText('x')], [{ type: 'rich_text', elements: [text] }]] }),
  ],
]

describe('What Slack has and the bot never sends', () => {
  it.each([...REFUSED, ...DRAWN])('is refused at %s of a message by its name: %s', (place, type, block) => {
    const checked = checkMessageBlocks([block])
    expect(checked).toMatchObject({ ok: false, error: 'invalid_blocks' })
    expect(checked.ok ? [] : checked.problems.map(written)).toEqual([
      `unsupported type: ${type} [json-pointer:/blocks/0${place}]`,
    ])
  })

  it.each(['clear_on_close', 'submit_disabled', 'blocks_v2'])('is refused of a modal by its name: %s', (field) => {
    const checked = checkView(modal([], { [field]: true }), 'modal')
    expect(checked.ok ? [] : checked.problems.map(written)).toEqual([
      `invalid additional property: ${field} [json-pointer:/view]`,
    ])
  })
})

describe('The Web API', () => {
  it('serves what the bot calls, opens links, and what the live check calls', () => {
    const others = ['apps.connections.open', 'blocks.validate', 'chat.delete', 'files.delete']
    expect(Object.keys(METHODS).toSorted()).toEqual([...others, ...Object.keys(METHOD_SCOPES)].toSorted())
  })

  it.each(['chat.scheduleMessage', 'users.conversations', 'views.push'])('does not know %s', (method) => {
    expect(scene().call(method)).toEqual({ ok: false, error: 'unknown_method', req_method: method })
  })

  it('asks for scopes that the manifest has, and refuses what takes another', () => {
    const { scopes } = scene().parts.app
    expect(scopes).toEqual(manifest().oauth_config.scopes.bot)
    const asked = Object.values(METHODS).flatMap(({ scope }) => (scope === undefined ? [] : [scope]))
    expect(asked.filter((scope) => !scopes.includes(scope))).toEqual([])
    const on = scene()
    const { channel } = on.call('chat.postMessage', { channel: 'U0VERA0001', text: 'x' })
    expect(on.call('conversations.info', { channel })).toEqual({
      ok: false,
      error: 'missing_scope',
      needed: 'im:read',
      provided: scopes.join(','),
    })
  })
})

describe('The manifest', () => {
  it('says which events come, and no other does', async () => {
    const on = scene()
    const { bot_events: subscribed } = manifest().settings.event_subscriptions
    expect(on.parts.app.events).toEqual(subscribed)
    for (const type of subscribed) expect(await sendEvent({ type }, on.parts)).toMatchObject({ kind: 'acked' })
    const all = 'channel_archive file_shared member_joined_channel message reaction_added team_join tokens_revoked'
    for (const type of all.split(' ')) expect(await sendEvent({ type }, on.parts)).toBeUndefined()
    expect(on.received).toHaveLength(subscribed.length)
  })

  it('says which commands and shortcuts there are', async () => {
    const on = scene()
    const person = on.person('U0VERA0001')
    expect(await person.command(OPS, '/shrug')).toMatchObject({ shown: '/shrug is not a valid command.' })
    await expect(person.shortcut('other')).rejects.toThrow('The app has no shortcut other')
    expect(await person.shortcut('dns_add')).toEqual({ ok: true })
  })
})
