import type { Cdn, LogResult } from '../../src/cdn/contract/cdn.ts'
import type { LogEntry } from '../../src/cdn/contract/log-entry.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import { logFields, type LogQuestion } from '../../src/operations/logs/log-fields.ts'
import { checkContext, NOW } from './operation-context.ts'

/** A line of the log with everything in it, one second older for each step. */
export function logEntry(step: number, changes: Partial<LogEntry> = {}): LogEntry {
  return {
    cacheStatus: 'MISS',
    timestamp: new Date(NOW.getTime() - step * 1_000),
    statusCode: 200,
    bytesSent: 1_000n,
    pullZoneId: 201n,
    requestId: step.toString(16).padStart(32, '0'),
    remoteIp: '203.0.113.0',
    countryCode: 'DE',
    edgeLocation: 'WA',
    url: `https://shop.example.com/page/${step}?token=…`,
    userAgent: 'Mozilla/5.0',
    referer: 'https://www.example.com/',
    ...changes,
  }
}

export function logEntries(amount: number, change: (step: number) => Partial<LogEntry> = () => ({})): LogEntry[] {
  return Array.from({ length: amount }, (_, step) => logEntry(step, change(step)))
}

/** A complete answer with these lines, over the last hour. */
export function logResult(entries: readonly LogEntry[], changes: Partial<LogResult> = {}): LogResult {
  return {
    entries,
    truncated: false,
    next: undefined,
    pages: 1,
    skipped: 0,
    pageRows: 2_000,
    appliedFrom: new Date(NOW.getTime() - 3_600_000),
    appliedTo: NOW,
    ...changes,
  }
}

/** A zone with these lines, newest first, which answers by range, order and number as the platform does. */
export function logZone(entries: readonly LogEntry[]): Cdn['queryLogs'] {
  return async (_, { from = new Date(0), to = NOW, order }, { maxEntries }) => {
    const inside = entries.filter(({ timestamp = NOW }) => timestamp >= from && timestamp < to)
    const ordered = order === 'asc' ? inside.toReversed() : inside
    return logResult(ordered.slice(0, maxEntries), {
      truncated: ordered.length > maxEntries,
      appliedFrom: from,
      appliedTo: to,
    })
  }
}

/** Values read field by field, as the operation does before its own rules. The zone is 201 unless given. */
export function logQuestion(values: RawValues): LogQuestion {
  const read = Object.entries({ pullZone: '201', ...values }).map(([name, raw]) => {
    const result = logFields[name as keyof typeof logFields].read(raw, checkContext())
    if (!result.ok) throw new Error(result.problem)
    return [name, result.value] as const
  })
  return Object.fromEntries(read) as unknown as LogQuestion // Every field given is one of the question's own.
}
