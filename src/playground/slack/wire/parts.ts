import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import * as z from 'zod'
import { systemClock, type Clock } from '../../../shared/clock.ts'
import { BoundedList } from '../state/bounded-list.ts'
import { ChangeFeed } from '../state/change-feed.ts'
import { Deliveries } from './deliveries.ts'
import { Files, Messages, timestampsOf } from '../state/messages.ts'
import { ResponseUrls } from './response-urls.ts'
import { SocketMode } from './socket-mode.ts'
import { Triggers, Views } from '../state/views.ts'
import { Workspace } from '../state/workspace.ts'

const MAX_CALLS = 5_000

export interface SlackEmulatorOptions {
  readonly clock?: Clock
  readonly port?: number
  readonly botToken?: string
  readonly appToken?: string
}

/** One call an app made: a Web API method, or a post to a response_url or an upload address. */
export interface Call {
  readonly method: string
  /** The arguments as parsed: JSON written in strings is unfolded; for an upload `{ bytes }`. */
  readonly args: Readonly<Record<string, unknown>>
  /** The body of the answer, or undefined when the connection was reset or left hanging. */
  readonly answer: unknown
  readonly status: number
  readonly at: Date
}

/** An answer as it goes out; errors of Slack have status 200 and `ok: false`. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Readonly<Record<string, unknown>>
  /** The call is carried out at once, and its answer comes late. */
  readonly delayMs?: number
}

/** What tests put around a call: its answer or another, or none at all. `response_url` and `upload` count as methods. */
type Around = (method: string, answer: () => Answer) => Answer | 'hang' | 'reset' | undefined

/** The emulator's parts, wired once and handed to whatever answers a call or plays a person. */
export type Parts = ReturnType<typeof wiredParts>

export function wiredParts(options: SlackEmulatorOptions, app: AppManifest, baseUrl: () => string) {
  const clock = options.clock ?? systemClock
  const feed = new ChangeFeed(clock)
  const nextTs = timestampsOf(clock)
  const messages = new Messages(feed, nextTs)
  const switches = {
    /** Answer `invalid_blocks` to these types, such as charts and tables, as workspaces without them do. */
    refusedBlocks: [] as readonly string[],
    refuseConnections: false,
    /** Answer the bot token with this error, such as `token_revoked`; empty while the token is in order. */
    refuseToken: '',
    rateLimits: false,
    /** Answer every call 503, as while Slack is down. Links that are open stay. */
    down: false,
    refusePosts: false,
    /** User groups exist on paid plans only; false answers `plan_upgrade_required`. */
    paidPlan: true,
  }
  const hooks: { around?: Around } = {}
  const deliveries = new Deliveries(clock, feed)
  const socketMode = new SocketMode(clock, feed, deliveries)
  deliveries.transport = socketMode
  const calls = new BoundedList<Call>(MAX_CALLS)
  return {
    clock,
    feed,
    nextTs,
    workspace: new Workspace(feed),
    messages,
    views: new Views(clock, feed),
    files: new Files(clock, feed),
    triggers: new Triggers(clock),
    responseUrls: new ResponseUrls({ clock, messages, switches, baseUrl }),
    socketMode,
    deliveries,
    hooks,
    switches,
    tokens: {
      bot: options.botToken ?? 'xoxb-emulator-bot-token',
      app: options.appToken ?? 'xapp-emulator-app-token',
    },
    app,
    baseUrl,
    calls: () => calls.entries,
    note(call: Omit<Call, 'at'>): void {
      calls.add({ ...call, at: clock.now() })
      feed.changed()
    },
  }
}

/** What the app asked for when it was installed, as far as this workspace acts on it. */
export type AppManifest = Awaited<ReturnType<typeof readAppManifest>>

/** What this workspace takes for granted stands here as literals: an app without it would be another app. */
const manifest = z.object({
  features: z.object({
    app_home: z.object({
      home_tab_enabled: z.literal(true),
      messages_tab_enabled: z.literal(true),
      messages_tab_read_only_enabled: z.literal(false),
    }),
    slash_commands: z.array(z.object({ command: z.string().regex(/^\/\S+$/), should_escape: z.literal(true) })),
    shortcuts: z.array(
      z.object({ type: z.literal('global'), callback_id: z.string(), name: z.string(), description: z.string() }),
    ),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({ event_subscriptions: z.object({ bot_events: z.array(z.string()) }) }),
})

const FILE = new URL('../../../../manifest.yml', import.meta.url)

/** Reads the app's own manifest. Rejects when the file is not there, or is that of another kind of app. */
export async function readAppManifest() {
  const { features, oauth_config: oauth, settings } = manifest.parse(parse(await readFile(FILE, 'utf8')))
  return {
    commands: features.slash_commands.map(({ command }) => command),
    shortcuts: features.shortcuts,
    scopes: oauth.scopes.bot,
    events: settings.event_subscriptions.bot_events,
  }
}
