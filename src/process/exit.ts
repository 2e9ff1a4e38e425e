/** How the process ends, and how it says why. */

export const EXIT_FAILURE = 1
/** sysexits.h: something is wrong with the configuration, so restarting does not help. */
export const EXIT_CONFIGURATION = 78

export function complain(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Resolves, and is aborted, at the first request to stop; a second one ends the process at once. */
export function stopSignal(): { readonly stopped: Promise<void>; readonly stopping: AbortSignal } {
  const stopping = new AbortController()
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  const stop = (): void => (stopping.signal.aborted ? process.exit(EXIT_FAILURE) : stopping.abort())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  return { stopped, stopping: stopping.signal }
}
