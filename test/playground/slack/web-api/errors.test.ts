import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ATTIC, GENERAL, OLGA, OPS, RANDOM, SAM, SECRET, VERA } from '../../../../src/playground/slack/seed.ts'
import { SlackError } from '../../../../src/playground/slack/slack-error.ts'
import { actions, box, button, chars, dataTable, modal, section, times } from '../sample-blocks.ts'
import { scene, type Scene } from '../scripted-app.ts'

const EMULATOR = 'src/playground/slack'
const text = 't'
const view = modal([section('s')])
const withButton = modal([{ ...actions(button()), block_id: 'row' }])
const RICH = box(text)
const home = { type: 'home', blocks: [section('s')] }
const wide = times(5, () => section(chars(2_900)))

/** A scene in which the person has typed a command, with the trigger it brought. */
async function triggered(): Promise<{ on: Scene; trigger_id: unknown }> {
  const on = scene()
  await on.person(VERA).command(OPS, '/cdn')
  return { on, trigger_id: on.received[0]?.['trigger_id'] }
}

/** The same with a modal open that has a button. */
async function opened(over: object = {}): Promise<Scene> {
  const { on, trigger_id } = await triggered()
  on.call('views.open', { trigger_id, view: { ...withButton, ...over } })
  return on
}

/** Puts another modal on top, with the trigger that the button of the present one brings. */
async function pushed(on: Scene): Promise<unknown> {
  await on.person(VERA).click({ view: on.person(VERA).view()! }, 'row', 'go')
  return on.call('views.push', { trigger_id: on.received.at(-1)?.['trigger_id'], view: withButton })
}

async function fromCommand(use: (on: Scene, path: string) => unknown): Promise<unknown> {
  const { on } = await triggered()
  const path = new URL(String(on.received[0]?.['response_url'])).pathname
  try {
    return use(on, path)
  } catch (error) {
    if (error instanceof SlackError) return error.body()
    throw error
  }
}

const posted = (on: Scene, args: object) => on.call('chat.postMessage', { channel: OPS, ...args })
const postedTs = (on: Scene) => posted(on, { text })['ts']

async function sayingTs(on: Scene): Promise<string> {
  await on.person(VERA).say(OPS, 'mine')
  return on.person(VERA).messages(OPS)[0]!.ts
}

