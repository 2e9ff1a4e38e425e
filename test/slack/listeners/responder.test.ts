import { beforeEach, describe, expect, it } from 'vitest'
import { SlackError } from '../../../src/slack/out/web-api.ts'
import { type Audience, type ResponsePlace, type Manner, Responder } from '../../../src/slack/listeners/responder.ts'
import { plainAnswer } from '../../support/ledger-operations.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { actions, button } from '../../../src/block-kit/buttons.ts'
import { type Message, message, withBlocks } from '../../../src/block-kit/message.ts'
import { readText } from '../../support/read-text.ts'
import type { MessageSender } from '../../../src/slack/out/message-sender.ts'

const ANSWER = plainAnswer('So it is.').message
const PLACE = { userId: 'U1', channelId: 'C1', responseUrl: 'https://slack.example/response' }

/** A responder over a Slack where the ways that `failing` names do not work, and all that was tried, with the blocks. */
function recorded(
  place: Partial<ResponsePlace>,
  failing: readonly string[] = [],
  opsChannel?: string,
  manner?: Manner,
) {
  const tried: string[] = []
  const { log, lines } = recordingLog()
  const attempt = (way: string, { blocks }: Message) => {
    tried.push(`${way}: ${readText({ blocks }).replaceAll('\n', ' / ')}`)
    const failure = failing.find((each) => way.startsWith(each.split('=')[0] ?? ''))
    if (failure !== undefined) throw new SlackError('x', failure.split('=')[1] ?? 'not_in_channel')
  }
  const sender: Partial<MessageSender> = {
    respond: async (_, answer, how) =>
      attempt(`respond ${how.public ? 'to all' : 'alone'}${how.replace ? ' in place' : ''}`, answer),
    postEphemeral: async (channel, user, answer, thread) =>
      attempt(['ephemeral', channel, user, thread].join(' ').trim(), answer),
    post: async (channel, answer) => {
      attempt(`post ${channel}`, answer)
      return { channel: channel === 'U1' ? 'D1' : channel, ts: '4.4' }
    },
    reply: async (channel, ts, answer) => {
      attempt(`reply ${channel} ${ts}`, answer)
      return { channel, ts: '5.5' }
    },
    update: async (channel, ts, answer) => attempt(`update ${channel} ${ts}`, answer),
    uploadFile: async (channel, { name }) => {
      attempt(`upload ${channel} ${name}`, { text: '', blocks: [] })
      return name === 'a.csv' ? new URL('https://acme.slack.com/a') : undefined
    },
  }
  // It calls nothing else of it.
  const clock = new TurnedClock()
  const options = { messageSender: sender as MessageSender, clock, log, opsChannel }
  return { one: new Responder({ ...PLACE, ...place }, options, manner), tried, lines, clock }
}

