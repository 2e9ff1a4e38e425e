import { keepForms } from '../shared/kept-forms.ts'
import { parseInstant } from './dates.ts'
import { exactFields } from './json.ts'
import { LOG_FIELDS, type LogEntry, type LogField } from './log-entry.ts'
import { maskUrl, maskUrlsIn } from './mask-url.ts'

/** What is read of one text, in characters: more than any address a server takes, and little enough to mask at once. */
const MAX_TEXT_LENGTH = 16 * 1024

/** A row that cannot be read. The message names the field that is of the wrong type, without its value. */
export class UnfitRow extends Error {
  override readonly name = 'UnfitRow'
}

/** A number of a row that was rounded, and may stand for several integers: the row has to be parsed with each digit. */
export class UnclearNumber extends Error {
  override readonly name = 'UnclearNumber'
}

/**
 * Reads rows of version 2 into entries, taking only the allowed fields. Written out by hand, field by field: rows come by
 * the thousand, all alike, and whatever looks fields up by their names costs several times as much.
 */
export class LogRowReader {
  readonly #allowed: Allowed
  #characters = 0
  #rounded: string | undefined
  #exact: ReadonlyMap<number, bigint> | undefined

  constructor(allowed: readonly LogField[]) {
    this.#allowed = allowedOf(new Set(allowed))
  }

  /** How much text has been read so far: what all the work on rows is measured by. */
  get characters(): number {
    return this.#characters
  }

  /**
   * Says what `JSON.parse` made the rows of that follow, which rounds long integers; undefined of rows in which none is rounded.
   */
  begin(rounded: string | undefined): void {
    this.#rounded = rounded
    this.#exact = undefined
  }

  /**
   * One row. Throws {@link UnfitRow}, and {@link UnclearNumber}. Rows are what `JSON.parse` made, so no field is inherited.
   */
  read(row: unknown): LogEntry {
    if (typeof row !== 'object' || row === null) throw new UnfitRow('a row is not an object')
    const sent: { readonly [Name in LogField]?: unknown } = row
    const allowed = this.#allowed
    return {
      cacheStatus: allowed.cacheStatus ? this.#text('cacheStatus', sent.cacheStatus) : undefined,
      timestamp: allowed.timestamp ? instantOf('timestamp', sent.timestamp) : undefined,
      statusCode: allowed.statusCode ? this.#number('statusCode', sent.statusCode) : undefined,
      bytesSent: allowed.bytesSent ? this.#integer('bytesSent', sent.bytesSent) : undefined,
      pullZoneId: allowed.pullZoneId ? this.#integer('pullZoneId', sent.pullZoneId) : undefined,
      requestId: allowed.requestId ? this.#text('requestId', sent.requestId) : undefined,
      remoteIp: allowed.remoteIp ? this.#text('remoteIp', sent.remoteIp) : undefined,
      countryCode: allowed.countryCode ? this.#text('countryCode', sent.countryCode) : undefined,
      edgeLocation: allowed.edgeLocation ? this.#text('edgeLocation', sent.edgeLocation) : undefined,
      scheme: allowed.scheme ? this.#text('scheme', sent.scheme) : undefined,
      host: allowed.host ? this.#text('host', sent.host) : undefined,
      path: allowed.path ? this.#address('path', sent.path) : undefined,
      url: allowed.url ? this.#address('url', sent.url) : undefined,
      userAgent: allowed.userAgent ? this.#words('userAgent', sent.userAgent) : undefined,
      referer: allowed.referer ? this.#address('referer', sent.referer) : undefined,
      ja4Fingerprint: allowed.ja4Fingerprint ? this.#text('ja4Fingerprint', sent.ja4Fingerprint) : undefined,
      asn: allowed.asn ? this.#integer('asn', sent.asn) : undefined,
      asnOrganization: allowed.asnOrganization ? this.#text('asnOrganization', sent.asnOrganization) : undefined,
      bodyBytesSent: allowed.bodyBytesSent ? this.#integer('bodyBytesSent', sent.bodyBytesSent) : undefined,
      contentRange: allowed.contentRange ? this.#text('contentRange', sent.contentRange) : undefined,
    }
  }

