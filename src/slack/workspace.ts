import * as z from 'zod'
import type { Notifier } from '../alerts/notifier.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Secret } from '../shared/secret.ts'
import { ChannelDirectory } from './channel-directory.ts'
import { Directory } from './directory.ts'
import { Outbound } from './outbound.ts'
import type { RoleSources } from './role-sources.ts'
import { SlackNotifier } from './slack-notifier.ts'
import { type Fetch, type Post, SlackError, TOKEN_REFUSED, WebApi } from './web-api.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
/** After so long without a call nobody knows any more whether Slack would take one. */
const TOKEN_KNOWN_MS = 5 * 60_000
const TOLD_EVERY_MS = 60_000

export interface WorkspaceOptions {
  readonly apiUrl: URL
  readonly botToken: Secret
  readonly fetch: Fetch
  readonly post: Post
  readonly clock: Clock
  readonly log: Log
  readonly roles: () => RoleSources
  /** Slack will never take the token; in Slack's own word. */
  readonly onRefused: (code: string) => void
}

export interface Identity {
  readonly teamId: string
  /** The organisation the workspace belongs to; undefined for one that stands alone. */
  readonly enterpriseId: string | undefined
  readonly userId: string
  readonly botId: string
  /** The app, where Slack names it along with the rest. */
  readonly appId: string | undefined
}

/** The workspace the bot is installed in, as far as it can be reached without a link: people, messages, views. */
export class Workspace {
  readonly directory: Directory
  readonly outbound: Outbound
  readonly notifier: Notifier
  /** For alerts, over clients of their own: that Slack wants fewer of them delays nobody's answer. */
  readonly alertNotifier: Notifier
  readonly channels: ChannelDirectory
  readonly #options: WorkspaceOptions
  readonly #api: WebApi
  #tokenRefused: string | undefined
  #heardMs = Number.NEGATIVE_INFINITY
  #toldMs = Number.NEGATIVE_INFINITY
  #identity: Identity | undefined

  constructor(options: WorkspaceOptions) {
    const { apiUrl, botToken, fetch, post, clock, log, roles } = options
    this.#options = options
    const calling = { apiUrl, token: botToken, fetch, log, onToken: (refused?: string) => this.#heard(refused) }
    this.#api = new WebApi(calling)
    this.directory = new Directory({ api: this.#api, clock, roles, identity: () => this.#identity })
    this.outbound = new Outbound({ api: this.#api, post, clock, log })
    this.notifier = new SlackNotifier(this.outbound)
    const alertApi = new WebApi(calling)
    this.alertNotifier = new SlackNotifier(new Outbound({ api: alertApi, post, clock, log }))
    this.channels = new ChannelDirectory({ api: this.#api, clock, log })
  }

  /** Undefined until Slack has said it: nobody has a role before. */
  get identity(): Identity | undefined {
    return this.#identity
  }

  /** Slack's own word for why it does not take the bot token; undefined while it does. */
  get tokenRefused(): string | undefined {
    return this.#tokenRefused
  }

  /** Finds out whether Slack takes the bot token, where no other call has said so of late. Never rejects. */
  async tryToken(): Promise<void> {
    const isKnown = this.#options.clock.monotonicMs() - this.#heardMs < TOKEN_KNOWN_MS
    if (isKnown && this.#tokenRefused === undefined) return
    await this.#api.call('lookup', 'auth.test', {}).catch(() => undefined)
  }

  #heard(refused: string | undefined): void {
    const { clock, log } = this.#options
    const now = clock.monotonicMs()
    if (refused === undefined && this.#tokenRefused !== undefined) log.info('Slack takes SLACK_BOT_TOKEN again')
    this.#tokenRefused = refused
    this.#heardMs = now
    if (refused === undefined || now - this.#toldMs < TOLD_EVERY_MS) return
    this.#toldMs = now
    log.error({ code: refused }, 'Slack refuses SLACK_BOT_TOKEN: nothing can be looked up, posted or opened')
  }

  /**
   * Asks Slack who the bot is until it says so, however long that takes, and says in the log that it tries. Undefined when
   * it will never be: the token was refused, or the bot was stopped first.
   */
  async identify(stopping: AbortSignal): Promise<Identity | undefined> {
    const { onRefused } = this.#options
    const asked = await this.#untilSaid(stopping, async () =>
      toIdentity(await this.#api.call('lookup', 'auth.test', {})),
    )
    if (asked === undefined) return undefined
    if (typeof asked !== 'string') return (this.#identity = asked)
    onRefused(asked)
    return undefined
  }

  /**
   * The id of the Slack app the bot is, asked for until Slack answers. Undefined when it does not say, or the bot was
   * stopped first. That a request is for this app, its signature says: each app has a secret of its own.
   */
  async appId({ botId, appId }: Pick<Identity, 'botId' | 'appId'>, stopping: AbortSignal): Promise<string | undefined> {
    const asked = await this.#untilSaid(stopping, () => this.#api.call('lookup', 'bots.info', { bot: botId }))
    const known = BotsInfo.safeParse(asked).data?.bot.app_id ?? appId
    if (known === undefined && asked !== undefined) {
      const reason = typeof asked === 'string' ? asked : 'no app_id'
      this.#options.log.warn({ reason }, 'Slack does not say which app this is: whom requests are for is not compared')
    }
    return known
  }

  /** What Slack says at last, or in its own word that it never will; undefined when the bot was stopped first. */
  async #untilSaid<T extends object>(stopping: AbortSignal, ask: () => Promise<T>): Promise<T | string | undefined> {
    const { clock, log, apiUrl } = this.#options
    for (let pauseMs = FIRST_PAUSE_MS; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await ask()
      } catch (error) {
        const code = error instanceof SlackError ? error.code : 'unreadable answer'
        if (TOKEN_REFUSED.has(code) || NEVER_SAID.has(code)) return code
        log.warn({ address: apiUrl.origin, reason: code, retryInMs: pauseMs }, 'Slack cannot be reached: trying again')
        await clock.sleep(pauseMs, stopping).catch(() => undefined)
      }
    }
    return undefined
  }
}

/** Refusals that no waiting changes, beside those of the token. */
const NEVER_SAID: ReadonlySet<string> = new Set(['missing_scope', 'no_permission', 'bot_not_found', 'unknown_method'])

const BotsInfo = z.object({ bot: z.object({ app_id: z.string() }) })

const AuthTest = z.object({
  team_id: z.string(),
  enterprise_id: z.string().nullish(),
  user_id: z.string(),
  bot_id: z.string(),
  app_id: z.string().optional().catch(undefined),
})

function toIdentity(answer: unknown): Identity {
  const { team_id: teamId, enterprise_id, user_id: userId, bot_id: botId, app_id: appId } = AuthTest.parse(answer)
  return { teamId, enterpriseId: enterprise_id ?? undefined, userId, botId, appId }
}
