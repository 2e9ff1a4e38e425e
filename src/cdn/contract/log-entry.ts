import { turnOfTheLoop } from '../../shared/clock.ts'
import { parseInstant } from './dates.ts'
import { maskUrl, maskUrlsIn } from './mask-url.ts'

/** How each field is read. There is no way to add `authorizationHeader` to them by configuration. */
const READERS = {
  /** One of the contract's cache statuses, or another: the list grows. `-` means no cache was involved. */
  cacheStatus: text,
  timestamp: time,
  statusCode: number,
  /** Headers and body, in bytes. */
  bytesSent: integer,
  pullZoneId: integer,
  /** 32 hexadecimal digits where known; what duplicates are recognised by. */
  requestId: text,
  remoteIp: text,
  countryCode: text,
  edgeLocation: text,
  scheme: text,
  host: text,
  path: maskedBy(maskUrl),
  url: maskedBy(maskUrl),
  userAgent: maskedBy(maskUrlsIn),
  referer: maskedBy(maskUrl),
  ja4Fingerprint: text,
  asn: integer,
  asnOrganization: text,
  bodyBytesSent: integer,
  contentRange: text,
} as const

export type LogField = keyof typeof READERS
// A boundary: Object.keys cannot say that the keys of a constant are its keys.
export const LOG_FIELDS = Object.keys(READERS) as readonly LogField[]

/**
 * One request the CDN answered, the same from both versions of the logging interface. What a version does not carry,
 * the platform left out, or the allow-list of the dialect holds back, is undefined.
 *
 * Query values in `url`, `path` and `referer`, and of any address in `userAgent`, are already masked; the raw ones never leave this folder, nor does an
 * `authorizationHeader`. `remoteIp` is for display only where addresses were asked for. All text is untrusted.
 */
export type LogEntry = { readonly [Field in LogField]?: ReturnType<(typeof READERS)[Field]> }

/** How much text is read at a stretch, as nothing else runs meanwhile: some four hundred rows, or eight of the longest. */
const CHARACTERS_AT_ONCE = 128 * 1024
/** What is read of one text, in characters: more than any address a server takes, and little enough to mask at once. */
const MAX_TEXT_LENGTH = 16 * 1024

/** A row that cannot be read. The message names the field that is of the wrong type, without its value. */
export class UnfitRow extends Error {
  override readonly name = 'UnfitRow'
}

/** Reads the rows of one page of version 2 through the allow-list. Throws {@link UnfitRow}. */
export async function readLogRows(
  rows: readonly unknown[],
  allowed: readonly LogField[],
): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = []
  let characters = 0
  for (const sent of rows) {
    if (typeof sent !== 'object' || sent === null) throw new UnfitRow('a row is not an object')
    // As `JSON.parse` makes them: no field is inherited.
    const row: { readonly [Name in LogField]?: unknown } = sent
    const entry: Record<string, unknown> = {}
    for (const field of allowed) entry[field] = READERS[field](row[field], field)
    entries.push(entry)
    for (const value of Object.values(row)) characters += typeof value === 'string' ? value.length : 0
    if (characters < CHARACTERS_AT_ONCE) continue
    await turnOfTheLoop()
    characters = 0
  }
  return entries
}

/** What is missing or null is the same to us. */
function text(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') return refuse(field)
  return value.length <= MAX_TEXT_LENGTH ? value : `${value.slice(0, MAX_TEXT_LENGTH)}…`
}

function maskedBy(mask: (sent: string) => string) {
  return (value: unknown, field: string): string | undefined => {
    const sent = text(value, field)
    return sent === undefined ? undefined : mask(sent)
  }
}

function time(value: unknown, field: string): Date | undefined {
  return parseInstant(text(value, field) ?? '')
}

function integer(value: unknown, field: string): bigint | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'bigint') return value
  return Number.isInteger(value) ? BigInt(value as number) : refuse(field)
}

function number(value: unknown, field: string): number | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'number' && Number.isFinite(value) ? value : refuse(field)
}

function refuse(field: string): never {
  throw new UnfitRow(`${field} has the wrong type`)
}
