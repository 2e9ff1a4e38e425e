import { describe, expect, it } from 'vitest'
import {
  ATTIC,
  BOT_USER_ID,
  CDN_PRIVATE,
  GENERAL,
  GUS,
  OLGA,
  OPERATORS_GROUP,
  OPS,
  OTTO,
  RANDOM,
  SECRET,
  VERA,
} from '../../../../src/playground/slack/state/seed.ts'
import { actions, box, button, chars, section } from '../sample-blocks.ts'
import { scene, type Scene } from '../scripted-app.ts'

const error = (code: string) => expect.objectContaining({ ok: false, error: code })
const post = ({ call }: Pick<Scene, 'call'>, args: object) => call('chat.postMessage', { channel: OPS, ...args })

describe('Tokens', () => {
  it('are asked for, known, and taken for what they are', () => {
    const { callAs, parts } = scene()
    const { bot, app } = parts.tokens
    expect(callAs(undefined, 'auth.test').body).toEqual(error('not_authed'))
    expect(callAs('xoxb-guessed', 'auth.test').body).toEqual(error('invalid_auth'))
    expect(callAs(bot, 'auth.test').body).toMatchObject({ ok: true, user_id: 'U0CDNOPS01' })
    expect(callAs(app, 'chat.postMessage', { channel: OPS, text: 'x' }).body).toEqual(error('not_allowed_token_type'))
    expect(callAs(bot, 'apps.connections.open').body).toEqual(error('not_allowed_token_type'))
    expect(callAs(app, 'apps.connections.open').body).toMatchObject({ url: expect.stringMatching(/^ws:.+ticket=/) })
    parts.switches.refuseToken = 'token_revoked'
    expect(callAs(bot, 'auth.test').body).toEqual(error('token_revoked'))
  })
})

describe('Rate limits', () => {
  it('answer 429 with the seconds to wait, by method, once they are on', () => {
    const { callAs, call, parts, clock } = scene()
    for (let calls = 0; calls < 30; calls += 1) expect(call('usergroups.list')).toMatchObject({ ok: true })
    parts.switches.rateLimits = true
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
    const { callAs, parts, clock } = scene()
    parts.switches.rateLimits = true
    const send = () => callAs(parts.tokens.bot, 'chat.postMessage', { channel: OPS, text: 'x' }).status
    expect([send(), send(), send(), send()]).toEqual([200, 200, 200, 429])
    clock.turn(3_000)
    expect(send()).toBe(200)
  })
})

describe('chat.postMessage', () => {
  it.each([
    ['a public channel without the bot', RANDOM, 'not_in_channel'],
    ['a private channel without the bot', SECRET, 'channel_not_found'],
    ['an archived channel', ATTIC, 'is_archived'],
    ['a channel that is not', 'C0NOWHERE1', 'channel_not_found'],
    ['nowhere', undefined, 'channel_not_found'],
  ])('refuses %s', (_where, channel, code) => {
    expect(post(scene(), { channel, text: 'x' })).toEqual(error(code))
  })

  it('answers in a thread, and in the channel as well when asked to', () => {
    const on = scene()
    const { ts: thread_ts } = post(on, { text: 'root' })
    expect(post(on, { text: 'quiet', thread_ts })['message']).not.toHaveProperty('subtype')
    const loud = post(on, { text: 'loud', thread_ts, reply_broadcast: 'true' })
    expect(loud['message']).toMatchObject({ subtype: 'thread_broadcast', thread_ts })
    post(on, { text: 'rootless', reply_broadcast: true })
    on.call('chat.update', { channel: OPS, ts: loud['ts'], text: 'louder' })
    const seen = on.person(OLGA).messages(OPS)
    expect(seen.map(({ text, broadcast }) => [text, broadcast])).toEqual([
      ['root', false],
      ['quiet', false],
      ['louder', true],
      ['rootless', false],
    ])
  })

  it('needs something to show, and says what is wrong with blocks the way Slack does', () => {
    const on = scene()
    expect(post(on, {})).toEqual(error('no_text'))
    expect(post(on, { blocks: [section('s')] })).toMatchObject({ ok: true })
    const complaint = expect.stringMatching(/ \[json-pointer:\/blocks\/0\/text\/text\]$/)
    expect(post(on, { text: 't', blocks: [section('')] })).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: [complaint],
      response_metadata: { messages: [complaint] },
    })
    expect(post(on, { text: 't', blocks: '[{' })).toEqual(error('invalid_blocks_format'))
    const wide = [section(chars(3_000)), section(chars(3_000)), section(chars(3_000)), section(chars(1_001))]
    expect(post(on, { text: 't', blocks: wide })).toEqual(error('msg_blocks_too_long'))
  })

  it('gives every block an id that it has not, and no timestamp twice', () => {
    const on = scene()
    const blocks = [{ ...section('s'), block_id: 'mine' }, section('t')]
    const { message } = post(on, { blocks })
    expect(message).toMatchObject({ blocks: [{ block_id: 'mine' }, { block_id: expect.stringMatching(/^\w{5}$/) }] })
    const stamps = [1, 2, 3].map(() => post(on, { text: 'x' })['ts'])
    expect(new Set(stamps).size).toBe(3)
    expect(stamps[0]).toMatch(/^\d{10}\.\d{6}$/)
  })
})

