import { type Message, message, withBlocks } from '../block-kit/message.ts'
import { md, mention, type Mrkdwn, plainOf } from '../block-kit/mrkdwn.ts'
import { context } from '../block-kit/sections.ts'
import type { Audience, Conversation } from '../execution/executor.ts'
import { failure } from '../execution/explain.ts'
import type { AnswerFile } from '../operations/answer.ts'
import type { Clock, Timer } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Outbound, Posted } from './outbound.ts'

/**
 * When long work is spoken of, counted from its start. Three times at most: a response address works five times, and
 * the answer and what may have to follow it need two. The steps grow, because after a slash command Slack cannot
 * replace what was said before: each is a message of its own. Under a button it is one message, edited.
 */
const PROGRESS_AT_MS: readonly number[] = [1_500, 10_000, 60_000]

export interface ConversationPlace {
  readonly userId: string
  readonly channelId: string | undefined
  readonly threadTs?: string | undefined
  /** Undefined when there is none, or none any more. */
  readonly responseUrl: string | undefined
  /** The message under whose button this began is replaced by the answer. */
  readonly replacing: boolean
  /** Where what belongs to a channel goes when the bot is not in it. */
  readonly opsChannel: string | undefined
}

export interface ConversationTools {
  readonly outbound: Outbound
  readonly clock: Clock
  readonly log: Log
}

/** A conversation with one person about one request, by whatever way Slack leaves open. */
export class SlackConversation implements Conversation {
  readonly #place: ConversationPlace
  readonly #tools: ConversationTools
  readonly #startedMs: number
  #spokenOf = 0
  #newest = ''
  #due: Timer | undefined
  /** One post after the other, so that progress never overtakes the answer. */
  #queue: Promise<void> = Promise.resolve()
  #answered = false

  constructor(place: ConversationPlace, tools: ConversationTools) {
    this.#place = place
    this.#tools = tools
    this.#startedMs = tools.clock.monotonicMs()
  }

  async reply(answer: Message, audience: Audience): Promise<void> {
    this.#answered = true
    this.#due?.cancel()
    await this.#enqueue(() => (audience === 'channel' ? this.#toChannel(answer) : this.#toPerson(answer)))
  }

  /** A sentence that comes before its time is kept, so that what is said then is the newest. */
  progress(sentence: string): void {
    const dueMs = PROGRESS_AT_MS[this.#spokenOf]
    if (this.#answered || dueMs === undefined || this.#place.responseUrl === undefined) return
    this.#newest = sentence
    const leftMs = this.#startedMs + dueMs - this.#tools.clock.monotonicMs()
    if (leftMs <= 0) this.#speak()
    else this.#due ??= this.#tools.clock.after(leftMs, () => this.#speak())
  }

  #speak(): void {
    this.#due?.cancel()
    this.#due = undefined
    this.#spokenOf += 1
    const shown = small(md`${this.#newest}`, WAITING)
    void this.#enqueue(() => this.#toPerson(shown))
  }

  /** A file goes to the person's own conversation with the bot: in a channel everybody would see it. */
  async sendFile(file: AnswerFile): Promise<boolean> {
    const { outbound, log } = this.#tools
    let line: Posted | undefined
    let end = small(md`Here is *${file.title}*.`)
    try {
      // It tells which conversation that is, and is edited in the end.
      line = await outbound.post(this.#place.userId, small(md`*${file.title}* is being sent.`, WAITING))
      await outbound.uploadFile(line.channel, file)
      return true
    } catch (error) {
      log.warn({ err: error }, 'a file could not be sent')
      const happened = `The file ${file.name} could not be sent to your direct messages. The answer itself is complete.`
      end = failure(happened, 'Ask again with --csv; if that fails too, tell whoever runs CDN Ops.')
      await this.#enqueue(() => this.#toPerson(end, false))
      return false
    } finally {
      const edited = line && outbound.update(line.channel, line.ts, end)
      await edited?.catch((error: unknown) => log.warn({ err: error }, 'what became of a file is not said beside it'))
    }
  }

  async #toPerson(answer: Message, mayReplace = true): Promise<void> {
    const { userId, channelId, threadTs, responseUrl, replacing } = this.#place
    const replace = mayReplace && replacing
    await this.#tryInTurn([
      responseUrl === undefined
        ? undefined
        : () => this.#tools.outbound.respond(responseUrl, answer, { public: false, replace }),
      channelId === undefined
        ? undefined
        : () => this.#tools.outbound.postEphemeral(channelId, userId, answer, threadTs),
      () => this.#tools.outbound.post(userId, answer),
    ])
  }

  /**
   * Into the channel as a message that stays. Where the bot is not in it: through the response address, and once more
   * into the operations channel, because an answer through an address cannot be edited later.
   */
  async #toChannel(answer: Message): Promise<void> {
    const { channelId, responseUrl, opsChannel, userId } = this.#place
    const { outbound } = this.#tools
    const elsewhere = async (): Promise<void> => {
      const hint = context(md`CDN Ops is not in this channel: invite it with /invite, so that results stay here.`)
      if (responseUrl !== undefined)
        await outbound.respond(responseUrl, withBlocks(answer, hint), { public: true, replace: false })
      else await outbound.post(userId, answer)
      if (opsChannel !== undefined && opsChannel !== channelId) {
        await outbound.post(
          opsChannel,
          withBlocks(answer, context(md`Asked by ${mention(userId)} ${whereOf(channelId)}.`)),
        )
      }
    }
    await this.#tryInTurn([
      channelId === undefined ? undefined : async () => void (await outbound.post(channelId, answer)),
      elsewhere,
      () => outbound.post(userId, answer).then(() => undefined),
    ])
  }

  async #tryInTurn(ways: readonly ((() => Promise<unknown>) | undefined)[]): Promise<void> {
    for (const way of ways) {
      if (way === undefined) continue
      try {
        await way()
        return
      } catch (error) {
        this.#tools.log.warn({ err: error }, 'a way to answer did not work')
      }
    }
    this.#tools.log.error({ user: this.#place.userId }, 'an answer could not be delivered by any way')
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(work, work)
    return this.#queue
  }
}

const WAITING = md`:hourglass_flowing_sand: `

function small(line: Mrkdwn, icon = md``): Message {
  return message({ text: plainOf(line), blocks: [context(md`${icon}${line}`)] })
}

/** Home and shortcuts belong to no channel. */
function whereOf(channelId: string | undefined): string {
  return channelId === undefined ? 'outside of any channel' : 'in a channel CDN Ops is not in'
}
