import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFlags } from '../../support/start-command.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const WORKER = new URL('worker.ts', import.meta.url)
const READY_WITHIN_MS = 30_000

export interface Started extends AsyncDisposable {
  readonly pid: number
  /** From the start of the process to the line that says it is ready. */
  readonly readyMs: number
}

/** A folder and the processes of one run of the bench. All of it goes with the process. */
export class Testbed {
  readonly folder = mkdtempSync(join(tmpdir(), 'cdn-ops-bench-'))
  readonly #children = new Set<ChildProcess>()

  constructor() {
    process.once('exit', () => {
      for (const child of this.#children) child.kill('SIGKILL')
      rmSync(this.folder, { recursive: true, force: true })
    })
  }

  /** Starts a program. Resolves once its output matches; rejects when it ends before, or takes half a minute. */
  async start(command: readonly string[], ready: RegExp, env: NodeJS.ProcessEnv): Promise<Started> {
    const startedAt = performance.now()
    const child = spawn(process.execPath, command, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
    this.#keep(child)
    const timer = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS)
    let output = ''
    for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      output += text
      if (ready.test(output)) break
    }
    clearTimeout(timer)
    const readyMs = performance.now() - startedAt
    if (!ready.test(output)) throw new Error(`${command.join(' ')} did not say ${ready}, but:\n${output}`)
    child.stdout.resume()
    return { pid: child.pid ?? 0, readyMs, [Symbol.asyncDispose]: () => end(child) }
  }

  /**
   * Starts a process with the bot's flags that runs a function of a module, one call at a time. As in the image it finds nothing
   * compiled by an earlier one: with that, V8 now and then keeps what is short-lived among what is not.
   */
  async fork<Args extends unknown[], T>(module: string, work: (...args: Args) => Promise<T>, flags: string[] = []) {
    const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }
    const child = fork(WORKER, [module, work.name], { execArgv: [...startFlags(), ...flags], env })
    this.#keep(child)
    await once(child, 'message')
    const run = async (...args: Args): Promise<T> => {
      child.send(args)
      const [result] = await once(child, 'message')
      return result
    }
    return { pid: child.pid ?? 0, run, [Symbol.asyncDispose]: () => end(child) }
  }

  /** One that fails has said why. */
  #keep(child: ChildProcess): void {
    this.#children.add(child)
    child.once('exit', (code) => ((code ?? 0) === 0 ? this.#children.delete(child) : process.exit(1)))
  }
}

/** Serves on a port of loopback, for as long as there is something else to do. */
export async function serve(listener: RequestListener): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server has this form of address
  return { server, url: `http://127.0.0.1:${port}` }
}

/** Asks it to end, as Node writes what it has compiled at a clean exit. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
