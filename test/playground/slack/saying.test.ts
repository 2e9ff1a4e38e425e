import { describe, expect, it } from 'vitest'
import { BOT_USER_ID, OLGA, OPS, RANDOM, VERA } from '../../../src/playground/slack/seed.ts'
import { scene } from './scripted-app.ts'

const texts = (messages: readonly { readonly text: string }[]) => messages.map(({ text }) => text)

describe('What people say', () => {
  it('is seen by all in the channel and reaches no app', async () => {
    const on = scene()
    expect(await on.person(VERA).say(OPS, 'is <shop> down, @olga?')).toEqual({ ok: true })
    expect(on.person(OLGA).messages(OPS)).toMatchObject([
      { text: `is &lt;shop&gt; down, <@${OLGA}>?`, author: VERA, byBot: false, ephemeral: false },
    ])
    expect(on.received).toEqual([])
  })

  it('may stand in a thread, whose root any of its replies names', async () => {
    const on = scene()
    const vera = on.person(VERA)
    await vera.say(OPS, 'root')
    await vera.say(OPS, 'beside')
    const root = vera.messages(OPS)[0]!.ts
    await on.person(OLGA).say(OPS, 'reply', { threadTs: root })
    const reply = vera.messages(OPS).at(-1)!
    await vera.say(OPS, 'reply to it', { threadTs: reply.ts })
    expect(vera.messages(OPS).map(({ threadTs }) => threadTs)).toEqual([undefined, undefined, root, root])
    expect(texts(vera.thread(OPS, root))).toEqual(['root', 'reply', 'reply to it'])
    expect(texts(vera.thread(OPS, reply.ts))).toEqual(['root', 'reply', 'reply to it'])
  })

  it('has no thread under nothing, or under what only one person sees', async () => {
    const on = scene()
    on.call('chat.postEphemeral', { channel: OPS, user: VERA, text: 'psst' })
    const [ephemeral] = on.person(VERA).messages(OPS)
    for (const threadTs of [ephemeral!.ts, '1.000001']) {
      await expect(on.person(VERA).say(OPS, 'x', { threadTs })).rejects.toThrow('no thread')
    }
  })

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
