import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppOptions, startApp } from '../../src/app.ts'
import { readSettings, listSecrets } from '../../src/config/settings.ts'
import { type CdnEmulator, type CdnEmulatorOptions, startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { type SlackEmulator, startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { ADA, OLGA, OPS, OTTO, VERA } from '../../src/playground/slack/state/seed.ts'
import { type Clock, systemClock } from '../../src/shared/clock.ts'
import { createLog } from '../../src/shared/log.ts'
import { Scrubber } from '../../src/shared/scrubber.ts'
import { startFlags } from './start-command.ts'

/** The bot, started for tests: as a process of its own, or in this process on a clock that a test holds. */

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const CONFIG_FILE = 'cdn-ops.yaml'
const OUTPUT_TIMEOUT_MS = 15_000
const LINKED = /linked to Slack/

export type Variables = Readonly<Record<string, string>>

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** The bot as its own process, with these environment variables and no others but where Node keeps what it has compiled. */
export interface BotProcess {
  readonly pid: number
  /** What it has written so far. */
  readonly output: () => string
  readonly errors: () => string
  /** Resolves when its output or errors match. Rejects when it ends first, or after 15 s. */
  readonly says: (pattern: RegExp) => Promise<void>
  /** Resolves once it is linked to Slack; stays open when it ends before. */
  readonly linked: Promise<void>
  /** Closes what its log goes to, and what it complains to. */
  readonly stopReading: () => void
  readonly kill: (signal: NodeJS.Signals) => void
  readonly isAlive: () => boolean
  readonly ended: Promise<Exit>
}

export interface ProcessOptions {
  /** Behind the program's name. */
  readonly args?: readonly string[]
  /** The program of another version, if not this one's. */
  readonly main?: string | undefined
  /** Loaded into the process before the bot. */
  readonly preload?: string
  /** Of each stream no more than the end is kept. */
  readonly keptCharacters?: number
  /** Is handed all that it writes. */
  readonly onText?: (text: string) => void
}

export function startBot(variables: Variables, options: ProcessOptions = {}): BotProcess {
  const { args = [], main = MAIN, preload, keptCharacters = Infinity, onText } = options
  const flags = [...startFlags(), ...(preload === undefined ? [] : ['--import', preload])]
  const child = spawn(process.execPath, [...flags, main, ...args], {
    env: { ...compileCache(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = { output: '', errors: '' }
  const listeners = new Set<() => void>()
  const linked = Promise.withResolvers<void>()
  let alive = true
  const take = (name: keyof typeof written) => (text: string) => {
    written[name] = (written[name] + text).slice(-keptCharacters)
    onText?.(text)
    if (LINKED.test(written[name])) linked.resolve()
    for (const listener of listeners) listener()
  }
  child.stdout.setEncoding('utf8').on('data', take('output'))
  child.stderr.setEncoding('utf8').on('data', take('errors'))
  const ended = new Promise<Exit>((resolve) => {
    child.once('exit', () => (alive = false))
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  return {
    pid: child.pid ?? 0,
    output: () => written.output,
    errors: () => written.errors,
    linked: linked.promise,
    stopReading() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
    kill: (signal) => void child.kill(signal),
    isAlive: () => alive,
    ended,
    async says(pattern) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const fail = (why: string): void =>
        reject(new Error(`${pattern} was not said: ${why}\n${written.output}\n${written.errors}`))
      const look = (): void => void (pattern.test(written.output + written.errors) && resolve())
      const timer = setTimeout(() => fail('time is up'), OUTPUT_TIMEOUT_MS)
      listeners.add(look)
      look()
      void ended.then(() => fail('the process ended'))
      try {
        await promise
      } finally {
        clearTimeout(timer)
        listeners.delete(look)
      }
    },
  }
}

/** Where Node keeps what it has compiled, as the start script sets it: a start then takes half as long. */
function compileCache(): Variables {
  const folder = process.env['NODE_COMPILE_CACHE']
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
}

/** What bots that are processes of their own need around them. */
export interface BotStage {
  readonly folder: string
  /** Where the bots' store is, in that folder. */
  readonly store: string
  slack: SlackEmulator
  cdn: CdnEmulator
  /** With which a bot works here. */
  readonly settings: Variables
  /** Starts a bot with these settings, or with the usual ones. It is killed with the stage. */
  readonly start: (settings?: Variables, options?: ProcessOptions) => BotProcess
  /** The same. Resolves when it is linked to Slack. */
  readonly startLinked: (settings?: Variables, options?: ProcessOptions) => Promise<BotProcess>
  readonly close: () => Promise<void>
}

interface Surroundings {
  readonly slack?: Parameters<typeof startSlackEmulator>[0]
  readonly cdn?: Partial<CdnEmulatorOptions>
}

export async function openBotStage(surroundings: Surroundings = {}): Promise<BotStage> {
  const folder = await mkdtemp(join(tmpdir(), 'cdn-ops-process-'))
  const slack = await startSlackEmulator(surroundings.slack)
  const cdn = await startCdnEmulator({ clock: systemClock, ...surroundings.cdn })
  const store = join(folder, 'store.sqlite')
  const bots: BotProcess[] = []
  const stage: BotStage = {
    folder,
    store,
    slack,
    cdn,
    settings: settingsFor(slack, cdn, store),
    start(settings = stage.settings, options = {}) {
      const bot = startBot(settings, options)
      bots.push(bot)
      return bot
    },
    async startLinked(settings, options) {
      const bot = stage.start(settings, options)
      await bot.says(LINKED)
      return bot
    },
    async close() {
      for (const bot of bots) bot.kill('SIGKILL')
      await Promise.all([...bots.map(({ ended }) => ended), stage.slack.close(), stage.cdn.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
  return stage
}

export type RunningApp = Awaited<ReturnType<typeof startApp>>

interface BotHere {
  readonly app: RunningApp
  /** Puts another text into the configuration file, and has the bot read it. */
  readonly configure: (config: string) => Promise<void>
}

/** The bot in this process. The text of a configuration file may be given; it has no others. */
export async function startBotHere(options: {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly config?: string | undefined
  readonly clock: Clock
  /** Where its log goes, a line at a time. */
  readonly log: (line: string) => void
}): Promise<BotHere> {
  const { clock, log: write } = options
  let { config } = options
  const readFile = (path: string): string => {
    if (path !== CONFIG_FILE || config === undefined) throw new Error('There are no files here')
    return config
  }
  const variables = { ...options.variables, ...(config !== undefined && { CONFIG_FILE }) }
  const settings = readSettings({ variables, readFile })
  const scrubber = new Scrubber()
  for (const secret of listSecrets(settings)) scrubber.register(secret)
  const log = createLog({ level: settings.LOG_LEVEL, scrubber, write })
  const onRefused: AppOptions['onRefused'] = (token, why) => write(`${token}: ${String(why)}`)
  const app = await startApp({ settings, clock, log, readFile, onRefused })
  return {
    app,
    async configure(text) {
      config = text
      await app.reload()
    },
  }
}

/** The settings that somebody would set by hand to run the bot against these two. */
export function settingsFor(slack: SlackEmulator, cdn: CdnEmulator, storeUrl: string): Variables {
  return {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    CDN_API_URL: cdn.managementUrl,
    CDN_LOGGING_URL: cdn.loggingUrl,
    CDN_API_KEY: cdn.accessKey,
    STORE_URL: storeUrl,
    OPS_CHANNEL: OPS,
    ADMINS: ADA,
    OPERATORS: `${OLGA},${OTTO}`,
    VIEWERS: VERA,
  }
}

/** A loopback port on which nothing listens now. Systems give ports of this range only to who asks for them by number. */
export async function closedPort(): Promise<number> {
  const port = randomInt(10_000, 32_000)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
  return isFree ? port : closedPort()
}

/** How much memory a process has in hand now, or the most it had since that was forgotten, by Linux's own accounting. */
export function residentBytes(pid: number, which: 'VmRSS' | 'VmHWM'): number {
  const [, kib = 'NaN'] =
    new RegExp(`^${which}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1_024
}

/** Linux counts the most memory of a process anew from here. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
