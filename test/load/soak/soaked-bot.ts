import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import type { Victim } from '../../safety/kill/victim.ts'
import type { Variables } from '../../support/bot-process.ts'
import { startFlags } from '../../support/start-command.ts'

const MAIN = new URL('../../../src/main.ts', import.meta.url).pathname
const TAIL_CHARACTERS = 20_000
const UNHANDLED = /nothing handled|unhandled/i

/** What the system says of a process. */
export interface Size {
  readonly rssMb: number
  readonly handles: number
}

/** The real bot for a long run: of what it writes only the end is kept. */
export interface SoakedBot extends Victim {
  /** Now; undefined once it is gone. */
  readonly size: () => Promise<Size | undefined>
  /** Lines about errors that nothing handled. */
  readonly unhandled: () => number
}

export function startSoakedBot(variables: Variables): SoakedBot {
  const child = spawn(process.execPath, [...startFlags(), MAIN], {
    env: { ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let tail = ''
  let unhandled = 0
  let alive = true
  const linked = Promise.withResolvers<void>()
  const take = (text: string): void => {
    tail = (tail + text).slice(-TAIL_CHARACTERS)
    unhandled += text.split('\n').filter((line) => UNHANDLED.test(line)).length
    if (tail.includes('linked to Slack')) linked.resolve()
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  const ended = new Promise<Awaited<Victim['ended']>>((resolve) => {
    child.once('exit', () => (alive = false))
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  return {
    ended,
    isAlive: () => alive,
    struck: () => false,
    linked: linked.promise,
    output: () => tail,
    kill: (signal) => void child.kill(signal),
    size: () => sizeOf(child.pid ?? 0).catch(() => undefined),
    unhandled: () => unhandled,
  }
}

async function sizeOf(pid: number): Promise<Size> {
  const [status, handles] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readdir(`/proc/${pid}/fd`).then(({ length }) => length),
  ])
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? []
  return { rssMb: Number(kilobytes) / 1_024, handles }
}
