import { type Message, message, withBlocks } from '../../block-kit/message.ts'
import { code, link, md, mention, type Mrkdwn, plainOf } from '../../block-kit/mrkdwn.ts'
import { context } from '../../block-kit/sections.ts'
import { failure } from '../../execution/messages/explain.ts'
import type { AnswerFile } from '../../operations/declaration/answer.ts'
import type { Clock, Timer } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { MessageSender, Posted } from '../out/message-sender.ts'
import { SlackError } from '../out/web-api.ts'

/**
 * When long work is spoken of, counted from its start. Three times at most: a response address works five times, and
 * the answer and what may have to follow it need two. The steps grow, because after a slash command Slack cannot
 * replace what was said before: each is a message of its own. Under a button it is one message, edited.
 */
const PROGRESS_AT_MS: readonly number[] = [2_000, 10_000, 60_000]

export type Audience = 'caller' | 'channel'

/**
 * Where an answer goes. Sending never throws for a reason a person could not act on; what could not be delivered is
 * logged.
 */
export interface Conversation {
  reply(message: Message, audience: Audience): Promise<void>
  /** Says how far long work has come, plain text. Called often; a few are shown. */
  readonly progress: (sentence: string) => void
  sendFile(file: AnswerFile): Promise<void>
}

export interface ConversationPlace {
  readonly userId: string
  readonly channelId: string | undefined
  /** The thread in which they wrote; undefined in the channel itself. */
  readonly threadTs?: string | undefined
  /** Undefined when there is none, or none any more. */
  readonly responseUrl?: string | undefined
}

export interface ConversationOptions {
  readonly messageSender: MessageSender
  readonly clock: Clock
  readonly log: Log
  /** Where what belongs to a channel goes when the bot is not in it. */
  readonly opsChannel: string | undefined
}

/** A conversation with one person about one request, by whatever way Slack leaves open. */
export class SlackConversation implements Conversation {
  readonly #place: ConversationPlace
  readonly #options: ConversationOptions
  /** The message under whose button this began is replaced by the answer. */
  readonly #isReplacing: boolean
  readonly #startedMs: number
  #spokenOf = 0
  #newest = ''
  #due: Timer | undefined
  readonly #enqueue = oneAfterTheOther()
  #answered = false

  constructor(place: ConversationPlace, options: ConversationOptions, isReplacing = false) {
    this.#place = place
    this.#options = options
    this.#isReplacing = isReplacing
    this.#startedMs = options.clock.monotonicMs()
  }

  async reply(answer: Message, audience: Audience): Promise<void> {
    this.#answered = true
    this.#due?.cancel()
    await this.#enqueue(() => (audience === 'channel' ? this.#toChannel(answer) : this.#toPerson(answer)))
  }

  /** A sentence that comes before its time is kept, so that what is said then is the newest. */
  readonly progress = (sentence: string): void => {
    const dueMs = PROGRESS_AT_MS[this.#spokenOf]
    if (this.#answered || dueMs === undefined || this.#place.responseUrl === undefined) return
    this.#newest = sentence
    const leftMs = this.#startedMs + dueMs - this.#options.clock.monotonicMs()
    if (leftMs <= 0) this.#speak()
    else this.#due ??= this.#options.clock.after(leftMs, () => this.#speak())
  }

  #speak(): void {
    this.#due?.cancel()
    this.#due = undefined
    this.#spokenOf += 1
    const shown = small(md`${this.#newest}`, WAITING)
    void this.#enqueue(() => this.#toPerson(shown))
  }

  /** A file goes to the person's own conversation with the bot: in a channel everybody would see it. */
  async sendFile(file: AnswerFile): Promise<void> {
    const { messageSender, log } = this.#options
    let line: Posted | undefined
    let end = small(md`Here is *${file.title}*.`)
    try {
      // It tells which conversation that is, and is edited in the end.
      line = await messageSender.post(this.#place.userId, small(md`*${file.title}* is being sent.`, WAITING))
      const place = await messageSender.uploadFile(line.channel, file)
      const name = place === undefined ? code(file.name) : link(place, file.name)
      if (line.channel !== this.#place.channelId)
        await this.#enqueue(() => this.#toPerson(small(md`Sent to your direct messages: ${name}`), false))
    } catch (error) {
      log.warn({ err: error }, 'a file could not be sent')
      const unpermitted = error instanceof SlackError && error.code === 'missing_scope'
      const why = unpermitted ? ': the Slack app lacks the scope files:write' : ' to your direct messages'
      const next = unpermitted
        ? 'Ask whoever manages the app to add the scope and install the app again.'
        : 'Ask again with --csv; if that fails too, tell whoever runs CDN Ops.'
      end = failure(`The file ${file.name} could not be sent${why}. The answer itself is complete.`, next)
      await this.#enqueue(() => this.#toPerson(end, false))
    } finally {
      const edited = line && messageSender.update(line.channel, line.ts, end)
      await edited?.catch((error: unknown) => log.warn({ err: error }, 'what became of a file is not said beside it'))
    }
  }

  async #toPerson(answer: Message, mayReplace = true): Promise<void> {
    const { userId, channelId, threadTs, responseUrl } = this.#place
    const replace = mayReplace && this.#isReplacing
    const { messageSender } = this.#options
    // In direct messages nobody else reads, and what is ephemeral is gone when they look again.
    const channel = channelId?.startsWith('D') === true ? undefined : channelId
    await this.#tryInTurn([
      responseUrl && (() => messageSender.respond(responseUrl, answer, { public: false, replace })),
      channel && (() => messageSender.postEphemeral(channel, userId, answer, threadTs)),
      () => messageSender.post(userId, answer),
    ])
  }

