import * as z from 'zod'
import type { Block, View } from '../block-kit/blocks.ts'
import { findStray, findStrayInMessage } from '../block-kit/markup-gate.ts'
import { type Message, plainFormOf, twinOf } from '../block-kit/message.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { TtlMap } from '../shared/ttl-map.ts'
import { type Post, SlackError, type WebApi } from './web-api.ts'

/** Nothing shown by the bot is fetched, expanded or turned into links and mentions by Slack on its own. */
const QUIET = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false } as const
/** The same of an edited message, which is never unfurled. */
const EDITED = { parse: 'none', link_names: false } as const
const RESPONSE_TIMEOUT_MS = 8_000
/** Slack takes five posts to a response address, and says no more than an error to the sixth. */
const USES_PER_ADDRESS = 5
/** Slack takes none any more after half an hour. */
const ADDRESSES = { lifeMs: 30 * 60_000, most: 2_000 }
/** What Slack answers where a workspace does not know charts or tables, or blocks are too much for it. */
const BLOCKS_REFUSED = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'invalid_attachments',
])

/** How long a workspace that refused charts and tables gets the plain form at once. */
const REFUSAL_MEMORY_MS = 60 * 60_000

/** What is sent of a message: its text with blocks of some form, or alone. */
interface Form extends Readonly<Record<string, unknown>> {
  readonly text: string
  readonly blocks?: readonly Block[]
}

export interface Posted {
  readonly channel: string
  readonly ts: string
}

export interface OpenedView {
  readonly id: string
  readonly hash: string | undefined
}

export interface OutboundOptions {
  readonly api: WebApi
  readonly post: Post
  readonly clock: Clock
  readonly log: Log
}

/**
 * The only way out to Slack. Everything passes the markup gate; the builders keep Slack's limits. Where Slack refuses
 * blocks, the plain form is sent once, then the text alone. Throws `SlackError`.
 */
export class Outbound {
  readonly #options: OutboundOptions
  readonly #uses: TtlMap<number>
  #plainUntilMs = Number.NEGATIVE_INFINITY

