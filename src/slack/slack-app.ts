import { App, LogLevel } from '@slack/bolt'
import type { ApprovalDesk } from '../execution/approval-desk.ts'
import type { ChangeAnnouncer } from '../execution/change-announcer.ts'
import type { ChangeDesk } from '../execution/change-desk.ts'
import type { ChangeSender } from '../execution/change-sender.ts'
import type { Executor } from '../execution/executor.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Secret } from '../shared/secret.ts'
import { HttpDoor, type HttpDoorOptions } from './http-door.ts'
import { Links, type LinksOptions } from './links.ts'
import { registerListeners } from './listeners.ts'
import { Reception } from './reception.ts'
import { refuseDelivery, UnfitDelivery } from './refused-delivery.ts'
import { boltLog, type Fetch } from './web-api.ts'
import type { Workspace } from './workspace.ts'

/** How Slack reaches the bot: over links that it opens with a token, or by requests that Slack signs with a secret. */
export type Way = Pick<LinksOptions, 'appToken'> | Pick<HttpDoorOptions, 'address' | 'signingSecret'>

export interface SlackAppOptions {
  readonly apiUrl: URL
  readonly botToken: Secret
  readonly way: Way
  readonly fetch: Fetch
  readonly clock: Clock
  readonly log: Log
  readonly executor: Executor
  readonly desk: ChangeDesk
  readonly approvals: ApprovalDesk
  readonly announcer: ChangeAnnouncer
  readonly sender: ChangeSender
  readonly workspace: Workspace
  readonly opsChannel: string | undefined
  readonly onAck: (kind: string, ms: number) => void
  readonly onLinks: (open: number) => void
  /** Slack will never take the app-level token; in Slack's own word. */
  readonly onRefused: (code: string) => void
}

/** The bot's presence in Slack: who it is there, its links, and everything that goes in and out. */
export class SlackApp {
  readonly #options: SlackAppOptions
  readonly #entrance: Links | HttpDoor
  readonly #reception: Reception
  readonly #stopping = new AbortController()

  constructor(options: SlackAppOptions) {
    const { way } = options
    this.#options = options
    this.#entrance = 'appToken' in way ? new Links({ ...options, ...way }) : createDoor(options, way)
    const { executor, desk, approvals, announcer, sender, opsChannel } = options
    const { directory, outbound } = options.workspace
    this.#reception = new Reception({
      executor,
      desk,
      approvals,
      announcer,
      sender,
      directory,
      outbound,
      opsChannel,
    })
  }

  get openLinks(): number {
    return this.#entrance.openLinks
  }

  get tokenRefused(): string | undefined {
    return this.#options.workspace.tokenRefused
  }

  /** Takes the port, where Slack sends requests to one. Rejects when it is taken. */
  async listen(): Promise<void> {
    if (this.#entrance instanceof HttpDoor) await this.#entrance.listen()
  }

  /**
   * Resolves when Slack knows the bot and one link is open, or requests are taken, however long that takes; says so while
   * it tries. False when it will never be: a token was refused, or the bot was stopped first.
   */
  async start(): Promise<boolean> {
    const { log, clock, executor, workspace, onAck, fetch, apiUrl } = this.#options
    const identity = await workspace.identify(this.#stopping.signal)
    if (identity === undefined) return false
    if (this.#entrance instanceof HttpDoor) {
      const appId = await workspace.appId(identity, this.#stopping.signal)
      this.#entrance.expect({ ...identity, appId })
    }
    const app = new App({
      receiver: this.#entrance,
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
      botUserId: identity.userId,
      log,
      onAck,
      monotonicMs: () => clock.monotonicMs(),
    })
    await app.init()
    await app.start()
    return !this.#stopping.signal.aborted
  }

  /** Takes nothing new and closes the links. What is under way has to have ended before. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#entrance.stop()
  }
}

/** A delivery that Slack signed for somebody else is put on record. */
function createDoor(options: SlackAppOptions, way: Pick<HttpDoorOptions, 'address' | 'signingSecret'>): HttpDoor {
  const { executor, onLinks, clock, log } = options
  return new HttpDoor({
    ...way,
    clock,
    log,
    store: executor.options.store,
    onOpen: (open) => onLinks(open ? 1 : 0),
    onForeign: async ({ userId = NOBODY, places }, what) => {
      await refuseDelivery(new UnfitDelivery(what), { userId, team: places[0] }, executor)
    },
  })
}

const NOBODY = 'slack'