  /**
   * Into the channel as a message that stays. Where the bot is not in it: through the response address, and once more
   * into the operations channel, because an answer through an address cannot be edited later.
   */
  async #toChannel(answer: Message): Promise<void> {
    const { channelId, responseUrl, userId } = this.#place
    const { messageSender, opsChannel } = this.#options
    const elsewhere = async (): Promise<void> => {
      if (responseUrl !== undefined)
        await messageSender.respond(responseUrl, withBlocks(answer, context(NOT_HERE)), {
          public: true,
          replace: false,
        })
      else await messageSender.post(userId, answer)
      if (opsChannel !== undefined && opsChannel !== channelId) {
        // Home and shortcuts belong to no channel.
        const where = channelId === undefined ? 'outside of any channel' : 'in a channel CDN Ops is not in'
        await messageSender.post(opsChannel, withBlocks(answer, context(md`Asked by ${mention(userId)} ${where}.`)))
      }
    }
    await this.#tryInTurn([
      channelId && (() => messageSender.post(channelId, answer)),
      elsewhere,
      () => messageSender.post(userId, answer),
    ])
  }

  async #tryInTurn(ways: readonly ((() => Promise<unknown>) | '' | undefined)[]): Promise<void> {
    for (const way of ways) {
      if (way === undefined || way === '') continue
      try {
        await way()
        return
      } catch (error) {
        this.#options.log.warn({ err: error }, 'a way to answer did not work')
      }
    }
    this.#options.log.error({ user: this.#place.userId }, 'an answer could not be delivered by any way')
  }
}

export const NOT_HERE = md`CDN Ops is not in this channel: invite it with /invite, so that results stay here.`
const WAITING = md`:hourglass_flowing_sand: `

function small(line: Mrkdwn, icon = md``): Message {
  return message({ text: plainOf(line), blocks: [context(md`${icon}${line}`)] })
}

/** Before that, the answer itself is soon enough. */
const FIRST_WORD_MS = 2_000
/** The one message about progress is edited at most so often. */
const WORDS_APART_MS = 5_000

export interface ThreadPlace {
  /** Without `ts` it is the channel itself, as in direct messages. */
  readonly thread: { readonly channel: string; readonly ts?: string | undefined }
  /** Whether everything stands in the thread; else what is for the caller goes to them alone. */
  readonly visible: boolean
  /** Where files go, what is for the caller, and what Slack does not take in the thread. */
  readonly aside: Conversation
}

type ThreadTools = Pick<ConversationOptions, 'clock' | 'log'> & {
  readonly messageSender: Pick<MessageSender, 'post' | 'reply' | 'update'>
}

/** A conversation in the thread of a message, for who asked there. Long work shows one message, which the answer replaces. */
export class ThreadConversation implements Conversation {
  readonly #place: ThreadPlace
  readonly #tools: ThreadTools
  readonly #startedMs: number
  readonly #enqueue = oneAfterTheOther()
  #progress: { readonly ts: string; readonly atMs: number } | undefined
  #speaking = false
  #answered = false

  constructor(place: ThreadPlace, tools: ThreadTools) {
    this.#place = place
    this.#tools = tools
    this.#startedMs = tools.clock.monotonicMs()
  }

  async reply(answer: Message, audience: Audience): Promise<void> {
    const { visible, aside } = this.#place
    if (!visible && audience === 'caller') return aside.reply(answer, audience)
    this.#answered = true
    await this.#enqueue(async () => {
      try {
        await this.#say(answer)
      } catch (error) {
        this.#tools.log.warn({ err: error }, 'an answer could not be shown in a thread')
        await aside.reply(answer, 'caller')
      }
    })
  }

  readonly progress = (sentence: string): void => {
    const now = this.#tools.clock.monotonicMs()
    const dueMs = this.#progress === undefined ? this.#startedMs + FIRST_WORD_MS : this.#progress.atMs + WORDS_APART_MS
    if (!this.#place.visible || this.#answered || this.#speaking || now < dueMs) return
    this.#speaking = true
    void this.#enqueue(async () => {
      try {
        if (!this.#answered) this.#progress = { ts: await this.#say(small(md`${sentence}`, WAITING)), atMs: now }
      } catch (error) {
        this.#tools.log.info({ err: error }, 'progress could not be shown in a thread')
      }
      this.#speaking = false
    })
  }

  sendFile(file: AnswerFile): Promise<void> {
    return this.#place.aside.sendFile(file)
  }

  /** In place of the progress shown so far, or as a reply of its own. */
  async #say(shown: Message): Promise<string> {
    const { messageSender } = this.#tools
    const { channel, ts } = this.#place.thread
    if (this.#progress === undefined) {
      const posting = ts === undefined ? messageSender.post(channel, shown) : messageSender.reply(channel, ts, shown)
      return (await posting).ts
    }
    await messageSender.update(channel, this.#progress.ts, shown)
    return this.#progress.ts
  }
}

/** Does one thing after the other, so that progress never overtakes the answer. */
function oneAfterTheOther(): (work: () => Promise<void>) => Promise<void> {
  let last = Promise.resolve()
  return (work) => {
    last = last.then(work, work)
    return last
  }
}
