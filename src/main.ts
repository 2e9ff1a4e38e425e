import { readFileSync, writeSync } from 'node:fs'
import { complain, EXIT_CONFIGURATION, EXIT_FAILURE, stopSignal } from './process/exit.ts'
import { systemClock } from './shared/clock.ts'

const STANDARD_OUTPUT = 1
const STANDARD_ERROR = 2

/** What `node` is started with. What a mode needs is loaded when it is asked for. */
const [mode, ...args] = process.argv.slice(2)

async function run(): Promise<void> {
  switch (mode) {
    case undefined: {
      // Until the bot listens for it, this signal would end the process. The configuration file has not been read yet.
      process.on('SIGHUP', () => undefined)
      const { runBot } = await import('./process/start.ts')
      return runBot()
    }
    case 'playground':
    case 'tour':
      return show(mode)
    case 'audit':
    case 'backtest':
      return tool(mode)
    case 'manifest':
      return printManifest()
    default:
      complain(
        `There is no “${mode}”. Run without an argument to start the bot, or with: audit, backtest, manifest, playground, tour.`,
      )
      process.exitCode = EXIT_CONFIGURATION
  }
}

/** Development only: its packages, and in an image its files, are not part of a production installation. */
async function show(what: 'playground' | 'tour'): Promise<void> {
  const playground = await import('./playground/run.ts').catch(absent)
  if (playground === undefined) {
    complain('The playground is not part of this installation. In a checkout of the project: npm run playground')
    process.exitCode = EXIT_CONFIGURATION
    return
  }
  const print = (line: string): void => void writeSync(STANDARD_OUTPUT, `${line}\n`)
  const surroundings = { print, clock: systemClock, stopped: stopSignal().stopped }
  process.exitCode = await (what === 'tour' ? playground.runTour(surroundings) : playground.runPlayground(surroundings))
}

/** The app manifest as it is, for links, or with `--http <address>` for an app that Slack sends requests to. */
async function printManifest(): Promise<void> {
  const [flag, address, ...more] = args
  try {
    const text = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8')
    if (flag === undefined) return void writeSync(STANDARD_OUTPUT, text)
    if (flag !== '--http' || more.length > 0) throw new TypeError('Give nothing, or: --http <address of the bot>')
    const { httpManifest } = await import('./config/http-manifest.ts')
    writeSync(STANDARD_OUTPUT, httpManifest(text, address ?? ''))
  } catch (error) {
    complain(error instanceof Error ? error.message : 'unknown')
    process.exitCode = EXIT_CONFIGURATION
  }
}

/** Whoever reads the output may stop reading, as `head` does: then nobody is left to write for, and nothing to say. */
async function tool(what: 'audit' | 'backtest'): Promise<void> {
  const { createLog } = await import('./shared/log.ts')
  const { Scrubber } = await import('./shared/scrubber.ts')
  let unread = false
  process.stdout.on('error', () => (unread = true))
  const environment = { variables: process.env, readFile: (path: string) => readFileSync(path, 'utf8') }
  const log = createLog({ level: 'warn', scrubber: new Scrubber(), write: (line) => writeSync(STANDARD_ERROR, line) })
  const print = (text: string): Promise<void> =>
    new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
  const surroundings = { environment, clock: systemClock, log, print, complain }
  try {
    process.exitCode =
      what === 'audit'
        ? await (await import('./process/audit-command.ts')).runAudit(args, surroundings)
        : await (await import('./process/backtest-command.ts')).runBacktest(args, surroundings)
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

await run()
