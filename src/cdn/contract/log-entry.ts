import { turnOfTheLoop } from '../../shared/clock.ts'
import { parseInstant } from './dates.ts'
import { maskUrl, maskUrlsIn } from './mask-url.ts'

/**
 * One request the CDN answered, the same from both versions of the logging interface. What a version does not carry,
 * the platform left out, or the allow-list of the dialect holds back, is undefined.
 *
 * Query values in `url`, `path` and `referer`, and of any address in `userAgent`, are already masked; the raw ones never leave this folder, nor does an
 * `authorizationHeader`. `remoteIp` is for display only where addresses were asked for. All text is untrusted.
 */
export type LogEntry = Readonly<Partial<ReturnType<typeof readRow>>>

export type LogField = (typeof LOG_FIELDS)[number]

/** There is no way to add `authorizationHeader` to it by configuration. */
export const LOG_FIELDS = [
  /** One of the contract's cache statuses, or another: the list grows. `-` means no cache was involved. */
  'cacheStatus',
  'timestamp',
  'statusCode',
  /** Headers and body, in bytes. */
  'bytesSent',
  'pullZoneId',
  /** 32 hexadecimal digits where known; what duplicates are recognised by. */
  'requestId',
  'remoteIp',
  'countryCode',
  'edgeLocation',
  'scheme',
  'host',
  'path',
  'url',
  'userAgent',
  'referer',
  'ja4Fingerprint',
  'asn',
  'asnOrganization',
  'bodyBytesSent',
  'contentRange',
] as const

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
  const withheld = LOG_FIELDS.filter((field) => !allowed.includes(field))
  const entries: LogEntry[] = []
  let characters = 0
  for (const sent of rows) {
    if (typeof sent !== 'object' || sent === null) throw new UnfitRow('a row is not an object')
    const row: SentRow = sent
    for (const field of withheld) row[field] = undefined
    entries.push(readRow(row))
    for (const value of Object.values(row)) characters += typeof value === 'string' ? value.length : 0
    if (characters < CHARACTERS_AT_ONCE) continue
    await turnOfTheLoop()
    characters = 0
  }
  return entries
}

type SentRow = { [Name in LogField]?: unknown }

/** A row as `JSON.parse` makes them: no field is inherited. */
function readRow(row: SentRow) {
  return {
    cacheStatus: text(row.cacheStatus, 'cacheStatus'),
    timestamp: time(row.timestamp, 'timestamp'),
    statusCode: number(row.statusCode, 'statusCode'),
    bytesSent: integer(row.bytesSent, 'bytesSent'),
    pullZoneId: integer(row.pullZoneId, 'pullZoneId'),
    requestId: text(row.requestId, 'requestId'),
    remoteIp: text(row.remoteIp, 'remoteIp'),
    countryCode: text(row.countryCode, 'countryCode'),
    edgeLocation: text(row.edgeLocation, 'edgeLocation'),
    scheme: text(row.scheme, 'scheme'),
    host: text(row.host, 'host'),
    path: address(row.path, 'path'),
    url: address(row.url, 'url'),
    userAgent: words(row.userAgent, 'userAgent'),
    referer: address(row.referer, 'referer'),
    ja4Fingerprint: text(row.ja4Fingerprint, 'ja4Fingerprint'),
    asn: integer(row.asn, 'asn'),
    asnOrganization: text(row.asnOrganization, 'asnOrganization'),
    bodyBytesSent: integer(row.bodyBytesSent, 'bodyBytesSent'),
    contentRange: text(row.contentRange, 'contentRange'),
  }
}

/** What is missing or null is the same to us. */
function text(value: unknown, field: LogField): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') return refuse(field)
  return value.length <= MAX_TEXT_LENGTH ? value : `${value.slice(0, MAX_TEXT_LENGTH)}…`
}

function address(value: unknown, field: LogField): string | undefined {
  const sent = text(value, field)
  return sent === undefined ? undefined : maskUrl(sent)
}

function words(value: unknown, field: LogField): string | undefined {
  const sent = text(value, field)
  return sent === undefined ? undefined : maskUrlsIn(sent)
}

function time(value: unknown, field: LogField): Date | undefined {
  return parseInstant(text(value, field) ?? '')
}

function integer(value: unknown, field: LogField): bigint | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'bigint') return value
  return Number.isInteger(value) ? BigInt(value as number) : refuse(field)
}

function number(value: unknown, field: LogField): number | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'number' && Number.isFinite(value) ? value : refuse(field)
}

function refuse(field: LogField): never {
  throw new UnfitRow(`${field} has the wrong type`)
}
