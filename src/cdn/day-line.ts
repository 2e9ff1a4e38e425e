import { DAY_LINE_FIELDS, DAY_LINE_MIN_FIELDS } from './dialect.ts'
import type { LogEntry, LogField } from './log-entry.ts'
import { maskUrl, maskUrlsIn } from './mask-url.ts'

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
  let index = 0
  for (const field of DAY_LINE_FIELDS) {
    const part = parts[index]
    index += 1
    // For the cache status a dash is a value of its own: no cache was involved.
    if (part !== undefined && part !== '' && (part !== '-' || field === 'cacheStatus')) raw[field] = part
  }
  return raw
}

/** The entry of a line: typed, masked, and with the allowed fields only. A number that is none is left out. */
export function entryOfDayLine(raw: RawLine, allowed: ReadonlySet<LogField>): LogEntry {
  const entry: Record<string, unknown> = {}
  for (const field of DAY_LINE_FIELDS) {
    const text = raw[field]
    if (text === undefined || !allowed.has(field)) continue
    const value = READERS[field](text)
    if (value !== undefined) entry[field] = value
  }
  return entry
}

const asText = (text: string): string => text
const asInteger = (text: string): bigint | undefined => (/^\d{1,19}$/.test(text) ? BigInt(text) : undefined)

/** How a field's text becomes its value; undefined when it is no such value. */
const READERS: Readonly<Record<(typeof DAY_LINE_FIELDS)[number], (text: string) => unknown>> = {
  cacheStatus: asText,
  statusCode: (text) => (/^\d{3}$/.test(text) ? Number(text) : undefined),
  timestamp: (text) => (/^\d{1,15}$/.test(text) ? new Date(Number(text)) : undefined),
  bytesSent: asInteger,
  pullZoneId: asInteger,
  remoteIp: asText,
  referer: maskUrl,
  url: maskUrl,
  edgeLocation: asText,
  userAgent: maskUrlsIn,
  requestId: asText,
  countryCode: asText,
  bodyBytesSent: asInteger,
  contentRange: asText,
}
