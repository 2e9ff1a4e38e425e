import { DAY_LINE_FIELDS, DAY_LINE_MIN_FIELDS } from './dialect.ts'
import type { LogEntry, LogField } from './log-entry.ts'
import { maskUrl, maskUrlsIn } from './mask-url.ts'

/** The fields of one line of a day file as text, raw; undefined where the line says `-`. Never leaves this folder. */
export type RawLine = Readonly<Partial<Record<LogField, string>>>

type DayLineField = (typeof DAY_LINE_FIELDS)[number]

/** What a line has at most: the fields known, and the authorization header after them. */
const MAX_FIELDS = DAY_LINE_FIELDS.length + 1
const SEPARATOR = 0x7c
const DASH = 0x2d
const DIGIT_ZERO = 0x30
const EXACT_DIGITS = 15
/** A number that is not exact as one of JavaScript, and may have 64 bits. */
const LONG_INTEGER = /^\d{16,19}$/
/** Characters that stand before, or behind, whatever is masked. */
const HIDING = '?#=@%'
/** What a byte is to a line, where it is anything. Without one that hides there is nothing to mask in a field. */
const SEPARATES = 1
const HIDES = 2
const BEYOND_ASCII = 3
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(byte))
const INDEX = Object.fromEntries(DAY_LINE_FIELDS.map((field, index) => [field, index])) as Record<DayLineField, number>

/**
 * Takes lines of a day file apart, one after the other. Where fields begin and end is found in the bytes; text is made of
 * a line once, and of its fields when they are asked for. The authorization header never becomes text.
 */
export class DayLine {
  readonly #allowed: Readonly<Record<DayLineField, boolean>>
  /** Where the fields begin in `#text`, and one more: where the field after the last one would. */
  readonly #starts = new Int32Array(MAX_FIELDS + 1)
  #fields = 0
  /** A bit for each field in which something may have to be masked. */
  #hiding = 0
  #text = ''
  #zone = 0
  #zoneId = 0n

  constructor(allowed: readonly LogField[]) {
    const names = new Set<LogField>(allowed)
    this.#allowed = Object.fromEntries(DAY_LINE_FIELDS.map((field) => [field, names.has(field)])) as Record<
      DayLineField,
      boolean
    >
  }

