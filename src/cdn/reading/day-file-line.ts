import { DAY_LINE_FIELDS, DAY_LINE_MIN_FIELDS } from '../contract/dialect.ts'
import type { LogEntry, LogField } from '../contract/log-entry.ts'
import { maskUrl, maskUrlsIn } from '../contract/mask-url.ts'

/** A line with the fields that are read of every line. */
export interface DayLine {
  /** A character for each byte: what is not ASCII is text only once it is decoded. */
  readonly line: string
  /** `-` for none. */
  readonly cacheStatus: string
  readonly statusCode: number
  /** In milliseconds since 1970; undefined when the line has no time. */
  readonly atMs: number | undefined
}

/** A status is a word of at most 31 characters. A time of more than 15 digits is none. */
const HEAD = /^([^|]{1,31})\|([1-5]\d\d)\|(?:(\d{1,15})\|)?/

/** Undefined for what does not begin with a cache status and a status code. */
export function readDayLine(line: string): DayLine | undefined {
  const [, cacheStatus, code, time] = HEAD.exec(line) ?? []
  if (cacheStatus === undefined) return undefined
  return { line, cacheStatus, statusCode: Number(code), atMs: time === undefined ? undefined : Number(time) }
}

/** An entry in the making: its addresses are not masked yet, so that a filter can look for what is then masked. */
export type RawEntry = { -readonly [Field in keyof LogEntry]: LogEntry[Field] }

/**
 * The entry of a line; undefined when it has too few fields, or more than a line can have: somebody then got a separator
 * into it, and which field is which is no longer certain. The last one of fifteen is the authorization header, which is
 * left out. So is a number that is none.
 */
export function readRawEntry({ line, cacheStatus, statusCode, atMs }: DayLine): RawEntry | undefined {
  const texts = Buffer.from(line, 'latin1').toString().replace(/\r$/, '').split('|')
  if (texts.length < DAY_LINE_MIN_FIELDS || texts.length > DAY_LINE_FIELDS.length + 1) return undefined
  const text = (field: (typeof DAY_LINE_FIELDS)[number]): string | undefined => {
    const written = texts[DAY_LINE_FIELDS.indexOf(field)]
    return written === '' || written === '-' ? undefined : written
  }
  return {
    cacheStatus,
    timestamp: atMs === undefined ? undefined : new Date(atMs),
    statusCode,
    bytesSent: integerFrom(text('bytesSent')),
    pullZoneId: integerFrom(text('pullZoneId')),
    requestId: text('requestId'),
    remoteIp: text('remoteIp'),
    countryCode: text('countryCode'),
    edgeLocation: text('edgeLocation'),
    url: text('url'),
    userAgent: text('userAgent'),
    referer: text('referer'),
    bodyBytesSent: integerFrom(text('bodyBytesSent')),
    contentRange: text('contentRange'),
  }
}

function integerFrom(text = ''): bigint | undefined {
  return /^\d{1,19}$/.test(text) ? BigInt(text) : undefined
}

/** Masks the addresses of an entry, and takes out the fields that are withheld. */
export function finishEntry(entry: RawEntry, withheld: readonly LogField[]): LogEntry {
  const { url, userAgent, referer } = entry
  if (url !== undefined) entry.url = maskUrl(url)
  if (userAgent !== undefined) entry.userAgent = maskUrlsIn(userAgent)
  if (referer !== undefined) entry.referer = maskUrl(referer)
  for (const field of withheld) delete entry[field]
  return entry
}
