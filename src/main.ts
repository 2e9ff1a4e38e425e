import { once } from 'node:events'
import { readFileSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { complain, EXIT_CONFIGURATION, EXIT_FAILURE, stopSignal } from './process/exit.ts'
import type { ToolContext } from './process/command-line.ts'
import { stayAlive, systemClock } from './shared/clock.ts'
import { codeOf } from './shared/errors.ts'
import type { LogLevel } from './shared/log.ts'
import type { StartOptions } from './start.ts'

// Not the streams of `process`: looking at one makes its pipe non-blocking.
const STANDARD_OUTPUT = 1
const STANDARD_ERROR = 2

/** What `node` is started with. What a mode needs is loaded when it is asked for. */
const [mode, ...args] = process.argv.slice(2)

async function run(): Promise<void> {
  switch (mode) {
    case undefined:
      return startBot()
    case 'playground':
    case 'tour':
    case 'live-check':
      return runPlayground(mode)
    case 'audit':
    case 'backtest':
    case 'doctor':
      return runTool(mode)
    case 'manifest':
      return printManifest()
    case 'slack-cli':
      return runHook(args[0])
    default:
      refuse(
        `There is no “${mode}”. Run without an argument to start the bot, or with: audit, backtest, doctor, live-check, manifest, playground, tour.`,
      )
  }
}

async function startBot(options: StartOptions = {}): Promise<void> {
  // Until the bot listens for it, this signal would end the process. The configuration file has not been read yet.
  process.on('SIGHUP', () => undefined)
  const { runBot } = await import('./start.ts')
  return runBot(options)
}

/** What the Slack CLI asks of a project, by `.slack/hooks.json`. Standard output is the answer and nothing else. */
async function runHook(hook: string | undefined): Promise<void> {
  const cli = await import('./config/slack-cli.ts')
  const variables = cli.withCliTokens(process.env)
  switch (hook) {
    case 'get-manifest': {
      const { cliManifest } = await import('./config/app-manifest.ts')
      return void writeSync(STANDARD_OUTPUT, cliManifest(ownFile('manifest.yml')))
    }
    case 'doctor': {
      const { node } = process.versions
      return void writeSync(STANDARD_OUTPUT, cli.cliVersions(ownFile('package.json'), node, { variables, readFile }))
    }
    case 'start':
      // Children inherit them; those of the settings go once they are read.
      for (const name of Object.values(cli.CLI_TOKENS)) delete process.env[name]
      return startBot({
        variables,
        async demonstrate(given) {
          const playground = await import('./playground/demonstration.ts').catch(undefinedIfAbsent)
          // Without one the settings are asked for.
          if (playground === undefined) return given.variables
          const demonstration = await playground.startDemonstration(systemClock)
          process.on('exit', () => demonstration.remove())
          return { ...cli.keptInDemonstration(given), ...demonstration.settings }
        },
      })
    default:
      refuse('The Slack CLI asks for one of: doctor, get-manifest, start.')
  }
}

const readFile = (path: string): string => readFileSync(path, 'utf8')

function ownFile(name: string): string {
  return readFile(fileURLToPath(new URL(`../${name}`, import.meta.url)))
}

/** A package that is not installed, or a file. */
const ABSENT: ReadonlySet<string> = new Set(['ERR_MODULE_NOT_FOUND', 'ENOENT'])

function undefinedIfAbsent(error: unknown): undefined {
  if (ABSENT.has(codeOf(error))) return undefined
  throw error
}

/** Development only: its packages, and in an image its files, are not part of a production installation. */
async function runPlayground(what: 'playground' | 'tour' | 'live-check'): Promise<void> {
  if (what !== 'live-check' && args.length > 0) return refuse(`npm run ${what} takes no options.`)
  const parts = await Promise.all([import('./playground/run.ts'), import('./playground/live-check/command.ts')]).catch(
    undefinedIfAbsent,
  )
  if (parts === undefined) {
    return refuse('The playground is not part of this installation. In a checkout of the project: npm run playground')
  }
  const [playground, live] = parts
  const print = (line: string): void => void writeSync(STANDARD_OUTPUT, `${line}\n`)
  if (what === 'live-check') {
    process.exitCode = await live.runLiveCheck(args, { ...(await toolContext()), ask })
    return
  }
  const stopped = once(stopSignal(), 'abort').then(() => undefined)
  const run = what === 'tour' ? playground.runTour : playground.runPlayground
  process.exitCode = await run({ print, clock: systemClock, stopped })
}

function refuse(complaint: string): void {
  complain(complaint)
  process.exitCode = EXIT_CONFIGURATION
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(`${question} [Enter: yes] `)) || 'yes'
  } finally {
    terminal.close()
  }
}

/** The app manifest as it is, for links, or with `--http <address>` for an app that Slack sends requests to. */
async function printManifest(): Promise<void> {
  const [flag, address, ...more] = args
  try {
    const text = ownFile('manifest.yml')
    if (flag === undefined) return void writeSync(STANDARD_OUTPUT, text)
    if (flag !== '--http' || more.length > 0) throw new TypeError('Give nothing, or: --http <address of the bot>')
    const { httpManifest } = await import('./config/app-manifest.ts')
    writeSync(STANDARD_OUTPUT, httpManifest(text, address ?? ''))
  } catch (error) {
    refuse(error instanceof Error ? error.message : 'unknown')
  }
}

async function runTool(what: 'audit' | 'backtest' | 'doctor'): Promise<void> {
  // Whoever reads the output may stop reading, as `head` does: then there is nothing to say.
  let unread = false
  process.stdout.on('error', () => (unread = true))
  const context = await toolContext(what === 'doctor' ? 'silent' : 'warn')
  try {
    const tool = await loadTool(what)
    process.exitCode = await stayAlive(tool(args, context))
  } catch (error) {
    if (!unread) throw error
    process.exitCode = EXIT_FAILURE
  }
}

async function toolContext(level: LogLevel = 'warn'): Promise<ToolContext> {
  const { createLog } = await import('./shared/log.ts')
  const { Scrubber } = await import('./shared/scrubber.ts')
  const write = (line: string): void => void writeSync(STANDARD_ERROR, line)
  return {
    environment: { variables: process.env, readFile },
    clock: systemClock,
    log: createLog({ level, scrubber: new Scrubber(), write }),
    print: (text: string): Promise<void> =>
      new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve()))),
    complain,
  }
}

async function loadTool(what: 'audit' | 'backtest' | 'doctor') {
  if (what === 'audit') return (await import('./process/audit-command.ts')).runAudit
  if (what === 'backtest') return (await import('./process/backtest-command.ts')).runBacktest
  return (await import('./process/doctor/doctor-command.ts')).runDoctor
}

await run()
