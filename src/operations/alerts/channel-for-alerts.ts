import { UserError } from '../../shared/errors.ts'
import type { OperationContext } from '../declaration/operation.ts'

type Requester = Pick<OperationContext, 'channelId' | 'channelInfo' | 'sharedChannels' | 'command'>

/**
 * The channel that a command about alerts was typed in, where it is one that alerts can go to: no direct messages, not
 * archived, with the bot in it, and shared with another organisation only where the configuration says so. Throws
 * UserError otherwise; also when Slack does not say, since an alert tells how the account is doing.
 */
export async function channelForAlerts(requester: Requester): Promise<string> {
  const id = channelHere(requester)
  const info = await requester.channelInfo(id)
  if (typeof info === 'string') {
    const why = 'Slack does not say what this channel is, as with a private one that CDN Ops is not in.'
    throw refuse('invalid_input', why, 'Invite it with /invite, then ask again.')
  }
  if (info.isArchived) throw refuse('invalid_input', 'This channel is archived, so no alert could be posted.')
  if (info.isShared && !requester.sharedChannels.includes(id)) {
    const why = 'This channel is shared with another organisation, which would read the alerts.'
    const next = 'Use a channel of your own, or have it listed under alerts.sharedChannels in the configuration file.'
    throw refuse('not_permitted', why, next)
  }
  if (!info.isMember) {
    const why = 'CDN Ops is not in this channel, so it could not post here.'
    throw refuse('invalid_input', why, 'Invite it with /invite, then ask again.')
  }
  return id
}

function refuse(code: 'invalid_input' | 'not_permitted', why: string, next?: string): UserError {
  return new UserError(code, `${why} Nothing was turned on.`, next)
}

/** The channel that was typed in. Throws UserError where there is none, as in direct messages. */
export function channelHere({ channelId, command }: Pick<Requester, 'channelId' | 'command'>): string {
  if (channelId !== undefined && !channelId.startsWith('D')) return channelId
  throw new UserError(
    'invalid_input',
    'Alerts belong to a channel, and here is none. Nothing was done.',
    `Type ${command} alerts … in the channel that it is about.`,
  )
}
