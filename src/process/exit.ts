import { systemClock } from '../shared/clock.ts'

export const EXIT_FAILURE = 1
/** sysexits.h: something is wrong with the configuration, so restarting does not help. */
export const EXIT_CONFIGURATION = 78

/** As package.json has it; a test compares the two. */
export const VERSION = '0.1.0'
export const NODE_VERSION = process.versions.node

export function complain(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** One wish may come twice: to all of a process group, and passed on by whoever started this process. */
const SAME_WISH_MS = 1_500

/** Is aborted at the first request to stop; another one ends the process at once. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController()
  let firstAtMs = 0
  const stop = (): void => {
    if (!stopping.signal.aborted) firstAtMs = systemClock.monotonicMs()
    else if (systemClock.monotonicMs() - firstAtMs > SAME_WISH_MS) process.exit(EXIT_FAILURE)
    stopping.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  return stopping.signal
}
