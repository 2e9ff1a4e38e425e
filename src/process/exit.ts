export const EXIT_FAILURE = 1
/** sysexits.h: something is wrong with the configuration, so restarting does not help. */
export const EXIT_CONFIGURATION = 78

/** As package.json has it; a test compares the two. */
export const VERSION = '0.1.0'
export const NODE_VERSION = process.versions.node

export function complain(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Is aborted at the first request to stop; a second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController()
  const stop = (): void => (stopping.signal.aborted ? process.exit(EXIT_FAILURE) : stopping.abort())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  return stopping.signal
}
