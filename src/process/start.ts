import { readFileSync } from 'node:fs'
import { startApp } from '../app.ts'
import { ConfigurationError } from '../config/configuration.ts'
import { readSettings, SECRET_SETTINGS, secretsOf, type Settings, SettingsError } from '../config/settings.ts'
import { systemClock } from '../shared/clock.ts'
import { createLog, type Log, type LogDestination, logDestination } from '../shared/log.ts'
import { ScrubbedOutput } from '../shared/scrubbed-output.ts'
import { Scrubber } from '../shared/scrubber.ts'
import { StoreError } from '../store/store-error.ts'
import { complain, EXIT_CONFIGURATION, EXIT_FAILURE, stopSignal } from './exit.ts'

const STANDARD_OUTPUT = 1
const STANDARD_ERROR = 2

/** The bot in this process: settings, start, signals, exit codes. */
export async function runBot(): Promise<void> {
  refuseDumps()
  const settings = settingsOrExit()
  const scrubber = new Scrubber()
  for (const secret of secretsOf(settings)) scrubber.register(secret)
  const output = guard(process.stdout, STANDARD_OUTPUT, scrubber)
  guard(process.stderr, STANDARD_ERROR, scrubber)
  // A crash report lists the environment, and children inherit it.
  for (const name of SECRET_SETTINGS) delete process.env[name]
  const log = createLog({ level: settings.LOG_LEVEL, scrubber, write: output.write })
  catchLast(log)
  const { stopped, stopping } = stopSignal()
  const refused = Promise.withResolvers<string>()
  const onRefused = (token: string, code: string): void =>
    refused.resolve(`Slack does not accept ${token} (${code}). Set it anew, then start again.`)
  const onSyncFailed = (failure: StoreError): void => {
    log.fatal(
      { err: failure },
      'the disk of the store did not keep what was written: the process ends, to be started anew',
    )
    process.exit(EXIT_FAILURE)
  }
  try {
    const readFile = (path: string): string => readFileSync(path, 'utf8')
    const starting = startApp({ settings, clock: systemClock, log, readFile, onRefused, onSyncFailed, stopping })
    // Asked for during the start, it is done after: the file may have been read before it was changed.
    process.on('SIGHUP', () => void starting.then((app) => app.reload()))
    const app = await starting
    catchStrays(log, () => app.metrics.unhandledFault())
    log.info(
      {
        slack: settings.SLACK_API_URL.origin,
        platform: settings.CDN_API_URL.origin,
        logs: settings.CDN_LOGGING_URL.origin,
      },
      'starting',
    )
    void app.linked.then(() => log.info('linked to Slack: ready'))
    const reason = await Promise.race([stopped.then(() => undefined), refused.promise])
    log.info('stopping: what is under way is being finished')
    await app.stop()
    log.info('stopped')
    if (reason === undefined) process.exit(0)
    complain(reason)
    process.exit(EXIT_CONFIGURATION)
  } catch (error) {
    if (stopping.aborted && error instanceof StoreError) process.exit(0)
    complain(startProblem(error))
    const isTheirs = error instanceof ConfigurationError || (error instanceof StoreError && !error.mayPass)
    process.exit(isTheirs ? EXIT_CONFIGURATION : EXIT_FAILURE)
  }
}

/**
 * What any part of the program writes to a standard stream from now on passes the scrubber. Returns where it goes. Asked for the
 * stream, Node has made its pipe non-blocking.
 */
function guard(stream: NodeJS.WriteStream, descriptor: number, scrubber: Scrubber): LogDestination {
  const destination = logDestination(descriptor)
  const output = new ScrubbedOutput(scrubber, destination.write)
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
function catchLast(log: Log): void {
  process.on('uncaughtException', (error) => {
    try {
      log.fatal({ err: error }, 'an error that nothing caught: the process ends')
    } finally {
      process.exit(EXIT_FAILURE)
    }
  })
}

function refuseDumps(): void {
  const options = dumpOptions(process.execArgv, process.env)
  if (options.length === 0) return
  const what = options.join(', ')
  complain(`CDN Ops was not started: ${what} would write what it holds in memory, secrets too, past its log. Unset it.`)
  process.exit(EXIT_CONFIGURATION)
}

function settingsOrExit(): Settings {
  try {
    return readSettings({ variables: process.env, readFile: (path) => readFileSync(path, 'utf8') })
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const lines = [
      'CDN Ops was not started, because of its settings:',
      ...error.problems.map((problem) => `  - ${problem}`),
      'They are environment variables; .github/docs/configuration.md lists them all.',
      ...(error.nothingSet
        ? ['', 'Just looking? `npm run playground` shows everything without Slack and without an account.']
        : []),
    ]
    complain(lines.join('\n'))
    process.exit(EXIT_CONFIGURATION)
  }
}

function startProblem(error: unknown): string {
  if (error instanceof ConfigurationError)
    return [`CDN Ops was not started. ${error.message}:`, ...error.problems.map((problem) => `  - ${problem}`)].join(
      '\n',
    )
  if (error instanceof StoreError) return `The store could not be opened: ${error.message}`
  return `CDN Ops could not be started: ${error instanceof Error ? error.message : 'unknown'}`
}

/** Slack's library lets some rejections escape: they are put on record, and the bot goes on serving. */
function catchStrays(log: Log, count: () => void): void {
  process.on('unhandledRejection', (reason) => {
    count()
    log.error({ err: reason }, 'an error that nothing handled')
  })
}

/**
 * Options of Node that write memory, the environment or what goes over connections into files or the standard error, past
 * every gate of this program. The bot does not start with them.
 */

/** Named by how they begin, as most have several forms. */
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
] as const
/** Variables that do the same by themselves. */
const DUMPING_VARIABLES = ['NODE_DEBUG', 'NODE_DEBUG_NATIVE', 'SSLKEYLOGFILE'] as const

/** Which of them are set, as a person would name them. Never quotes a value. */
export function dumpOptions(
  nodeArguments: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const given = [
    ...nodeArguments.map((text) => ({ text, from: '' })),
    ...(variables['NODE_OPTIONS'] ?? '').split(/[\s"']+/).map((text) => ({ text, from: ' in NODE_OPTIONS' })),
  ]
  const options = given
    // Node takes an underscore for a hyphen.
    .map(({ text, from }) => ({ name: (text.split('=')[0] ?? '').replaceAll('_', '-'), from }))
    .filter(({ name }) => DUMPING_OPTIONS.some((option) => name.startsWith(option)))
    .map(({ name, from }) => `${name}${from}`)
  return [...new Set([...options, ...DUMPING_VARIABLES.filter((name) => (variables[name] ?? '') !== '')])]
}
