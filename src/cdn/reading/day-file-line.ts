import { DAY_LINE_FIELDS, DAY_LINE_MIN_FIELDS } from '../contract/dialect.ts'
import type { LogEntry, LogField } from '../contract/log-entry.ts'
import { maskUrl, maskUrlsIn } from '../contract/mask-url.ts'
import type { DayFileSummary } from '../contract/cdn.ts'

/** A line whose first three fields were read from its bytes. It ends in `buffer` before `end`. */
export interface DayLine {
  readonly buffer: Buffer
  readonly end: number
  /** `-` for none. */
  readonly cacheStatus: string
  readonly statusCode: number
  /** In milliseconds since 1970; undefined when the line has no time. */
  readonly atMs: number | undefined
  /** Where the separator behind the status code is. */
  readonly codeEnd: number
}

const SEPARATOR = 0x7c
const CARRIAGE_RETURN = 0x0d
const DIGIT_ZERO = 0x30
/** A number of more digits may not be exact. A time of more digits is none. */
const EXACT_DIGITS = 15
const MOST_DIGITS = 19
/** Cache status and status code. */
const READ_FIELDS = 2
/** Where each field stands behind those. */
const INDEX = Object.fromEntries(DAY_LINE_FIELDS.map((field, index) => [field, index - READ_FIELDS])) as Record<
  (typeof DAY_LINE_FIELDS)[number],
  number
>

/** An entry in the making: its addresses are not masked yet, so that a filter can look for what is then masked. */
export type RawEntry = { -readonly [Field in keyof LogEntry]: LogEntry[Field] }

/**
 * The entry of a line; undefined when it has too few fields, or more than a line can have: somebody then got a separator
 * into it, and which field is which is no longer certain. The last one of fifteen is the authorization header, which is
 * not decoded. A number that is none is left out.
 */
export function readRawEntry(line: DayLine): RawEntry | undefined {
  const { buffer, end: lineEnd, codeEnd, cacheStatus, statusCode, atMs } = line
  const end = buffer[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd
  const last = buffer.lastIndexOf(SEPARATOR, end - 1)
  const texts = buffer.toString('utf8', codeEnd + 1, last).split('|')
  const fields = READ_FIELDS + texts.length
  if (fields < DAY_LINE_MIN_FIELDS - 1 || fields > DAY_LINE_FIELDS.length) return undefined
  if (fields < DAY_LINE_FIELDS.length) texts.push(buffer.toString('utf8', last + 1, end))
  return {
    cacheStatus,
    timestamp: atMs === undefined ? undefined : new Date(atMs),
    statusCode,
    bytesSent: readInteger(texts[INDEX.bytesSent]),
    pullZoneId: readInteger(texts[INDEX.pullZoneId]),
    requestId: withoutDash(texts[INDEX.requestId]),
    remoteIp: withoutDash(texts[INDEX.remoteIp]),
    countryCode: withoutDash(texts[INDEX.countryCode]),
    edgeLocation: withoutDash(texts[INDEX.edgeLocation]),
    url: withoutDash(texts[INDEX.url]),
    userAgent: withoutDash(texts[INDEX.userAgent]),
    referer: withoutDash(texts[INDEX.referer]),
    bodyBytesSent: readInteger(texts[INDEX.bodyBytesSent]),
    contentRange: withoutDash(texts[INDEX.contentRange]),
  }
}

function withoutDash(text: string | undefined): string | undefined {
  return text === '' || text === '-' ? undefined : text
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

export function findSeparator(buffer: Buffer, start: number, end: number): number {
  let at = start
  while (at < end && buffer[at] !== SEPARATOR) at += 1
  return at < end ? at : -1
}

/**
 * The whole number between a place and the next separator. Undefined when it is none of at most 15 digits, or no separator
 * stands before the end.
 */
export function readWhole(buffer: Buffer, start: number, end: number): number | undefined {
  let number = 0
  let at = start
  for (; at < end && buffer[at] !== SEPARATOR; at += 1) {
    const digit = (buffer[at] ?? 0) - DIGIT_ZERO
    if (digit < 0 || digit > 9) return undefined
    number = number * 10 + digit
  }
  return at === end || at === start || at - start > EXACT_DIGITS ? undefined : number
}

/** Of at most 19 digits. A regular expression and a conversion take three times as long, three times a line. */
function readInteger(text: string | undefined): bigint | undefined {
  if (text === undefined || text === '' || text.length > MOST_DIGITS) return undefined
  let number = 0
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - DIGIT_ZERO
    if (digit < 0 || digit > 9) return undefined
    number = number * 10 + digit
  }
  return BigInt(text.length > EXACT_DIGITS ? text : number)
}

/** More statuses than this are no statuses; the rest is counted together. */
const MAX_STATUSES = 64
const OTHER_STATUS = 'other'

interface CountedStatus {
  /** Undefined for those that are counted together. */
  readonly name: string | undefined
  readonly bytes: Buffer
  readonly isWanted: boolean
  lines: number
}

/**
 * Counts lines by cache status and by class of status code. Bounded, whatever the lines say. `wantsStatus` is asked once for
 * each status, and for all those of which there are too many as undefined.
 */
export function lineCounts(wantsStatus: (cacheStatus: string | undefined) => boolean) {
  const counted = (name: string | undefined, bytes: Buffer): CountedStatus => {
    return { name, bytes, isWanted: wantsStatus(name), lines: 0 }
  }
  const statuses: CountedStatus[] = []
  /** Counts what is counted together. A status may be called `other` all the same. */
  const other = counted(undefined, Buffer.alloc(0))
  const codes = Array.from({ length: 600 }, () => 0)
  const add = (bytes: Buffer): CountedStatus => {
    if (statuses.length >= MAX_STATUSES) return other
    const added = counted(bytes.toString('latin1'), Buffer.from(bytes))
    statuses.push(added)
    return added
  }
  return {
    /** Counts a line with the status from `start` to before `end`. The code is one of 100 to 599. */
    count(buffer: Buffer, start: number, end: number, statusCode: number): CountedStatus {
      // They are few, and the most frequent come early.
      let index = 0
      while (index < statuses.length && !isSame(statuses[index]?.bytes, buffer, start, end)) index += 1
      const status = statuses[index] ?? add(buffer.subarray(start, end))
      status.lines += 1
      codes[statusCode] = (codes[statusCode] ?? 0) + 1
      return status
    },
    summary(): Pick<DayFileSummary, 'countsByCacheStatus' | 'countsByStatusClass'> {
      const countsByCacheStatus = new Map<string, number>()
      const countsByStatusClass = new Map<string, number>()
      const seen = [...statuses, other].filter(({ lines }) => lines > 0)
      for (const { name = OTHER_STATUS, lines } of seen.toSorted((a, b) => b.lines - a.lines)) {
        countsByCacheStatus.set(name, (countsByCacheStatus.get(name) ?? 0) + lines)
      }
      for (const [code, lines] of codes.entries()) {
        const name = `${Math.floor(code / 100)}xx`
        if (lines > 0) countsByStatusClass.set(name, (countsByStatusClass.get(name) ?? 0) + lines)
      }
      return { countsByCacheStatus, countsByStatusClass }
    },
  }
}

function isSame(bytes: Buffer | undefined, buffer: Buffer, start: number, end: number): boolean {
  if (bytes?.length !== end - start) return false
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] !== buffer[start + at]) return false
  return true
}
