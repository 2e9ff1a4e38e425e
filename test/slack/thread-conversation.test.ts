import { beforeEach, describe, expect, it } from 'vitest'
import { SlackError } from '../../src/slack/web-api.ts'
import { ThreadConversation } from '../../src/slack/thread-conversation.ts'
import { HeardConversation } from '../support/execution-bench.ts'
import { plainAnswer } from '../support/ledger-operations.ts'
import { recordingLog } from '../support/recording-log.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const ANSWER = plainAnswer('So it is.').message
const THREAD = { channel: 'C1', ts: '1.1' }
let clock: TurnedClock
let said: string[]
let aside: HeardConversation
let refused: boolean
beforeEach(() => {
  clock = new TurnedClock()
  said = []
  aside = new HeardConversation()
  refused = false
})

function conversation(visible = true): ThreadConversation {
  const outbound = {
    reply: async (channel: string, ts: string, { text }: { readonly text: string }) => {
      if (refused) throw new SlackError('chat.postMessage', 'not_in_channel')
      said.push(`under ${ts}: ${text}`)
      return { channel, ts: '2.2' }
    },
    update: async (_: string, ts: string, { text }: { readonly text: string }) =>
      void said.push(`in place of ${ts}: ${text}`),
  }
  return new ThreadConversation({ thread: THREAD, visible }, { outbound, clock, log: recordingLog().log, aside })
}

describe('a conversation in a thread', () => {
  it('answers there, for all to see', async () => {
    await conversation().reply(ANSWER, 'caller')
    expect(said).toEqual(['under 1.1: So it is.'])
  })

  it('keeps aside what is for the caller, where not everything is visible', async () => {
    const one = conversation(false)
    one.progress('reading')
    await one.reply(ANSWER, 'caller')
    await one.reply(ANSWER, 'channel')
    expect(aside.said).toEqual(['caller: So it is.'])
    expect(said).toEqual(['under 1.1: So it is.'])
  })

  it('says how far long work has come in one message, which the answer replaces', async () => {
    const one = conversation()
    one.progress('too early')
    clock.turn(1_600)
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
    expect(aside.said).toEqual(['caller: So it is.'])
  })

  it('sends files to the person', async () => {
    expect(await conversation().sendFile({ name: 'a.csv', title: 'A', content: 'x' })).toBe(true)
    expect(aside.files).toEqual(['a.csv'])
  })
})
