import { describe, expect, it } from 'vitest'
import { message } from '../../../src/block-kit/message.ts'
import { section } from '../../../src/block-kit/sections.ts'
import { NotDelivered } from '../../../src/delivery/notifier.ts'
import { slackNotifier } from '../../../src/slack/out/message-sender.ts'
import { SlackError } from '../../../src/slack/out/web-api.ts'

const MESSAGE = message({ text: 'It is done.', blocks: [section('It is done.')] })
const PLACE = { channel: 'C1', ts: '1.2' }

/** A notifier over a Slack that does this with each message. */
function over(answer: () => Promise<void>): ReturnType<typeof slackNotifier> {
  const place = (): Promise<typeof PLACE> => answer().then(() => PLACE)
  return slackNotifier({ post: place, reply: place, update: answer })
}
const refusing = (code: string, retryAfterMs?: number): ReturnType<typeof slackNotifier> =>
  over(() => Promise.reject(new SlackError('chat.postMessage', code, retryAfterMs)))

describe('the notifier', () => {
  it('says where a message stands, and that an edit was taken', async () => {
    const notifier = over(async () => undefined)
    expect(await notifier.post('C1', MESSAGE)).toEqual(PLACE)
    expect(await notifier.edit(PLACE, MESSAGE)).toBe(true)
    const replies: unknown[] = []
    const reply = async (...given: readonly unknown[]) => (replies.push(given), PLACE)
    const threads = slackNotifier({ post: reply, update: async () => undefined, reply })
    expect(await threads.reply(PLACE, MESSAGE, { broadcast: true })).toEqual(PLACE)
    await threads.reply(PLACE, MESSAGE)
    expect(replies).toEqual([true, false].map((broadcast) => ['C1', '1.2', MESSAGE, broadcast]))
  })

  it.each([
    ...'not_in_channel channel_not_found is_archived user_not_found user_disabled messages_tab_disabled cannot_dm_bot msg_too_long'
      .split(' ')
      .map((code) => [code, true] as const),
    ...['missing_scope', 'no_permission', 'restricted_action', 'restricted_action_read_only_channel'].map(
      (code) => [code, 'until permitted'] as const,
    ),
    ...['no_answer', 'http_error', 'something_new'].map((code) => [code, false] as const),
  ])('says of a post, an edit and a reply refused with %s whether that is final: %s', async (code, final) => {
    const refused = { final, message: code, retryAfterMs: undefined }
    await expect(refusing(code).post('C1', MESSAGE)).rejects.toMatchObject(refused)
    await expect(refusing(code).edit(PLACE, MESSAGE)).rejects.toMatchObject(refused)
    await expect(refusing(code).reply(PLACE, MESSAGE)).rejects.toMatchObject(refused)
  })

  it('hands on how long Slack wants to be left alone', async () => {
    const refused = refusing('ratelimited', 7_000).post('C1', MESSAGE)
    await expect(refused).rejects.toBeInstanceOf(NotDelivered)
    await expect(refused).rejects.toMatchObject({ final: false, retryAfterMs: 7_000 })
  })

  it.each(['message_not_found', 'edit_window_closed', 'cant_update_message', 'block_mismatch', 'is_inactive'])(
    'says that a message is gone when an edit ends in %s',
    async (code) => {
      expect(await refusing(code).edit(PLACE, MESSAGE)).toBe(false)
    },
  )

  it('calls what is no refusal of Slack by its own name', async () => {
    const bug = new TypeError('a bug')
    await expect(over(() => Promise.reject(bug)).edit(PLACE, MESSAGE)).rejects.toBe(bug)
  })
})
