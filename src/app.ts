import { type Alerting, createAlerting, runAlerting } from './alerting.ts'
import type { Cdn } from './cdn/cdn.ts'
import { ClockWatch } from './clock-watch.ts'
import { secretsOf, type Settings } from './config.ts'
import { type Configuration, openConfiguration } from './configuration.ts'
import { reload } from './configuration-reload.ts'
import { ApprovalDesk } from './execution/approval-desk.ts'
import { ChangeAnnouncer } from './execution/change-announcer.ts'
import { ChangeDesk } from './execution/change-desk.ts'
import { digestWith } from './execution/change-hash.ts'
import { ChangeKeeper } from './execution/change-keeper.ts'
import { ChangeSender } from './execution/change-sender.ts'
import { Executor } from './execution/executor.ts'
import { InFlight } from './execution/in-flight.ts'
import { NoticeCourier } from './execution/notice-courier.ts'
import { type HealthServer, missingOf, startHealth } from './health.ts'
import { Housekeeping } from './housekeeping.ts'
import { Metrics } from './metrics.ts'
import { OPERATIONS } from './operations/index.ts'
import type { Operation } from './operations/operation.ts'
import { slackFetch, slackPost } from './outside-calls.ts'
import { connectPlatform } from './platform.ts'
import type { Clock } from './shared/clock.ts'
import type { Log } from './shared/log.ts'
import { Scrubber } from './shared/scrubber.ts'
import { SlackApp, type Way } from './slack/slack-app.ts'
import type { Fetch, Post } from './slack/web-api.ts'
import { Workspace } from './slack/workspace.ts'
import { comeToRest } from './stopping.ts'
import { StoreWatch } from './store-watch.ts'
import { openStore, type Store } from './store/store.ts'

export interface AppOptions {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  /** What people can ask for, if not everything there is. */
  readonly operations?: readonly Operation[]
  /** Reads the configuration file, where one is named. Throws when it cannot be read. */
  readonly readFile: (path: string) => string
  /** Aborted when nobody waits for the start any more. */
  readonly stopping?: AbortSignal
  /** Slack refuses a token for good; the process had better end. */
  readonly onRefused: (token: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN', code: string) => void
}

export interface RunningApp {
  readonly metrics: Metrics
  /** What was asked, decided and done, to look at; nothing but the bot adds to it. */
  readonly record: Pick<Store['audit'], 'list'>
  /** Resolves when the bot is linked to Slack. Never rejects: it keeps trying until it is stopped or refused. */
  readonly linked: Promise<void>
  /** Reads the configuration file again. A bad one changes nothing, and is reported in the log and to operators. */
  reload(): Promise<void>
  /** Takes nothing new, lets what is under way end, and lets go of everything. */
  stop(): Promise<void>
}

/**
 * Puts the program together, floor by floor, and starts it. Throws `StoreError` when the store cannot be opened, and
 * `ConfigurationError` when the configuration file cannot be used.
 */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { settings, clock, log } = options
  const configuration = await openConfiguration(settings, options.readFile)
  const metrics = new Metrics()
  const clockWatch = new ClockWatch({ clock, log, onSkew: metrics.clockAhead })
  const post = slackPost((date, askedAtMs) => clockWatch.heard('slack', date, askedAtMs), clock)
  const reaching = { ...options, fetch: clockWatch.listening(slackFetch), post }
  const watch = new StoreWatch(log, settings.OPS_CHANNEL)
  const { STORE_URL: url, AUDIT_KEY: auditKey } = settings
  const store = await openStore({ ...options, url, auditKey, onWritable: watch.onWritable, timed: clockWatch.timed })
  const cdn = connectPlatform({ settings, clock }, metrics, clockWatch)
  const inFlight = new InFlight(clock)
  const workspace = createWorkspace(reaching, configuration)
  watch.tellBy(workspace.notifier)
  const alerting = createAlerting({ ...options, cdn, store, workspace, configuration })
  const executor = createExecutor(options, { cdn, store, inFlight, metrics, configuration, workspace, alerting })
  const changes = createChanges(options, executor, workspace)
  const slack = createSlack(reaching, workspace, changes, metrics)
  const health = await listenAll(options, { metrics, store, slack }).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const housekeeping = new Housekeeping({
    ...changes,
    managedRules: alerting.managedRules,
    workspace,
    store,
    policy: () => configuration.policy,
    opsChannel: settings.OPS_CHANNEL,
    clock,
    log,
  })

  const stopping = new AbortController()
  const linked = Promise.withResolvers<void>()
  const live = async (): Promise<void> => {
    if (!(await slack.start())) return
    linked.resolve()
    await housekeeping.run(stopping.signal)
  }
  // What happens at the platform is watched, and kept to be told, while Slack cannot be reached.
  const living = Promise.all([live(), runAlerting(alerting, stopping.signal)])
  return {
    metrics,
    record: store.audit,
    linked: linked.promise,
    reload: async () => {
      const told = reload(configuration, { log, notifier: workspace.notifier, opsChannel: settings.OPS_CHANNEL })
      housekeeping.soon()
      await told
    },
    async stop() {
      stopping.abort()
      await comeToRest({ inFlight, unlink: () => slack.stop(), living, cdn, clock, log })
      await health?.close()
      await store.close()
    },
  }
}

