import { turnOfTheLoop } from '../../shared/clock.ts'
import { visible } from '../../shared/untrusted.ts'
import { parseInstant } from './dates.ts'
import { maskUrl, maskUrlsIn } from './mask-url.ts'

/**
 * One request the CDN answered, the same from both versions of the logging interface. What a version does not carry,
 * the platform left out, or the allow-list of the dialect holds back, is undefined.
 *
 * Query values in `url`, `path` and `referer`, and of any address in `userAgent`, are already masked; the raw ones never leave this folder, nor does an
 * `authorizationHeader`. `remoteIp` is for display only where addresses were asked for. All text is untrusted.
 */
export interface LogEntry extends Readonly<Partial<Record<TextField, string | undefined>>> {
  readonly timestamp?: Date | undefined
  readonly statusCode?: number | undefined
  /** Headers and body, in bytes. */
  readonly bytesSent?: bigint | undefined
  readonly pullZoneId?: bigint | undefined
  readonly asn?: bigint | undefined
  readonly bodyBytesSent?: bigint | undefined
}

type TextField = Exclude<LogField, 'timestamp' | 'statusCode' | 'bytesSent' | 'pullZoneId' | 'asn' | 'bodyBytesSent'>

export type LogField = (typeof LOG_FIELDS)[number]

/** There is no way to add `authorizationHeader` to it by configuration. */
export const LOG_FIELDS = [
  /** One of the contract's cache statuses, or another: the list grows. `-` means no cache was involved. */
  'cacheStatus',
  'timestamp',
  'statusCode',
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

/** How much text is read at a stretch, as nothing else runs meanwhile: some eight hundred rows, or a dozen of the longest. */
const CHARACTERS_AT_ONCE = 256 * 1024
/** What is read of one text, in characters: more than any address a server takes, and little enough to mask at once. */
const MAX_TEXT_LENGTH = 16 * 1024
const MAX_NAMES = 20
const MAX_NAME_LENGTH = 64
/** Known, and never read: the end user's own credential, in clear. */
const WITHHELD = 'authorizationHeader'

/** A row that cannot be read. The message names the field that is of the wrong type, without its value. */
export class UnfitRow extends Error {
  override readonly name = 'UnfitRow'
}

/** Reads the rows of one page of version 2 through the allow-list. Throws {@link UnfitRow}. */
export async function readLogRows(
  rows: readonly unknown[],
  allowed: readonly LogField[],
): Promise<readonly LogEntry[]> {
  const reader = new LogRowReader(allowed)
  const entries: LogEntry[] = []
  let pauseAt = CHARACTERS_AT_ONCE
  for (const row of rows) {
    entries.push(reader.read(row))
    if (reader.characters < pauseAt) continue
    await turnOfTheLoop()
    pauseAt = reader.characters + CHARACTERS_AT_ONCE
  }
  return entries
}

/** Fields no allow-list could name. Only one row of a page has to be looked at, since all have the same. */
export function unknownLogFields(row: unknown): readonly string[] {
  if (typeof row !== 'object' || row === null) return []
  const known = new Set<string>([...LOG_FIELDS, WITHHELD])
  const names = Object.keys(row).filter((name) => !known.has(name))
  return names.slice(0, MAX_NAMES).map((name) => visible(name, MAX_NAME_LENGTH))
}

type SentRow = { [Name in LogField]?: unknown }

class LogRowReader {
  readonly #withheld: readonly LogField[]
  #characters = 0

  constructor(allowed: readonly LogField[]) {
    this.#withheld = LOG_FIELDS.filter((field) => !allowed.includes(field))
  }

  /** How much text has been read so far: what all the work on rows is measured by. */
  get characters(): number {
    return this.#characters
  }

  /** One row, as `JSON.parse` makes them: no field is inherited. What is withheld is taken out of it. Throws {@link UnfitRow}. */
  read(sent: unknown): LogEntry {
    if (typeof sent !== 'object' || sent === null) throw new UnfitRow('a row is not an object')
    const row: SentRow = sent
    for (const field of this.#withheld) row[field] = undefined
    return {
      cacheStatus: this.#text(row.cacheStatus, 'cacheStatus'),
      timestamp: this.#instant(row.timestamp, 'timestamp'),
      statusCode: this.#number(row.statusCode, 'statusCode'),
      bytesSent: this.#integer(row.bytesSent, 'bytesSent'),
      pullZoneId: this.#integer(row.pullZoneId, 'pullZoneId'),
      requestId: this.#text(row.requestId, 'requestId'),
      remoteIp: this.#text(row.remoteIp, 'remoteIp'),
      countryCode: this.#text(row.countryCode, 'countryCode'),
      edgeLocation: this.#text(row.edgeLocation, 'edgeLocation'),
      scheme: this.#text(row.scheme, 'scheme'),
      host: this.#text(row.host, 'host'),
      path: this.#address(row.path, 'path'),
      url: this.#address(row.url, 'url'),
      userAgent: this.#words(row.userAgent, 'userAgent'),
      referer: this.#address(row.referer, 'referer'),
      ja4Fingerprint: this.#text(row.ja4Fingerprint, 'ja4Fingerprint'),
      asn: this.#integer(row.asn, 'asn'),
      asnOrganization: this.#text(row.asnOrganization, 'asnOrganization'),
      bodyBytesSent: this.#integer(row.bodyBytesSent, 'bodyBytesSent'),
      contentRange: this.#text(row.contentRange, 'contentRange'),
    }
  }

  /** What is missing or null is the same to us. */
  #text(value: unknown, field: LogField): string | undefined {
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'string') return refuse(field)
    this.#characters += value.length
    return value.length <= MAX_TEXT_LENGTH ? value : `${value.slice(0, MAX_TEXT_LENGTH)}…`
  }

  #address(value: unknown, field: LogField): string | undefined {
    const text = this.#text(value, field)
    return text === undefined ? undefined : maskUrl(text)
  }

  #words(value: unknown, field: LogField): string | undefined {
    const text = this.#text(value, field)
    return text === undefined ? undefined : maskUrlsIn(text)
  }

  #instant(value: unknown, field: LogField): Date | undefined {
    const text = this.#text(value, field)
    return text === undefined ? undefined : parseInstant(text)
  }

  #integer(value: unknown, field: LogField): bigint | undefined {
    if (value === undefined || value === null) return undefined
    if (typeof value === 'bigint') return value
    return Number.isInteger(value) ? BigInt(value as number) : refuse(field)
  }

  #number(value: unknown, field: LogField): number | undefined {
    if (value === undefined || value === null) return undefined
    return typeof value === 'number' && Number.isFinite(value) ? value : refuse(field)
  }
}

function refuse(field: LogField): never {
  throw new UnfitRow(`${field} has the wrong type`)
}