  /**
   * Takes in the line from `start` to before `end`. False when it has too few fields, or more than a line can have:
   * somebody then got a separator into it, and which field is which is no longer certain.
   */
  read(buffer: Buffer, start: number, end: number): boolean {
    const starts = this.#starts
    let fields = 1
    let hiding = 0
    let isAscii = true
    for (let at = start; at < end; at += 1) {
      const kind = KINDS[buffer[at] ?? 0]
      if (kind === 0) continue
      if (kind === SEPARATES) {
        if (fields === MAX_FIELDS) return false
        starts[fields] = at + 1 - start
        fields += 1
      } else if (kind === HIDES) {
        hiding |= 1 << (fields - 1)
      } else {
        isAscii = false
      }
    }
    if (fields < DAY_LINE_MIN_FIELDS) return false
    starts[fields] = end + 1 - start
    this.#fields = Math.min(fields, DAY_LINE_FIELDS.length)
    this.#hiding = hiding
    const stop = start + (starts[this.#fields] ?? 0) - 1
    this.#text = buffer.toString(isAscii ? 'latin1' : 'utf8', start, stop)
    // Characters beyond ASCII are shorter as text than they are as bytes.
    if (!isAscii) this.#startsInText()
    return true
  }

  /** The line for filters, unmasked. */
  raw(): RawLine {
    const raw: Partial<Record<LogField, string>> = {}
    for (const field of DAY_LINE_FIELDS) {
      const text = this.at(INDEX[field])
      if (text !== undefined) raw[field] = text
    }
    return raw
  }

  /**
   * The entry of the line: typed, masked, and with the allowed fields only. A number that is none is left out. Its time
   * is given as it was read from the bytes, negative where there is none; so is its code.
   */
  entry(atMs: number, statusCode: number): LogEntry {
    return new Entry(this, this.#allowed, atMs, statusCode)
  }

  /** The text of a field; undefined where it is missing, empty or a dash. */
  at(index: number): string | undefined {
    if (index >= this.#fields) return undefined
    const start = this.#starts[index] ?? 0
    const stop = (this.#starts[index + 1] ?? 0) - 1
    if (stop <= start) return undefined
    // For the cache status a dash is a value of its own: no cache was involved.
    if (stop === start + 1 && index !== INDEX.cacheStatus && this.#text.charCodeAt(start) === DASH) return undefined
    return this.#text.slice(start, stop)
  }

  /** An address. */
  masked(index: number): string | undefined {
    const text = this.at(index)
    return text !== undefined && this.#mayHide(index) ? maskUrl(text) : text
  }

  /** What a client calls itself. */
  agent(): string | undefined {
    const text = this.at(INDEX.userAgent)
    return text !== undefined && this.#mayHide(INDEX.userAgent) ? maskUrlsIn(text) : text
  }

  /** A whole number of 64 bits; undefined where the field is none. */
  integer(index: number): bigint | undefined {
    const number = this.#numberAt(index)
    if (number >= 0) return BigInt(number)
    const text = this.at(index)
    return text !== undefined && LONG_INTEGER.test(text) ? BigInt(text) : undefined
  }

  /** The same in every line of a file, as a rule. */
  zone(): bigint | undefined {
    const number = this.#numberAt(INDEX.pullZoneId)
    if (number < 0) return this.integer(INDEX.pullZoneId)
    if (number !== this.#zone) {
      this.#zone = number
      this.#zoneId = BigInt(number)
    }
    return this.#zoneId
  }

  #mayHide(index: number): boolean {
    return (this.#hiding & (1 << index)) !== 0
  }

  /** The number of at most 15 digits in a field; negative where there is none. */
  #numberAt(index: number): number {
    if (index >= this.#fields) return -1
    const start = this.#starts[index] ?? 0
    const stop = (this.#starts[index + 1] ?? 0) - 1
    if (stop <= start || stop - start > EXACT_DIGITS) return -1
    let number = 0
    for (let at = start; at < stop; at += 1) {
      const digit = this.#text.charCodeAt(at) - DIGIT_ZERO
      if (digit < 0 || digit > 9) return -1
      number = number * 10 + digit
    }
    return number
  }

  /** Finds the fields anew, in the text. */
  #startsInText(): void {
    let start = 0
    for (let index = 1; index <= this.#fields; index += 1) {
      const stop = this.#text.indexOf('|', start)
      start = (stop < 0 ? this.#text.length : stop) + 1
      this.#starts[index] = start
    }
  }
}

/**
 * An object of a class, since the engine watches what becomes of object literals: once the first thousand have been kept
 * it makes all that follow as old ones, which are then collected late.
 */
class Entry implements LogEntry {
  readonly cacheStatus
  readonly timestamp
  readonly statusCode
  readonly bytesSent
  readonly pullZoneId
  readonly requestId
  readonly remoteIp
  readonly countryCode
  readonly edgeLocation
  readonly url
  readonly userAgent
  readonly referer
  readonly bodyBytesSent
  readonly contentRange

  constructor(line: DayLine, allowed: Readonly<Record<DayLineField, boolean>>, atMs: number, statusCode: number) {
    this.cacheStatus = allowed.cacheStatus ? line.at(INDEX.cacheStatus) : undefined
    this.timestamp = allowed.timestamp && atMs >= 0 ? new Date(atMs) : undefined
    this.statusCode = allowed.statusCode ? statusCode : undefined
    this.bytesSent = allowed.bytesSent ? line.integer(INDEX.bytesSent) : undefined
    this.pullZoneId = allowed.pullZoneId ? line.zone() : undefined
    this.requestId = allowed.requestId ? line.at(INDEX.requestId) : undefined
    this.remoteIp = allowed.remoteIp ? line.at(INDEX.remoteIp) : undefined
    this.countryCode = allowed.countryCode ? line.at(INDEX.countryCode) : undefined
    this.edgeLocation = allowed.edgeLocation ? line.at(INDEX.edgeLocation) : undefined
    this.url = allowed.url ? line.masked(INDEX.url) : undefined
    this.userAgent = allowed.userAgent ? line.agent() : undefined
    this.referer = allowed.referer ? line.masked(INDEX.referer) : undefined
    this.bodyBytesSent = allowed.bodyBytesSent ? line.integer(INDEX.bodyBytesSent) : undefined
    this.contentRange = allowed.contentRange ? line.at(INDEX.contentRange) : undefined
  }
}

function kindOf(byte: number): number {
  if (byte === SEPARATOR) return SEPARATES
  if (HIDING.includes(String.fromCharCode(byte))) return HIDES
  return byte < 0x80 ? 0 : BEYOND_ASCII
}
