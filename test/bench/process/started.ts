import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { startCommand } from '../../support/start-command.ts'
import { endChild } from '../wire/child.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const BARE_BOLT = new URL('bare-bolt.mjs', import.meta.url).pathname
const TWO_LINKS = new URL('two-links.mjs', import.meta.url).pathname
const START_TIMEOUT_MS = 30_000

/** A bot, and how long it took from the system's start of it to the line that says that it serves. */
export interface Started extends AsyncDisposable {
  readonly pid: number
  readonly readyMs: number
}

export interface StartPlan {
  /** The port of a Slack on this machine. */
  readonly slackPort: number
  /** Where compiled code is kept; nothing is kept without it. */
  readonly compileCache?: string
}

/** The bot with the very command that `npm start` and the image use, with its store in this folder. */
export async function startOurs(plan: StartPlan, folder: string): Promise<Started> {
  return startProgram(startCommand(), /linked to Slack: ready/, {
    ...environment(plan),
    CDN_API_URL: 'http://127.0.0.1:9/',
    CDN_LOGGING_URL: 'http://127.0.0.1:9/',
    CDN_API_KEY: 'bench-0123456789abcdef0123456789abcdef',
    STORE_URL: join(folder, 'store.sqlite'),
    OPS_CHANNEL: 'C0123456789',
    ADMINS: 'U0123456789',
  })
}

/** The least that Slack's own library needs to be a bot over Socket Mode. */
export async function startBareBolt(plan: StartPlan): Promise<Started> {
  return startProgram([BARE_BOLT], /ready/, environment(plan))
}

/** The same with two links, as ours has. */
export async function startTwoLinks(plan: StartPlan): Promise<Started> {
  return startProgram([TWO_LINKS], /ready/, environment(plan))
}

function environment({ slackPort, compileCache }: StartPlan): Record<string, string> {
  return {
    NODE_ENV: 'production',
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_APP_TOKEN: 'xapp-bench',
    SLACK_API_URL: `http://127.0.0.1:${slackPort}/api/`,
    ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }),
  }
}

async function startProgram(
  command: readonly string[],
  ready: RegExp,
  environment: Record<string, string>,
): Promise<Started> {
  const started = performance.now()
  const child = spawn(process.execPath, command, { cwd: ROOT, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await said(child, ready)
    const readyMs = performance.now() - started
    return { pid: child.pid ?? 0, readyMs, [Symbol.asyncDispose]: () => endChild(child) }
  } catch (error) {
    await endChild(child)
    throw error
  }
}

async function said(child: ChildProcess, pattern: RegExp): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let output = ''
  const timer = setTimeout(() => reject(new Error(`It did not say ${pattern}:\n${output}`)), START_TIMEOUT_MS)
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (pattern.test(output)) resolve()
  })
  child.once('exit', () => reject(new Error(`It ended before it said ${pattern}:\n${output}`)))
  try {
    await promise
  } finally {
    clearTimeout(timer)
  }
}
