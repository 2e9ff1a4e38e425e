import { systemClock, type Clock } from '../../shared/clock.ts'
import type { AppManifest } from './app-manifest.ts'
import { BoundedList } from './bounded-list.ts'
import { ChangeFeed } from './change-feed.ts'
import { Deliveries } from './deliveries.ts'
import { Faults, type Standing } from './faults.ts'
import { Files } from './files.ts'
import { Messages } from './messages.ts'
import { ResponseUrls } from './response-urls.ts'
import { SocketMode } from './socket-mode.ts'
import { Timestamps } from './timestamps.ts'
import { Triggers } from './triggers.ts'
import { Views } from './views.ts'
import { Workspace } from './workspace.ts'

const MAX_CALLS = 5_000

export interface SlackEmulatorOptions {
  readonly clock?: Clock
  readonly port?: number
  readonly botToken?: string
  readonly appToken?: string
}

export interface Switches extends Standing {
  /** Answer `invalid_blocks` to charts and tables, as workspaces without them do. */
  refuseCharts: boolean
  /** Answer `apps.connections.open` and new links with an error. */
  refuseConnections: boolean
  /** Answer the bot token with this error, such as `token_revoked`; empty while the token is in order. */
  refuseToken: string
  /** Count calls against Slack's rate limits and answer 429. */
  rateLimits: boolean
  /** User groups exist on paid plans only; false answers `plan_upgrade_required`. */
  paidPlan: boolean
}

/** One call an app made: a Web API method, or a post to a response_url or an upload address. */
export interface Call {
  /** A Web API method, `response_url` or `upload`. */
  readonly method: string
  /** The arguments as parsed: JSON written in strings is unfolded; for an upload `{ bytes }`. */
  readonly args: Readonly<Record<string, unknown>>
  /** The body of the answer, or undefined when the connection was reset or left hanging. */
  readonly answer: unknown
  readonly status: number
  readonly at: Date
}

/** The emulator's parts, wired once and handed to whatever answers a call or plays a person. */
export interface Parts {
  readonly clock: Clock
  readonly feed: ChangeFeed
  readonly timestamps: Timestamps
  readonly workspace: Workspace
  readonly messages: Messages
  readonly views: Views
  readonly files: Files
  readonly triggers: Triggers
  readonly responseUrls: ResponseUrls
  readonly socketMode: SocketMode
  readonly deliveries: Deliveries
  readonly faults: Faults
  readonly switches: Switches
  readonly tokens: { readonly bot: string; readonly app: string }
  readonly app: AppManifest
  /** Where the server listens, such as `http://127.0.0.1:4321`. */
  readonly baseUrl: () => string
  readonly calls: () => readonly Call[]
  readonly note: (call: Omit<Call, 'at'>) => void
}

export function wiredParts(options: SlackEmulatorOptions, app: AppManifest, baseUrl: () => string): Parts {
  const clock = options.clock ?? systemClock
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
  }
  const deliveries = new Deliveries(clock, feed)
  const socketMode = new SocketMode(clock, feed, (id, payload) => deliveries.acknowledge(id, payload))
  deliveries.use(socketMode)
  const calls = new BoundedList<Call>(MAX_CALLS)
  return {
    clock,
    feed,
    timestamps,
    workspace: new Workspace(feed),
    messages,
    views: new Views(clock, feed),
    files: new Files(clock, feed),
    triggers: new Triggers(clock),
    responseUrls: new ResponseUrls({ clock, messages, switches, baseUrl }),
    socketMode,
    deliveries,
    faults: new Faults(),
    switches,
    tokens: {
      bot: options.botToken ?? 'xoxb-emulator-bot-token',
      app: options.appToken ?? 'xapp-emulator-app-token',
    },
    app,
    baseUrl,
    calls: () => calls.entries,
    note(call) {
      calls.add({ ...call, at: clock.now() })
      feed.changed()
    },
  }
}