/** For every error the emulator knows, a way to get it. */
const WAYS: Readonly<Record<string, () => unknown>> = {
  block_mismatch: () => {
    const on = scene()
    const { ts } = posted(on, { text, blocks: [RICH] })
    return on.call('chat.update', { channel: OPS, ts, text, blocks: [section('s')] })
  },
  bot_not_found: () => scene().call('bots.info', { bot: 'B0GUESSED' }),
  cant_delete_message: async () => {
    const on = scene()
    return on.call('chat.delete', { channel: OPS, ts: await sayingTs(on) })
  },
  cant_update_message: async () => {
    const on = scene()
    return on.call('chat.update', { channel: OPS, ts: await sayingTs(on), text })
  },
  channel_not_found: () => posted(scene(), { channel: SECRET, text }),
  duplicate_external_id: async () => {
    const on = await opened({ external_id: 'one' })
    return on.call('views.publish', { user_id: OLGA, view: { ...home, external_id: 'one' } })
  },
  exchanged_trigger_id: async () => {
    const { on, trigger_id } = await triggered()
    on.call('views.open', { trigger_id, view })
    return on.call('views.open', { trigger_id, view })
  },
  expired_trigger_id: async () => {
    const { on, trigger_id } = await triggered()
    on.clock.turn(3_001)
    return on.call('views.open', { trigger_id, view })
  },
  expired_url: () =>
    fromCommand((on, path) => {
      on.clock.turn(30 * 60_000 + 1)
      on.parts.responseUrls.use(path, { text })
    }),
  file_not_found: () => scene(undefined, { scopes: ['files:read'] }).call('files.info', { file: 'F0' }),
  file_upload_size_restricted: () =>
    scene().call('files.getUploadURLExternal', { filename: 'a.csv', length: 1_000_000_000 }),
  hash_conflict: async () => {
    const on = await opened()
    return on.call('views.update', { view_id: on.person(VERA).view()?.id, hash: 'old', view })
  },
  internal_error: () => {
    const on = scene(undefined, { switches: { refuseConnections: true } })
    return on.callAs(on.parts.tokens.app, 'apps.connections.open').body
  },
  invalid_arguments: () => scene().call('users.info'),
  invalid_auth: () => scene().callAs('xoxb-guessed', 'auth.test').body,
  invalid_blocks: () => posted(scene(), { text, blocks: [section('')] }),
  invalid_blocks_format: () => posted(scene(), { text, blocks: 'none' }),
  invalid_cursor: () => scene().call('conversations.list', { cursor: 'guessed' }),
  invalid_payload: () => fromCommand((on, path) => on.parts.responseUrls.use(path, { text: 7 })),
  invalid_trigger_id: () => scene().call('views.open', { trigger_id: 'guessed', view }),
  invalid_types: () => scene().call('conversations.list', { types: 'mpim' }),
  invalid_url: () => fromCommand((on) => on.parts.responseUrls.use('/commands/guessed', { text })),
  is_inactive: () => {
    const on = scene()
    const ts = postedTs(on)
    on.parts.workspace.setArchived(OPS, true)
    return on.call('chat.update', { channel: OPS, ts, text })
  },
  is_archived: () => posted(scene(), { channel: ATTIC, text }),
  message_not_found: () => scene().call('chat.update', { channel: OPS, ts: '1.1', text }),
  messages_tab_disabled: () => {
    const manifest = { oauth_config: { scopes: { bot: ['chat:write'] } } }
    return posted(scene(undefined, { manifest }), { channel: VERA, text })
  },
  method_not_supported_for_channel_type: () =>
    scene(undefined, { scopes: ['im:write'] }).call('conversations.open', { users: `${VERA},${OLGA}` }),
  missing_scope: () => posted(scene(undefined, { scopes: [] }), { text }),
  msg_blocks_too_long: () => posted(scene(), { text, blocks: wide }),
  msg_too_long: () => {
    const on = scene()
    return on.call('chat.update', { channel: OPS, ts: postedTs(on), text: chars(4_001) })
  },
  no_such_subteam: () => scene().call('usergroups.users.list', { usergroup: 'S0' }),
  no_text: () => posted(scene(), {}),
  not_allowed_token_type: () => scene().call('apps.connections.open'),
  not_authed: () => scene().callAs(undefined, 'auth.test').body,
  not_enabled: () => {
    const manifest = { oauth_config: { scopes: { bot: [] } } }
    return scene(undefined, { manifest }).call('views.publish', { user_id: VERA, view: home })
  },
  not_found: () => scene().call('views.update', { view_id: 'V0', view }),
  not_in_channel: () => posted(scene(), { channel: RANDOM, text }),
  plan_upgrade_required: () => scene(undefined, { switches: { paidPlan: false } }).call('usergroups.list'),
  push_limit_reached: async () => {
    const on = await opened()
    for (let views = 2; views <= 3; views += 1) expect(await pushed(on)).toMatchObject({ ok: true })
    return pushed(on)
  },
  ratelimited: () => {
    const on = scene(undefined, { switches: { rateLimits: true } })
    return times(4, () => posted(on, { text })).at(-1)
  },
  too_many_attachments: () => posted(scene(), { text, attachments: times(101, () => ({})) }),
  unknown_method: () => scene().call('chat.shout'),
  used_url: () => fromCommand((on, path) => times(6, () => on.parts.responseUrls.use(path, { text }))),
  user_not_found: () => scene().call('users.info', { user: 'U0' }),
  user_not_in_channel: () => scene().call('chat.postEphemeral', { channel: GENERAL, user: SAM, text }),
  users_list_not_supplied: () => scene(undefined, { scopes: ['im:write'] }).call('conversations.open'),
  view_too_large: async () => {
    const { on, trigger_id } = await triggered()
    return on.call('views.open', { trigger_id, view: modal([dataTable(100, 20), section(chars(250_000))]) })
  },
}

/** Errors that arise before a method is called, over the wire only; another test has them. */
const OVER_THE_WIRE = ['invalid_post_type']

describe('Each error of the Web API', () => {
  it.each(Object.entries(WAYS))('%s can be had', async (code, way) => {
    expect(await way()).toMatchObject({ ok: false, error: code })
  })

  it('that the emulator knows is among them', () => {
    const sources = readdirSync(EMULATOR, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
    const code = sources.map((path) => readFileSync(`${EMULATOR}/${path}`, 'utf8')).join('\n')
    const written = code.matchAll(/SlackError\('(\w+)'|\berror: '([a-z]+(?:_[a-z]+)*)'|, '(cant_\w+)'\)/g)
    const known = new Set([...written].flatMap(([, ...names]) => names.filter((name) => name !== undefined)))
    expect([...known].toSorted()).toEqual([...Object.keys(WAYS), ...OVER_THE_WIRE].toSorted())
  })
})
