import { App, LogLevel } from '@slack/bolt'
import type { Secret } from '../shared/secret.ts'
import { HttpReceiver, type HttpReceiverOptions } from './gateway/http-receiver.ts'
import { seenDeliveries } from './gateway/seen-deliveries.ts'
import { Links, type LinksOptions } from './gateway/socket-mode-links.ts'
import { registerListeners } from './listeners.ts'
import type { ListenerOptions } from './listeners/delivery.ts'
import { refuseDelivery, InvalidDelivery } from './gateway/invalid-delivery.ts'
import { responseAddresses } from './out/response-addresses.ts'
import { boltLog } from './out/web-api.ts'
import type { Workspace } from './workspace.ts'

/** How Slack reaches the bot: over links that it opens with a token, or by requests that Slack signs with a secret. */
export type Transport = Pick<LinksOptions, 'appToken'> | Pick<HttpReceiverOptions, 'address' | 'signingSecret'>

/** What the listeners get from below, and from the workspace and Slack itself. */
type FromSlack = 'people' | 'messageSender' | 'seen' | 'responseAddresses' | 'botUserId'

export interface SlackAppOptions
  extends Omit<ListenerOptions, FromSlack>, Pick<LinksOptions, 'apiUrl' | 'fetch' | 'onLinks' | 'onRefused'> {
  readonly botToken: Secret
  readonly transport: Transport
  readonly workspace: Workspace
}

/** The bot's presence in Slack: who it is there, its links, and everything that goes in and out. */
export class SlackApp {
  readonly #options: SlackAppOptions
  readonly #receiver: Links | HttpReceiver
  readonly #stopping = new AbortController()

  constructor(options: SlackAppOptions) {
    const { transport } = options
    this.#options = options
    // A delivery that Slack signed for somebody else is put on record.
    const onForeign: HttpReceiverOptions['onForeign'] = async ({ userId = 'slack', places }, what) => {
      await refuseDelivery(new InvalidDelivery(what), { userId, team: places[0] }, options)
    }
    this.#receiver =
      'appToken' in transport
        ? new Links({ ...options, ...transport })
        : new HttpReceiver({ ...options, ...transport, onForeign })
  }

  get openLinks(): number {
    return this.#receiver.openLinks
  }

  /** Takes the port, where Slack sends requests to one. Rejects when it is taken. */
  async listen(): Promise<void> {
    if (this.#receiver instanceof HttpReceiver) await this.#receiver.listen()
  }

  /**
   * Resolves when Slack knows the bot and one link is open, or requests are taken, however long that takes; says so while
   * it tries. False when it will never be: a token was refused, or the bot was stopped first.
   */
  async start(): Promise<boolean> {
    const { log, clock, store, workspace, fetch, apiUrl } = this.#options
    const identity = await workspace.identify(this.#stopping.signal)
    if (identity === undefined) return false
    if (this.#receiver instanceof HttpReceiver) {
      const appId = await workspace.appId(identity, this.#stopping.signal)
      this.#receiver.expect({ ...identity, appId })
    }
    const app = new App({
      receiver: this.#receiver,
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
      ...this.#options,
      people: workspace.directory,
      messageSender: workspace.messageSender,
      // After a restart a read is answered once more rather than never; where others live, one of them has answered it.
      seen: seenDeliveries(clock, 'seen', store.shared && store),
      responseAddresses: responseAddresses(store.responseAddresses, this.#options.botToken, this.#options),
      botUserId: identity.userId,
    })
    await app.init()
    await app.start()
    return !this.#stopping.signal.aborted
  }

  /** Takes nothing new and closes the links. What is under way may go on. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#receiver.stop()
  }
}
