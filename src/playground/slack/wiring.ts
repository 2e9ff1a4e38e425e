import { systemClock, type Clock } from '../../shared/clock.ts'
import { ANY_APP, readAppManifest } from './app-manifest.ts'
import { ChangeFeed } from './change-feed.ts'
import { Deliveries } from './deliveries.ts'
import { Faults } from './faults.ts'
import { Files } from './files.ts'
import { HttpMode } from './http-mode.ts'
import { Ledger } from './ledger.ts'
import { Messages } from './messages.ts'
import type { Parts, Switches } from './parts.ts'
import { ResponseUrls } from './response-urls.ts'
import { SocketMode } from './socket-mode.ts'
import { Timestamps } from './timestamps.ts'
import { Triggers } from './triggers.ts'
import { Views } from './views.ts'
import { Workspace } from './workspace.ts'

/** How an emulated workspace starts; everything has a default. */
export interface SlackEmulatorOptions {
  readonly clock?: Clock
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** The app's manifest, parsed but not checked; without it the app is one that nothing is known of: `ANY_APP`. */
  readonly manifest?: unknown
  /** Scopes of the bot token in place of the manifest's. */
  readonly scopes?: readonly string[]
  readonly botToken?: string
  readonly appToken?: string
  /** What requests are signed with in HTTP mode. */
  readonly signingSecret?: string
  readonly switches?: Partial<Switches>
}

/** Makes every part of an emulator, none of them listening yet. `baseUrl` is asked once something needs an address. */
export function wiredParts(options: SlackEmulatorOptions, baseUrl: () => string): Parts {
  const clock = options.clock ?? systemClock
  const known = options.manifest === undefined ? ANY_APP : readAppManifest(options.manifest)
  const app = { ...known, scopes: options.scopes ?? known.scopes }
  const feed = new ChangeFeed(clock)
  const timestamps = new Timestamps(clock)
  const messages = new Messages(feed, timestamps)
  const switches: Switches = {
    refuseCharts: false,
    refuseConnections: false,
    refuseToken: '',
    rateLimits: false,
    down: false,
    refusePosts: false,
    paidPlan: true,
    escapeCommands: app.commands.every((command) => command.shouldEscape),
    ...options.switches,
  }
  const deliveries = new Deliveries(clock, feed)
  const socketMode = new SocketMode(clock, feed, (id, payload) => deliveries.acknowledge(id, payload))
  const tokens = {
    bot: options.botToken ?? 'xoxb-emulator-bot-token',
    app: options.appToken ?? 'xapp-emulator-app-token',
    signing: options.signingSecret ?? 'emulator-signing-secret',
  }
  const httpMode = new HttpMode(clock, tokens.signing, {
    acknowledge: (id, payload) => deliveries.acknowledge(id, payload),
    fail: (id, isFinal) => deliveries.fail(id, isFinal),
  })
  return {
    clock,
    feed,
    timestamps,
    workspace: new Workspace(feed, app.messagesTab !== 'off'),
    messages,
    views: new Views(clock, feed),
    files: new Files(clock, feed),
    triggers: new Triggers(clock),
    responseUrls: new ResponseUrls(clock, messages, () => switches.refuseCharts),
    socketMode,
    httpMode,
    deliveries,
    transport: {
      send: (id, type, payload, extra) => (httpMode.isOn ? httpMode : socketMode).send(id, type, payload, extra),
    },
    faults: new Faults(),
    ledger: new Ledger(clock, feed),
    switches,
    tokens,
    app,
    baseUrl,
  }
}
