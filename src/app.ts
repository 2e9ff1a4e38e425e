import { once } from 'node:events'
import { hostname } from 'node:os'
import { AlertWatch } from './alerts/watch/scheduler.ts'
import { IncidentDelivery, type Webhook } from './alerts/delivery/incident-delivery.ts'
import { buildPagingEvent, buildWebhookBody } from './alerts/delivery/webhook-body.ts'
import type { IncidentWords } from './alerts/incidents/incident-words.ts'
import { Dispatcher } from './delivery/dispatcher.ts'
import { NotDelivered, type Notifier } from './delivery/notifier.ts'
import { createCdnClient } from './cdn/client.ts'
import { LogLimit } from './cdn/http/log-limit.ts'
import { readConfiguration } from './config/live-configuration.ts'
import { listSecrets, type Settings } from './config/settings.ts'
import { DEMONSTRATION } from './config/slack-cli.ts'
import { digestWith } from './execution/policy/change-hash.ts'
import { createServices } from './execution/services.ts'
import { InFlight } from './execution/requests/in-flight.ts'
import { findNamedZone, findRunbook, zoneOfSubject } from './operations/alerts/watch-set.ts'
import type { NamedZone } from './operations/declaration/field.ts'
import { OPERATIONS } from './operations/index.ts'
import { cdnOptions } from './process/cdn-options.ts'
import { type TimeSource, watchClock } from './process/clock-watch.ts'
import { tellDigests } from './process/tell-digests.ts'
import { createDoctor, preflight } from './process/doctor/doctor.ts'
import { VERSION } from './process/exit.ts'
import { findMissing, type HealthServer, startHealth } from './process/health.ts'
import { createMaintenance } from './process/maintenance.ts'
import { Metrics } from './process/metrics.ts'
import { OutsideCallError, type OutsideCalls, outsideCalls } from './process/outside-calls.ts'
import { createReplica } from './process/replica.ts'
import { drainAndClose } from './process/shutdown.ts'
import { tellWritable } from './process/store-watch.ts'
import type { Clock } from './shared/clock.ts'
import type { Log } from './shared/log.ts'
import { Scrubber } from './shared/scrubber.ts'
import { SlackApp, type Transport } from './slack/slack-app.ts'
import type { NoWorkspaceError } from './slack/people/identity.ts'
import { Workspace } from './slack/workspace.ts'
import { openStore, type Store, type StoreOptions } from './store/store.ts'

