import * as z from 'zod'
import { MAX_FILE_BYTES, type StoredFile } from '../files.ts'
import type { Parts } from '../parts.ts'
import { BOT_USER_ID } from '../seed.ts'
import { SlackError } from '../slack-error.ts'
import { messageBlocks } from './message-arguments.ts'
import { defineMethod, TIER, wholeNumber, type Method } from './method.ts'

const MAX_FILES_AT_ONCE = 10
const listed = z
  .array(z.object({ id: z.string(), title: z.string().optional() }))
  .min(1)
  .max(MAX_FILES_AT_ONCE)

/** Files: an address to upload to, the completion that shares them, and what became of one. */
export const fileMethods: Readonly<Record<string, Method>> = {
  'files.getUploadURLExternal': defineMethod({
    token: 'bot',
    scope: 'files:write',
    perMinute: TIER.four,
    args: z.object({ filename: z.string().min(1), length: wholeNumber.min(1) }),
    run: (args, { files, baseUrl }) => {
      if (args.length > MAX_FILE_BYTES) throw new SlackError('file_upload_size_restricted')
      const file = files.announce(args.filename)
      return { upload_url: `${baseUrl()}/upload/v1/${file.id}`, file_id: file.id }
    },
  }),

  'files.completeUploadExternal': defineMethod({
    token: 'bot',
    scope: 'files:write',
    perMinute: TIER.four,
    args: z.object({
      files: listed,
      channel_id: z.string().optional(),
      initial_comment: z.string().optional(),
      blocks: z.unknown().optional(),
      thread_ts: z.string().optional(),
    }),
    run: (args, parts) => {
      const channel = args.channel_id === undefined ? undefined : sharedChannel(args.channel_id, parts)
      const blocks = args.blocks === undefined ? [] : messageBlocks(args.blocks, parts)
      const channels = channel === undefined ? [] : [channel]
      const completed = args.files.map(({ id, title }) => parts.files.complete(id, title, channels))
      if (channel !== undefined) {
        parts.messages.post({
          channel,
          author: BOT_USER_ID,
          text: args.initial_comment ?? '',
          blocks,
          files: completed.map((file) => file.id),
          ...(args.thread_ts === undefined ? {} : { threadTs: args.thread_ts }),
        })
      }
      return { files: completed.map((file) => filePayload(file, parts)) }
    },
  }),

  'files.info': defineMethod({
    token: 'bot',
    scope: 'files:read',
    perMinute: TIER.four,
    args: z.object({ file: z.string() }),
    run: (args, parts) => {
      const file = parts.files.find(args.file)
      if (file === undefined) throw new SlackError('file_not_found')
      return { file: filePayload(file, parts) }
    },
  }),
}

/** Files are shared to channels by their own id only: a user id stands for nothing here. */
function sharedChannel(id: string, { workspace }: Parts): string {
  if (workspace.findChannel(id) === undefined) throw new SlackError('channel_not_found')
  return workspace.writableChannel(id).id
}

function filePayload(file: StoredFile, { workspace, baseUrl }: Parts): Readonly<Record<string, unknown>> {
  const shared = file.channels.map((id) => workspace.channel(id))
  return {
    id: file.id,
    name: file.name,
    title: file.title,
    created: file.createdS,
    user: BOT_USER_ID,
    size: file.content?.length ?? 0,
    url_private: `${baseUrl()}/files/${file.id}`,
    channels: shared.filter((channel) => channel.kind === 'public').map((channel) => channel.id),
    groups: shared.filter((channel) => channel.kind === 'private').map((channel) => channel.id),
    ims: shared.filter((channel) => channel.kind === 'im').map((channel) => channel.id),
  }
}
