import * as z from 'zod'
import { messageJson } from '../block-kit/message-json.ts'
import type { Block, View } from '../block-kit/blocks.ts'
import { type Message, plainFormOf, twinOf } from '../block-kit/message.ts'
import { messageProblems, viewProblems } from '../block-kit/validator.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { ResponseUses } from './response-uses.ts'
import { type Post, SlackError, type WebApi } from './web-api.ts'

/** Nothing shown by the bot is fetched, expanded or turned into links and mentions by Slack on its own. */
const QUIET = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false } as const
/** The same of an edited message, which is never unfurled. */
const EDITED = { parse: 'none', link_names: false } as const
const RESPONSE_TIMEOUT_MS = 8_000
/** What Slack answers where a workspace does not know charts or tables, or blocks are too much for it. */
const BLOCKS_REFUSED = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'invalid_attachments',
])

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
 * The only way out to Slack. Everything passes the limits validator; where Slack refuses blocks, the plain form is sent
 * once, then the text alone. Throws `SlackError`.
 */
export class Outbound {
  readonly #options: OutboundOptions
  readonly #uses = new ResponseUses()

  constructor(options: OutboundOptions) {
    this.#options = options
  }

  /** Posts to a channel, or to a person's direct messages when given their user id. */
  async post(channel: string, message: Message): Promise<Posted> {
    const answer = await this.#inSomeForm(message, (form) =>
      this.#options.api.call('deliver', 'chat.postMessage', { channel, ...QUIET, ...form }),
    )
    return PostedAnswer.parse(answer)
  }

  /** Answers in the thread of a message; `broadcast` shows it in the channel as well. */
  async reply(channel: string, threadTs: string, message: Message, broadcast = false): Promise<Posted> {
    const place = { channel, thread_ts: threadTs, ...(broadcast ? { reply_broadcast: true } : {}) }
    const answer = await this.#inSomeForm(message, (form) =>
      this.#options.api.call('deliver', 'chat.postMessage', { ...place, ...QUIET, ...form }),
    )
    return PostedAnswer.parse(answer)
  }

  /** Replaces a message of the bot's own. */
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
        messageJson(form, {
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

  /** Draws somebody's Home page of the app anew. */
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

  /** A view that breaks a limit is a bug: better told to the person as such than shown by Slack as a lost connection. */
  #checkView(view: View): void {
    const [problem] = viewProblems(view)
    if (problem !== undefined)
      throw new TypeError(`A view breaks Slack's limits at ${problem.pointer}: ${problem.sentence}`)
  }

  async #inSomeForm<T>(message: Message, send: (form: Form) => Promise<T>): Promise<T> {
    const bare = { text: message.text }
    const [problem] = messageProblems(message)
    if (problem !== undefined) {
      this.#options.log.error(
        { pointer: problem.pointer, problem: problem.sentence },
        'a message broke the limits of Slack: its text is sent alone',
      )
      return send(problem.pointer === '/text' ? { text: twinOf(message.text) } : bare)
    }
    // The simpler form is made only where it is needed, which is nearly never.
    for (const form of [() => message.blocks, () => this.#soundPlainForm(message)]) {
      const blocks = form()
      if (blocks === undefined) continue
      try {
        return await send({ ...bare, blocks })
      } catch (error) {
        if (!(error instanceof SlackError && BLOCKS_REFUSED.has(error.code))) throw error
        this.#options.log.warn(
          { method: error.method, code: error.code },
          'Slack refused the blocks: a simpler form is sent',
        )
      }
    }
    return send(bare)
  }

  /** It passes the validator like everything else; one that breaks a limit is not sent. */
  #soundPlainForm(message: Message): readonly Block[] | undefined {
    const blocks = plainFormOf(message)
    if (blocks === undefined) return undefined
    const [problem] = messageProblems({ text: message.text, blocks })
    if (problem === undefined) return blocks
    const { pointer, sentence } = problem
    this.#options.log.error(
      { pointer: `/plain${pointer}`, problem: sentence },
      'a plain form broke the limits of Slack',
    )
    return undefined
  }

  async #respond(url: string, json: string): Promise<void> {
    if (!this.#uses.spend(url)) throw new SlackError('response_url', 'used_up')
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
