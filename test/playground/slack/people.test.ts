import { describe, expect, it } from 'vitest'
import { BOT_ID, BOT_USER_ID, OLGA, OPS, RANDOM, VERA } from '../../../src/playground/slack/state/seed.ts'
import { actions, button, section, type Piece } from './sample-blocks.ts'
import { scene } from './scripted-app.ts'

describe('A slash command', () => {
  it('fails after three seconds of silence, and a late answer is not shown', async () => {
    const { person, clock, parts } = scene(() => 'silence')
    const done = person(VERA).command(OPS, '/cdn')
    clock.turn(2_999)
    expect(parts.deliveries.all[0]?.outcome).toBe('pending')
    clock.turn(1)
    expect(await done).toEqual({ ok: false, shown: '/cdn failed with the error "operation_timeout"' })
    parts.deliveries.acknowledge(parts.deliveries.all[0]!.id, { text: 'late' })
    expect(person(VERA).messages(OPS)).toEqual([])
    expect(parts.deliveries.all[0]).toMatchObject({ outcome: 'timeout', ackMs: 3_000 })
  })

  it('fails when the answer is one Slack refuses', async () => {
    const { person } = scene(() => ({ blocks: [{ type: 'nonsense' }] }))
    expect(await person(VERA).command(OPS, '/cdn')).toEqual({
      ok: false,
      shown: '/cdn failed with the error "invalid_blocks"',
    })
  })
})

const row = (...elements: readonly Piece[]): Piece => ({ ...actions(...elements), block_id: 'row' })

describe('A click in a message', () => {
  it('on an ephemeral message brings no copy of it', async () => {
    const { call, person, received } = scene()
    call('chat.postEphemeral', { channel: OPS, user: VERA, text: 't', blocks: [row(button())] })
    await person(VERA).click({ message: person(VERA).messages(OPS)[0]! }, undefined, 'go')
    expect(received[0]).toMatchObject({ container: { is_ephemeral: true } })
    expect(received[0]).not.toHaveProperty('message')
  })

  it('cannot be made on what is gone, changed or not for this person', async () => {
    const { call, person } = scene()
    const { ts } = call('chat.postMessage', { channel: OPS, text: 't', blocks: [row(button())] })
    const message = person(VERA).messages(OPS)[0]!
    call('chat.update', { channel: OPS, ts, text: 'answered', blocks: [section('answered')] })
    await expect(person(VERA).click({ message }, 'row', 'go')).rejects.toThrow('Nothing called row/go is shown')
    call('chat.postEphemeral', { channel: OPS, user: VERA, text: 't', blocks: [row(button())] })
    const hers = person(VERA).messages(OPS).at(-1)!
    await expect(person(OLGA).click({ message: hers }, 'row', 'go')).rejects.toThrow('not there any more')
  })
})

describe('What people say', () => {
  it('is a command when it begins like one, which no thread takes', async () => {
    const on = scene()
    const vera = on.person(VERA)
    await vera.say(OPS, 'root')
    await vera.say(OPS, '/cdn help')
    expect(on.received).toMatchObject([{ command: '/cdn', text: 'help' }])
    expect(await vera.say(OPS, '/cdn help', { threadTs: vera.messages(OPS)[0]!.ts })).toEqual({
      ok: false,
      shown: '/cdn is not supported in threads. Sorry!',
    })
    expect(on.received).toHaveLength(1)
  })

  it('tells an app that is mentioned where it is a member, with the thread', async () => {
    const on = scene()
    const vera = on.person(VERA)
    await vera.say(OPS, '@cdn-ops status')
    await vera.say(OPS, '@cdn-ops more', { threadTs: vera.messages(OPS)[0]!.ts })
    await vera.say(RANDOM, '@cdn-ops status')
    expect(on.received.map(({ event }) => event)).toMatchObject([
      { type: 'app_mention', user: VERA, channel: OPS, text: `<@${BOT_USER_ID}> status` },
      { type: 'app_mention', thread_ts: vera.messages(OPS)[0]!.ts },
    ])
  })
})

describe('What is written in direct messages to the app', () => {
  it('is told to it, whoever writes or edits', async () => {
    const on = scene()
    const vera = on.person(VERA)
    await vera.say(vera.direct(), 'status <shop>')
    const { ts } = on.call('chat.postMessage', { channel: VERA, text: 'so it is' })
    on.call('chat.update', { channel: vera.direct(), ts, text: 'so it was' })
    on.call('chat.postEphemeral', { channel: vera.direct(), user: VERA, text: 'psst' })
    const direct = { type: 'message', channel: vera.direct(), channel_type: 'im' }
    expect(on.received.map(({ event }) => event)).toMatchObject([
      { ...direct, user: VERA, text: 'status &lt;shop&gt;' },
      { ...direct, user: BOT_USER_ID, bot_id: BOT_ID, text: 'so it is' },
      { ...direct, subtype: 'message_changed', message: { text: 'so it was' }, previous_message: { text: 'so it is' } },
    ])
  })
})
