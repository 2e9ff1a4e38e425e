import { describe, expect, it } from 'vitest'
import { OPS, VERA } from '../../../../src/playground/slack/seed.ts'
import { METHODS } from '../../../../src/playground/slack/web-api/dispatch.ts'
import { scene } from '../scripted-app.ts'

const error = (code: string) => expect.objectContaining({ ok: false, error: code })

describe('Tokens', () => {
  const { callAs, parts } = scene()
  const { bot, app } = parts.tokens

  it('are asked for and known', () => {
    expect(callAs(undefined, 'auth.test').body).toEqual(error('not_authed'))
    expect(callAs('xoxb-guessed', 'auth.test').body).toEqual(error('invalid_auth'))
    expect(callAs(bot, 'auth.test').body).toMatchObject({ ok: true, user_id: 'U0CDNOPS01' })
    expect(callAs(undefined, 'api.test', { a: '1' }).body).toMatchObject({ ok: true, args: { a: '1' } })
  })

  it('are not taken where the other kind is wanted', () => {
    expect(callAs(app, 'chat.postMessage', { channel: OPS, text: 'x' }).body).toEqual(error('not_allowed_token_type'))
    expect(callAs(bot, 'apps.connections.open').body).toEqual(error('not_allowed_token_type'))
    expect(callAs(app, 'apps.connections.open').body).toMatchObject({ url: expect.stringMatching(/^ws:.+ticket=/) })
  })
})

describe('Scopes', () => {
  it('are named when they are missing', () => {
    const { call } = scene(undefined, { scopes: ['commands', 'users:read'] })
    expect(call('chat.postMessage', { channel: OPS, text: 'x' })).toEqual({
      ok: false,
      error: 'missing_scope',
      needed: 'chat:write',
      provided: 'commands,users:read',
    })
    expect(call('users.info', { user: VERA })).toMatchObject({ ok: true })
  })

  it('are needed by each method that reads or writes', () => {
    const { call } = scene(undefined, { scopes: [] })
    const free = Object.entries(METHODS).filter(([, method]) => method.scope === undefined && method.token === 'bot')
    expect(free.map(([name]) => name).toSorted()).toEqual([
      'conversations.info',
      'conversations.list',
      'conversations.members',
      'views.open',
      'views.publish',
      'views.push',
      'views.update',
    ])
    expect(call('conversations.info', { channel: OPS })).toMatchObject({
      error: 'missing_scope',
      needed: 'channels:read',
    })
    expect(call('conversations.list', { types: 'private_channel' })).toMatchObject({ needed: 'groups:read' })
  })
})

describe('An unknown method', () => {
  it('is said to be one', () => {
    expect(scene().call('chat.shout')).toEqual(error('unknown_method'))
  })
})

describe('Rate limits', () => {
  it('are off until switched on', () => {
    const { call } = scene()
    for (let calls = 0; calls < 30; calls += 1) expect(call('usergroups.list')).toMatchObject({ ok: true })
  })

  it('answer 429 with the seconds to wait, by method', () => {
    const { callAs, call, parts, clock } = scene(undefined, { switches: { rateLimits: true } })
    for (let calls = 0; calls < 20; calls += 1) expect(call('usergroups.list')).toMatchObject({ ok: true })
    clock.turn(10_000)
    expect(callAs(parts.tokens.bot, 'usergroups.list')).toMatchObject({
      status: 429,
      headers: { 'retry-after': '50' },
      body: { error: 'ratelimited' },
    })
    expect(call('users.info', { user: VERA })).toMatchObject({ ok: true })
    clock.turn(50_000)
    expect(call('usergroups.list')).toMatchObject({ ok: true })
  })

  it('let about one message a second into a channel', () => {
    const { callAs, parts, clock } = scene(undefined, { switches: { rateLimits: true } })
    const post = () => callAs(parts.tokens.bot, 'chat.postMessage', { channel: OPS, text: 'x' }).status
    expect([post(), post(), post(), post()]).toEqual([200, 200, 200, 429])
    clock.turn(3_000)
    expect(post()).toBe(200)
  })
})
