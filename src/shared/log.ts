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
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => write(scrubber.scrub(line)) },
  )
}
