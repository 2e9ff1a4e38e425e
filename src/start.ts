import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { startApp } from './app.ts'
import { plainOf } from './block-kit/mrkdwn.ts'
import { ConfigurationError } from './config/config-file.ts'
import {
  type Environment,
  readSettings,
  SECRET_SETTINGS,
  listSecrets,
  type Settings,
  SettingsError,
} from './config/settings.ts'
import { DEMONSTRATION, lacksCdn } from './config/slack-cli.ts'
import { systemClock } from './shared/clock.ts'
import { createLog, type Log, logDestination } from './shared/log.ts'
import { scrubbedOutput } from './shared/scrubbed-output.ts'
import { Scrubber } from './shared/scrubber.ts'
import { StoreError } from './store/schema/store-error.ts'
import { complain, EXIT_CONFIGURATION, EXIT_FAILURE, stopSignal } from './process/exit.ts'

const STANDARD_OUTPUT = 1
const STANDARD_ERROR = 2

const readFile = (path: string): string => readFileSync(path, 'utf8')

export interface StartOptions {
  readonly variables?: Environment['variables']
  /** Makes a CDN up where no setting of one is there, and gives all variables then; without it they are asked for. */
  readonly demonstrate?: (given: Environment) => Promise<Environment['variables']>
}

/** The bot in this process: settings, start, signals, exit codes. */
export async function runBot({ variables = process.env, demonstrate }: StartOptions = {}): Promise<void> {
  const dumps = findDumpOptions(process.execArgv, process.env).join(', ')
  if (dumps !== '')
    exit(
      EXIT_CONFIGURATION,
      `CDN Ops was not started: ${dumps} would write what it holds in memory, secrets too, past its log. Unset it.`,
    )
  const { settings, isDemonstration } = await settingsOrExit({ variables, readFile }, demonstrate)
  const scrubber = new Scrubber()
  for (const secret of listSecrets(settings)) scrubber.register(secret)
  const output = scrubStream(process.stdout, STANDARD_OUTPUT, scrubber)
  scrubStream(process.stderr, STANDARD_ERROR, scrubber)
  // A crash report lists the environment, and children inherit it.
  for (const name of SECRET_SETTINGS) delete process.env[name]
  const log = createLog({ level: settings.LOG_LEVEL, scrubber, write: output.write })
  exitOnUncaughtException(log)
  const stopping = stopSignal()
  const stopped = once(stopping, 'abort').then(() => undefined)
  const refused = Promise.withResolvers<string>()
  try {
    const starting = startApp({
      settings,
      clock: systemClock,
      log,
      readFile,
      isDemonstration,
      stopping,
      onRefused: (token, why) =>
        refused.resolve(
          typeof why === 'string'
            ? `Slack does not accept ${token} (${why}). Set it anew, then start again.`
            : `${why.message} ${why.remedy}`,
        ),
      onSyncFailed: (failure) => {
        log.fatal({ err: failure }, 'the disk of the store failed to sync: exiting, to be restarted')
        process.exit(EXIT_FAILURE)
      },
    })
    // Asked for during the start, it is done after: the file may have been read before it was changed.
    process.on('SIGHUP', () => void starting.then((app) => app.reload()))
    const app = await starting
    // Slack's library lets some rejections escape: the bot goes on serving.
    process.on('unhandledRejection', (reason) => {
      app.metrics.unhandledFaults.inc()
      log.error({ err: reason }, 'unhandled rejection')
    })
    const { SLACK_API_URL: slack, CDN_API_URL: platform, CDN_LOGGING_URL: logs } = settings
    log.info({ slack: slack.origin, platform: platform.origin, logs: logs.origin }, 'starting')
    if (isDemonstration) log.warn(plainOf(DEMONSTRATION))
    void app.linked.then(() => log.info('linked to Slack: ready'))
    const reason = await Promise.race([stopped, refused.promise])
    log.info('stopping: requests in flight are being finished')
    await app.stop()
    log.info('stopped')
    if (reason === undefined) process.exit(0)
    exit(EXIT_CONFIGURATION, reason)
  } catch (error) {
    if (stopping.aborted && error instanceof StoreError) process.exit(0)
    const isTheirs = error instanceof ConfigurationError || (error instanceof StoreError && !error.mayPass)
    exit(isTheirs ? EXIT_CONFIGURATION : EXIT_FAILURE, describeStartFailure(error))
  }
}

