import pino from 'pino'
import type { Scrubber } from './scrubber.ts'

/** What `LOG_LEVEL` may be, the fewest lines first but for `silent`. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The part of pino that the program uses. Structured fields first, a fixed sentence second. */
export type Log = Pick<pino.Logger, 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'> & {
  child(fields: Record<string, unknown>): Log
}

export interface LogOptions {
  readonly level: LogLevel
  readonly scrubber: Scrubber
  /** Where a finished line goes; standard output in production. Called synchronously. */
  readonly write: (line: string) => void
}

/** One JSON object a line. Every line passes the scrubber, so a registered secret cannot leave through a log. */
export function createLog({ level, scrubber, write }: LogOptions): Log {
  const hooks = { streamWrite: (line: string) => scrubber.scrub(line) }
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks }, { write })
}

/** What a full pipe has not taken; more than that is dropped, in whole lines. */
const MAX_BUFFERED_BYTES = 1_000_000
const RETRY_MS = 250
/** At the end of the process, a tenth of a second each. */
const LAST_RETRIES = 20

/**
 * Writes whole texts to a descriptor at once, in their order. Nothing here throws or waits: what a full pipe does not take is tried again with the next
 * text, and every quarter of a second; where the reader is gone, texts are dropped. A pipe has to be non-blocking.
 */
export function logDestination(descriptor: number) {
  let retries = 0
  const destination = pino.destination({
    dest: descriptor,
    sync: true,
    maxLength: MAX_BUFFERED_BYTES,
    // A flush by time takes a minimum of more than nothing.
    minLength: 1,
    periodicFlush: RETRY_MS,
    retryEAGAIN: () => retries-- > 0,
  })
  // A full disk, a full pipe, or one without a reader: nobody could do anything about it.
  destination.on('error', () => undefined)
  return {
    write: (text: string): void => void destination.write(text),
    /** Waits up to two seconds for a reader that is slow. For the end of the process. */
    flush(): void {
      retries = LAST_RETRIES
      destination.write('')
      retries = 0
    },
  }
}
