import { describe, expect, it } from 'vitest'
import { readManifestFile } from '../../../src/playground/manifest-file.ts'
import { readAppManifest } from '../../../src/playground/slack/app-manifest.ts'
import { OPS, VERA } from '../../../src/playground/slack/seed.ts'
import { manifest } from '../../support/slack-scopes.ts'
import { section } from './sample-blocks.ts'
import { scene } from './scripted-app.ts'

const scopes = { bot: ['commands', 'chat:write'] }
const bare = { oauth_config: { scopes } }
const withHome = (app_home: object, more: object = {}) => ({ ...bare, features: { app_home, ...more } })
const MESSAGES = { messages_tab_enabled: true }
const HOME = { home_tab_enabled: true }
const home = { type: 'home', blocks: [section('hi')] }
const shortcut = (type: string, callback_id: string) => ({ type, callback_id, name: 'Name', description: 'Words' })

describe('A manifest', () => {
  it('of this app is read as it stands', async () => {
    const { features, oauth_config: oauth } = manifest()
    const [command] = features.slash_commands
    const { app } = scene(undefined, { manifest: await readManifestFile() }).parts
    expect(app.scopes).toEqual(oauth.scopes.bot)
    expect(app.commands).toMatchObject([{ command: '/cdn', usageHint: command?.usage_hint, shouldEscape: true }])
    expect(app.shortcuts?.map(({ callbackId }) => callbackId)).toEqual(
      features.shortcuts.map(({ callback_id }) => callback_id),
    )
    expect([app.homeTab, app.messagesTab]).toEqual([features.app_home.home_tab_enabled, 'on'])
  })

  it('leaves off what it does not say', () => {
    expect(readAppManifest(bare)).toEqual({
      commands: [],
      shortcuts: [],
      scopes: ['commands', 'chat:write'],
      events: [],
      homeTab: false,
      messagesTab: 'off',
    })
    expect(() => readAppManifest({})).toThrow('oauth_config')
  })
})

describe('An app', () => {
  it('may do what the scopes of its manifest allow, and learns which one it needs', () => {
    const { call } = scene(undefined, { manifest: bare })
    expect(call('chat.postMessage', { channel: OPS, text: 'x' })).toMatchObject({ ok: true })
    expect(call('users.info', { user: VERA })).toEqual({
      ok: false,
      error: 'missing_scope',
      needed: 'users:read',
      provided: 'commands,chat:write',
    })
  })

  it('hears only the commands it has, escaped if it wants that', async () => {
    const command = { command: '/edge', description: 'Words' }
    const on = scene(undefined, { manifest: withHome({}, { slash_commands: [command] }) })
    expect(await on.person(VERA).command(OPS, '/cdn')).toMatchObject({ shown: '/cdn is not a valid command.' })
    expect(await on.person(VERA).command(OPS, '/edge a&b')).toEqual({ ok: true })
    expect(on.received).toMatchObject([{ command: '/edge', text: 'a&b' }])
  })

  it('offers only the global shortcuts it has', async () => {
    const shortcuts = [shortcut('global', 'add'), shortcut('message', 'quote')]
    const on = scene(undefined, { manifest: withHome({}, { shortcuts }) })
    expect(on.parts.app.shortcuts).toEqual([{ callbackId: 'add', name: 'Name', description: 'Words' }])
    expect(await on.person(VERA).shortcut('add')).toEqual({ ok: true })
    await expect(on.person(VERA).shortcut('quote')).rejects.toThrow('no shortcut quote')
  })

  it('without a Home can publish none, and nobody can open it', async () => {
    const on = scene(undefined, { manifest: bare })
    expect(on.call('views.publish', { user_id: VERA, view: home })).toMatchObject({ error: 'not_enabled' })
    await expect(on.person(VERA).openHome()).rejects.toThrow('has no Home')
    const other = scene(undefined, { manifest: withHome(HOME) })
    expect(other.call('views.publish', { user_id: VERA, view: home })).toMatchObject({ ok: true })
  })

  it('hears of its Home only when it subscribed to that', async () => {
    const deaf = scene(undefined, { manifest: withHome(HOME) })
    expect(await deaf.person(VERA).openHome()).toEqual({ ok: true })
    expect(deaf.received).toEqual([])
    const settings = { event_subscriptions: { bot_events: ['app_home_opened'] } }
    const hearing = scene(undefined, { manifest: { ...withHome(HOME), settings } })
    await hearing.person(VERA).openHome()
    expect(hearing.received).toMatchObject([{ event: { type: 'app_home_opened', user: VERA } }])
  })

  it('writes to people, and people to it, only where its messages tab allows that', async () => {
    const closed = scene(undefined, { manifest: bare })
    expect(closed.call('chat.postMessage', { channel: VERA, text: 'x' })).toMatchObject({
      error: 'messages_tab_disabled',
    })
    const oneWay = scene(undefined, { manifest: withHome({ ...MESSAGES, messages_tab_read_only_enabled: true }) })
    expect(oneWay.call('chat.postMessage', { channel: VERA, text: 'x' })).toMatchObject({ ok: true })
    const vera = oneWay.person(VERA)
    await expect(vera.say(vera.direct(), 'hello')).rejects.toThrow('Nobody can write to the app')
    const open = scene(undefined, { manifest: withHome(MESSAGES) }).person(VERA)
    expect(await open.say(open.direct(), 'hello')).toEqual({ ok: true })
  })
})
