import { describe, expect, it } from 'vitest'
import { channelDirectory } from '../../../src/slack/people/channel-directory.ts'
import { SlackError, type WebApi } from '../../../src/slack/out/web-api.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

const OPS = { id: 'C1', name: 'ops', is_member: true, is_archived: false, is_ext_shared: false }

/** A directory over a Slack that says this of a channel, and what it was asked. */
function over(say: () => unknown) {
  const clock = new TurnedClock()
  const asked: unknown[] = []
  const api: Pick<WebApi, 'call'> = {
    call: async (...given) => {
      asked.push(given)
      return { ok: true, channel: await say() }
    },
  }
  const { log, lines } = recordingLog()
  return { directory: channelDirectory(api as WebApi, clock, log), clock, asked, lines } // it calls nothing else
}

describe('the directory of channels', () => {
  const INFO = { id: 'C1', name: 'ops', isMember: true, isArchived: false, isShared: false }
  const NULLS = { name: null, is_member: null, is_ext_shared: null, pending_shared: [] }
  it.each([
    [{}, {}],
    [{ is_archived: true }, { isArchived: true }],
    [NULLS, { name: '', isMember: false }],
  ])('says what Slack says of a channel: %j', async (said, info) => {
    const { directory, asked } = over(() => ({ ...OPS, ...said }))
    expect(await directory.info('C1')).toEqual({ ...INFO, ...info })
    expect(asked).toEqual([['lookup', 'conversations.info', { channel: 'C1' }]])
  })

  it.each([{ is_ext_shared: true }, { is_pending_ext_shared: true }, { pending_shared: ['T2'] }])(
    'calls shared what others are in, or are invited to: %j',
    async (shared) => {
      expect(await over(() => ({ ...OPS, ...shared })).directory.info('C1')).toMatchObject({ isShared: true })
    },
  )

  it('asks once a minute', async () => {
    const { directory, clock, asked } = over(() => OPS)
    await directory.info('C1')
    clock.turn(59_999)
    await directory.info('C1')
    expect(asked).toHaveLength(1)
    clock.turn(1)
    await directory.info('C1')
    expect(asked).toHaveLength(2)
  })

  it('asks anew about a channel that the bot is not in: it may have been invited', async () => {
    let isMember = false
    const { directory } = over(() => ({ ...OPS, is_member: isMember }))
    expect(await directory.info('C1')).toMatchObject({ isMember: false })
    isMember = true
    expect(await directory.info('C1')).toMatchObject({ isMember: true })
  })

  it('asks anew where it has to be as it is right now, and keeps that', async () => {
    let isMember = true
    const { directory } = over(() => ({ ...OPS, is_member: isMember }))
    await directory.info('C1')
    isMember = false
    expect(await directory.info('C1')).toMatchObject({ isMember: true })
    expect(await directory.info('C1', { fresh: true })).toMatchObject({ isMember: false })
    expect(await directory.info('C1')).toMatchObject({ isMember: false })
  })

  it.each([
    ['channel_not_found', 'absent', () => Promise.reject(new SlackError('conversations.info', 'channel_not_found'))],
    ['missing_scope', 'unknown', () => Promise.reject(new SlackError('conversations.info', 'missing_scope'))],
    ['unreadable answer', 'unknown', () => undefined],
  ])('says after %s that it is %s', async (reason, known, say) => {
    const { directory, lines } = over(say)
    expect(await directory.info('C1')).toBe(known)
    expect(lines[0]?.fields).toMatchObject({ reason })
  })
})
