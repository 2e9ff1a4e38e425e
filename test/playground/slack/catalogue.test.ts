import { describe, expect, it } from 'vitest'
import { sendEvent } from '../../../src/playground/slack/events.ts'
import { checkMessageBlocks, checkView, written } from '../../../src/playground/slack/message-rules.ts'
import { METHODS } from '../../../src/playground/slack/methods.ts'
import { OPS } from '../../../src/playground/slack/seed.ts'
import { manifest, METHOD_SCOPES } from '../../support/slack-scopes.ts'
import {
  actions,
  box,
  button,
  chart,
  dataTable,
  input,
  line,
  modal,
  mrkdwn,
  option,
  plain,
  rawText,
  section,
  select,
  textInput,
  type Piece,
} from './sample-blocks.ts'
import { scene } from './scripted-app.ts'

/*
 * Slack's own names, from docs.slack.dev (2026-09-14): what the bot sends is taken, and each other name is refused by
 * that name. A block that the bot begins to send moves from one list to the other.
 */

const menu = { options: [option('a')] }
const text = { type: 'text', text: 't' }
const rich = (part: Piece): Piece => ({ type: 'rich_text', elements: [part] })
const external = { type: 'external_select', action_id: 'a', min_query_length: 0 }

/** Blocks of a message that the bot sends, by their type. */
const BLOCKS: Readonly<Record<string, Piece>> = {
  actions: actions(button()),
  context: { type: 'context', elements: [mrkdwn('c')] },
  data_table: dataTable(2, 2),
  data_visualization: chart(line(1, 2)),
  divider: { type: 'divider' },
  header: { type: 'header', text: plain('h') },
  rich_text: box('t'),
  section: section('s'),
}
const OTHER_BLOCKS =
  'alert call card carousel container context_actions file image markdown plan share_shortcut table task_card video'

/** Elements that the bot sends, in messages and in inputs. */
const ACTIONS: Readonly<Record<string, Piece>> = {
  button: button(),
  external_select: external,
  static_select: select(),
}
const INPUTS: Readonly<Record<string, Piece>> = {
  checkboxes: { type: 'checkboxes', action_id: 'a', ...menu },
  external_select: external,
  multi_static_select: { ...select(), type: 'multi_static_select' },
  number_input: { type: 'number_input', action_id: 'a', is_decimal_allowed: false },
  plain_text_input: textInput(),
  radio_buttons: { type: 'radio_buttons', action_id: 'a', ...menu },
  static_select: select(),
}
const ELEMENTS =
  'button channels_select checkboxes conversations_select datepicker datetimepicker email_text_input external_select feedback_buttons file_input icon_button image multi_channels_select multi_conversations_select multi_external_select multi_static_select multi_users_select number_input overflow plain_text_input radio_buttons rich_text_input static_select timepicker url_source url_text_input users_select workflow_button'

const others = (all: string, taken: object) => all.split(' ').filter((name) => !(name in taken))

/** Where a name stands that is refused, the name, and a block with it. */
const REFUSED: readonly (readonly [place: string, type: string, block: Piece])[] = [
  ...others(OTHER_BLOCKS, {}).map((type) => ['/type', type, { type }] as const),
  ...others(ELEMENTS, ACTIONS).flatMap((type) => {
    const element = { type, action_id: 'a', ...menu }
    return [
      ['/elements/0/type', type, actions(element)] as const,
      ['/accessory/type', type, { ...section('s'), accessory: element }] as const,
    ]
  }),
  ...others(ELEMENTS, INPUTS).map((type) => ['/element/type', type, input({ type, action_id: 'a' })] as const),
  ['/elements/0/type', 'image', { type: 'context', elements: [{ type: 'image', image_url: 'u', alt_text: 'a' }] }],
  ...['rich_text_section', 'rich_text_quote', 'rich_text_list'].map(
    (type) => ['/elements/0/type', type, rich({ type, elements: [text] })] as const,
  ),
  ...'broadcast channel color date emoji link team user usergroup'.split(' ').map((type) => {
    const block = rich({ type: 'rich_text_preformatted', elements: [{ ...text, type }] })
    return ['/elements/0/elements/0/type', type, block] as const
  }),
]