export interface AppOptions {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  /** Reads the configuration file, where one is named. Throws when it cannot be read. */
  readonly readFile: (path: string) => string
  /** Aborted when nobody waits for the start any more. */
  readonly stopping?: AbortSignal
  /** A token cannot serve, for good: Slack's error code, or why it is for no workspace. The process had better end. */
  readonly onRefused: (token: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN', why: string | NoWorkspaceError) => void
  /** The CDN is made up: every message says so, and every full member is an operator. */
  readonly isDemonstration?: boolean
  readonly onSyncFailed?: StoreOptions['onSyncFailed']
}

/**
 * Puts the program together, floor by floor, and starts it. Throws `StoreError` when the store cannot be opened, and
 * `ConfigurationError` when the configuration file cannot be used.
 */
export async function startApp(options: AppOptions) {
  const { settings, clock, log, onRefused } = options
  const { OPS_CHANNEL: opsChannel, COMMAND: command } = settings
  const configuration = readConfiguration(settings, options.readFile, options.isDemonstration)
  const metrics = new Metrics()
  const secondsAhead = new Map<TimeSource, number>()
  const clockWatch = watchClock(clock, log, (source, seconds) => {
    secondsAhead.set(source, seconds)
    metrics.clockAhead.set({ source }, seconds)
  })
  let notifier: Notifier | undefined
  const store = await openStore({
    ...options,
    url: settings.STORE_URL,
    auditKey: settings.AUDIT_KEY,
    onWritable: (state) => tellWritable(state, log, notifier, opsChannel),
    timed: clockWatch.timed,
  })
  const cdn = createCdnClient({
    ...cdnOptions(settings),
    clock,
    limiter: new LogLimit({ clock, shared: store.shared?.logSlots }),
    onCall: ({ endpoint, outcome, ms }) => metrics.callSeconds.observe({ endpoint, outcome }, ms / 1_000),
    onDate: (header, askedAtMs) => clockWatch.compareHeader('platform', header, askedAtMs),
    onUnknownFields: (endpoint, count) => metrics.unknownFields.inc({ endpoint }, count),
  })
  const outside = outsideCalls(clock, (date, askedAtMs) => clockWatch.compareHeader('slack', date, askedAtMs))
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
    footer: options.isDemonstration === true ? DEMONSTRATION : undefined,
    teamId: settings.SLACK_TEAM_ID,
    writesBarred: () => replica.writesBarred,
    remembered: store.shared && store.remembered,
    onRefused: (why) => onRefused('SLACK_BOT_TOKEN', why),
  })
  notifier = workspace.notifier
  const self = { id: clock.newId(), name: hostname(), version: VERSION }
  if (store.shared !== undefined) metrics.registry.setDefaultLabels({ replica: self.name })
  const doctor = createDoctor({
    ...toSlack,
    settings,
    configuration,
    cdn,
    store,
    secondsAhead,
    standing: () => replica.standing,
    blockRefusals: () => workspace.blockRefusals.list(),
  })

  const { HEARTBEAT_URL: heartbeat } = settings
  const webhook = webhookOf(settings, outside)
  const zones = async (): Promise<readonly NamedZone[]> => [...configuration.file.zones, ...(await store.zones.list())]
  const delivering = { notifier: workspace.outboxNotifier, clock, log }
  const incidents = new IncidentDelivery({
    ...delivering,
    store,
    opsChannel,
    sharedChannels: () => configuration.file.sharedChannels,
    words: async () => incidentWords(await zones(), settings),
    webhook,
  })
  const dispatcher = new Dispatcher({ ...delivering, outbox: store.outbox, incidents })
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
  for (const secret of listSecrets(settings)) secrets.register(secret)
  const floor = {
    operations: OPERATIONS,
    store,
    clock,
    log,
    people: workspace.directory,
    policy: () => configuration.file.policy,
    inFlight,
    command,
    opsChannel,
    count: (operation: string, outcome: string) => metrics.operations.inc({ operation, outcome }),
  }
  const services = createServices({
    ...floor,
    cdn,
    panel: settings.CDN_PANEL_URL ?? (() => undefined),
    alerts: watch,
    doctor,
    channels: workspace.channels,
    notifier,
    managedZones: () => configuration.file.zones,
    sharedChannels: () => configuration.file.sharedChannels,
    markRecords: settings.MARK_RECORDS === 'on',
    digest: digestWith(settings.AUDIT_KEY),
    holder: self.id,
    leaseMs: settings.CHANGE_LEASE * 1_000,
  })
  const slack = new SlackApp({
    ...toSlack,
    ...floor,
    ...services,
    transport: getTransport(settings),
    workspace,
    holdsSecret: (text) => secrets.finds(text),
    onAck: (kind, ms) => metrics.ackSeconds.observe({ kind }, ms / 1_000),
    onLinks: (open) => metrics.links.set(open),
    onRefused: (code) => onRefused('SLACK_APP_TOKEN', code),
  })
  const linked = Promise.withResolvers<void>()
  const maintain = async (until: AbortSignal): Promise<void> => {
    if (!until.aborted) await Promise.race([linked.promise, once(until, 'abort')])
    await maintenance.run(until)
  }
  const replica = createReplica({
    replicas: store.shared?.replicas,
    self,
    configuration: () => configuration.hash,
    hasLinks: settings.SLACK_APP_TOKEN !== undefined,
    isFit: () => slack.openLinks > 0 && workspace.tokenRefused === undefined,
    // What happens at the platform is watched, and waits in the outbox, while Slack cannot be reached.
    work: (until) => Promise.all([maintain(until), watch.run(until), dispatcher.run(until)]),
    clock,
    log,
  })
  const looking = {
    registry: metrics.registry,
    missing: () => findMissing({ openLinks: slack.openLinks, tokenRefused: workspace.tokenRefused }, store),
    examine: doctor.examineStore,
    state() {
      if (store.shared === undefined) return 'ready'
      return replica.isWorking ? 'ready, working' : 'ready, on standby'
    },
  }
  let health: HealthServer | undefined
  try {
    await replica.enter()
    health = settings.HEALTH_PORT && (await startHealth(settings.HEALTH_PORT, looking))
    await slack.listen()
  } catch (error) {
    await Promise.allSettled([health?.close(), store.close()])
    throw error
  }
  const maintenance = createMaintenance({
    reconciler: services.reconciler,
    configuration,
    workspace,
    store,
    onAlertRules: () => watch.soon(),
    digests: () =>
      tellDigests({
        store,
        clock,
        log,
        context: async () => ({ store, alerts: watch, zones: await zones(), command, now: clock.now() }),
      }),
    opsChannel,
    clock,
    log,
  })

  const stopping = new AbortController()
  const live = async (): Promise<void> => {
    if (!(await slack.start())) return
    linked.resolve()
    const team = (): string | undefined => workspace.identity?.teamId
    const checking = preflight({ doctor, store, clock, log, opsChannel, team, command }, stopping.signal)
    await Promise.all([maintenance.watchSelf(stopping.signal), checking])
  }
  const background = Promise.all([live(), replica.run(stopping.signal)])
  return {
    metrics,
    /** What was asked, decided and done, to look at; nothing but the bot adds to it. */
    record: store.audit as Pick<Store['audit'], 'list'>,
    /** Resolves when the bot is linked to Slack. Never rejects: it keeps trying until it is stopped or refused. */
    linked: linked.promise,
    /** Reads the configuration file again. A bad one changes nothing, and is reported in the log and to operators. */
    reload: async () => {
      const told = configuration.reload(log, workspace.notifier)
      maintenance.soon()
      await told
    },
    /** Takes nothing new, lets what is under way end, and lets go of everything. */
    async stop() {
      stopping.abort()
      const announceAll = (): Promise<void> => services.announcer.announceAll()
      const leavesFirst = store.shared !== undefined
      const unlink = (): Promise<void> => slack.stop()
      await drainAndClose({ inFlight, announceAll, unlink, leavesFirst, background, cdn, clock, log })
      await health?.close()
      await store.close()
    },
  }
}

