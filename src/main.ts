import { readFileSync, writeSync } from 'node:fs'
import { startApp } from './app.ts'
import { readSettings, SECRET_SETTINGS, secretsOf, type Settings, SettingsError } from './config.ts'
import { systemClock } from './shared/clock.ts'
import { createLog, type Log } from './shared/log.ts'
import { Scrubber } from './shared/scrubber.ts'
import { StoreError } from './store/store-error.ts'

/** The process: settings, start, signals, exit codes. Nothing else in the program reads `process`. */

/** sysexits.h: something is wrong with the configuration, so restarting does not help. */
const EXIT_CONFIGURATION = 78
const EXIT_FAILURE = 1
const STANDARD_OUTPUT = 1
const STANDARD_ERROR = 2

await main(process.argv[2])

async function main(mode: string | undefined): Promise<void> {
  switch (mode) {
    case undefined:
      return runBot()
    case 'playground':
    case 'tour':
      return show(mode)
    default:
      complain(`There is no “${mode}”. Run without an argument to start the bot, or with: playground, tour.`)
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
  const surroundings = { print, clock: systemClock, stopped: stopSignal() }
  process.exitCode = await (mode === 'tour' ? playground.runTour(surroundings) : playground.runPlayground(surroundings))
}

/** Any other failure is a fault of the playground's own, and is shown as one. */
function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return
  throw error
}

async function runBot(): Promise<void> {
  const settings = settingsOrExit()
  const scrubber = new Scrubber()
  for (const secret of secretsOf(settings)) scrubber.register(secret)
  // A crash report lists the environment, and children inherit it.
  for (const name of SECRET_SETTINGS) delete process.env[name]
  const log = createLog({ level: settings.LOG_LEVEL, scrubber, write: (line) => writeSync(STANDARD_OUTPUT, line) })
  const stopped = stopSignal()
  const refused = Promise.withResolvers<string>()
  const onRefused = (token: string, code: string): void =>
    refused.resolve(`Slack does not accept ${token} (${code}). Set it anew, then start again.`)
  try {
    const app = await startApp({ settings, clock: systemClock, log, onRefused })
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
    complain(startProblem(error))
    process.exit(error instanceof StoreError ? EXIT_CONFIGURATION : EXIT_FAILURE)
  }
}

function settingsOrExit(): Settings {
  try {
    return readSettings({ variables: process.env, readFile: (path) => readFileSync(path, 'utf8') })
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const lines = [
      'CDN Ops was not started, because of its settings:',
      ...error.problems.map((problem) => `  - ${problem}`),
      'They are environment variables; the README lists them all.',
      ...(error.nothingSet
        ? ['', 'Just looking? `npm run playground` shows everything without Slack and without an account.']
        : []),
    ]
    complain(lines.join('\n'))
    process.exit(EXIT_CONFIGURATION)
  }
}

function startProblem(error: unknown): string {
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

/** Resolves at the first request to stop; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stopped.resolve()
      process.once(signal, () => process.exit(EXIT_FAILURE))
    })
  }
  return stopped.promise
}

function complain(text: string): void {
  writeSync(STANDARD_ERROR, `${text}\n`)
}
