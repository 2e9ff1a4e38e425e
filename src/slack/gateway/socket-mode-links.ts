import { type App, type Receiver, SocketModeReceiver, webApi } from '@slack/bolt'
import { type Clock, type Timer, waitAtMost } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { Secret } from '../../shared/secret.ts'
import { boltLog, type Fetch, TOKEN_REFUSED } from '../out/web-api.ts'

/** Two, so that Slack's routine refresh of one leaves no gap. Slack allows ten for an app. */
const LINKS = 2
const OPEN_TIMEOUT_MS = 10_000
/** Shorter than the whole, so that a call given up can never open a link that nobody waits for any more. */
const OPEN_CALL_TIMEOUT_MS = 5_000
const CLOSE_TIMEOUT_MS = 2_000
/** Everything is acknowledged a little sooner. */
const ACK_TIMEOUT_MS = 2_500
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
const PING_TIMEOUT_MS = 5_000
/** A link that ends sooner counts as a failure; after a few in a row the next one waits. */
const STABLE_MS = 5_000
const FREE_LOSSES = 3

export interface LinksOptions {
  readonly appToken: Secret
  readonly apiUrl: URL
  readonly fetch: Fetch
  readonly clock: Clock
  readonly log: Log
  readonly onLinks: (open: number) => void
  /** Slack refuses the app-level token for good; with its error code. */
  readonly onRefused: (code: string) => void
}

/** Slack refreshes a link after a set time, so of two that opened together one is reopened after this. */
const APART_MS = 20 * 60_000
/** It is reopened when nothing on it waits for its acknowledgement, so that none is lost. */
const IDLE_POLL_MS = 50

/**
 * Slack's Socket Mode as a Bolt receiver of several links, each opened again whenever it is lost. The stock receiver's
 * own reconnect leaves gaps of seconds, waits ever longer after an outage, and ends the process when it gives up.
 */
export class Links implements Receiver {
  readonly #options: LinksOptions
  readonly #receivers: readonly SocketModeReceiver[]
  /** The open ones, with when they were opened by the monotonic clock. */
  readonly #open = new Map<SocketModeReceiver, number>()
  /** Deliveries on each that were not acknowledged yet. */
  readonly #busy = new Map<SocketModeReceiver, Set<unknown>>()
  readonly #stopping = new AbortController()
  readonly #firstOpened = Promise.withResolvers<void>()
  #running: readonly Promise<void>[] = []

  constructor(options: LinksOptions) {
    this.#options = options
    this.#receivers = Array.from({ length: LINKS }, () => makeReceiver(options))
  }

  get openLinks(): number {
    return this.#open.size
  }

  init(app: App): void {
    for (const receiver of this.#receivers) receiver.init(this.#withBusy(app, receiver))
  }

  /** Resolves when the first link is open, however long Slack takes, or when all are to be closed; never rejects. */
  async start(): Promise<void> {
    this.#running = this.#receivers.map((receiver) => this.#keepOpen(receiver))
    await this.#firstOpened.promise
  }

  /** Closes each link once all on it is acknowledged, as it soon is; an acknowledgement that takes longer is lost. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#firstOpened.resolve()
    const { clock } = this.#options
    const endMs = clock.monotonicMs() + ACK_TIMEOUT_MS
    const disconnect = async (receiver: SocketModeReceiver): Promise<void> => {
      while (this.#isBusy(receiver) && clock.monotonicMs() < endMs) await clock.sleep(IDLE_POLL_MS)
      void receiver.client.disconnect().catch(() => undefined)
    }
    await Promise.all(this.#receivers.map(disconnect))
    await waitAtMost(clock, CLOSE_TIMEOUT_MS, Promise.all(this.#running))
  }

  /** Opens a link again whenever it ends, until it is stopped or the token is refused. Never rejects. */
  async #keepOpen(receiver: SocketModeReceiver): Promise<void> {
    const { clock } = this.#options
    let failures = 0
    while (!this.#stopping.signal.aborted) {
      const lost = Promise.withResolvers<void>()
      receiver.client.once('disconnected', () => lost.resolve())
      try {
        const opened = await waitAtMost(clock, OPEN_TIMEOUT_MS, receiver.client.start())
        if (opened === undefined) throw new Error('no answer in time')
        if (this.#stopping.signal.aborted) break
        const openedMs = clock.monotonicMs()
        const apart = this.#keepApart(receiver)
        this.#setOpen(receiver, true)
        await lost.promise
        apart.cancel()
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
        // A start that timed out leaves its listeners behind.
        receiver.client.removeAllListeners('connected')
        receiver.client.removeAllListeners('disconnected')
      }
    }
    // A link may have opened after it was told to close.
    await this.#close(receiver)
  }

  /** Reopens a link that opened soon after another, so that they do not end together. */
  #keepApart(receiver: SocketModeReceiver): Timer {
    const { clock } = this.#options
    const now = clock.monotonicMs()
    const together = [...this.#open.values()].some((openedMs) => now - openedMs < APART_MS)
    if (!together) return { cancel: () => undefined }
    const reopen = (): void => {
      const isAlone = this.#open.size < LINKS
      if (isAlone || this.#isBusy(receiver)) return void (timer = clock.after(IDLE_POLL_MS, reopen))
      void this.#close(receiver)
    }
    let timer = clock.after(APART_MS, reopen)
    return { cancel: () => timer.cancel() }
  }

  #isBusy(receiver: SocketModeReceiver): boolean {
    return (this.#busy.get(receiver)?.size ?? 0) > 0
  }

  /** The app as one receiver sees it, with what waits for its acknowledgement noted. */
  #withBusy(app: App, receiver: SocketModeReceiver): App {
    const busy = new Set<unknown>()
    this.#busy.set(receiver, busy)
    const processEvent: App['processEvent'] = async (event) => {
      const end = (): void => void busy.delete(event)
      busy.add(event)
      await app.processEvent({ ...event, ack: async (answer) => event.ack(answer).then(end) }).finally(end)
    }
    const noted: Pick<App, 'processEvent'> = { processEvent }
    return noted as App // A receiver hands deliveries over and asks nothing else of an app.
  }

  async #pause(failures: number, reason: string): Promise<void> {
    const { clock, log, apiUrl } = this.#options
    if (this.#stopping.signal.aborted) return
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS)
    log.warn({ address: apiUrl.origin, reason, failures, retryInMs: pauseMs }, 'Slack cannot be reached: trying again')
    await clock.sleep(pauseMs, this.#stopping.signal).catch(() => undefined)
  }

  async #close(receiver: SocketModeReceiver): Promise<void> {
    await waitAtMost(this.#options.clock, CLOSE_TIMEOUT_MS, receiver.client.disconnect()).catch(() => undefined)
  }

  #setOpen(receiver: SocketModeReceiver, open: boolean): void {
    if (open) this.#open.set(receiver, this.#options.clock.monotonicMs())
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
    // No dispatcher: the socket client's own is the only one whose socket it can end when the other side says nothing any more.
    logger: boltLog(log),
    // An object of its own: the socket client writes into it.
    installerOptions: {
      clientOptions: { slackApiUrl: apiUrl.href, fetch, timeout: OPEN_CALL_TIMEOUT_MS, retryConfig: { retries: 0 } },
    },
  })
}
