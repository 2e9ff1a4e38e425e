export interface ChannelInfo {
  readonly id: string
  /** Without the sign before it. Foreign text. */
  readonly name: string
  readonly isMember: boolean
  readonly isArchived: boolean
  /** Whether people of another organisation are in it, or are invited. */
  readonly isShared: boolean
  readonly isPrivate: boolean
}

export interface Channels {
  /** Never throws; `unknown` when Slack does not say, or does not show the channel to the bot. */
  info(id: string): Promise<ChannelInfo | 'unknown'>
}
