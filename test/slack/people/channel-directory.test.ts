import { describe, expect, it } from 'vitest'
import { channelDirectory } from '../../../src/slack/people/channel-directory.ts'
import { SlackError, type WebApi } from '../../../src/slack/out/web-api.ts'
import { recordingLog } from '../../support/recording-log.ts'

const OPS = { id: 'C1', name: 'ops', is_member: true, is_archived: false, is_ext_shared: false }

/** A directory over a Slack that says this of a channel, and what it was asked. */
function over(say: () => unknown) {
  const asked: unknown[] = []
  const api: Pick<WebApi, 'call'> = {
    call: async (...given) => {
      asked.push(given)
      return { ok: true, channel: await say() }
    },
  }
  const { log, lines } = recordingLog()
  return { directory: channelDirectory(api as WebApi, log), asked, lines } // it calls nothing else
}

describe('the directory of channels', () => {
  const INFO = { isMember: true, isArchived: false, isShared: false }
  const NULLS = { name: null, is_member: null, is_ext_shared: null, pending_shared: [] }
  it.each([
    [{}, {}],
    [{ is_archived: true }, { isArchived: true }],
    [NULLS, { isMember: false }],
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

  it('asks each time: the bot may have been invited', async () => {
    let isMember = false
    const { directory } = over(() => ({ ...OPS, is_member: isMember }))
    expect(await directory.info('C1')).toMatchObject({ isMember: false })
    isMember = true
    expect(await directory.info('C1')).toMatchObject({ isMember: true })
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