  constructor(options: OutboundOptions) {
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
    const answer = await this.#inSomeForm(message, (form) =>
      this.#options.api.call('deliver', 'chat.postMessage', { ...place, ...QUIET, ...form }),
    )
    return PostedAnswer.parse(answer)
  }

  async update(channel: string, ts: string, message: Message): Promise<void> {
    // Without blocks of its own the message would keep those it has, so the text alone comes with none.
    await this.#inSomeForm(message, (form) =>
      this.#options.api.call('deliver', 'chat.update', { channel, ts, blocks: [], ...EDITED, ...form }),
    )
  }

  /** Shows a message to one person in a channel, or in a thread of it, until they reload. */
  async postEphemeral(channel: string, user: string, message: Message, threadTs?: string): Promise<void> {
    const place = { channel, user, ...(threadTs === undefined ? {} : { thread_ts: threadTs }) }
    await this.#inSomeForm(message, (form) =>
      this.#options.api.call('deliver', 'chat.postEphemeral', { ...place, ...QUIET, ...form }),
    )
  }

  /** Answers through a response address, which works five times within half an hour; then throws without trying. */
  async respond(
    url: string,
    message: Message,
    how: { readonly public: boolean; readonly replace: boolean },
  ): Promise<void> {
    await this.#inSomeForm(message, (form) =>
      this.#respond(
        url,
        JSON.stringify({
          ...form,
          ...QUIET,
          response_type: how.public ? 'in_channel' : 'ephemeral',
          replace_original: how.replace,
        }),
      ),
    )
  }

  async openView(triggerId: string, view: View): Promise<OpenedView> {
    this.#checkView(view)
    return openedView(await this.#options.api.call('interactive', 'views.open', { trigger_id: triggerId, view }))
  }

  /** Replaces a view found by its id or its external id; with `hash` only while nobody else has replaced it. */
  async updateView(
    where: { readonly viewId: string; readonly hash?: string | undefined } | { readonly externalId: string },
    view: View,
  ): Promise<OpenedView> {
    this.#checkView(view)
    const target =
      'viewId' in where
        ? { view_id: where.viewId, ...(where.hash === undefined ? {} : { hash: where.hash }) }
        : { external_id: where.externalId }
    return openedView(await this.#options.api.call('interactive', 'views.update', { ...target, view }))
  }

  async publishHome(userId: string, view: View): Promise<void> {
    this.#checkView(view)
    await this.#options.api.call('interactive', 'views.publish', { user_id: userId, view })
  }

  /** Puts a file into a channel the bot is in: its own conversation with a person, for instance. */
  async uploadFile(
    channelId: string,
    file: { readonly name: string; readonly title: string; readonly content: string },
  ): Promise<void> {
    const bytes = Buffer.from(file.content)
    const { upload_url: url, file_id: id } = UploadTicket.parse(
      await this.#options.api.call('deliver', 'files.getUploadURLExternal', {
        filename: file.name,
        length: bytes.length,
      }),
    )
    await this.#postTo(url, 'file upload', file.content, 'application/octet-stream')
    await this.#options.api.call('deliver', 'files.completeUploadExternal', {
      files: [{ id, title: file.title }],
      channel_id: channelId,
    })
  }

  /** A view that holds foreign markup is a bug: nothing of it is shown. */
  #checkView(view: View): void {
    const strayAt = findStray(view)
    if (strayAt !== undefined) throw new TypeError(`A view holds markup that is not ours at ${strayAt}`)
  }

  async #inSomeForm<T>(message: Message, send: (form: Form) => Promise<T>): Promise<T> {
    const { text, blocks } = message
    const strayAt = findStrayInMessage(message)
    if (strayAt !== undefined) {
      this.#options.log.error({ pointer: strayAt }, 'a message holds markup that is not ours: its text is sent alone')
      return send({ text: strayAt === '/text' ? twinOf(text) : text })
    }
    const { clock } = this.#options
    const known = clock.monotonicMs() < this.#plainUntilMs ? plainFormOf(message) : undefined
    if (known === undefined) {
      try {
        return await send({ text, blocks })
      } catch (error) {
        this.#expectRefusal(error)
      }
    }
    const plain = known ?? plainFormOf(message)
    if (plain !== undefined) {
      try {
        const sent = await send({ text, blocks: plain })
        if (clock.monotonicMs() >= this.#plainUntilMs) this.#plainUntilMs = clock.monotonicMs() + REFUSAL_MEMORY_MS
        return sent
      } catch (error) {
        this.#expectRefusal(error)
      }
    }
    return send({ text })
  }

  /** Throws the error again unless it says that Slack does not take the blocks. */
  #expectRefusal(error: unknown): void {
    if (!(error instanceof SlackError && BLOCKS_REFUSED.has(error.code))) throw error
    const { method, code } = error
    this.#options.log.warn({ method, code }, 'Slack refused the blocks: a simpler form is sent')
  }

  async #respond(url: string, json: string): Promise<void> {
    const used = this.#uses.get(url) ?? 0
    if (used >= USES_PER_ADDRESS) throw new SlackError('response_url', 'used_up')
    this.#uses.set(url, used + 1)
    const said = await this.#postTo(url, 'response_url', json, 'application/json')
    // Slack, or whoever stands before it, answers with status 200 as well what it has not taken.
    if (!TAKEN.test(said)) throw new SlackError('response_url', codeIn(said) ?? 'not_taken')
  }

  async #postTo(url: string, what: string, body: string, type: string): Promise<string> {
    const gaveUp = new AbortController()
    const timer = this.#options.clock.after(RESPONSE_TIMEOUT_MS, () => gaveUp.abort())
    try {
      const { ok, text } = await this.#options.post(url, { type, body, signal: gaveUp.signal })
      if (!ok) throw new SlackError(what, codeIn(text) ?? 'http_error')
      return text
    } catch (error) {
      // Another cause may hold the address, which is as good as a key for half an hour.
      throw error instanceof SlackError ? error : new SlackError(what, 'no_answer')
    } finally {
      timer.cancel()
    }
  }
}

const PostedAnswer = z.object({ channel: z.string(), ts: z.string() })
const UploadTicket = z.object({ upload_url: z.string(), file_id: z.string() })
const OpenedAnswer = z.object({ view: z.object({ id: z.string(), hash: z.string().optional() }) })

function openedView(answer: unknown): OpenedView {
  const { view } = OpenedAnswer.parse(answer)
  return { id: view.id, hash: view.hash }
}

/** What Slack answers at a response address where it took the message. */
const TAKEN = /^\s*(?:ok\s*$|\{\s*"ok"\s*:\s*true\b)/

function codeIn(text: string): string | undefined {
  return /"error":"([a-z_]{1,60})"/.exec(text)?.[1] ?? /^([a-z_]{1,60})$/.exec(text.trim())?.[1]
}
