import * as z from 'zod'
import type { Notifier } from '../delivery/notifier.ts'
import type { Channels } from '../operations/declaration/operation.ts'
import type { Secret } from '../shared/secret.ts'
import { channelDirectory } from './people/channel-directory.ts'
import { Directory, type DirectoryOptions } from './people/directory.ts'
import { askIdentity, type Identity, NoWorkspaceError } from './people/identity.ts'
import { type BlockRefusals, blockRefusals } from './out/block-refusals.ts'
import { MessageSender, type MessageSenderOptions, slackNotifier } from './out/message-sender.ts'
import { SlackError, TOKEN_REFUSED, WebApi, type WebApiOptions } from './out/web-api.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
/** After so long without a call the token is tried by one. */
const TOKEN_KNOWN_MS = 5 * 60_000

export interface WorkspaceOptions
  extends
    Pick<MessageSenderOptions, 'post' | 'clock' | 'log' | 'footer'>,
    Pick<DirectoryOptions, 'roles' | 'writesBarred' | 'remembered'>,
    Pick<WebApiOptions, 'apiUrl' | 'fetch'> {
  readonly botToken: Secret
  /** The workspace that is meant, for a token that is granted to several. */
  readonly teamId?: string | undefined
  /** The token cannot serve, for good: with Slack's error code, or with why it is for no workspace. */
  readonly onRefused: (why: string | NoWorkspaceError) => void
}

/** The workspace the bot is installed in, as far as it can be reached without a link: people, messages, views. */
export class Workspace {
  readonly directory: Directory
  readonly messageSender: MessageSender
  /** Which charts and tables Slack refuses, and where. */
  readonly blockRefusals: BlockRefusals
  readonly notifier: Notifier
  /** For the outbox, over clients of its own: that Slack wants fewer messages of it delays nobody's answer. */
  readonly outboxNotifier: Notifier
  readonly channels: Channels
  readonly #options: WorkspaceOptions
  readonly #api: WebApi
  #tokenRefused: string | undefined
  #calledMs = Number.NEGATIVE_INFINITY
  #identity: Identity | undefined

  constructor(options: WorkspaceOptions) {
    const { apiUrl, botToken, fetch, post, clock, log, footer } = options
    this.#options = options
    const calls = { apiUrl, token: botToken, fetch, log, onToken: (refused?: string) => this.#noteToken(refused) }
    this.#api = new WebApi(calls)
    this.directory = new Directory({ ...options, api: this.#api, identity: () => this.#identity })
    this.blockRefusals = blockRefusals(clock, log)
    const sending = { post, refusals: this.blockRefusals, clock, log, footer }
    this.messageSender = new MessageSender({ ...sending, api: this.#api })
    this.notifier = slackNotifier(this.messageSender)
    this.outboxNotifier = slackNotifier(new MessageSender({ ...sending, api: new WebApi(calls) }))
    this.channels = channelDirectory(this.#api, log)
  }

  /** Undefined until Slack has said it: nobody has a role before. */
  get identity(): Identity | undefined {
    return this.#identity
  }

  /** Slack's error code for why it does not take the bot token; undefined while it does. */
  get tokenRefused(): string | undefined {
    return this.#tokenRefused
  }

  /** Finds out whether Slack takes the bot token, where no other call has shown it of late. Never rejects. */
  async tryToken(): Promise<void> {
    const isKnown = this.#options.clock.monotonicMs() - this.#calledMs < TOKEN_KNOWN_MS
    if (isKnown && this.#tokenRefused === undefined) return
    await this.#api.call('lookup', 'auth.test', {}).catch(() => undefined)
  }

  #noteToken(refused: string | undefined): void {
    const { clock, log } = this.#options
    this.#calledMs = clock.monotonicMs()
    if (refused === this.#tokenRefused) return
    this.#tokenRefused = refused
    if (refused === undefined) log.info('Slack takes SLACK_BOT_TOKEN again')
    else log.error({ code: refused }, 'Slack refuses SLACK_BOT_TOKEN: nothing can be looked up, posted or opened')
  }

  /**
   * Asks Slack who the bot is until it answers, however long that takes, and logs each failure. Undefined when the token
   * was refused or is for no workspace, or the bot was stopped first.
   */
  async identify(stopping: AbortSignal): Promise<Identity | undefined> {
    const answer = await this.#retry(stopping, () => askIdentity(this.#api, this.#options.teamId))
    if (typeof answer === 'string' || answer instanceof NoWorkspaceError) this.#options.onRefused(answer)
    else this.#identity = answer
    return this.#identity
  }

  /**
   * The id of the Slack app the bot is, asked for until Slack answers. Undefined when it does not say, or the bot was
   * stopped first. That a request is for this app, its signature says: each app has a secret of its own.
   */
  async appId({ botId, appId }: Pick<Identity, 'botId' | 'appId'>, stopping: AbortSignal): Promise<string | undefined> {
    const answer = await this.#retry(stopping, () => this.#api.call('lookup', 'bots.info', { bot: botId }))
    const known = BotsInfo.safeParse(answer).data?.bot.app_id ?? appId
    if (known === undefined && answer !== undefined) {
      const reason = typeof answer === 'string' ? answer : 'no app_id'
      this.#options.log.warn({ reason }, 'Slack does not say which app this is: whom requests are for is not compared')
    }
    return known
  }

  /** The answer, or the error code where retrying does not help; undefined when the bot was stopped first. */
  async #retry<T extends object>(
    stopping: AbortSignal,
    ask: () => Promise<T>,
  ): Promise<T | NoWorkspaceError | string | undefined> {
    const { clock, log, apiUrl } = this.#options
    for (let pauseMs = FIRST_PAUSE_MS; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await ask()
      } catch (error) {
        if (error instanceof NoWorkspaceError) return error
        const code = error instanceof SlackError ? error.code : 'unreadable answer'
        if (TOKEN_REFUSED.has(code) || PERMANENT.has(code)) return code
        log.warn({ address: apiUrl.origin, reason: code, retryInMs: pauseMs }, 'Slack cannot be reached: trying again')
        await clock.sleep(pauseMs, stopping).catch(() => undefined)
      }
    }
    return undefined
  }
}

/** Refusals that no waiting changes, beside those of the token. */
const PERMANENT: ReadonlySet<string> = new Set(['missing_scope', 'no_permission', 'bot_not_found', 'unknown_method'])

const BotsInfo = z.object({ bot: z.object({ app_id: z.string() }) })
