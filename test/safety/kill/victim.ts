import { spawn } from 'node:child_process'
import { compileCache, type Exit, type Variables } from '../../support/bot-process.ts'

const FAULT_POINTS = new URL('fault-points.ts', import.meta.url).href

/** Where the process itself stops, seen from inside: at the n-th commit of a transaction that writes this. */
export interface InsideFault {
  readonly tag: string
  readonly side: 'before' | 'after'
  readonly nth?: number
  readonly signal?: 'SIGKILL' | 'SIGSTOP'
}

/** The real bot as its own process, made to be killed. */
export interface Victim {
  readonly ended: Promise<Exit>
  readonly isAlive: () => boolean
  /** Whether the fault inside has struck. */
  readonly struck: () => boolean
  /** Resolves once it is linked to Slack; stays open when it ends before. */
  readonly linked: Promise<void>
  readonly output: () => string
  readonly kill: (signal: NodeJS.Signals) => void
}

/** Starts the bot from `main`, with these variables and no others, and the fault armed if there is one. */
export function startVictim(main: string, variables: Variables, fault?: InsideFault): Victim {
  const armed =
    fault === undefined
      ? {}
      : {
          FAULT_POINT: `${fault.tag}:${fault.side}`,
          FAULT_NTH: String(fault.nth ?? 1),
          FAULT_SIGNAL: fault.signal ?? 'SIGKILL',
        }
  const child = spawn(process.execPath, ['--import', FAULT_POINTS, main], {
    env: { ...compileCache(), ...variables, ...armed },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let alive = true
  const linked = Promise.withResolvers<void>()
  const take = (text: string): void => {
    output += text
    if (output.includes('linked to Slack')) linked.resolve()
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  const ended = new Promise<Exit>((resolve) => {
    child.once('exit', () => (alive = false))
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  return {
    ended,
    isAlive: () => alive,
    struck: () => output.includes('fault point reached'),
    linked: linked.promise,
    output: () => output,
    kill: (signal) => void child.kill(signal),
  }
}