describe('chat.postEphemeral', () => {
  it('shows a message to one person until the client is loaded again', () => {
    const { call, person } = scene()
    call('chat.postEphemeral', { channel: OPS, user: VERA, text: 'only you' })
    expect(person(VERA).messages(OPS)).toMatchObject([{ text: 'only you', ephemeral: true }])
    expect(person(OLGA).messages(OPS)).toEqual([])
    person(VERA).reload()
    expect(person(VERA).messages(OPS)).toEqual([])
  })

  it('refuses people who are not in the channel and texts above 4,000 bytes', () => {
    const { call } = scene()
    const send = (channel: string, user: string, text: string) => call('chat.postEphemeral', { channel, user, text })
    expect(send(GENERAL, GUS, 'x')).toEqual(error('user_not_in_channel'))
    expect(send(OPS, 'U0NOBODY01', 'x')).toEqual(error('user_not_found'))
    expect(send(OPS, VERA, 'ä'.repeat(2_001))).toEqual(error('msg_too_long'))
    expect(send(OPS, VERA, 'ä'.repeat(2_000))).toMatchObject({ ok: true })
  })
})

describe('chat.update', () => {
  it('changes a message of the bot in its place; text alone takes its blocks away', async () => {
    const on = scene()
    const row = (value: string) => ({ ...actions(button({ value })), block_id: 'row' })
    const { ts } = post(on, { text: 'waiting', blocks: [row('a')] })
    post(on, { text: 'later' })
    on.clock.turn(60_000)
    const edited = on.call('chat.update', { channel: OPS, ts, text: 'still waiting', blocks: [row('b')] })
    expect(edited).toMatchObject({ ts, message: { ts, edited: { user: BOT_USER_ID } } })
    expect(on.person(VERA).messages(OPS)).toMatchObject([
      { ts, edited: true },
      { text: 'later', edited: false },
    ])
    await on.person(VERA).click({ message: on.person(VERA).messages(OPS)[0]! }, 'row', 'go')
    expect(on.received[0]).toMatchObject({ container: { message_ts: ts }, actions: [{ value: 'b' }] })
    expect(on.call('chat.update', { channel: OPS, ts, text: 'new' })).toMatchObject({ ok: true, text: 'new' })
    expect(on.person(VERA).messages(OPS)).toMatchObject([{ text: 'new', blocks: [] }, {}])
  })

  it('refuses what the bot did not write, what only one person sees, what is gone, and where nobody may write', async () => {
    const on = scene()
    const update = (ts: unknown, over: object = {}) => on.call('chat.update', { channel: OPS, ts, text: 'x', ...over })
    await on.person(VERA).say(OPS, 'mine')
    expect(update(on.parts.messages.all[0]!.ts)).toEqual(error('cant_update_message'))
    const { message_ts } = on.call('chat.postEphemeral', { channel: OPS, user: VERA, text: 'x' })
    expect(update(message_ts)).toEqual(error('message_not_found'))
    expect(update('1.000001')).toEqual(error('message_not_found'))
    const { ts } = post(on, { text: 'rich', blocks: [box('t')] })
    expect(update(ts, { blocks: [section('s')] })).toEqual(error('block_mismatch'))
    on.parts.workspace.changeChannel(OPS, { archived: true })
    expect(update(ts)).toEqual(error('is_inactive'))
  })

  it('refuses a user id in place of a channel and texts above 4,000 characters', () => {
    const on = scene()
    const { ts, channel } = post(on, { channel: VERA, text: 'x' })
    const update = (args: object) => on.call('chat.update', { ts, ...args })
    expect(update({ channel: VERA, text: 'y' })).toEqual(error('channel_not_found'))
    expect(update({ channel, text: chars(4_001) })).toEqual(error('msg_too_long'))
    expect(update({ channel, text: chars(4_000) })).toMatchObject({ ok: true })
  })
})

