import * as z from 'zod'
import type { ChannelInfo, Channels } from '../operations/channel-info.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { TtlMap } from '../shared/ttl-map.ts'
import { SlackError, type WebApi } from './web-api.ts'

/** Young enough that an archived channel is soon seen, old enough to spare Slack a call for each question. */
const KNOWN = { lifeMs: 60_000, most: 1_000 }

export interface ChannelDirectoryOptions {
  readonly api: WebApi
  readonly clock: Clock
  readonly log: Log
}

export class ChannelDirectory implements Channels {
  readonly #options: ChannelDirectoryOptions
  readonly #known: TtlMap<ChannelInfo>

  constructor(options: ChannelDirectoryOptions) {
    this.#options = options
    this.#known = new TtlMap(options.clock, KNOWN)
  }

  /**
   * Never throws; `unknown` when Slack does not say, or does not show the channel to the bot. A channel that the bot is
   * not in is looked up each time, because it may have been invited a moment ago.
   */
  async info(id: string): Promise<ChannelInfo | 'unknown'> {
    const { api, log } = this.#options
    const known = this.#known.get(id)
    if (known !== undefined) return known
    try {
      const info = toInfo(await api.call('lookup', 'conversations.info', { channel: id }))
      if (info.isMember) this.#known.set(info.id, info)
      return info
    } catch (error) {
      const reason = error instanceof SlackError ? error.code : 'unreadable answer'
      log.info({ channel: id, reason }, 'Slack did not say what a channel is')
      return 'unknown'
    }
  }
}

const Flag = z.boolean().nullish().transform(Boolean)
const Answer = z.object({
  channel: z.object({
    id: z.string(),
    name: z.string().nullish(),
    is_member: Flag,
    is_archived: Flag,
    is_private: Flag,
    is_ext_shared: Flag,
    is_pending_ext_shared: Flag,
    pending_shared: z.array(z.unknown()).nullish(),
  }),
})

/** Conversations of two have no name, and nobody is a member of them in Slack's words. */
function toInfo(answer: unknown): ChannelInfo {
  const { channel } = Answer.parse(answer)
  return {
    id: channel.id,
    name: channel.name ?? '',
    isMember: channel.is_member,
    isArchived: channel.is_archived,
    isShared: channel.is_ext_shared || channel.is_pending_ext_shared || (channel.pending_shared ?? []).length > 0,
    isPrivate: channel.is_private,
  }
}
