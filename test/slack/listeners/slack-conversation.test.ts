import { beforeEach, describe, expect, it } from 'vitest'
import { SlackError } from '../../../src/slack/out/web-api.ts'
import {
  ThreadConversation,
  type ThreadPlace,
  type Audience,
  type Conversation,
  type ConversationPlace,
  SlackConversation,
} from '../../../src/slack/listeners/slack-conversation.ts'
import { plainAnswer } from '../../support/ledger-operations.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { type Message, message } from '../../../src/block-kit/message.ts'
import { readText } from '../../support/read-text.ts'
import type { MessageSender } from '../../../src/slack/out/message-sender.ts'

const ANSWER = plainAnswer('So it is.').message
const THREAD = { channel: 'C1', ts: '1.1' }
let clock: TurnedClock
let said: string[]
let aside: Conversation
let saidAside: string[]
let refused: boolean
beforeEach(() => {
  clock = new TurnedClock()
  said = []
  saidAside = []
  aside = {
    reply: async ({ text }, audience) => void saidAside.push(`${audience}: ${text}`),
    progress: (sentence) => saidAside.push(`progress: ${sentence}`),
    sendFile: async ({ name }) => void saidAside.push(`file: ${name}`),
  }
  refused = false
})

function conversation(visible = true, thread: ThreadPlace['thread'] = THREAD): ThreadConversation {
  const messageSender = {
    post: async (channel: string, { text }: { readonly text: string }) => {
      said.push(`in ${channel}: ${text}`)
      return { channel, ts: '2.2' }
    },
    reply: async (channel: string, ts: string, { text }: { readonly text: string }) => {
      if (refused) throw new SlackError('chat.postMessage', 'not_in_channel')
      said.push(`under ${ts}: ${text}`)
      return { channel, ts: '2.2' }
    },
    update: async (_: string, ts: string, { text }: { readonly text: string }) =>
      void said.push(`in place of ${ts}: ${text}`),
  }
  return new ThreadConversation({ thread, visible, aside }, { messageSender, clock, log: recordingLog().log })
}

describe('a conversation in a thread', () => {
  it('without a thread answers in the channel itself, in place of its progress', async () => {
    const one = conversation(true, { channel: 'D1' })
    clock.turn(2_100)
    one.progress('reading')
    await Promise.resolve()
    await one.reply(ANSWER, 'caller')
    expect(said).toEqual(['in D1: reading', 'in place of 2.2: So it is.'])
  })

  it('keeps aside what is for the caller, where not everything is visible', async () => {
    const one = conversation(false)
    clock.turn(60_000)
    one.progress('reading')
    await new Promise(setImmediate)
    await one.reply(ANSWER, 'caller')
    await one.reply(ANSWER, 'channel')
    expect(saidAside).toEqual(['caller: So it is.'])
    expect(said).toEqual(['under 1.1: So it is.'])
  })

  it('says how far long work has come in one message, which the answer replaces', async () => {
    const one = conversation()
    one.progress('too early')
    clock.turn(2_100)
    one.progress('reading')
    one.progress('too much at once')
    await new Promise(setImmediate)
    clock.turn(4_999)
    one.progress('too soon')
    await new Promise(setImmediate)
    clock.turn(1)
    one.progress('still reading')
    await new Promise(setImmediate)
    await one.reply(ANSWER, 'caller')
    clock.turn(60_000)
    one.progress('too late')
    await new Promise(setImmediate)
    expect(said).toEqual(['under 1.1: reading', 'in place of 2.2: still reading', 'in place of 2.2: So it is.'])
  })

  it('tells the person where Slack does not take it in the thread', async () => {
    refused = true
    const one = conversation()
    clock.turn(2_000)
    one.progress('reading')
    await one.reply(ANSWER, 'channel')
    expect(saidAside).toEqual(['caller: So it is.'])
  })

  it('sends files to the person', async () => {
    await conversation().sendFile({ name: 'a.csv', title: 'A', content: 'x' })
    expect(saidAside).toEqual(['file: a.csv'])
  })
})

const PLACE = { userId: 'U1', channelId: 'C1', responseUrl: 'https://slack.example/response' }

/** A conversation over a Slack where the ways that `failing` names do not work, and all that was tried, with the blocks. */
function recorded(
  place: Partial<ConversationPlace>,
  failing: readonly string[] = [],
  opsChannel?: string,
  isReplacing?: boolean,
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
    update: async (channel, ts, answer) => attempt(`update ${channel} ${ts}`, answer),
    uploadFile: async (channel, { name }) => {
      attempt(`upload ${channel} ${name}`, { text: '', blocks: [] })
      return name === 'a.csv' ? new URL('https://acme.slack.com/a') : undefined
    },
  }
  // The conversation calls nothing else of it.
  const options = { messageSender: sender as MessageSender, clock: new TurnedClock(), log, opsChannel }
  return { one: new SlackConversation({ ...PLACE, ...place }, options, isReplacing), tried, lines }
}

