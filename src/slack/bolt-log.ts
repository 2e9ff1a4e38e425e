import { type Logger, LogLevel } from '@slack/bolt'
import type { Log } from '../shared/log.ts'

/**
 * Slack's libraries log through this. Nothing below a warning is taken from them: their debug lines hold whole
 * payloads, response addresses and trigger ids.
 */
export function boltLog(log: Log): Logger {
  const own = log.child({ from: 'slack-sdk' })
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (...parts) => own.warn(textOf(parts)),
    error: (...parts) => own.error(textOf(parts)),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  }
}

const MAX_CHARACTERS = 500

/** Of an error only its message: its own properties may hold what was sent. */
function textOf(parts: readonly unknown[]): string {
  return parts
    .map((part) => (part instanceof Error ? part.message : String(part)))
    .join(' ')
    .slice(0, MAX_CHARACTERS)
}
