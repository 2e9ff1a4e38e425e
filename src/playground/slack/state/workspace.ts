import type { ChangeFeed } from './change-feed.ts'
import { BOT_USER_ID, CHANNELS, MEMBERS, USER_GROUPS, type Channel, type Member, type UserGroup } from './seed.ts'
import { SlackError } from './slack-error.ts'

export interface GroupChange {
  readonly group: UserGroup
  readonly before: UserGroup
}

export class Workspace {
  readonly #feed: ChangeFeed
  members: readonly Member[] = MEMBERS
  channels: readonly Channel[] = CHANNELS
  groups: readonly UserGroup[] = USER_GROUPS
  /** Told of what changes about user groups. */
  listener: (change: GroupChange) => void = () => undefined

  constructor(feed: ChangeFeed) {
    this.#feed = feed
  }

  findMember(id: string): Member | undefined {
    return this.members.find((member) => member.id === id)
  }

  /** A person who must exist. Throws a plain error for a mistake of the caller. */
  member(id: string): Member {
    const found = this.findMember(id)
    if (found === undefined) throw new Error(`Nobody in the workspace has the id ${id}`)
    return found
  }

  changeMember(id: string, change: Partial<Omit<Member, 'id'>>): void {
    const changed = { ...this.member(id), ...change }
    this.members = this.members.map((member) => (member.id === id ? changed : member))
    this.#feed.changed()
  }

  findChannel(id: string): Channel | undefined {
    return this.channels.find((channel) => channel.id === id)
  }

  /** A channel that must exist. Throws a plain error for a mistake of the caller. */
  channel(id: string): Channel {
    const found = this.findChannel(id)
    if (found === undefined) throw new Error(`The workspace has no channel ${id}`)
    return found
  }

  directChannel(userId: string): Channel {
    const id = `D${userId.slice(1)}`
    const found = this.findChannel(id)
    if (found !== undefined) return found
    const { name } = this.member(userId)
    const members = new Set([userId, BOT_USER_ID])
    const opened: Channel = { id, name, kind: 'im', archived: false, members }
    this.channels = [...this.channels, opened]
    this.#feed.changed()
    return opened
  }

  setMembership(channelId: string, userId: string, isMember: boolean): void {
    const members = new Set(this.channel(channelId).members)
    if (isMember) members.add(userId)
    else members.delete(userId)
    this.changeChannel(channelId, { members })
  }

  changeChannel(id: string, change: Partial<Pick<Channel, 'archived' | 'members'>>): void {
    const changed = { ...this.channel(id), ...change }
    this.channels = this.channels.map((channel) => (channel.id === id ? changed : channel))
    this.#feed.changed()
  }

  /** Says who is in a user group, or disables it as of a moment in seconds since 1970; 0 enables it again. */
  changeGroup(groupId: string, change: Partial<Pick<UserGroup, 'users' | 'disabledAtS'>>): void {
    const before = this.groups.find(({ id }) => id === groupId)
    if (before === undefined) throw new Error(`The workspace has no user group ${groupId}`)
    const group = { ...before, ...change }
    this.groups = this.groups.map((each) => (each.id === groupId ? group : each))
    this.listener({ group, before })
    this.#feed.changed()
  }

  /** A channel as far as the bot can see it: a private one it is not in answers as if it did not exist. */
  channelForBot(id: string | undefined): Channel {
    const channel = id === undefined ? undefined : this.findChannel(id)
    if (channel === undefined) throw new SlackError('channel_not_found')
    if (channel.kind !== 'public' && !channel.members.has(BOT_USER_ID)) throw new SlackError('channel_not_found')
    return channel
  }

  /** A channel the bot may write to. A user id stands for the direct conversation with that person. */
  writableChannel(id: string | undefined): Channel {
    const person = id === undefined ? undefined : this.findMember(id)
    if (person?.kind === 'bot') throw new SlackError('channel_not_found')
    const channel = this.channelForBot(person === undefined ? id : this.directChannel(person.id).id)
    if (channel.archived) throw new SlackError('is_archived')
    if (!channel.members.has(BOT_USER_ID)) throw new SlackError('not_in_channel')
    return channel
  }
}
