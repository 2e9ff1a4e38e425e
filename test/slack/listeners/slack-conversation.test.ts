import { beforeEach, describe, expect, it } from 'vitest'
import { SlackError } from '../../../src/slack/out/web-api.ts'
import {
  ThreadConversation,
  type ThreadPlace,
  type Conversation,
  SlackConversation,
} from '../../../src/slack/listeners/slack-conversation.ts'
import { plainAnswer } from '../../support/ledger-operations.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { message } from '../../../src/block-kit/message.ts'
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
    one.progress('reading')
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
    await Promise.resolve()
    clock.turn(1_000)
    one.progress('too soon')
    await one.reply(ANSWER, 'caller')
    one.progress('too late')
    expect(said).toEqual(['under 1.1: reading', 'in place of 2.2: So it is.'])
  })

  it('tells the person where Slack does not take it in the thread', async () => {
    refused = true
    await conversation().reply(ANSWER, 'channel')
    expect(saidAside).toEqual(['caller: So it is.'])
  })

  it('sends files to the person', async () => {
    await conversation().sendFile({ name: 'a.csv', title: 'A', content: 'x' })
    expect(saidAside).toEqual(['file: a.csv'])
  })
})

const PLACE = { userId: 'U1', channelId: 'C1', responseUrl: 'https://slack.example/response' }

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
    expect(await after(10_000)).toEqual(['Here it is.'])
    expect(clock.timers).toBe(0)
  })
})