describe('an answer', () => {
  const NO_URL = { responseUrl: undefined }
  const HOME = { ...NO_URL, channelId: undefined }
  const THREAD = { ...NO_URL, threadTs: '3.3' }
  /** What is said beside the answer, by the way it goes. */
  const BESIDE: Readonly<Record<string, string>> = {
    'respond to all': ' / CDN Ops is not in this channel: invite it with /invite, so that results stay here.',
    'post COPS': ' / Asked by `U1` in a channel CDN Ops is not in.',
    'post COPS outside': ' / Asked by `U1` outside of any channel.',
  }
  it.each<[string, Audience, Parameters<typeof recorded>, string]>([
    ['for the caller', 'caller', [{}], 'respond alone'],
    ['in place of what was clicked', 'caller', [{}, [], 'COPS', 'in place'], 'respond alone in place'],
    ['past an address that is used up', 'caller', [{}, ['respond']], 'respond alone, ephemeral C1 U1'],
    ['in a thread', 'caller', [THREAD], 'ephemeral C1 U1 3.3'],
    ['where it is not in the channel', 'caller', [NO_URL, ['ephemeral']], 'ephemeral C1 U1, post U1'],
    ['into the thread for all', 'caller', [THREAD, [], 'COPS', 'in thread'], 'reply C1 3.3'],
    ['into direct messages for all', 'channel', [{ ...NO_URL, channelId: 'D1' }, [], 'COPS', 'in thread'], 'post D1'],
    ['past a thread', 'channel', [THREAD, ['reply'], 'COPS', 'in thread'], 'reply C1 3.3, ephemeral C1 U1 3.3'],
    ['in direct messages', 'caller', [{ ...NO_URL, channelId: 'D1' }], 'post U1'],
    ['outside of any channel', 'caller', [HOME], 'post U1'],
    ['for the channel', 'channel', [{}, [], 'COPS'], 'post C1'],
    ['for the channel, in its thread', 'channel', [{ threadTs: '3.3' }], 'reply C1 3.3'],
    [
      'alone, where that takes none',
      'channel',
      [{ threadTs: '3.3' }, ['reply'], 'COPS'],
      'reply C1 3.3, respond alone',
    ],
    ['for a channel it is not in', 'channel', [{}, ['post C1'], 'COPS'], 'post C1, respond to all, post COPS'],
    ['for one without an address', 'channel', [NO_URL, ['post C1']], 'post C1, post U1'],
    ['for the operations channel itself', 'channel', [{}, ['post C1'], 'C1'], 'post C1, respond to all'],
    ['for none', 'channel', [HOME, [], 'COPS'], 'post U1, post COPS outside'],
    [
      'once, where the operations channel takes none',
      'channel',
      [{}, ['post C'], 'COPS'],
      'post C1, respond to all, post COPS',
    ],
    ['by the last way', 'channel', [{}, ['post C', 'respond'], 'COPS'], 'post C1, respond to all, post U1'],
  ])('goes %s', async (_, audience, given, ways) => {
    const { one, tried, lines } = recorded(...given)
    await one.reply(ANSWER, audience)
    const said = ways.split(', ').map((way) => `${way.replace(' outside', '')}: So it is.${BESIDE[way] ?? ''}`)
    expect(tried).toEqual(said)
    expect(lines.map(({ level }) => level)).not.toContain('error')
  })

  it('has its buttons only where they work', async () => {
    const { one, tried } = recorded({}, ['post C1'], 'COPS')
    const undo = actions('answer', [button({ actionId: 'answer:page:0', text: 'Undo' })])
    await one.reply(withBlocks(ANSWER, undo), 'channel')
    expect(tried.map((said) => said.includes('[Undo]'))).toEqual([true, true, false])
  })

  it('that goes by no way is logged', async () => {
    const { one, lines } = recorded({}, ['respond', 'ephemeral', 'post'])
    await one.reply(ANSWER, 'caller')
    expect(lines.at(-1)).toEqual({
      level: 'error',
      fields: { user: 'U1' },
      sentence: 'an answer could not be delivered by any way',
    })
  })
})

describe('a file', () => {
  const failed = (why: string, next: string) =>
    `:warning: The file a.csv could not be sent${why}. The answer itself is complete. / ${next}`
  const AGAIN = 'Ask again with --csv; if that fails too, tell whoever runs CDN Ops.'
  const ADD = 'Ask whoever manages the app to add the scope and install the app again.'
  const LATER = failed(' to your direct messages', AGAIN)
  const SCOPE = failed(': the Slack app lacks the scope files:write', ADD)
  const SENDING = 'post U1: :hourglass_flowing_sand: *Lines* is being sent.'
  const HERE = 'update D1 4.4: Here is *Lines*.'
  const link = 'respond alone: Sent to your direct messages: a.csv (https://acme.slack.com/a)'
  const name = 'respond alone: Sent to your direct messages: `b.csv`'
  const [upload, other] = ['upload D1 a.csv: ', 'upload D1 b.csv: ']
  const told = (words: string) => `respond alone: ${words}`
  const edited = (words: string) => `update D1 4.4: ${words}`
  it.each<[string, Parameters<typeof recorded>, string, readonly string[]]>([
    ['and says where it is', [{}, [], undefined, 'in place'], 'a.csv', [SENDING, upload, link, HERE]],
    ['without a link where there is none', [{}], 'b.csv', [SENDING, other, name, HERE]],
    ['which says it there alone', [{ channelId: 'D1' }], 'a.csv', [SENDING, upload, HERE]],
    ['unless it does not arrive', [{}, ['upload']], 'a.csv', [SENDING, upload, told(LATER), edited(LATER)]],
    [
      'beside the answer',
      [{}, ['upload'], undefined, 'in place'],
      'a.csv',
      [SENDING, upload, told(LATER), edited(LATER)],
    ],
    ['unless it may not', [{}, ['upload=missing_scope']], 'a.csv', [SENDING, upload, told(SCOPE), edited(SCOPE)]],
    ['unless there are none', [{}, ['post']], 'a.csv', [SENDING, told(LATER)]],
    ['though it cannot be said there', [{ channelId: 'D1' }, ['update']], 'a.csv', [SENDING, upload, HERE]],
  ])('goes to the direct messages of who asked, %s', async (_, given, file, ways) => {
    const { one, tried } = recorded(...given)
    await one.sendFile({ name: file, title: 'Lines', content: 'x' })
    expect(tried).toEqual(ways)
  })
})

