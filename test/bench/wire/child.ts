import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

const START_TIMEOUT_MS = 30_000

/** A program of the bench in a process of its own, which has said that it is ready. */
export interface Child<Ready> extends AsyncDisposable {
  readonly pid: number
  readonly process: ChildProcess
  /** The first thing it sent. */
  readonly ready: Ready
}

/** Starts a program that sends one message when it is ready. Rejects when it ends before, or takes half a minute. */
export async function startChild<Ready>(
  program: URL,
  args: readonly string[] = [],
  execArgv: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Child<Ready>> {
  const child = fork(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env, execArgv: [...execArgv] })
  const timeUp = new AbortController()
  const timer = setTimeout(() => timeUp.abort(new Error(`${program.pathname} did not get ready`)), START_TIMEOUT_MS)
  child.once('exit', (code) => timeUp.abort(new Error(`${program.pathname} ended with ${code}`)))
  try {
    const [ready] = (await once(child, 'message', { signal: timeUp.signal })) as [Ready]
    return { pid: child.pid ?? 0, process: child, ready, [Symbol.asyncDispose]: () => endChild(child) }
  } catch (error) {
    await endChild(child)
    throw timeUp.signal.aborted ? timeUp.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

/** Ends a process that has nothing to lose. Resolves when it is gone. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
