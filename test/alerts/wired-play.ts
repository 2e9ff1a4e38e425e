import { fetch } from 'undici'
import { AlertWatch } from '../../src/alerts/watch/scheduler.ts'
import { IncidentDelivery } from '../../src/alerts/delivery/incident-delivery.ts'
import { Dispatcher } from '../../src/delivery/dispatcher.ts'
import { countLine, emptyMinute } from '../../src/alerts/series/minute-series.ts'
import { createCdnClient } from '../../src/cdn/client.ts'
import { LogLimit } from '../../src/cdn/http/log-limit.ts'
import { type CdnEmulator, startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { type SlackEmulator, startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { MINUTE_MS } from '../../src/shared/durations.ts'
import { Secret } from '../../src/shared/secret.ts'
import { blockRefusals } from '../../src/slack/out/block-refusals.ts'
import { MessageSender, slackNotifier } from '../../src/slack/out/message-sender.ts'
import { type Fetch, WebApi } from '../../src/slack/out/web-api.ts'
import type { MinuteCounts } from '../../src/store/schema/minute-counts.ts'
import type { Store } from '../../src/store/store.ts'
import { entry, silentLog } from '../store/harness.ts'
import { HurriedClock } from '../support/hurried-clock.ts'
import { walked } from '../support/outgoing-walker.ts'
import { postBy } from '../support/post-by.ts'
import { turnOfTheLoop } from '../../src/shared/clock.ts'
import { Effects } from './crash/effects.ts'
import { rule } from './evaluated-zone.ts'

const TURN_MS = 10_000
const QUIET_ROUNDS = 3
/** So much of the past is known when the play begins: with last week, the end of a surge is no loss of traffic. */
const KNOWN_MINUTES = 8 * 1_440

/** Poller, evaluation and dispatcher between the two emulators: real sockets and a real store, on one clock that is put forward. */
export class WiredPlay {
  readonly clock: HurriedClock
  readonly cdn: CdnEmulator
  readonly slack: SlackEmulator
  readonly #effects = new Effects()
  readonly #stopping = new AbortController()
  readonly #running: readonly Promise<void>[]

  private constructor(clock: HurriedClock, cdn: CdnEmulator, slack: SlackEmulator, store: Store) {
    this.clock = clock
    this.cdn = cdn
    this.slack = slack
    const watched = this.#effects.store(store)
    const log = silentLog
    const client = createCdnClient({
      managementUrl: cdn.managementUrl,
      loggingUrl: cdn.loggingUrl,
      credential: { scheme: 'accessKey', secret: new Secret(cdn.accessKey) },
      clock,
      limiter: new LogLimit({ clock }),
    })
    const api = new WebApi({ apiUrl: new URL(slack.apiUrl), token: new Secret(slack.botToken), fetch: fetchText, log })
    const notifier = this.#effects.notifier(
      slackNotifier(
        new MessageSender({ api, post: postBy(fetchText), refusals: blockRefusals(clock, log), clock, log }),
      ),
    )
    const incidents = new IncidentDelivery({
      store: watched,
      notifier,
      clock,
      opsChannel: undefined,
      words: async () => ({
        zoneName: () => undefined,
        panel: () => undefined,
        runbook: () => undefined,
        command: '/cdn',
      }),
    })
    const dispatcher = new Dispatcher({ outbox: watched.outbox, notifier, incidents, clock, log })
    const watch = new AlertWatch({
      cdn: this.#effects.cdn(client),
      store: watched,
      clock,
      log,
      zones: async () => [],
      webhook: false,
    })
    this.#running = [watch.run(this.#stopping.signal), dispatcher.run(this.#stopping.signal)]
  }

  /** Begins at `startMs`, with what the zones did before in the store and a rule for each of these kinds on each zone. */
  static async start(options: {
    readonly startMs: number
    readonly zoneIds: readonly bigint[]
    readonly kinds: readonly string[]
    readonly channelId: string
    readonly openStore: (clock: HurriedClock) => Promise<Store>
  }): Promise<WiredPlay> {
    const { startMs, zoneIds, kinds, channelId, openStore } = options
    const clock = new HurriedClock()
    clock.turn(startMs - clock.now().getTime())
    const store = await openStore(clock)
    const cdn = await startCdnEmulator({ clock })
    cdn.world.logLags = true
    const rules = zoneIds.flatMap((zoneId) =>
      kinds.map((kind) =>
        rule(kind, { id: `${kind}-${zoneId}`, subject: `pull/${zoneId}`, channelId, createdAt: clock.now() }),
      ),
    )
    for (const zoneId of zoneIds) await store.minutes.put(String(zoneId), past(cdn, zoneId, startMs))
    await store.alertRules.add(rules, () => entry('alert_added', { at: clock.now() }))
    return new WiredPlay(clock, cdn, walked(await startSlackEmulator({ clock })), store)
  }

  /** Lets so much time pass. */
  async pass(minutes: number): Promise<void> {
    for (let passedMs = 0; passedMs < minutes * MINUTE_MS; passedMs += TURN_MS) {
      this.clock.turn(TURN_MS)
      await this.#quiet()
    }
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#running)
    await Promise.all([this.cdn.close(), this.slack.close()])
  }

  async #quiet(): Promise<void> {
    for (let rounds = 0; rounds < QUIET_ROUNDS; rounds += 1) {
      const before = this.#effects.activity
      await turnOfTheLoop()
      if (this.#effects.inFlight > 0 || this.#effects.activity !== before) rounds = -1
    }
  }
}

function past({ world }: CdnEmulator, zoneId: bigint, startMs: number): readonly MinuteCounts[] {
  const zone = world.pullZone(zoneId)
  if (zone === undefined) throw new Error(`There is no pull zone ${zoneId}`)
  return Array.from({ length: KNOWN_MINUTES }, (_, at) => {
    const tally = emptyMinute(startMs / MINUTE_MS - KNOWN_MINUTES + at, MINUTE_MS)
    for (const request of world.requestsIn(zone, tally.minute))
      countLine(tally, request.cacheStatus, request.statusCode)
    return tally
  })
}

const fetchText: Fetch = async (url, { method, headers, body, signal } = {}) => {
  if (body !== undefined && typeof body !== 'string') throw new TypeError('Only text is sent to Slack this way')
  return fetch(url, {
    ...(method !== undefined && { method }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
    ...(signal !== undefined && { signal }),
  })
}
