import type { Log } from '../../src/shared/log.ts'

export interface LogLine {
  readonly level: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly sentence: string
}

/** A log that keeps its lines as they were given. */
export function recordingLog(): { readonly log: Log; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = []
  const at =
    (level: string) =>
    (first: unknown, sentence?: unknown): void => {
      const bare = typeof first === 'string'
      const fields = bare ? {} : (first as LogLine['fields']) // pino takes fields first, or a sentence alone
      lines.push({ level, fields, sentence: String(bare ? first : sentence) })
    }
  const log: Log = {
    fatal: at('fatal'),
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    trace: at('trace'),
    child: () => log,
  }
  return { log, lines }
}