function exit(code: number, complaint: string): never {
  complain(complaint)
  process.exit(code)
}

/**
 * What any part of the program writes to a standard stream from now on passes the scrubber. Returns where it goes. Asked for the
 * stream, Node has made its pipe non-blocking.
 */
function scrubStream(stream: NodeJS.WriteStream, descriptor: number, scrubber: Scrubber) {
  const destination = logDestination(descriptor)
  const output = scrubbedOutput(scrubber, destination.write)
  type Done = (error?: Error | null) => void
  stream.write = (chunk: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done): boolean => {
    output.write(typeof chunk === 'string' && typeof encoding === 'string' ? Buffer.from(chunk, encoding) : chunk)
    const written = typeof encoding === 'function' ? encoding : done
    if (written !== undefined) process.nextTick(written)
    return true
  }
  process.on('exit', () => {
    output.end()
    destination.flush()
  })
  return destination
}

/** Node itself would print the error, and with it whatever secret its message holds. */
function exitOnUncaughtException(log: Log): void {
  process.on('uncaughtException', (error) => {
    try {
      log.fatal({ err: error }, 'uncaught exception: exiting')
    } finally {
      process.exit(EXIT_FAILURE)
    }
  })
}

async function settingsOrExit(
  given: Environment,
  demonstrate: StartOptions['demonstrate'],
): Promise<{ readonly settings: Settings; readonly isDemonstration: boolean }> {
  try {
    if (demonstrate === undefined || !lacksCdn(given)) return { settings: readSettings(given), isDemonstration: false }
    const settings = readSettings({ ...given, variables: await demonstrate(given) })
    return { settings, isDemonstration: true }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const hint = '\n\nJust looking? `npm run playground` shows everything without Slack and without an account.'
    return exit(
      EXIT_CONFIGURATION,
      `${listProblems('CDN Ops was not started, because of its settings:', error.problems)}\n` +
        `They are environment variables; .github/docs/configuration.md lists them all.${error.nothingSet ? hint : ''}`,
    )
  }
}

function describeStartFailure(error: unknown): string {
  if (error instanceof ConfigurationError)
    return listProblems('CDN Ops was not started, because of its configuration file:', error.problems)
  if (error instanceof StoreError) return `The store could not be opened: ${error.message}`
  return `CDN Ops could not be started: ${error instanceof Error ? error.message : 'unknown'}`
}

function listProblems(title: string, problems: readonly string[]): string {
  return [title, ...problems.map((problem) => `  - ${problem}`)].join('\n')
}

/**
 * Options of Node that write memory, the environment or traffic into files or to the standard error, past the scrubber.
 * Named by how they begin, as most have several forms.
 */
const DUMPING_OPTIONS = [
  '--report',
  '--heapsnapshot',
  '--heap-snapshot',
  '--heap-prof',
  '--cpu-prof',
  '--prof',
  '--inspect',
  '--debug-port',
  '--abort-on-uncaught-exception',
  '--tls-keylog',
  '--trace-tls',
  '--trace-events-enabled',
  '--trace-event-categories',
  '--trace-env',
]
const DUMPING_VARIABLES = ['NODE_DEBUG', 'NODE_DEBUG_NATIVE', 'SSLKEYLOGFILE']

/** Which of them are set, as a person would name them. Never quotes a value. */
export function findDumpOptions(
  nodeArguments: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const dumping = (words: readonly string[], where = ''): readonly string[] =>
    words
      // Node takes an underscore for a hyphen.
      .map((word) => (word.split('=')[0] ?? '').replaceAll('_', '-'))
      .filter((name) => DUMPING_OPTIONS.some((option) => name.startsWith(option)))
      .map((name) => `${name}${where}`)
  return [
    ...dumping(nodeArguments),
    ...dumping((variables['NODE_OPTIONS'] ?? '').split(/[\s"']+/), ' in NODE_OPTIONS'),
    ...DUMPING_VARIABLES.filter((name) => (variables[name] ?? '') !== ''),
  ]
}
