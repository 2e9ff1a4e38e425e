import type { Clock } from '../../shared/clock.ts'
import type { AppManifest } from './app-manifest.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { Deliveries, Transport } from './deliveries.ts'
import type { Faults, Standing } from './faults.ts'
import type { Files } from './files.ts'
import type { HttpMode } from './http-mode.ts'
import type { Ledger } from './ledger.ts'
import type { Messages } from './messages.ts'
import type { ResponseUrls } from './response-urls.ts'
import type { SocketMode } from './socket-mode.ts'
import type { Timestamps } from './timestamps.ts'
import type { Triggers } from './triggers.ts'
import type { Views } from './views.ts'
import type { Workspace } from './workspace.ts'

/** What can be turned on and off while the emulator runs. */
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
  /** How links and names in typed commands reach the app: at the start as its manifest says. */
  escapeCommands: boolean
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
  readonly httpMode: HttpMode
  readonly deliveries: Deliveries
  /** The one way in use: Socket Mode unless HTTP mode is switched on. */
  readonly transport: Transport
  readonly faults: Faults
  readonly ledger: Ledger
  readonly switches: Switches
  readonly tokens: { readonly bot: string; readonly app: string; readonly signing: string }
  /** What the app may do and offers. */
  readonly app: AppManifest
  /** Where the server listens, such as `http://127.0.0.1:4321`. */
  readonly baseUrl: () => string
}
