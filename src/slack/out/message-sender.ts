import * as z from 'zod'
import type { View } from '../../block-kit/view.ts'
import { VIEW_BLOCKS } from '../../block-kit/limits.ts'
import { findStray, findStrayInMessage } from '../../block-kit/markup-gate.ts'
import { type Message, twinOf, withFooter } from '../../block-kit/message.ts'
import type { Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { context } from '../../block-kit/sections.ts'
import { NotDelivered, type Notifier } from '../../delivery/notifier.ts'
import type { AnswerFile } from '../../operations/declaration/answer.ts'
import { type Clock, withTimeout } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import { TtlMap } from '../../shared/ttl-map.ts'
import { type BlockPlace, type BlockRefusals, type Form, inSomeForm } from './block-refusals.ts'
import { blocksNamedIn, type Post, SlackError, type WebApi } from './web-api.ts'

/** Nothing shown by the bot is fetched, expanded or turned into links and mentions by Slack on its own. */
const QUIET = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false } as const
/** The same of an edited message, which is never unfurled. */
const EDITED = { parse: 'none', link_names: false } as const
const POST_TIMEOUT_MS = 8_000
/** Slack takes five posts to a response address, and answers the sixth with an error. */
const USES_PER_ADDRESS = 5
/** Slack takes none any more after half an hour. */
const ADDRESSES = { lifeMs: 30 * 60_000, most: 2_000 }

export interface MessageSenderOptions {
  readonly api: WebApi
  readonly post: Post
  /** Shared by all that send for one bot. */
  readonly refusals: BlockRefusals
  readonly clock: Clock
  readonly log: Log
  /** The last line of every message, and the first of every Home. */
  readonly footer?: Mrkdwn | undefined
}

/**
 * The only way out to Slack. Everything passes the markup gate; the builders keep Slack's limits. Where Slack refuses
 * blocks, charts or tables are sent in words, then the text alone; for an hour they are then at once. Throws `SlackError`.
 */
export class MessageSender {
  readonly #options: MessageSenderOptions
  readonly #uses: TtlMap<number>

  constructor(options: MessageSenderOptions) {
    this.#options = options
    this.#uses = new TtlMap(options.clock, ADDRESSES)
  }

  /** Posts to a channel, or to a person's direct messages when given their user id. */
  async post(channel: string, message: Message): Promise<Posted> {
    return this.#post({ channel }, message)
  }

  /** Answers in the thread of a message; `broadcast` shows it in the channel as well. */
  async reply(channel: string, threadTs: string, message: Message, broadcast = false): Promise<Posted> {
    return this.#post({ channel, thread_ts: threadTs, ...(broadcast && { reply_broadcast: true }) }, message)
  }

