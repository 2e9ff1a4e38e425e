import { App, LogLevel } from '@slack/bolt'
import * as z from 'zod'
import type { ChangeDesk } from '../execution/change-desk.ts'
import type { Executor } from '../execution/executor.ts'
import type { ChangeSender, Ended } from '../execution/change-sender.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Secret } from '../shared/secret.ts'
import { boltLog } from './bolt-log.ts'
import { Directory, type RoleLists } from './directory.ts'
import { Links, TOKEN_REFUSED } from './links.ts'
import { registerListeners } from './listeners.ts'
import { Outbound } from './outbound.ts'
import { Reception } from './reception.ts'
import { ResponseUrls } from './response-urls.ts'
import { type Fetch, SlackError, WebApi } from './web-api.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000

export interface SlackAppOptions {
  readonly apiUrl: URL
  readonly botToken: Secret
  readonly appToken: Secret
  readonly fetch: Fetch
  readonly clock: Clock
  readonly log: Log
  readonly executor: Executor
  readonly desk: ChangeDesk
  readonly sender: ChangeSender
  readonly roles: RoleLists
  readonly opsChannel: string | undefined
  readonly onAck: (kind: string, ms: number) => void
  readonly onLinks: (open: number) => void
  /** Slack will never take one of the tokens; in Slack's own word, with which of them. */
  readonly onRefused: (token: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN', code: string) => void
}

/** The bot's presence in Slack: who it is there, its links, and everything that goes in and out. */
export class SlackApp {
  readonly #options: SlackAppOptions
  readonly #api: WebApi
  readonly #links: Links
  readonly #reception: Reception
  readonly #stopping = new AbortController()
  #identity: Identity | undefined

  constructor(options: SlackAppOptions) {
    const {
      apiUrl,
      botToken,
      appToken,
      fetch,
      clock,
      log,
      executor,
      desk,
      sender,
      roles,
      opsChannel,
      onLinks,
      onRefused,
    } = options
    this.#options = options
    this.#api = new WebApi({ apiUrl, token: botToken, fetch, log })
    this.#links = new Links({
      appToken,
      apiUrl,
      fetch,
      clock,
      log,
      onLinks,
      onRefused: (code) => onRefused('SLACK_APP_TOKEN', code),
    })
    const teamId = (): string => this.#identity?.teamId ?? ''
    this.#reception = new Reception({
      executor,
      desk,
      sender,
      directory: new Directory({ api: this.#api, clock, roles, teamId }),
      outbound: new Outbound({ api: this.#api, fetch, clock, log }),
      urls: new ResponseUrls(clock),
      opsChannel,
    })
  }

  get openLinks(): number {
    return this.#links.openLinks
  }

  /**
   * Resolves when Slack knows the bot and one link is open, however long that takes; says so while it tries. False when
   * it will never be: the bot token was refused, or the bot was stopped first.
   */
  async start(): Promise<boolean> {
    const identity = await this.#identify()
    if (identity === undefined) return false
    this.#identity = identity
    const { log, clock, executor, onAck, fetch, apiUrl } = this.#options
    const app = new App({
      receiver: this.#links,
      authorize: async () => ({
        botToken: this.#options.botToken.reveal(),
        botId: identity.botId,
        botUserId: identity.userId,
      }),
      clientOptions: { slackApiUrl: apiUrl.href, fetch, retryConfig: { retries: 0 } },
      logger: boltLog(log),
      logLevel: LogLevel.WARN,
      convoStore: false,
      deferInitialization: true,
    })
    registerListeners(app, {
      reception: this.#reception,
      command: executor.options.command,
      log,
      onAck,
      monotonicMs: () => clock.monotonicMs(),
    })
    await app.init()
    await app.start()
    return true
  }

  /** Takes nothing new and closes the links. What is under way has to have ended before. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#links.stop()
  }

  /** Tells how a change ended that nobody was waiting for any more: after a restart, for instance. */
  async announce({ change, message }: Pick<Ended, 'change' | 'message'>): Promise<void> {
    const place = { userId: change.requestedBy, channelId: change.channelId, responseUrl: undefined }
    await this.#reception.conversation(place).reply(message, 'channel')
  }

  async #identify(): Promise<Identity | undefined> {
    const { clock, log, apiUrl, onRefused } = this.#options
    for (
      let pauseMs = FIRST_PAUSE_MS;
      !this.#stopping.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    ) {
      try {
        return toIdentity(await this.#api.call('lookup', 'auth.test', {}))
      } catch (error) {
        const code = error instanceof SlackError ? error.code : 'unreadable answer'
        if (TOKEN_REFUSED.has(code)) {
          onRefused('SLACK_BOT_TOKEN', code)
          return undefined
        }
        log.warn({ address: apiUrl.origin, reason: code, retryInMs: pauseMs }, 'Slack cannot be reached: trying again')
        await clock.sleep(pauseMs, this.#stopping.signal).catch(() => undefined)
      }
    }
    return undefined
  }
}

interface Identity {
  readonly teamId: string
  readonly userId: string
  readonly botId: string
}

const AuthTest = z.object({ team_id: z.string(), user_id: z.string(), bot_id: z.string() })

function toIdentity(answer: unknown): Identity {
  const { team_id: teamId, user_id: userId, bot_id: botId } = AuthTest.parse(answer)
  return { teamId, userId, botId }
}
