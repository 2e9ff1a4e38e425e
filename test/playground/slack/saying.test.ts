import { describe, expect, it } from 'vitest'
import { BOT_ID, BOT_USER_ID, OPS, RANDOM, VERA } from '../../../src/playground/slack/state/seed.ts'
import { scene } from './scripted-app.ts'

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
