import { fetch } from 'undici'
import { CdnClient } from './cdn/client.ts'
import { defaultDialect } from './cdn/dialect.ts'
import { LogLimit } from './cdn/log-limit.ts'
import type { Settings } from './config.ts'
import { ChangeDesk } from './execution/change-desk.ts'
import { expireUnsent, recoverUnknown } from './execution/change-recovery.ts'
import { ChangeSender } from './execution/change-sender.ts'
import { Executor } from './execution/executor.ts'
import { InFlight } from './execution/in-flight.ts'
import { type HealthServer, startHealth } from './health.ts'
import { Metrics } from './metrics.ts'
import { OPERATIONS } from './operations/index.ts'
import type { Clock } from './shared/clock.ts'
import type { Log } from './shared/log.ts'
import { SlackApp, type SlackAppOptions } from './slack/slack-app.ts'
import type { Fetch } from './slack/web-api.ts'
import { openStore, type Store } from './store/store.ts'

/** A write in flight has 30 s for its answer; a little more lets that be put on record and told. */
const DRAIN_MS = 35_000
/** How often deadlines of changes are looked at and what has outlived its time is deleted. */
const HOUSEKEEPING_MS = 60_000

export interface AppOptions {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  /** Slack refuses a token for good; the process had better end. */
  readonly onRefused: SlackAppOptions['onRefused']
}

export interface RunningApp {
  readonly metrics: Metrics
  /** What was asked, decided and done, to look at; nothing but the bot adds to it. */
  readonly record: Pick<Store['audit'], 'list'>
  /** Resolves when the bot is linked to Slack. Never rejects: it keeps trying until it is stopped or refused. */
  readonly linked: Promise<void>
  /** Takes nothing new, lets what is under way end, and lets go of everything. */
  stop(): Promise<void>
}

/** Puts the program together, floor by floor, and starts it. Throws `StoreError` when the store cannot be opened. */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { settings, clock, log } = options
  const metrics = new Metrics()
  const store = await openStore({ url: settings.STORE_URL, clock, log, auditKey: settings.AUDIT_KEY })
  const cdn = createCdn(options, metrics)
  const inFlight = new InFlight(clock)
  const executor = createExecutor(options, { cdn, store, inFlight, metrics })
  const holder = clock.newId()
  const slack = createSlack(options, executor, new ChangeSender(executor, holder), metrics)
  const health = await createHealth(options, { metrics, store, slack }).catch(async (error: unknown) => {
    await store.close()
    throw error
  })

  const stopping = new AbortController()
  const linked = Promise.withResolvers<void>()
  const live = async (): Promise<void> => {
    if (!(await slack.start())) return
    linked.resolve()
    await keepHouse({ executor, holder, slack, stopping: stopping.signal, store, clock, log })
  }
  void live()
  return {
    metrics,
    record: store.audit,
    linked: linked.promise,
    async stop() {
      stopping.abort()
      if (!(await inFlight.drain(DRAIN_MS))) log.warn({ left: inFlight.count }, 'stopped with work still under way')
      await slack.stop()
      await health?.close()
      await cdn.close()
      await store.close()
    },
  }
}

function createCdn({ settings, clock }: AppOptions, metrics: Metrics): CdnClient {
  const { CDN_API_KEY: key, CDN_BEARER_TOKEN: token } = settings
  const secret = key ?? token
  if (secret === undefined) throw new TypeError('The settings hold no credential')
  return new CdnClient({
    managementUrl: settings.CDN_API_URL.href,
    loggingUrl: settings.CDN_LOGGING_URL.href,
    credential: { scheme: key === undefined ? 'bearer' : 'accessKey', secret },
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
    onUnknownFields: (endpoint, names) => metrics.unknownFields(endpoint, names.length),
  })
}

interface ExecutorParts {
  readonly cdn: CdnClient
  readonly store: Store
  readonly inFlight: InFlight
  readonly metrics: Metrics
}

function createExecutor(
  { settings, clock, log }: AppOptions,
  { cdn, store, inFlight, metrics }: ExecutorParts,
): Executor {
  return new Executor({
    operations: OPERATIONS,
    cdn,
    store,
    clock,
    log,
    panel: settings.CDN_PANEL_URL ?? (() => undefined),
    command: settings.COMMAND,
    admins: settings.ADMINS,
    inFlight,
    count: (operation, outcome) => metrics.operation(operation, outcome),
  })
}

function createSlack(options: AppOptions, executor: Executor, sender: ChangeSender, metrics: Metrics): SlackApp {
  const { settings, clock, log, onRefused } = options
  return new SlackApp({
    apiUrl: settings.SLACK_API_URL,
    botToken: settings.SLACK_BOT_TOKEN,
    appToken: settings.SLACK_APP_TOKEN,
    fetch: slackFetch,
    clock,
    log,
    executor,
    desk: new ChangeDesk(executor),
    sender,
    roles: { admins: settings.ADMINS, operators: settings.OPERATORS, viewers: settings.VIEWERS },
    opsChannel: settings.OPS_CHANNEL,
    onAck: (kind, ms) => metrics.ack(kind, ms),
    onLinks: (open) => metrics.links(open),
    onRefused,
  })
}

interface HealthParts {
  readonly metrics: Metrics
  readonly store: Store
  readonly slack: SlackApp
}

async function createHealth(
  { settings }: AppOptions,
  { metrics, store, slack }: HealthParts,
): Promise<HealthServer | undefined> {
  if (settings.HEALTH_PORT === undefined) return undefined
  const missing = async (): Promise<readonly string[]> => {
    const writable = await store.check().then(
      () => true,
      () => false,
    )
    return [...(slack.openLinks > 0 ? [] : ['not linked to Slack']), ...(writable ? [] : ['the store does not answer'])]
  }
  return startHealth({ address: settings.HEALTH_PORT, registry: metrics.registry, missing })
}

interface HouseParts {
  readonly executor: Executor
  readonly holder: string
  readonly slack: SlackApp
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly stopping: AbortSignal
}

/** Once the bot can be heard: tells what an earlier process left unsettled; then, now and then, what time has ended. */
async function keepHouse({ executor, holder, slack, store, clock, log, stopping }: HouseParts): Promise<void> {
  while (!stopping.aborted) {
    try {
      for (const ended of await recoverUnknown(executor, holder)) await slack.announce(ended)
      for (const ended of await expireUnsent(executor)) await slack.announce(ended)
      await store.prune(clock.now())
    } catch (error) {
      log.error({ err: error }, 'the store could not be kept in order')
    }
    await clock.sleep(HOUSEKEEPING_MS, stopping).catch(() => undefined)
  }
}

/** undici's own fetch costs a third of the global one; Slack's library only ever sends text through it. */
const slackFetch: Fetch = async (url, { method, headers, body, redirect, signal } = {}) => {
  if (body !== undefined && typeof body !== 'string') throw new TypeError('Only text is sent to Slack this way')
  return fetch(url, {
    ...(method !== undefined && { method }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
    ...(redirect !== undefined && { redirect }),
    ...(signal !== undefined && { signal }),
  })
}
