import type { ChannelInfo, Channels } from '../../operations/declaration/operation.ts'
import * as z from 'zod'
import type { Log } from '../../shared/log.ts'
import { SlackError, type WebApi } from '../out/web-api.ts'

export function channelDirectory(api: WebApi, log: Log): Channels {
  return {
    async info(id) {
      try {
        return toInfo(await api.call('lookup', 'conversations.info', { channel: id }))
      } catch (error) {
        const reason = error instanceof SlackError ? error.code : 'unreadable answer'
        log.info({ channel: id, reason }, 'channel lookup failed')
        return reason === 'channel_not_found' ? 'absent' : 'unknown'
      }
    },
  }
}

const Flag = z.boolean().nullish().transform(Boolean)
const Answer = z.object({
  channel: z.object({
    is_member: Flag,
    is_archived: Flag,
    is_ext_shared: Flag,
    is_pending_ext_shared: Flag,
    pending_shared: z.array(z.unknown()).nullish(),
  }),
})

/** Nobody is a member of a conversation of two in Slack's words. */
function toInfo(answer: unknown): ChannelInfo {
  const { channel } = Answer.parse(answer)
  return {
    isMember: channel.is_member,
    isArchived: channel.is_archived,
    isShared: channel.is_ext_shared || channel.is_pending_ext_shared || (channel.pending_shared ?? []).length > 0,
  }
}