/** Settings are read with just one of the two ways in them. */
function getTransport({
  SLACK_APP_TOKEN: appToken,
  SLACK_SIGNING_SECRET: signingSecret,
  PORT: address,
}: Settings): Transport {
  if (appToken !== undefined) return { appToken }
  if (signingSecret === undefined || address === undefined) throw new TypeError('There is no way to reach Slack')
  return { address, signingSecret }
}

function webhookOf(settings: Settings, outside: OutsideCalls): Webhook | undefined {
  const { ALERT_WEBHOOK_URL: address, ALERT_ROUTING_KEY: key } = settings
  if (address === undefined) return undefined
  const send = (payload: object) =>
    outside.postJson(address, payload).catch((error: unknown) => {
      if (!(error instanceof OutsideCallError)) throw error
      const { message, status = 0 } = error
      // Other refusals are about the address or the key, and may be mended.
      throw new NotDelivered(message, [400, 413, 422].includes(status))
    })
  if (key === undefined) return { build: buildWebhookBody, send }
  return { build: buildPagingEvent, send: (payload) => send({ routing_key: key.reveal(), ...payload }) }
}

function incidentWords(zones: readonly NamedZone[], settings: Settings): IncidentWords {
  return {
    zoneName: (subject) => findNamedZone(subject, zones)?.name,
    runbook: (subject) => findRunbook(subject, zones),
    panel(subject) {
      const zone = zoneOfSubject(subject)
      return zone === undefined ? undefined : settings.CDN_PANEL_URL?.(`${zone.kind}-zone`, zone.id)
    },
    command: settings.COMMAND,
  }
}
