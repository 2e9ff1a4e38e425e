import { type Message, message, withBlocks } from '../../block-kit/message.ts'
import { code, link, md, mention, type Mrkdwn, plainOf } from '../../block-kit/mrkdwn.ts'
import { context } from '../../block-kit/sections.ts'
import { failure } from '../../execution/messages/error-messages.ts'
import type { AnswerFile } from '../../operations/declaration/answer.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { MessageSender, Posted } from '../out/message-sender.ts'
import { SlackError } from '../out/web-api.ts'

/**
 * When long work is spoken of, counted from its start. Three times at most: a response address works five times, and
 * the answer and what may have to follow it need two. The steps grow, because after a slash command Slack cannot
 * replace what was said before: each is a message of its own. Under a button and in a thread it is one message, edited.
 */
const PROGRESS_AT_MS: readonly number[] = [2_000, 10_000, 60_000]

export type Audience = 'caller' | 'channel'

/** Where what is for the caller goes: to them alone, in place of the message they clicked under, or into their thread for all to see. */
export type Manner = 'alone' | 'in place' | 'in thread'

type Way = () => Promise<unknown>

export interface ResponsePlace {
  readonly userId: string
  readonly channelId: string | undefined
  /** The thread in which they wrote or clicked; undefined in the channel itself. */
  readonly threadTs?: string | undefined
  /** Undefined when there is none, or none any more. */
  readonly responseUrl?: string | undefined
}

export interface ResponderOptions {
  readonly messageSender: MessageSender
  readonly clock: Clock
  readonly log: Log
  /** Where what belongs to a channel goes when the bot is not in it. */
  readonly opsChannel: string | undefined
}

/**
 * Answers one person about one request, with its progress, by whatever way Slack leaves open. Sending never throws for a reason
 * a person could not act on; what could not be delivered is logged.
 */
export class Responder {
  readonly #place: ResponsePlace
  readonly #options: ResponderOptions
  readonly #manner: Manner
  readonly #startedMs: number
  readonly #enqueue = oneAfterTheOther()
  #spokenOf = 0
  #answered = false
  /** The message in the thread that shows progress, until the answer stands in its place. */
  #shownTs: string | undefined

  constructor(place: ResponsePlace, options: ResponderOptions, manner: Manner = 'alone') {
    this.#place = place
    this.#options = options
    this.#manner = manner
    this.#startedMs = options.clock.monotonicMs()
  }

  async reply(answer: Message, audience: Audience): Promise<void> {
    this.#answered = true
    const isForChannel = audience === 'channel' && this.#manner !== 'in thread'
    await this.#enqueue(() => (isForChannel ? this.#toChannel(answer) : this.#toPerson(answer)))
  }

  /** Says how far long work has come, plain text. Called often; a few are shown. */
  readonly progress = (sentence: string): void => {
    const dueMs = PROGRESS_AT_MS[this.#spokenOf]
    if (this.#answered || dueMs === undefined) return
    if (this.#place.responseUrl === undefined && this.#manner !== 'in thread') return
    if (this.#options.clock.monotonicMs() < this.#startedMs + dueMs) return
    this.#spokenOf += 1
    // One way is enough for this: another would only hold the answer up.
    const [way] = this.#waysToPerson(small(md`${sentence}`, WAITING), this.#manner)
    const onLost = (error: unknown): void => this.#options.log.warn({ err: error }, 'progress could not be shown')
    void this.#enqueue(async () => void (await way?.().catch(onLost)))
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
        await this.#enqueue(() => this.#toPerson(small(md`Sent to your direct messages: ${name}`), 'alone'))
    } catch (error) {
      log.warn({ err: error }, 'a file could not be sent')
      const unpermitted = error instanceof SlackError && error.code === 'missing_scope'
      const why = unpermitted ? ': the Slack app lacks the scope files:write' : ' to your direct messages'
      const next = unpermitted
        ? 'Ask whoever manages the app to add the scope and install the app again.'
        : 'Ask again with --csv; if that fails too, tell whoever runs CDN Ops.'
      end = failure(`The file ${file.name} could not be sent${why}. The answer itself is complete.`, next)
      await this.#enqueue(() => this.#toPerson(end, 'alone'))
    } finally {
      const edited = line && messageSender.update(line.channel, line.ts, end)
      await edited?.catch((error: unknown) => log.warn({ err: error }, 'what became of a file is not said beside it'))
    }
  }

  async #toPerson(answer: Message, manner = this.#manner): Promise<void> {
    await this.#tryInTurn(this.#waysToPerson(answer, manner))
  }

  #waysToPerson(answer: Message, manner: Manner): readonly Way[] {
    const { userId, channelId, threadTs, responseUrl } = this.#place
    const { messageSender } = this.#options
    const replace = manner === 'in place'
    // In direct messages nobody else reads, and what is ephemeral is gone when they look again.
    const channel = channelId?.startsWith('D') === true ? undefined : channelId
    const ways = [
      manner === 'in thread' && channelId && (() => this.#inThread(channelId, answer)),
      responseUrl && (() => messageSender.respond(responseUrl, answer, { public: false, replace })),
      channel && (() => messageSender.postEphemeral(channel, userId, answer, threadTs)),
      () => messageSender.post(userId, answer),
    ]
    return ways.filter((way) => typeof way === 'function')
  }

  /** In place of the progress shown so far, or as a message of its own. */
  async #inThread(channel: string, shown: Message): Promise<void> {
    if (this.#shownTs !== undefined) return this.#options.messageSender.update(channel, this.#shownTs, shown)
    this.#shownTs = (await this.#post(channel, shown)).ts
  }

  async #post(channel: string, shown: Message): Promise<Posted> {
    const { threadTs } = this.#place
    const { messageSender } = this.#options
    return threadTs === undefined ? messageSender.post(channel, shown) : messageSender.reply(channel, threadTs, shown)
  }

  /**
   * Into the channel, or its thread, as a message that stays. Where the bot is not in it: through the response address, and once more
   * into the operations channel, because an answer through an address cannot be edited later.
   */
  async #toChannel(answer: Message): Promise<void> {
    const { channelId, threadTs, responseUrl, userId } = this.#place
    const { messageSender, opsChannel, log } = this.#options
    // Where there is a thread, the bot is in the channel: what that does not take goes to them alone.
    if (channelId !== undefined && threadTs !== undefined)
      return this.#tryInTurn([() => this.#post(channelId, answer), ...this.#waysToPerson(answer, 'alone')])
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
        // Its buttons work where it was answered.
        const blocks = answer.blocks.filter(({ type }) => type !== 'actions')
        const copy = withBlocks({ ...answer, blocks }, context(md`Asked by ${mention(userId)} ${where}.`))
        // They have their answer: another way would only say it twice.
        await messageSender
          .post(opsChannel, copy)
          .catch((error: unknown) =>
            log.warn({ err: error }, 'an answer could not be posted in the operations channel'),
          )
      }
    }
    const toChannel = channelId === undefined ? [] : [() => messageSender.post(channelId, answer)]
    await this.#tryInTurn([...toChannel, elsewhere, () => messageSender.post(userId, answer)])
  }

  async #tryInTurn(ways: readonly Way[]): Promise<void> {
    for (const way of ways) {
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

/** Does one thing after the other, so that progress never overtakes the answer. */
function oneAfterTheOther(): (work: () => Promise<void>) => Promise<void> {
  let last = Promise.resolve()
  return (work) => {
    last = last.then(work, work)
    return last
  }
}
