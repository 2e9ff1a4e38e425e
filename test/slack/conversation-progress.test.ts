import { beforeEach, describe, expect, it } from 'vitest'
import { message } from '../../src/block-kit/message.ts'
import type { MessageSender } from '../../src/slack/out/message-sender.ts'
import { SlackConversation } from '../../src/slack/listeners/slack-conversation.ts'
import { recordingLog } from '../support/recording-log.ts'
import { TurnedClock } from '../support/turned-clock.ts'

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
