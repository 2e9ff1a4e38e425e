import { UserError } from '../../shared/errors.ts'
import type { OperationContext } from '../operation.ts'

type Asked = Pick<OperationContext, 'channelId' | 'channelInfo' | 'sharedChannels' | 'command'>

/**
 * The channel that a command about alerts was typed in, where it is one that alerts can go to: no direct messages, not
 * archived, with the bot in it, and shared with another organisation only where the configuration says so. Throws
 * UserError otherwise; also when Slack does not say, since an alert tells how the account is doing.
 */
export async function channelForAlerts(asked: Asked): Promise<string> {
  const id = channelHere(asked)
  const info = await asked.channelInfo(id)
  if (info === 'unknown') {
    throw new UserError(
      'invalid_input',
      'Slack does not say what this channel is, as with a private one that CDN Ops is not in. Nothing was turned on.',
      'Invite it with /invite, then ask again.',
    )
  }
  if (info.isArchived) {
    throw new UserError(
      'invalid_input',
      'This channel is archived, so no alert could be posted. Nothing was turned on.',
    )
  }
  if (info.isShared && !asked.sharedChannels.includes(id)) {
    throw new UserError(
      'not_permitted',
      'This channel is shared with another organisation, which would read the alerts. Nothing was turned on.',
      'Use a channel of your own, or have it listed under alerts.sharedChannels in the configuration file.',
    )
  }
  if (!info.isMember) {
    throw new UserError(
      'invalid_input',
      'CDN Ops is not in this channel, so it could not post here. Nothing was turned on.',
      'Invite it with /invite, then ask again.',
    )
  }
  return id
}

/** The channel that was typed in. Throws UserError where there is none, as in direct messages. */
export function channelHere({ channelId, command }: Pick<Asked, 'channelId' | 'command'>): string {
  if (channelId !== undefined && !channelId.startsWith('D')) return channelId
  throw new UserError(
    'invalid_input',
    'Alerts belong to a channel, and here is none. Nothing was done.',
    `Type ${command} alerts … in the channel that it is about.`,
  )
}
