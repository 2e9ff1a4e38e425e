import * as z from 'zod'
import type { Block } from '../block-rules/blocks.ts'
import type { Parts } from '../parts.ts'
import type { StoredMessage } from '../messages.ts'
import { BOT_USER_ID } from '../seed.ts'
import { SlackError } from '../slack-error.ts'
import { contentArguments, messageContent, messagePayload } from './message-arguments.ts'
import { defineMethod, flag, TIER, type Method } from './method.ts'

const MAX_UPDATE_CHARACTERS = 4_000
const MAX_EPHEMERAL_BYTES = 4_000
const MAX_ATTACHMENTS = 100

const channel = z.string().optional()
const attachments = z.array(z.unknown()).optional()

/** Messages: post, post for one person's eyes, edit, delete. */
export const chatMethods: Readonly<Record<string, Method>> = {
  'chat.postMessage': defineMethod({
    token: 'bot',
    scope: 'chat:write',
    perMinute: TIER.special,
    args: z.object({
      channel,
      ...contentArguments,
      attachments,
      thread_ts: z.string().optional(),
      reply_broadcast: flag.optional(),
    }),
    run: (args, parts) => {
      const target = postableChannel(args.channel, parts)
      if ((args.attachments?.length ?? 0) > MAX_ATTACHMENTS) throw new SlackError('too_many_attachments')
      const message = parts.messages.post({
        channel: target.id,
        author: BOT_USER_ID,
        ...messageContent(args, parts),
        // Without a thread there is nothing to be shown outside of it, and Slack takes no notice.
        ...(args.thread_ts === undefined ? {} : { threadTs: args.thread_ts, broadcast: args.reply_broadcast === true }),
      })
      return { channel: target.id, ts: message.ts, message: messagePayload(message) }
    },
  }),

  'chat.postEphemeral': defineMethod({
    token: 'bot',
    scope: 'chat:write',
    perMinute: TIER.four,
    args: z.object({ channel, user: z.string(), ...contentArguments, thread_ts: z.string().optional() }),
    run: (args, parts) => {
      const target = parts.workspace.writableChannel(args.channel)
      if (parts.workspace.findMember(args.user) === undefined) throw new SlackError('user_not_found')
      if (!target.members.has(args.user)) throw new SlackError('user_not_in_channel')
      if (Buffer.byteLength(args.text ?? '') > MAX_EPHEMERAL_BYTES) throw new SlackError('msg_too_long')
      const message = parts.messages.post({
        channel: target.id,
        author: BOT_USER_ID,
        ...messageContent(args, parts),
        visibleTo: args.user,
        ...(args.thread_ts === undefined ? {} : { threadTs: args.thread_ts }),
      })
      return { message_ts: message.ts }
    },
  }),

  'chat.update': defineMethod({
    token: 'bot',
    scope: 'chat:write',
    perMinute: TIER.three,
    args: z.object({ channel, ts: z.string(), ...contentArguments }),
    run: (args, parts) => {
      const message = ownMessage(args.channel, args.ts, parts, 'cant_update_message')
      if ((args.text?.length ?? 0) > MAX_UPDATE_CHARACTERS) throw new SlackError('msg_too_long')
      if (parts.workspace.channel(message.channel).archived) throw new SlackError('is_inactive')
      const content = messageContent(args, parts)
      if (hasRichText(message.blocks) && !hasRichText(content.blocks)) throw new SlackError('block_mismatch')
      const edited = parts.messages.edit(message, content)
      return { channel: edited.channel, ts: edited.ts, text: edited.text, message: messagePayload(edited) }
    },
  }),

  'chat.delete': defineMethod({
    token: 'bot',
    scope: 'chat:write',
    perMinute: TIER.three,
    args: z.object({ channel, ts: z.string() }),
    run: (args, parts) => {
      const message = ownMessage(args.channel, args.ts, parts, 'cant_delete_message')
      parts.messages.remove(message)
      return { channel: message.channel, ts: message.ts }
    },
  }),
}

/** Slack does not edit rich text into anything else. */
function hasRichText(blocks: readonly Block[]): boolean {
  return blocks.some(({ type }) => type === 'rich_text')
}

/** A channel may be given by `#name` here, and with chat:write.public a public one needs no membership. */
function postableChannel(given: string | undefined, { workspace, app }: Parts) {
  const named = workspace.channels.find((each) => each.kind !== 'im' && `#${each.name}` === given)
  const target = named ?? (given === undefined ? undefined : workspace.findChannel(given))
  const isOpen = target?.kind === 'public' && !target.archived && app.scopes.includes('chat:write.public')
  return isOpen ? target : workspace.writableChannel(target?.id ?? given)
}

/** A message of the bot. Ephemeral ones cannot be found here, and a user id names no channel. */
function ownMessage(
  channelId: string | undefined,
  ts: string,
  { workspace, messages }: Parts,
  refusal: string,
): StoredMessage {
  const target = workspace.channelForBot(channelId)
  const message = messages.find(target.id, ts)
  if (message === undefined || message.visibleTo !== undefined) throw new SlackError('message_not_found')
  if (message.author !== BOT_USER_ID) throw new SlackError(refusal)
  return message
}
