import * as z from 'zod'
import type { Parts } from '../parts.ts'
import { BOT_USER_ID, OTHER_TEAM_ID, TEAM, type Channel } from '../seed.ts'
import { SlackError } from '../slack-error.ts'
import { defineMethod, flag, requireScope, TIER, wholeNumber, type Method } from './method.ts'

const MAX_PAGE = 1_000
const DEFAULT_PAGE = 100
const SCOPE = { public: 'channels:read', private: 'groups:read', im: 'im:read' } as const
const TYPE_SCOPE: Readonly<Record<string, Channel['kind'] | undefined>> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
}

const paging = { cursor: z.string().optional(), limit: wholeNumber.max(MAX_PAGE).optional() }

/** Channels, as far as the bot can see them. */
export const conversationMethods: Readonly<Record<string, Method>> = {
  'conversations.info': defineMethod({
    token: 'bot',
    perMinute: TIER.three,
    args: z.object({ channel: z.string().optional() }),
    run: (args, parts) => ({ channel: channelPayload(readable(args.channel, parts)) }),
  }),

  'conversations.members': defineMethod({
    token: 'bot',
    perMinute: TIER.four,
    args: z.object({ channel: z.string().optional(), ...paging }),
    run: (args, parts) => {
      const { items, next } = pageOf(
        [...readable(args.channel, parts).members],
        args.cursor,
        args.limit ?? DEFAULT_PAGE,
      )
      return { members: items, response_metadata: { next_cursor: next } }
    },
  }),

  'conversations.list': defineMethod({
    token: 'bot',
    perMinute: TIER.two,
    args: z.object({ types: z.string().optional(), exclude_archived: flag.optional(), ...paging }),
    run: (args, parts) => {
      const kinds = (args.types ?? 'public_channel').split(',').map((type) => channelKind(type.trim()))
      for (const kind of kinds) requireScope(parts, SCOPE[kind])
      const listed = parts.workspace.channels
        .filter((channel) => kinds.includes(channel.kind))
        .filter((channel) => channel.kind === 'public' || channel.members.has(BOT_USER_ID))
        .filter((channel) => args.exclude_archived !== true || !channel.archived)
      const { items, next } = pageOf(listed, args.cursor, args.limit ?? DEFAULT_PAGE)
      return { channels: items.map(channelPayload), response_metadata: { next_cursor: next } }
    },
  }),

  'conversations.open': defineMethod({
    token: 'bot',
    scope: 'im:write',
    perMinute: TIER.three,
    args: z.object({ users: z.string().optional(), channel: z.string().optional() }),
    run: ({ users, channel }, { workspace }) => {
      if (channel !== undefined) return { channel: { id: workspace.channelForBot(channel).id } }
      const named = users?.split(',') ?? []
      const [only] = named
      if (only === undefined || only === '') throw new SlackError('users_list_not_supplied')
      if (named.length > 1) throw new SlackError('method_not_supported_for_channel_type')
      if (workspace.findMember(only) === undefined) throw new SlackError('user_not_found')
      return { channel: { id: workspace.directChannel(only).id } }
    },
  }),
}

/** A channel the bot sees and may read about. A public one needs no membership. */
function readable(id: string | undefined, parts: Parts): Channel {
  const channel = parts.workspace.channelForBot(id)
  requireScope(parts, SCOPE[channel.kind])
  return channel
}

function channelKind(type: string): Channel['kind'] {
  const kind = TYPE_SCOPE[type]
  if (kind === undefined) throw new SlackError('invalid_types')
  return kind
}

function channelPayload(channel: Channel): Readonly<Record<string, unknown>> {
  const isMember = channel.members.has(BOT_USER_ID)
  if (channel.kind === 'im') {
    const user = [...channel.members].find((id) => id !== BOT_USER_ID)
    return { id: channel.id, is_im: true, is_channel: false, user, is_archived: false }
  }
  return {
    id: channel.id,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: channel.kind === 'public',
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: channel.kind === 'private',
    is_archived: channel.archived,
    is_general: channel.name === 'general',
    is_member: isMember,
    is_shared: channel.shared === 'yes',
    is_ext_shared: channel.shared === 'yes',
    is_org_shared: false,
    is_pending_ext_shared: channel.shared === 'invited',
    shared_team_ids: channel.shared === 'yes' ? [TEAM.id, OTHER_TEAM_ID] : [TEAM.id],
    num_members: channel.members.size,
    context_team_id: TEAM.id,
  }
}

const CURSOR = /^from:(\d{1,6})$/

/** One page of a list and the cursor of the next, empty at the end. Throws `invalid_cursor`. */
function pageOf<T>(
  all: readonly T[],
  cursor: string | undefined,
  limit: number,
): { readonly items: readonly T[]; readonly next: string } {
  const start = startOf(cursor)
  const end = start + Math.max(limit, 1)
  return { items: all.slice(start, end), next: end < all.length ? Buffer.from(`from:${end}`).toString('base64') : '' }
}

function startOf(cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return 0
  const [, digits] = CURSOR.exec(Buffer.from(cursor, 'base64').toString()) ?? []
  if (digits === undefined) throw new SlackError('invalid_cursor')
  return Number(digits)
}
