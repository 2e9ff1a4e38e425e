import { md, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import type { Approval } from '../store/approvals.ts'
import type { Change } from '../store/change.ts'
import type { MessagePlace } from '../alerts/notifier.ts'

/** A change that its owner confirmed, told in another channel than the one it was asked in. */
export function isElsewhere(
  { channelId, sentAt }: Change,
  approvals: readonly Approval[],
  place: MessagePlace,
): boolean {
  return sentAt !== undefined && approvals.length === 0 && channelId !== undefined && place.channel !== channelId
}

/** Why the message about a change does not stand where it was asked for, and what helps, if anything does. */
export function whyElsewhere({ channelId = '' }: Pick<Change, 'channelId'>): Mrkdwn {
  switch (channelId.charAt(0)) {
    // Nobody can be invited to a conversation of two.
    case 'D':
      return md`This was asked in a direct message between people: CDN Ops cannot write there.`
    // Slack gives private channels and direct messages of several people ids of the same kind.
    case 'G':
      return md`CDN Ops could not write where this was asked. In a channel, though not in a direct message, it can be invited: with /invite.`
    default:
      return md`CDN Ops could not write where this was asked: invite it there with /invite, so that results stay there.`
  }
}

/** Why others are not asked in the operations channel. */
export const OPS_CHANNEL_CLOSED = md`CDN Ops could not write in the channel where approvals are asked for: invite it there with /invite.`