describe('an answer', () => {
  const NO_URL = { responseUrl: undefined }
  const HOME = { ...NO_URL, channelId: undefined }
  /** What is said beside the answer, by the way it goes. */
  const BESIDE: Readonly<Record<string, string>> = {
    'respond to all': ' / CDN Ops is not in this channel: invite it with /invite, so that results stay here.',
    'post COPS': ' / Asked by `U1` in a channel CDN Ops is not in.',
    'post COPS outside': ' / Asked by `U1` outside of any channel.',
  }
  it.each<[string, Audience, Parameters<typeof recorded>, string]>([
    ['for the caller', 'caller', [{}], 'respond alone'],
    ['in place of what was clicked', 'caller', [{}, [], 'COPS', true], 'respond alone in place'],
    ['past an address that is used up', 'caller', [{}, ['respond']], 'respond alone, ephemeral C1 U1'],
    ['in a thread', 'caller', [{ ...NO_URL, threadTs: '3.3' }], 'ephemeral C1 U1 3.3'],
    ['where it is not in the channel', 'caller', [NO_URL, ['ephemeral']], 'ephemeral C1 U1, post U1'],
    ['in direct messages', 'caller', [{ ...NO_URL, channelId: 'D1' }], 'post U1'],
    ['outside of any channel', 'caller', [HOME], 'post U1'],
    ['for the channel', 'channel', [{}, [], 'COPS'], 'post C1'],
    ['for a channel it is not in', 'channel', [{}, ['post C1'], 'COPS'], 'post C1, respond to all, post COPS'],
    ['for one without an address', 'channel', [NO_URL, ['post C1']], 'post C1, post U1'],
    ['for the operations channel itself', 'channel', [{}, ['post C1'], 'C1'], 'post C1, respond to all'],
    ['for none', 'channel', [HOME, [], 'COPS'], 'post U1, post COPS outside'],
    ['by the last way', 'channel', [{}, ['post C', 'respond'], 'COPS'], 'post C1, respond to all, post U1'],
  ])('goes %s', async (_, audience, given, ways) => {
    const { one, tried, lines } = recorded(...given)
    await one.reply(ANSWER, audience)
    const said = ways.split(', ').map((way) => `${way.replace(' outside', '')}: So it is.${BESIDE[way] ?? ''}`)
    expect(tried).toEqual(said)
    expect(lines.map(({ level }) => level)).not.toContain('error')
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
    ['and says where it is', [{}, [], undefined, true], 'a.csv', [SENDING, upload, link, HERE]],
    ['without a link where there is none', [{}], 'b.csv', [SENDING, other, name, HERE]],
    ['which says it there alone', [{ channelId: 'D1' }], 'a.csv', [SENDING, upload, HERE]],
    ['unless it does not arrive', [{}, ['upload']], 'a.csv', [SENDING, upload, told(LATER), edited(LATER)]],
    ['beside the answer', [{}, ['upload'], undefined, true], 'a.csv', [SENDING, upload, told(LATER), edited(LATER)]],
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
  let conversation: SlackConversation

  beforeEach(() => {
    clock = new TurnedClock()
    said = []
    // A boundary of the test: only the one way to answer that a slash command has is there.
    const messageSender = {
      respond: async (_: string, { text }: { text: string }) => void said.push(text),
    } as never as MessageSender
    conversation = new SlackConversation(PLACE, {
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

  it('keeps a word that comes early until it is due, and then says the newest', async () => {
    await after(200)
    conversation.progress('Reading')
    expect(await after(900)).toEqual([])
    conversation.progress('Waiting for a free slot')
    expect(await after(899)).toEqual([])
    expect(await after(1)).toEqual(['Waiting for a free slot'])
  })

  it('is spoken of three times at most, and not again without news', async () => {
    for (let second = 0; second < 9; second += 1) {
      conversation.progress(`${second} s`)
      await after(1_000)
    }
    expect(said).toEqual(['1 s'])
    expect(await after(1_000)).toEqual(['1 s', '8 s'])
    expect(await after(100_000)).toHaveLength(2)
    conversation.progress('nearly there')
    conversation.progress('one more word')
    expect(await after(100_000)).toEqual(['1 s', '8 s', 'nearly there'])
  })

  it('is over once there is an answer', async () => {
    conversation.progress('Reading')
    await conversation.reply(message({ text: 'Here it is.', blocks: [] }), 'caller')
    await after(10_000)
    conversation.progress('Reading on')
    expect(await after(10_000)).toEqual(['Here it is.'])
    expect(clock.timers).toBe(0)
  })
})
