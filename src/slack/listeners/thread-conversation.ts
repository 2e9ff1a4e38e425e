import { type Message, message } from '../../block-kit/message.ts'
import { md } from '../../block-kit/mrkdwn.ts'
import { context } from '../../block-kit/sections.ts'
import type { AnswerFile } from '../../operations/declaration/answer.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { MessageSender } from '../out/message-sender.ts'
import type { Audience, Conversation } from './slack-conversation.ts'

/** Before that, the answer itself is soon enough. */
const FIRST_WORD_MS = 2_000
/** The one message about progress is edited at most so often. */
const WORDS_APART_MS = 5_000

export interface ThreadPlace {
  /** Without `ts` it is the channel itself, as in direct messages. */
  readonly thread: { readonly channel: string; readonly ts?: string | undefined }
  /** Whether everything stands in the thread; else what is for the caller goes to them alone. */
  readonly visible: boolean
}

export interface ThreadTools {
  readonly messageSender: Pick<MessageSender, 'post' | 'reply' | 'update'>
  readonly clock: Clock
  readonly log: Log
  /** Where files go, what is for the caller, and what Slack does not take in the thread. */
  readonly aside: Conversation
}

/** A conversation in the thread of a message, for who asked there. Long work shows one message, which the answer replaces. */
export class ThreadConversation implements Conversation {
  readonly #place: ThreadPlace
  readonly #tools: ThreadTools
  readonly #startedMs: number
  #progress: { readonly ts: string; readonly atMs: number } | undefined
  #speaking = false
  #answered = false
  /** One post after the other, so that progress never overtakes the answer. */
  #queue: Promise<void> = Promise.resolve()

  constructor(place: ThreadPlace, tools: ThreadTools) {
    this.#place = place
    this.#tools = tools
    this.#startedMs = tools.clock.monotonicMs()
  }

  async reply(answer: Message, audience: Audience): Promise<void> {
    if (!this.#place.visible && audience === 'caller') return this.#tools.aside.reply(answer, audience)
    this.#answered = true
    await this.#enqueue(() => this.#answer(answer))
  }

  readonly progress = (sentence: string): void => {
    const now = this.#tools.clock.monotonicMs()
    const dueMs = this.#progress === undefined ? this.#startedMs + FIRST_WORD_MS : this.#progress.atMs + WORDS_APART_MS
    if (!this.#place.visible || this.#answered || this.#speaking || now < dueMs) return
    this.#speaking = true
    const shown = message({ text: sentence, blocks: [context(md`:hourglass_flowing_sand: ${sentence}`)] })
    void this.#enqueue(async () => {
      try {
        if (!this.#answered) this.#progress = { ts: await this.#say(shown), atMs: now }
      } catch (error) {
        this.#tools.log.info({ err: error }, 'progress could not be shown in a thread')
      }
      this.#speaking = false
    })
  }

  sendFile(file: AnswerFile): Promise<void> {
    return this.#tools.aside.sendFile(file)
  }

  async #answer(answer: Message): Promise<void> {
    try {
      await this.#say(answer)
    } catch (error) {
      this.#tools.log.warn({ err: error }, 'an answer could not be shown in a thread')
      await this.#tools.aside.reply(answer, 'caller')
    }
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

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(work, work)
    return this.#queue
  }
}
