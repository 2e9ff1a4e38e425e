import { readFileSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { startApp } from './app.ts'
import { readSettings, SECRET_SETTINGS, secretsOf, type Settings, SettingsError } from './config.ts'
import { ConfigurationError } from './configuration.ts'
import { dumpOptions } from './dump-options.ts'
import { systemClock } from './shared/clock.ts'
import { createLog, type Log } from './shared/log.ts'
import { Scrubber } from './shared/scrubber.ts'
import { ScrubbedOutput } from './shared/scrubbed-output.ts'
import { WholeWriter } from './shared/whole-write.ts'
import { StoreError } from './store/store-error.ts'

/** The process: settings, start, signals, exit codes. Nothing else in the program reads `process`. */

/** sysexits.h: something is wrong with the configuration, so restarting does not help. */
const EXIT_CONFIGURATION = 78
const EXIT_FAILURE = 1
const STANDARD_OUTPUT = 1
const STANDARD_ERROR = 2
/** After that both links are there, and what came in while the bot was away is answered. */
const SETTLED_MS = 10_000

/** Does what the program was started for. */
export async function run(mode: string | undefined): Promise<void> {
  switch (mode) {
    case undefined:
      return runBot()
    case 'playground':
    case 'tour':
      return show(mode)
    case 'audit':
      return audit(process.argv.slice(3))
    case 'manifest':
      return printManifest(process.argv.slice(3))
    default:
      complain(
        `There is no “${mode}”. Run without an argument to start the bot, or with: audit, manifest, playground, tour.`,
      )
      process.exitCode = EXIT_CONFIGURATION
  }
}

/** Development only: its packages, and in an image its files, are not part of a production installation. */
async function show(mode: 'playground' | 'tour'): Promise<void> {
  const playground = await import('./playground/run.ts').catch(absent)
  if (playground === undefined) {
    complain('The playground is not part of this installation. In a checkout of the project: npm run playground')
    process.exitCode = EXIT_CONFIGURATION
    return
  }
  const print = (line: string): void => void writeSync(STANDARD_OUTPUT, `${line}\n`)
  const surroundings = { print, clock: systemClock, stopped: stopSignal().stopped }
  process.exitCode = await (mode === 'tour' ? playground.runTour(surroundings) : playground.runPlayground(surroundings))
}

/** The app manifest as it is, for links, or with `--http <address>` for an app that Slack sends requests to. */
async function printManifest([flag, address, ...more]: readonly string[]): Promise<void> {
  try {
    const text = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8')
    if (flag === undefined) return void writeSync(STANDARD_OUTPUT, text)
    if (flag !== '--http' || more.length > 0) throw new TypeError('Give nothing, or: --http <address of the bot>')
    const { httpManifest } = await import('./playground/manifest-text.ts')
    writeSync(STANDARD_OUTPUT, httpManifest(text, address ?? ''))
  } catch (error) {
    complain(error instanceof Error ? error.message : 'unknown')
    process.exitCode = EXIT_CONFIGURATION
  }
}

/** Whoever reads the output may stop reading, as `head` does: then nobody is left to write for, and nothing to say. */
async function audit(args: readonly string[]): Promise<void> {
  const { runAudit } = await import('./audit-command.ts')
  let unread = false
  process.stdout.on('error', () => (unread = true))
  const environment = { variables: process.env, readFile: (path: string) => readFileSync(path, 'utf8') }
  const log = createLog({ level: 'warn', scrubber: new Scrubber(), write: (line) => writeSync(STANDARD_ERROR, line) })
  const print = (text: string): Promise<void> =>
    new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
  try {
    process.exitCode = await runAudit(args, { environment, clock: systemClock, log, print, complain })
  } catch (error) {
    if (!unread) throw error
    process.exitCode = EXIT_FAILURE
  }
}

/** A package that is not there, or a file. */
const NOT_THERE: ReadonlySet<unknown> = new Set(['ERR_MODULE_NOT_FOUND', 'ENOENT'])

/** Any other failure is a fault of the playground's own, and is shown as one. */
function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && NOT_THERE.has(error.code)) return
  throw error
}

async function runBot(): Promise<void> {
  refuseDumps()
  const settings = settingsOrExit()
  const scrubber = new Scrubber()
  for (const secret of secretsOf(settings)) scrubber.register(secret)
  const output = scrubbed(scrubber, STANDARD_OUTPUT)
  const errors = scrubbed(scrubber, STANDARD_ERROR)
  const complain = (text: string): void => errors.write(`${text}\n`)
  // A crash report lists the environment, and children inherit it.
  for (const name of SECRET_SETTINGS) delete process.env[name]
  const log = createLog({ level: settings.LOG_LEVEL, scrubber, write: (line) => output.write(line) })
  catchLast(log)
  const { stopped, stopping } = stopSignal()
  const refused = Promise.withResolvers<string>()
  const onRefused = (token: string, code: string): void =>
    refused.resolve(`Slack does not accept ${token} (${code}). Set it anew, then start again.`)
  try {
    const readFile = (path: string): string => readFileSync(path, 'utf8')
    const starting = startApp({ settings, clock: systemClock, log, readFile, onRefused, stopping })
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
    void app.linked.then(() => sayReady(log))
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

function sayReady(log: Log): void {
  log.info('linked to Slack: ready')
  // Node would write what it has compiled at the end only, and not at all when it is killed. Without a cache this is nothing.
  flushCompileCache()
  systemClock.after(SETTLED_MS, giveBackTheStart)
}

/**
 * What a start leaves behind is a tenth of the memory of a bot that is asked nothing, and the young space it grew another: sources,
 * code that ran once, what modules were made of. The engine would keep it until there is much more. Once, for a tenth of a
 * second, nothing else is done.
 */
function giveBackTheStart(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  const { runInNewContext } = process.getBuiltinModule('node:vm')
  // Given on the command line, the flag would make the engine compile all of Node anew at each start: 40 ms.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('globalThis.gc') as NodeJS.GCFunction | undefined
  setFlagsFromString('--no-expose-gc')
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** What is written to a standard stream from now on, by whatever part of the program, passes the scrubber. */
function scrubbed(scrubber: Scrubber, descriptor: typeof STANDARD_OUTPUT | typeof STANDARD_ERROR): ScrubbedOutput {
  const whole = new WholeWriter(descriptor)
  const output = new ScrubbedOutput(scrubber, (text) => whole.write(text))
  const stream = descriptor === STANDARD_OUTPUT ? process.stdout : process.stderr
  type Done = (error?: Error | null) => void
  stream.write = (chunk: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done): boolean => {
    output.write(typeof chunk === 'string' && typeof encoding === 'string' ? Buffer.from(chunk, encoding) : chunk)
    const written = typeof encoding === 'function' ? encoding : done
    if (written !== undefined) process.nextTick(written)
    return true
  }
  process.on('exit', () => output.end())
  return output
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

/** Resolves, and is aborted, at the first request to stop; a second one ends the process at once. */
function stopSignal(): { readonly stopped: Promise<void>; readonly stopping: AbortSignal } {
  const stopping = new AbortController()
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  const stop = (): void => (stopping.signal.aborted ? process.exit(EXIT_FAILURE) : stopping.abort())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  return { stopped, stopping: stopping.signal }
}

function complain(text: string): void {
  writeSync(STANDARD_ERROR, `${text}\n`)
}