/** The same for what stands in messages and on Home only. */
const DRAWN: typeof REFUSED = [
  ...['pie', 'bar', 'area'].map((type) => ['/chart/type', type, chart({ type })] as const),
  ['/rows/1/0/type', 'rich_text', dataTable(2, 1, { rows: [[rawText('x')], [rich(text)]] })],
]

describe('What the bot sends', () => {
  it.each(Object.entries({ ...BLOCKS, ...wrapped(ACTIONS, actions) }))('is taken in a message: %s', (_type, block) => {
    expect(checkMessageBlocks([block])).toMatchObject({ ok: true })
  })

  it.each(Object.entries(INPUTS))('is taken in a form: %s', (_type, element) => {
    expect(checkView(modal([input(element)]), 'modal')).toMatchObject({ ok: true })
  })
})

describe('What Slack has and the bot never sends', () => {
  it.each([...REFUSED, ...DRAWN])('is refused at %s of a message by its name: %s', (place, type, block) => {
    const checked = checkMessageBlocks([block])
    expect(checked).toMatchObject({ ok: false, error: 'invalid_blocks' })
    expect(checked.ok ? [] : checked.problems.map(written)).toEqual([
      `unsupported type: ${type} [json-pointer:/blocks/0${place}]`,
    ])
  })

  it.each(REFUSED)('is refused at %s of a modal by its name: %s', (place, type, block) => {
    const checked = checkView(modal([block]), 'modal')
    expect(checked.ok ? [] : checked.problems.map(written)).toEqual([
      `unsupported type: ${type} [json-pointer:/view/blocks/0${place}]`,
    ])
  })

  it.each(['clear_on_close', 'submit_disabled', 'blocks_v2'])('is refused of a modal by its name: %s', (field) => {
    const checked = checkView(modal([], { [field]: true }), 'modal')
    expect(checked.ok ? [] : checked.problems.map(written)).toEqual([
      `invalid additional property: ${field} [json-pointer:/view]`,
    ])
  })
})

const OTHER_METHODS =
  'admin.users.list api.test apps.event.authorizations.list apps.manifest.create assistant.threads.setStatus auth.revoke auth.teams.list bookmarks.add calls.add canvases.create chat.appendStream chat.delete chat.deleteScheduledMessage chat.getPermalink chat.meMessage chat.postMessage.v2 chat.scheduleMessage chat.startStream chat.stopStream chat.unfurl conversations.acceptSharedInvite conversations.archive conversations.close conversations.create conversations.history conversations.invite conversations.join conversations.kick conversations.leave conversations.list conversations.mark conversations.members conversations.open conversations.rename conversations.replies conversations.setPurpose conversations.setTopic conversations.unarchive dialog.open dnd.info emoji.list files.delete files.info files.list files.remote.add files.revokePublicURL files.sharedPublicURL files.upload functions.completeSuccess lists.create migration.exchange oauth.v2.access openid.connect.token pins.add pins.list reactions.add reactions.get reactions.remove reminders.add rtm.connect search.messages stars.add team.accessLogs team.info team.profile.get tooling.tokens.rotate usergroups.create usergroups.disable usergroups.update usergroups.users.list usergroups.users.update users.conversations users.getPresence users.identity users.list users.lookupByEmail users.profile.get users.profile.set users.setPresence views.push workflows.stepCompleted'

describe('The Web API', () => {
  it('serves what the bot calls, and opens links', () => {
    expect(Object.keys(METHODS).toSorted()).toEqual(['apps.connections.open', ...Object.keys(METHOD_SCOPES)].toSorted())
  })

  it.each(OTHER_METHODS.split(' '))('does not know %s', (method) => {
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

function wrapped(elements: Readonly<Record<string, Piece>>, wrap: (element: Piece) => Piece) {
  return Object.fromEntries(Object.entries(elements).map(([type, element]) => [type, wrap(element)]))
}