  async #post(place: Readonly<Record<string, unknown>>, message: Message): Promise<Posted> {
    const answer = await this.#inSomeForm('post', message, (form) =>
      this.#options.api.call('deliver', 'chat.postMessage', { ...place, ...QUIET, ...form }),
    )
    return PostedAnswer.parse(answer)
  }

  async update(channel: string, ts: string, message: Message): Promise<void> {
    // Without blocks of its own the message would keep those it has, so the text alone comes with none.
    await this.#inSomeForm('edit', message, (form) =>
      this.#options.api.call('deliver', 'chat.update', { channel, ts, blocks: [], ...EDITED, ...form }),
    )
  }

  /** Shows a message to one person in a channel, or in a thread of it, until they reload. */
  async postEphemeral(channel: string, user: string, message: Message, threadTs?: string): Promise<void> {
    const place = { channel, user, thread_ts: threadTs }
    await this.#inSomeForm('ephemeral', message, (form) =>
      this.#options.api.call('deliver', 'chat.postEphemeral', { ...place, ...QUIET, ...form }),
    )
  }

  /**
   * Answers through a response address, which works five times within half an hour; then throws without trying. A refused
   * try may count as well, so the last one is kept for a form that Slack takes.
   */
  async respond(
    url: string,
    message: Message,
    how: { readonly public: boolean; readonly replace: boolean },
  ): Promise<void> {
    const type = { response_type: how.public ? 'in_channel' : 'ephemeral', replace_original: how.replace }
    const usesLeft = (): number => USES_PER_ADDRESS - (this.#uses.get(url) ?? 0)
    const send = async (form: Form): Promise<void> => {
      const left = usesLeft()
      if (left <= 0) throw new SlackError('response_url', 'used_up')
      this.#uses.set(url, USES_PER_ADDRESS - left + 1)
      const body = JSON.stringify({ ...form, ...QUIET, ...type })
      const text = await this.#postOutside(url, 'response_url', body, 'application/json')
      // Slack, or a proxy before it, may answer with status 200 what it has not taken.
      if (!TAKEN.test(text)) throw new SlackError('response_url', codeIn(text) ?? 'not_taken')
    }
    await this.#inSomeForm('response address', message, send, usesLeft)
  }

  /** Resolves with the view's id. */
  async openView(triggerId: string, view: View): Promise<string> {
    this.#checkView(view)
    const answer = await this.#options.api.call('interactive', 'views.open', { trigger_id: triggerId, view })
    return OpenedAnswer.parse(answer).view.id
  }

  /** Replaces a view found by its id or its external id; with `hash` only while nobody else has replaced it. */
  async updateView(
    where: { readonly viewId: string; readonly hash?: string | undefined } | { readonly externalId: string },
    view: View,
  ): Promise<void> {
    this.#checkView(view)
    const target = 'viewId' in where ? { view_id: where.viewId, hash: where.hash } : { external_id: where.externalId }
    await this.#options.api.call('interactive', 'views.update', { ...target, view })
  }

  async publishHome(userId: string, view: View): Promise<void> {
    this.#checkView(view)
    const { api, footer } = this.#options
    const blocks = footer === undefined ? view.blocks : [context(footer), ...view.blocks].slice(0, VIEW_BLOCKS)
    await api.call('interactive', 'views.publish', { user_id: userId, view: { ...view, blocks } })
  }

  /** Puts a file into a channel the bot is in: its own conversation with a person, for instance. Says where it is, if Slack does. */
  async uploadFile(channelId: string, { name: filename, title, content }: AnswerFile): Promise<URL | undefined> {
    const bytes = Buffer.from(content)
    const { upload_url: url, file_id: id } = UploadTicket.parse(
      await this.#options.api.call('deliver', 'files.getUploadURLExternal', { filename, length: bytes.length }),
    )
    await this.#postOutside(url, 'file upload', content, 'application/octet-stream')
    const completed = await this.#options.api.call('deliver', 'files.completeUploadExternal', {
      files: [{ id, title }],
      channel_id: channelId,
    })
    return CompletedUpload.safeParse(completed).data?.files[0].permalink
  }

  /** A view that holds foreign markup is a bug: nothing of it is shown. */
  #checkView(view: View): void {
    const strayAt = findStray(view)
    if (strayAt !== undefined) throw new TypeError(`A view holds markup that is not ours at ${strayAt}`)
  }

  async #inSomeForm<T>(
    place: BlockPlace,
    message: Message,
    sendForm: (form: Form) => Promise<T>,
    triesLeft = (): number => Number.POSITIVE_INFINITY,
  ): Promise<T> {
    const { footer } = this.#options
    const send = (form: Form): Promise<T> => sendForm(footer === undefined ? form : withFooter(form, footer))
    const strayAt = findStrayInMessage(message)
    if (strayAt !== undefined) {
      this.#options.log.error({ pointer: strayAt }, 'a message holds markup that is not ours: its text is sent alone')
      return send({ text: strayAt === '/text' ? twinOf(message.text) : message.text })
    }
    return inSomeForm(this.#options, place, message, send, triesLeft)
  }

  async #postOutside(url: string, what: string, body: string, type: string): Promise<string> {
    try {
      const { ok, text } = await withTimeout(this.#options.clock, POST_TIMEOUT_MS, (signal) =>
        this.#options.post(url, { type, body, signal }),
      )
      if (!ok) throw new SlackError(what, codeIn(text) ?? 'http_error', undefined, blocksNamedIn(text))
      return text
    } catch (error) {
      // Another cause may hold the address, which is as good as a key for half an hour.
      throw error instanceof SlackError ? error : new SlackError(what, 'no_answer')
    }
  }
}

const PostedAnswer = z.object({ channel: z.string(), ts: z.string() })
export type Posted = Readonly<z.output<typeof PostedAnswer>>
const UploadTicket = z.object({ upload_url: z.string(), file_id: z.string() })
/** Its documentation has an id and a title only; Slack has been seen to give the file as a whole. */
const CompletedUpload = z.object({
  files: z.tuple([
    z.object({ permalink: z.url({ protocol: /^https$/, hostname: /\.slack\.com$/ }).transform((url) => new URL(url)) }),
  ]),
})
const OpenedAnswer = z.object({ view: z.object({ id: z.string() }) })

/** What Slack answers at a response address where it took the message. */
const TAKEN = /^\s*(?:ok\s*$|\{\s*"ok"\s*:\s*true\b)/

function codeIn(text: string): string | undefined {
  return /"error":"([a-z_]{1,60})"/.exec(text)?.[1] ?? /^([a-z_]{1,60})$/.exec(text.trim())?.[1]
}

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
