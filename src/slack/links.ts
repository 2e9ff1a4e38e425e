import { type App, type Receiver, SocketModeReceiver, webApi } from '@slack/bolt'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Secret } from '../shared/secret.ts'
import { boltLog } from './bolt-log.ts'
import type { Fetch } from './web-api.ts'

/** Two, so that Slack's routine refresh of one leaves no gap. Slack allows ten for an app. */
const LINKS = 2
const OPEN_TIMEOUT_MS = 10_000
/** Shorter than the whole, so that a call given up can never open a link that nobody waits for any more. */
const OPEN_CALL_TIMEOUT_MS = 5_000
const CLOSE_TIMEOUT_MS = 2_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
const PING_TIMEOUT_MS = 5_000
/** A link that ends sooner was as good as none; after a few of these in a row the next one has to wait. */
const STABLE_MS = 5_000
const FREE_LOSSES = 3

export interface LinksOptions {
  readonly appToken: Secret
  readonly apiUrl: URL
  readonly fetch: Fetch
  readonly clock: Clock
  readonly log: Log
  /** Told whenever the number of open links changes. */
  readonly onLinks: (open: number) => void
  /** Told when Slack says that the token will never do, in Slack's own word. */
  readonly onRefused: (code: string) => void
}

/** Answers of Slack that no waiting changes. */
export const TOKEN_REFUSED: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
])

/**
 * Slack's Socket Mode as a Bolt receiver of several links, each opened again whenever it is lost. The stock receiver's
 * own reconnect leaves gaps of seconds, waits ever longer after an outage, and ends the process when it gives up.
 */
export class Links implements Receiver {
  readonly #options: LinksOptions
  readonly #receivers: readonly SocketModeReceiver[]
  readonly #open = new Set<SocketModeReceiver>()
  readonly #stopping = new AbortController()
  readonly #firstOpened = Promise.withResolvers<void>()
  #keepers: readonly Promise<void>[] = []

  constructor(options: LinksOptions) {
    this.#options = options
    this.#receivers = Array.from({ length: LINKS }, () => makeReceiver(options))
  }

  get openLinks(): number {
    return this.#open.size
  }

  init(app: App): void {
    for (const receiver of this.#receivers) receiver.init(app)
  }

  /** Resolves when the first link is open, however long Slack takes; never rejects. */
  async start(): Promise<void> {
    this.#keepers = this.#receivers.map((receiver) => this.#keep(receiver))
    await this.#firstOpened.promise
  }

  /** Closes all links. Acknowledgements still to be sent are lost, so what is under way has to end first. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const receiver of this.#receivers) void receiver.client.disconnect().catch(() => undefined)
    await withTimeout(Promise.all(this.#keepers), CLOSE_TIMEOUT_MS, this.#options.clock).catch(() => undefined)
  }

  /** Opens a link again and again until it is stopped or the token is refused. Never rejects. */
  async #keep(receiver: SocketModeReceiver): Promise<void> {
    const { clock } = this.#options
    let failures = 0
    while (!this.#stopping.signal.aborted) {
      const lost = Promise.withResolvers<void>()
      receiver.client.once('disconnected', () => lost.resolve())
      try {
        await withTimeout(receiver.client.start(), OPEN_TIMEOUT_MS, clock)
        if (this.#stopping.signal.aborted) break
        const openedMs = clock.monotonicMs()
        this.#setOpen(receiver, true)
        await lost.promise
        this.#setOpen(receiver, false)
        failures = clock.monotonicMs() - openedMs < STABLE_MS ? failures + 1 : 0
        if (failures > FREE_LOSSES) await this.#pause(failures - FREE_LOSSES, 'each link ends at once')
      } catch (error) {
        const code = error instanceof webApi.WebAPIPlatformError ? error.data.error : undefined
        if (code !== undefined && TOKEN_REFUSED.has(code)) return this.#options.onRefused(code)
        failures += 1
        await this.#close(receiver)
        await this.#pause(failures, error instanceof Error ? error.message : 'unknown')
      } finally {
        // What was given up leaves its listeners behind.
        receiver.client.removeAllListeners('connected')
        receiver.client.removeAllListeners('disconnected')
      }
    }
    // A link may have opened after it was told to close.
    await this.#close(receiver)
  }

  async #pause(failures: number, reason: string): Promise<void> {
    const { clock, log, apiUrl } = this.#options
    if (this.#stopping.signal.aborted) return
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS)
    log.warn({ address: apiUrl.origin, reason, failures, retryInMs: pauseMs }, 'Slack cannot be reached: trying again')
    await clock.sleep(pauseMs, this.#stopping.signal).catch(() => undefined)
  }

  async #close(receiver: SocketModeReceiver): Promise<void> {
    await withTimeout(receiver.client.disconnect(), CLOSE_TIMEOUT_MS, this.#options.clock).catch(() => undefined)
  }

  #setOpen(receiver: SocketModeReceiver, open: boolean): void {
    if (open) this.#open.add(receiver)
    else this.#open.delete(receiver)
    if (open) this.#firstOpened.resolve()
    this.#options.onLinks(this.#open.size)
  }
}

function makeReceiver({ appToken, apiUrl, fetch, log }: LinksOptions): SocketModeReceiver {
  return new SocketModeReceiver({
    appToken: appToken.reveal(),
    autoReconnectEnabled: false,
    clientPingTimeout: PING_TIMEOUT_MS,
    logger: boltLog(log),
    // An object of its own: the socket client writes into it.
    installerOptions: {
      clientOptions: { slackApiUrl: apiUrl.href, fetch, timeout: OPEN_CALL_TIMEOUT_MS, retryConfig: { retries: 0 } },
    },
  })
}

async function withTimeout<T>(work: Promise<T>, timeoutMs: number, clock: Clock): Promise<T> {
  const limit = Promise.withResolvers<never>()
  const timer = clock.after(timeoutMs, () => limit.reject(new Error('no answer in time')))
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    timer.cancel()
  }
}