describe('progress of long work', () => {
  let clock: TurnedClock
  let said: string[]
  let responder: Responder

  beforeEach(() => {
    clock = new TurnedClock()
    said = []
    // A boundary of the test: only the one way to answer that a slash command has is there.
    const messageSender = {
      respond: async (_: string, { text }: { text: string }) => void said.push(text),
    } as never as MessageSender
    responder = new Responder(PLACE, {
      messageSender,
      clock,
      log: recordingLog().log,
      opsChannel: undefined,
    })
  })

  async function after(ms: number): Promise<readonly string[]> {
    clock.turn(ms)
    await new Promise(setImmediate)
    return said
  }

  it('is spoken of three times at most, and each time not before it is due', async () => {
    for (let second = 0; second < 13; second += 1) {
      responder.progress(`${second} s`)
      await after(1_000)
    }
    expect(said).toEqual(['2 s', '10 s'])
    await after(46_999)
    responder.progress('too early')
    await after(1)
    for (const words of ['nearly there', 'one more word']) responder.progress(words)
    expect(await after(100_000)).toEqual(['2 s', '10 s', 'nearly there'])
  })

  it('is one message in a thread, in place of which the answer comes', async () => {
    const {
      one,
      tried,
      clock: other,
    } = recorded({ responseUrl: undefined, threadTs: '3.3' }, [], undefined, 'in thread')
    for (const ms of [2_000, 8_000]) {
      other.turn(ms)
      one.progress(`Reading for ${ms}`)
    }
    await one.reply(ANSWER, 'channel')
    const [first, second] = [2_000, 8_000].map((ms) => `:hourglass_flowing_sand: Reading for ${ms}`)
    expect(tried).toEqual([`reply C1 3.3: ${first}`, `update C1 5.5: ${second}`, 'update C1 5.5: So it is.'])
  })

  it('is not spoken of where no address would take it: each word would be a message that stays', async () => {
    const { one, tried, clock: other } = recorded({ responseUrl: undefined })
    other.turn(2_000)
    one.progress('Reading')
    await one.reply(ANSWER, 'caller')
    expect(tried).toEqual(['ephemeral C1 U1: So it is.'])
  })

  it('that the thread does not take is tried by no other way', async () => {
    const { one, tried, lines, clock: other } = recorded({ threadTs: '3.3' }, ['reply'], undefined, 'in thread')
    other.turn(2_000)
    one.progress('Reading')
    await one.reply(ANSWER, 'caller')
    expect(tried).toEqual([
      'reply C1 3.3: :hourglass_flowing_sand: Reading',
      'reply C1 3.3: So it is.',
      'respond alone: So it is.',
    ])
    expect(lines[0]).toMatchObject({ level: 'warn', sentence: 'progress could not be shown' })
  })

  it('is over once there is an answer', async () => {
    await after(2_000)
    await responder.reply(message({ text: 'Here it is.', blocks: [] }), 'caller')
    await after(10_000)
    responder.progress('Reading on')
    expect(await after(10_000)).toEqual(['Here it is.'])
    expect(clock.timers).toBe(0)
  })
})
