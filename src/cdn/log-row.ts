import { parseInstant } from './dates.ts'
import type { LogEntry, LogField } from './log-entry.ts'
import { maskUrl, maskUrlsIn } from './mask-url.ts'

/** What is read of one text, in characters: more than any address a server takes, and little enough to mask at once. */
const MAX_TEXT_LENGTH = 16 * 1024

/**
 * Reads one row of version 2 into an entry, taking only the allowed fields. Throws `TypeError` naming a field of the
 * wrong type, without its value. Written out by hand: rows come by the thousand, and a schema doubles their cost.
 */
export function readLogRow(row: unknown, allowed: readonly LogField[]): LogEntry {
  if (typeof row !== 'object' || row === null) throw new TypeError('a row is not an object')
  const entry: Record<string, unknown> = {}
  for (const field of allowed) {
    const value: unknown = Object.getOwnPropertyDescriptor(row, field)?.value
    if (value === undefined || value === null) continue
    const read = READERS[field](value)
    if (read === WRONG) throw new TypeError(`${field} has the wrong type`)
    entry[field] = read
  }
  return entry
}

const WRONG = Symbol('wrong type')
type Reader = (value: unknown) => unknown

const READERS: Readonly<Record<LogField, Reader>> = {
  cacheStatus: readText,
  timestamp: readInstant,
  statusCode: readNumber,
  bytesSent: readInteger,
  pullZoneId: readInteger,
  requestId: readText,
  remoteIp: readText,
  countryCode: readText,
  edgeLocation: readText,
  scheme: readText,
  host: readText,
  path: readMasked,
  url: readMasked,
  userAgent: readMaskedWords,
  referer: readMasked,
  ja4Fingerprint: readText,
  asn: readInteger,
  asnOrganization: readText,
  bodyBytesSent: readInteger,
  contentRange: readText,
}

function cut(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`
}

function readText(value: unknown): unknown {
  return typeof value === 'string' ? cut(value) : WRONG
}

function readMasked(value: unknown): unknown {
  return typeof value === 'string' ? maskUrl(cut(value)) : WRONG
}

function readMaskedWords(value: unknown): unknown {
  return typeof value === 'string' ? maskUrlsIn(cut(value)) : WRONG
}

function readInstant(value: unknown): unknown {
  return typeof value === 'string' ? parseInstant(value) : WRONG
}

function readNumber(value: unknown): unknown {
  return typeof value === 'number' ? value : WRONG
}

function readInteger(value: unknown): unknown {
  if (typeof value === 'bigint') return value
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : WRONG
}
