import { sendEvent } from './events.ts'
import type { StoredMessage } from './messages.ts'
import type { Parts } from './parts.ts'
import { BOT_USER_ID, type Channel, type Member } from './seed.ts'
import { escapedText } from './typed-text.ts'

/** Where something is said. */
export interface Spot {
  readonly channel: Channel
  /** The message under which it is said; undefined in the channel itself. */
  readonly threadTs: string | undefined
}

/**
 * Posts what a person wrote, and tells an app that is mentioned and wants to know. Throws a plain error for a thread
 * that nobody can write in.
 */
export async function say(text: string, by: Member, { channel, threadTs }: Spot, parts: Parts): Promise<void> {
  const root = threadTs === undefined ? undefined : threadRoot(channel, threadTs, parts)
  const written = escapedText(text, parts.workspace)
  const message = parts.messages.post({
    channel: channel.id,
    author: by.id,
    text: written,
    blocks: [],
    ...(root === undefined ? {} : { threadTs: root }),
  })
  const hearsOfIt = channel.kind !== 'im' && channel.members.has(BOT_USER_ID) && written.includes(`<@${BOT_USER_ID}>`)
  if (hearsOfIt) await sendEvent(mention(message, by), parts)
}

/** Replies to a reply go into the thread it is in. What only one person sees has no thread. */
function threadRoot(channel: Channel, threadTs: string, { messages }: Parts): string {
  const message = messages.find(channel.id, threadTs)
  if (message === undefined || message.visibleTo !== undefined) throw new Error('There is no thread under this message')
  return message.threadTs ?? message.ts
}

function mention(message: StoredMessage, by: Member) {
  const { channel, ts, text, threadTs } = message
  return {
    type: 'app_mention',
    user: by.id,
    team: by.teamId,
    text,
    ts,
    channel,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
  }
}
