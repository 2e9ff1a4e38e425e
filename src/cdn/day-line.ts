import { DAY_LINE_FIELDS, DAY_LINE_MIN_FIELDS } from './dialect.ts'
import type { LogEntry, LogField } from './log-entry.ts'
import { maskUrl } from './mask-url.ts'

/** The fields of one line of a day file as text, raw; undefined where the line says `-`. Never leaves this folder. */
export type RawLine = Readonly<Partial<Record<LogField, string>>>

/** What a line has at most: the fields known, and the authorization header after them. */
const MAX_FIELDS = DAY_LINE_FIELDS.length + 1

/**
 * Splits a line. Undefined when it has too few fields, or more than a line can have: somebody then got a separator
 * into it, and which field is which is no longer certain. The authorization header is left behind here.
 */
export function splitDayLine(line: string): RawLine | undefined {
  const parts = line.split('|')
  if (parts.length < DAY_LINE_MIN_FIELDS || parts.length > MAX_FIELDS) return undefined
  const raw: Partial<Record<LogField, string>> = {}
  for (const [index, field] of DAY_LINE_FIELDS.entries()) {
    const part = parts[index]
    // For the cache status a dash is a value of its own: no cache was involved.
    if (part !== undefined && part !== '' && (part !== '-' || field === 'cacheStatus')) raw[field] = part
  }
  return raw
}

/** The entry of a line: typed, masked, and with the allowed fields only. */
export function entryOfDayLine(raw: RawLine, allowed: ReadonlySet<LogField>): LogEntry {
  const entry: Record<string, unknown> = {}
  for (const field of DAY_LINE_FIELDS) {
    const text = raw[field]
    if (text !== undefined && allowed.has(field)) entry[field] = READERS[field]?.(text) ?? text
  }
  for (const field of ['statusCode', 'timestamp', 'bytesSent', 'pullZoneId', 'bodyBytesSent'] as const) {
    if (typeof entry[field] === 'string') delete entry[field]
  }
  return entry
}

/** How a field's text becomes its value; undefined when it is no such value. Fields not named are text. */
const READERS: Partial<Record<LogField, (text: string) => unknown>> = {
  statusCode: (text) => (/^\d{3}$/.test(text) ? Number(text) : undefined),
  timestamp: (text) => (/^\d{1,15}$/.test(text) ? new Date(Number(text)) : undefined),
  bytesSent: integer,
  pullZoneId: integer,
  bodyBytesSent: integer,
  url: maskUrl,
  referer: maskUrl,
}

function integer(text: string): bigint | undefined {
  return /^\d{1,19}$/.test(text) ? BigInt(text) : undefined
}