describe('People, groups and channels', () => {
  it('are in groups, of which those in use are listed, on a paid plan', () => {
    const { call, parts } = scene()
    const listed = () => call('usergroups.list', { include_users: true })
    const users = () => call('usergroups.users.list', { usergroup: OPERATORS_GROUP })
    expect(listed()).toMatchObject({ usergroups: [{ id: OPERATORS_GROUP, users: [OLGA, OTTO] }, {}] })
    expect(users()).toMatchObject({ ok: true, users: [OLGA, OTTO] })
    parts.workspace.changeGroup(OPERATORS_GROUP, { disabledAtS: 1_790_000_000 })
    expect(listed()).toMatchObject({ usergroups: { length: 1 } })
    expect(users()).toEqual(error('no_such_subteam'))
    parts.switches.paidPlan = false
    for (const refused of [listed(), users()]) expect(refused).toEqual(error('plan_upgrade_required'))
  })

  it('are seen as far as the bot can see', () => {
    const { call, parts } = scene()
    const info = (channel: string) => call('conversations.info', { channel })
    expect(info(OPS)).toMatchObject({ channel: { name: 'ops', is_member: true } })
    expect(info(RANDOM)).toMatchObject({ channel: { is_member: false } })
    expect(info(CDN_PRIVATE)).toMatchObject({ channel: { is_private: true } })
    expect(info(ATTIC)).toMatchObject({ channel: { is_archived: true } })
    expect(info(SECRET)).toEqual(error('channel_not_found'))
    parts.workspace.setMembership(OPS, BOT_USER_ID, false)
    expect(call('chat.postMessage', { channel: OPS, text: 'x' })).toEqual(error('not_in_channel'))
  })
})

describe('Files', () => {
  it('are announced, received, completed and then seen where they were shared', () => {
    const on = scene()
    const { file_id: id } = on.call('files.getUploadURLExternal', { filename: 'day.csv', length: '3' })
    const { channel } = post(on, { channel: VERA, text: 'your file follows' })
    const complete = (channel_id: unknown) =>
      on.call('files.completeUploadExternal', { files: [{ id, title: 'A day' }], channel_id })
    expect(complete(channel)).toEqual(error('file_not_found'))
    expect(on.parts.files.receive(String(id), Buffer.from('a,b'))).toBe(true)
    expect(on.parts.files.receive(String(id), Buffer.from('c,d'))).toBe(false)
    expect(complete(RANDOM)).toEqual(error('not_in_channel'))
    expect(complete(VERA)).toEqual(error('channel_not_found'))
    expect(complete(channel)).toMatchObject({ ok: true, files: [{ id, title: 'A day', size: 3 }] })
    expect(complete(channel)).toEqual(error('invalid_arguments'))
    expect(on.person(VERA).files()).toEqual([{ id, name: 'day.csv', title: 'A day', channel, content: 'a,b' }])
    expect(on.person(OLGA).files()).toEqual([])
  })
})
