import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { CdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { ADA, OLGA, OPS, OTTO, VERA } from '../../src/playground/slack/seed.ts'
import type { SlackEmulator } from '../../src/playground/slack/emulator.ts'
import { startFlags } from './start-command.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const OUTPUT_TIMEOUT_MS = 15_000

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
  /** Closes what its log goes to, and what it complains to. */
  readonly stopReading: () => void
  readonly kill: (signal: NodeJS.Signals) => void
  readonly ended: Promise<Exit>
}

export function startBot(variables: Variables, ...args: readonly string[]): BotProcess {
  const child = spawn(process.execPath, [...startFlags(), MAIN, ...args], {
    env: { ...compileCache(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = { output: '', errors: '' }
  const listeners = new Set<() => void>()
  const take = (name: keyof typeof written) => (text: string) => {
    written[name] += text
    for (const listener of listeners) listener()
  }
  child.stdout.setEncoding('utf8').on('data', take('output'))
  child.stderr.setEncoding('utf8').on('data', take('errors'))
  const ended = new Promise<Exit>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
  return {
    pid: child.pid ?? 0,
    output: () => written.output,
    errors: () => written.errors,
    stopReading() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
    kill: (signal) => void child.kill(signal),
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
export function compileCache(): Variables {
  const folder = process.env['NODE_COMPILE_CACHE']
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
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

/** A loopback port on which nothing listens now. */
export async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has this form of address
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}
