import { describe, expect, it } from 'vitest'
import { OPS } from '../../../src/playground/slack/state/seed.ts'
import { sendEvent } from '../../../src/playground/slack/wire/events.ts'
import { METHODS } from '../../../src/playground/slack/wire/methods.ts'
import { manifest, METHOD_SCOPES } from '../../support/slack-scopes.ts'
import { scene } from './scripted-app.ts'

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
