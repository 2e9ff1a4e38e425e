import { NotDelivered, type Notifier } from '../../delivery/notifier.ts'
import type { MessageSender } from './message-sender.ts'
import { SlackError } from './web-api.ts'

/** Answers of Slack that no waiting changes: the channel or person is gone. */
const FINAL: ReadonlySet<string> = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'user_not_found',
  'user_disabled',
  'messages_tab_disabled',
  'cannot_dm_bot',
  'msg_too_long',
])
const UNPERMITTED: ReadonlySet<string> = new Set([
  'restricted_action',
  'restricted_action_read_only_channel',
  'missing_scope',
  'no_permission',
])
/** Answers to an edit after which only a new message can say it. */
const GONE: ReadonlySet<string> = new Set([
  'message_not_found',
  'edit_window_closed',
  'cant_update_message',
  'block_mismatch',
  'is_inactive',
])

export function slackNotifier(messageSender: Pick<MessageSender, 'post' | 'update' | 'reply'>): Notifier {
  return {
    post: (recipient, message) => messageSender.post(recipient, message).catch(notDelivered),
    async edit({ channel, ts }, message) {
      try {
        await messageSender.update(channel, ts, message)
        return true
      } catch (error) {
        return error instanceof SlackError && GONE.has(error.code) ? false : notDelivered(error)
      }
    },
    reply: ({ channel, ts }, message, { broadcast = false } = {}) =>
      messageSender.reply(channel, ts, message, broadcast).catch(notDelivered),
  }
}

/** An answer that is none of Slack's refusals may be another one next time. */
function notDelivered(error: unknown): never {
  if (!(error instanceof SlackError)) throw error
  const final = UNPERMITTED.has(error.code) ? 'until permitted' : FINAL.has(error.code)
  throw new NotDelivered(error.code, final, error.retryAfterMs)
}
