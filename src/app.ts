import { AlertWatch } from './alerts/alert-watch.ts'
import { AlertDispatcher } from './alerts/alert-dispatcher.ts'
import type { IncidentWords } from './alerts/incident-words.ts'
import { alertKind } from './alerts/kinds.ts'
import type { Notifier } from './alerts/notifier.ts'
import { CdnClient } from './cdn/client.ts'
import { defaultDialect } from './cdn/dialect.ts'
import { LogLimit } from './cdn/log-limit.ts'
import { Configuration } from './config/configuration.ts'
import { secretsOf, type Settings } from './config/settings.ts'
import { ApprovalDesk } from './execution/approval-desk.ts'
import { ChangeAnnouncer } from './execution/change-announcer.ts'
import { ChangeDesk } from './execution/change-desk.ts'
import { digestWith } from './execution/change-hash.ts'
import { ChangeKeeper } from './execution/change-keeper.ts'
import { ChangeSender } from './execution/change-sender.ts'
import { Executor } from './execution/executor.ts'
import { InFlight } from './execution/in-flight.ts'
import { NoticeCourier } from './execution/notice-courier.ts'
import { namedZone, runbookOf, zoneOfSubject } from './operations/alerts/alert-subjects.ts'
import type { NamedZone } from './operations/field.ts'
import { OPERATIONS } from './operations/index.ts'
import type { Operation } from './operations/operation.ts'
import { ClockWatch } from './process/clock-watch.ts'
import { type HealthServer, missingOf, startHealth } from './process/health.ts'
import { Maintenance } from './process/maintenance.ts'
import { Metrics } from './process/metrics.ts'
import { OutsideCalls } from './process/outside-calls.ts'
import { comeToRest } from './process/stop.ts'
import { tellWritable } from './process/store-watch.ts'
import type { Clock } from './shared/clock.ts'
import type { Log } from './shared/log.ts'
import { Scrubber } from './shared/scrubber.ts'
import type { Secret } from './shared/secret.ts'
import { SlackApp, type Way } from './slack/slack-app.ts'
import { Workspace } from './slack/workspace.ts'
import { openStore, type Store, type StoreOptions } from './store/store.ts'

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
  /** See `StoreOptions`. */
  readonly onSyncFailed?: StoreOptions['onSyncFailed']
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
  const { settings, clock, log, onRefused } = options
  const { OPS_CHANNEL: opsChannel, COMMAND: command } = settings
  const configuration = new Configuration(settings, options.readFile)
  const metrics = new Metrics()
  const clockWatch = new ClockWatch(clock, log, metrics.clockAhead)
  let notifier: Notifier | undefined
  const store = await openStore({
    ...options,
    url: settings.STORE_URL,
    auditKey: settings.AUDIT_KEY,
    onWritable: (state) => tellWritable(state, { log, notifier, opsChannel }),
    timed: clockWatch.timed,
  })
  const cdn = new CdnClient({
    managementUrl: settings.CDN_API_URL.href,
    loggingUrl: settings.CDN_LOGGING_URL.href,
    credential: credentialOf(settings),
    clock,
    limiter: new LogLimit({ clock }),
    dialect: {
      ...defaultDialect,
      dayFilePath: settings.CDN_V1_PATH,
      pageStep: settings.CDN_V2_PAGING,
      logFields: settings.CDN_LOG_FIELDS,
      fieldAliases: settings.CDN_FIELD_ALIASES,
    },
    onCall: (report) => metrics.call(report),
    onDate: (header, askedAtMs) => clockWatch.heard('platform', header, askedAtMs),
    onUnknownFields: (endpoint, names) => metrics.unknownFields(endpoint, names.length),
  })
  const outside = new OutsideCalls(clock, (date, askedAtMs) => clockWatch.heard('slack', date, askedAtMs))
  const toSlack = {
    apiUrl: settings.SLACK_API_URL,
    botToken: settings.SLACK_BOT_TOKEN,
    fetch: outside.slackFetch,
    clock,
    log,
  }
  const workspace = new Workspace({
    ...toSlack,
    post: outside.slackPost,
    roles: () => configuration.roles,
    onRefused: (code) => onRefused('SLACK_BOT_TOKEN', code),
  })
  notifier = workspace.notifier

  const { ALERT_WEBHOOK_URL: webhook, HEARTBEAT_URL: heartbeat } = settings
  const zones = async (): Promise<readonly NamedZone[]> => [...configuration.zones, ...(await store.zones.list())]
  const dispatcher = new AlertDispatcher({
    store,
    notifier: workspace.alertNotifier,
    clock,
    log,
    opsChannel,
    sharedChannels: () => configuration.sharedChannels,
    words: async () => incidentWords(await zones(), settings),
    ...(webhook !== undefined && { send: (payload) => outside.postJson(webhook, payload) }),
  })
  const watch = new AlertWatch({
    cdn,
    store,
    clock,
    log,
    zones,
    team: () => workspace.identity?.teamId,
    webhook: webhook !== undefined,
    ...(heartbeat !== undefined && { heartbeat: () => outside.ping(heartbeat) }),
  })

  const inFlight = new InFlight(clock)
  const secrets = new Scrubber()
  for (const secret of secretsOf(settings)) secrets.register(secret)
  const executor = new Executor({
    operations: options.operations ?? OPERATIONS,
    cdn,
    store,
    clock,
    log,
    panel: settings.CDN_PANEL_URL ?? (() => undefined),
    command,
    people: workspace.directory,
    alerts: watch,
    channels: workspace.channels,
    sharedChannels: () => configuration.sharedChannels,
    policy: () => configuration.policy,
    managedZones: () => configuration.zones,
    markRecords: settings.MARK_RECORDS === 'on',
    opsChannel,
    digest: digestWith(settings.AUDIT_KEY),
    inFlight,
    holdsSecret: (text) => secrets.finds(text),
    count: (operation, outcome) => metrics.operation(operation, outcome),
  })
  const holder = clock.newId()
  const announcer = new ChangeAnnouncer(executor, notifier, opsChannel)
  const approvals = new ApprovalDesk(executor, announcer)
  executor.actOnChangesBy((actor) => approvals.actions(actor))
  const sender = new ChangeSender({ executor, announcer, holder, leaseMs: settings.CHANGE_LEASE * 1_000 })

  const slack = new SlackApp({
    ...toSlack,
    way: wayOf(settings),
    workspace,
    executor,
    desk: new ChangeDesk(executor, opsChannel),
    approvals,
    announcer,
    sender,
    opsChannel,
    onAck: (kind, ms) => metrics.ack(kind, ms),
    onLinks: (open) => metrics.links(open),
    onRefused: (code) => onRefused('SLACK_APP_TOKEN', code),
  })
  const health = await listenAll(settings, { metrics, store, slack }).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const maintenance = new Maintenance({
    keeper: new ChangeKeeper({ executor, approvals, sender, announcer, holder }),
    courier: new NoticeCourier(executor, notifier),
    configuration,
    workspace,
    store,
    onAlertRules: () => watch.soon(),
    opsChannel,
    clock,
    log,
  })

  const stopping = new AbortController()
  const linked = Promise.withResolvers<void>()
  const live = async (): Promise<void> => {
    if (!(await slack.start())) return
    linked.resolve()
    await maintenance.run(stopping.signal)
  }
  // What happens at the platform is watched, and kept to be told, while Slack cannot be reached.
  const living = Promise.all([live(), watch.run(stopping.signal), dispatcher.run(stopping.signal)])
  return {
    metrics,
    record: store.audit,
    linked: linked.promise,
    reload: async () => {
      const told = configuration.reload(log, workspace.notifier)
      maintenance.soon()
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

/** Settings are read with just one of the two in them. */
function credentialOf({ CDN_API_KEY: key, CDN_BEARER_TOKEN: token }: Settings) {
  const secret: Secret | undefined = key ?? token
  if (secret === undefined) throw new TypeError('The settings hold no credential')
  return { scheme: key === undefined ? 'bearer' : 'accessKey', secret } as const
}

/** Settings are read with just one of the two ways in them. */
function wayOf({ SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret, PORT: address }: Settings): Way {
  if (appToken !== undefined) return { appToken }
  if (signingSecret === undefined || address === undefined) throw new TypeError('There is no way to reach Slack')
  return { address, signingSecret }
}

function incidentWords(zones: readonly NamedZone[], settings: Settings): IncidentWords {
  return {
    zoneName: (subject) => namedZone(subject, zones)?.name,
    runbook: (subject) => runbookOf(subject, zones),
    kindTitle: (kind) => alertKind(kind)?.title ?? kind,
    panel(subject) {
      const zone = zoneOfSubject(subject)
      return zone === undefined ? undefined : settings.CDN_PANEL_URL?.(`${zone.kind}-zone`, zone.id)
    },
    command: settings.COMMAND,
  }
}

/** Takes every port there is to take. Rejects when one is taken already. */
async function listenAll(
  { HEALTH_PORT: address }: Settings,
  { metrics, store, slack }: { readonly metrics: Metrics; readonly store: Store; readonly slack: SlackApp },
): Promise<HealthServer | undefined> {
  const health = address && (await startHealth(address, metrics.registry, () => missingOf(slack, store)))
  try {
    await slack.listen()
    return health
  } catch (error) {
    await health?.close()
    throw error
  }
}