  #text(field: LogField, value: unknown): string | undefined {
    if (typeof value !== 'string') return nothing(field, value)
    this.#characters += value.length
    return value.length <= MAX_TEXT_LENGTH ? value : `${value.slice(0, MAX_TEXT_LENGTH)}…`
  }

  #address(field: LogField, value: unknown): string | undefined {
    const text = this.#text(field, value)
    return text === undefined ? undefined : maskUrl(text)
  }

  #words(field: LogField, value: unknown): string | undefined {
    const text = this.#text(field, value)
    return text === undefined ? undefined : maskUrlsIn(text)
  }

  #integer(field: LogField, value: unknown): bigint | undefined {
    if (typeof value === 'bigint') return value
    if (typeof value !== 'number') return nothing(field, value)
    if (Number.isSafeInteger(value)) return BigInt(value)
    return Number.isInteger(value) ? BigInt(this.#unrounded(value)) : refuse(field)
  }

  #number(field: LogField, value: unknown): number | undefined {
    if (typeof value !== 'number') return nothing(field, value)
    if (!Number.isFinite(value)) return refuse(field)
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value
    return typeof this.#unrounded(value) === 'bigint' ? refuse(field) : value
  }

  /** What a double stands for that is too large to be exact. */
  #unrounded(value: number): bigint | number {
    if (this.#rounded === undefined) return value
    this.#exact ??= exactFields(this.#rounded)
    if (this.#exact === undefined) throw new UnclearNumber('one number may stand for several integers')
    return this.#exact.get(value) ?? value
  }
}

type Allowed = Readonly<Record<LogField, boolean>>

/** Field by field here too, so that every reader's has the same shape. */
function allowedOf(fields: ReadonlySet<LogField>): Allowed {
  return {
    cacheStatus: fields.has('cacheStatus'),
    timestamp: fields.has('timestamp'),
    statusCode: fields.has('statusCode'),
    bytesSent: fields.has('bytesSent'),
    pullZoneId: fields.has('pullZoneId'),
    requestId: fields.has('requestId'),
    remoteIp: fields.has('remoteIp'),
    countryCode: fields.has('countryCode'),
    edgeLocation: fields.has('edgeLocation'),
    scheme: fields.has('scheme'),
    host: fields.has('host'),
    path: fields.has('path'),
    url: fields.has('url'),
    userAgent: fields.has('userAgent'),
    referer: fields.has('referer'),
    ja4Fingerprint: fields.has('ja4Fingerprint'),
    asn: fields.has('asn'),
    asnOrganization: fields.has('asnOrganization'),
    bodyBytesSent: fields.has('bodyBytesSent'),
    contentRange: fields.has('contentRange'),
  }
}

/** What is missing or null is the same to us; what is of another type makes the row unreadable. */
function nothing(field: LogField, value: unknown): undefined {
  if (value !== undefined && value !== null) refuse(field)
}

function refuse(field: LogField): never {
  throw new UnfitRow(`${field} has the wrong type`)
}

function instantOf(field: LogField, value: unknown): Date | undefined {
  return typeof value === 'string' ? parseInstant(value) : nothing(field, value)
}

const reader = new LogRowReader(LOG_FIELDS)
const [text, number] = ['https://a.example/', 1]
const row = {
  ...Object.fromEntries(LOG_FIELDS.map((field) => [field, text])),
  timestamp: '2026-01-01T00:00:00Z',
  statusCode: number,
  bytesSent: number,
  pullZoneId: number,
  asn: number,
  bodyBytesSent: number,
}
keepForms(reader, reader.read({}), reader.read(row))