interface ExecutorParts {
  readonly cdn: Cdn
  readonly store: Store
  readonly inFlight: InFlight
  readonly metrics: Metrics
  readonly configuration: Configuration
  readonly workspace: Workspace
  readonly alerting: Alerting
}

function createExecutor(
  { settings, clock, log, operations = OPERATIONS }: AppOptions,
  { cdn, store, inFlight, metrics, configuration, workspace, alerting }: ExecutorParts,
): Executor {
  const secrets = new Scrubber()
  for (const secret of secretsOf(settings)) secrets.register(secret)
  return new Executor({
    operations,
    cdn,
    store,
    clock,
    log,
    panel: settings.CDN_PANEL_URL ?? (() => undefined),
    command: settings.COMMAND,
    people: workspace.directory,
    alerts: alerting.watch,
    channels: workspace.channels,
    sharedChannels: () => configuration.sharedChannels,
    policy: () => configuration.policy,
    managedZones: () => configuration.zones,
    markRecords: settings.MARK_RECORDS === 'on',
    opsChannel: settings.OPS_CHANNEL,
    digest: digestWith(settings.AUDIT_KEY),
    inFlight,
    holdsSecret: (text) => secrets.finds(text),
    count: (operation, outcome) => metrics.operation(operation, outcome),
  })
}

interface ChangeParts {
  readonly executor: Executor
  readonly desk: ChangeDesk
  readonly approvals: ApprovalDesk
  readonly announcer: ChangeAnnouncer
  readonly sender: ChangeSender
  readonly keeper: ChangeKeeper
  readonly courier: NoticeCourier
}

function createChanges({ settings, clock }: AppOptions, executor: Executor, { notifier }: Workspace): ChangeParts {
  const { OPS_CHANNEL: opsChannel } = settings
  const leaseMs = settings.CHANGE_LEASE * 1_000
  const holder = clock.newId()
  const announcer = new ChangeAnnouncer(executor, notifier, opsChannel)
  const approvals = new ApprovalDesk(executor, announcer)
  executor.actOnChangesBy((actor) => approvals.actions(actor))
  const sender = new ChangeSender({ executor, announcer, holder, leaseMs })
  const keeper = new ChangeKeeper({ executor, approvals, sender, announcer, holder })
  const courier = new NoticeCourier(executor, notifier)
  return { executor, desk: new ChangeDesk(executor, opsChannel), approvals, announcer, sender, keeper, courier }
}

type Reaching = AppOptions & { readonly fetch: Fetch; readonly post: Post }

function createWorkspace(options: Reaching, configuration: Configuration): Workspace {
  const { settings, onRefused } = options
  return new Workspace({
    ...options,
    apiUrl: settings.SLACK_API_URL,
    botToken: settings.SLACK_BOT_TOKEN,
    roles: () => configuration.roles,
    onRefused: (code) => onRefused('SLACK_BOT_TOKEN', code),
  })
}

function createSlack(
  options: Reaching,
  workspace: Workspace,
  { executor, desk, approvals, announcer, sender }: ChangeParts,
  metrics: Metrics,
): SlackApp {
  const { settings, onRefused } = options
  return new SlackApp({
    ...options,
    apiUrl: settings.SLACK_API_URL,
    botToken: settings.SLACK_BOT_TOKEN,
    way: wayOf(settings),
    workspace,
    executor,
    desk,
    approvals,
    announcer,
    sender,
    opsChannel: settings.OPS_CHANNEL,
    onAck: (kind, ms) => metrics.ack(kind, ms),
    onLinks: (open) => metrics.links(open),
    onRefused: (code) => onRefused('SLACK_APP_TOKEN', code),
  })
}

/** Settings are read with just one of the two ways in them. */
function wayOf({ SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret, PORT: address }: Settings): Way {
  if (appToken !== undefined) return { appToken }
  if (signingSecret === undefined || address === undefined) throw new TypeError('There is no way to reach Slack')
  return { address, signingSecret }
}

interface HealthParts {
  readonly metrics: Metrics
  readonly store: Store
  readonly slack: SlackApp
}

/** Takes every port there is to take. Rejects when one is taken already. */
async function listenAll(
  { settings: { HEALTH_PORT: address } }: AppOptions,
  { metrics, store, slack }: HealthParts,
): Promise<HealthServer | undefined> {
  const missing = () => missingOf(slack, store)
  const health = address && (await startHealth({ address, registry: metrics.registry, missing }))
  try {
    await slack.listen()
    return health
  } catch (error) {
    await health?.close()
    throw error
  }
}
