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
const MAX_INTEGER_DIGITS = 19
/** Without any of these there is nothing to mask. Read so, a part of a longer text is looked through the fastest. */
const MAY_HIDE = /[?#=@]/
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
  #text = ''
  #zoneText = ''
  #zoneId: bigint | undefined

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
    for (let at = start; at < end; at += 1) {
      if (buffer[at] !== SEPARATOR) continue
      if (fields === MAX_FIELDS) return false
      starts[fields] = at + 1 - start
      fields += 1
    }
    if (fields < DAY_LINE_MIN_FIELDS) return false
    starts[fields] = end + 1 - start
    this.#fields = Math.min(fields, DAY_LINE_FIELDS.length)
    const stop = start + (starts[this.#fields] ?? 0) - 1
    this.#text = buffer.toString('utf8', start, stop)
    // Characters beyond ASCII are shorter as text than they are as bytes.
    if (this.#text.length !== stop - start) this.#startsInText()
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
    return text !== undefined && MAY_HIDE.test(text) ? maskUrl(text) : text
  }

  /** What a client calls itself. */
  agent(): string | undefined {
    const text = this.at(INDEX.userAgent)
    return text !== undefined && MAY_HIDE.test(text) ? maskUrlsIn(text) : text
  }

  /** The same in every line of a file, as a rule. */
  zone(): bigint | undefined {
    const text = this.at(INDEX.pullZoneId)
    if (text === undefined) return undefined
    if (text === this.#zoneText) return this.#zoneId
    this.#zoneText = text
    this.#zoneId = asInteger(text)
    return this.#zoneId
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
    this.bytesSent = allowed.bytesSent ? asInteger(line.at(INDEX.bytesSent)) : undefined
    this.pullZoneId = allowed.pullZoneId ? line.zone() : undefined
    this.requestId = allowed.requestId ? line.at(INDEX.requestId) : undefined
    this.remoteIp = allowed.remoteIp ? line.at(INDEX.remoteIp) : undefined
    this.countryCode = allowed.countryCode ? line.at(INDEX.countryCode) : undefined
    this.edgeLocation = allowed.edgeLocation ? line.at(INDEX.edgeLocation) : undefined
    this.url = allowed.url ? line.masked(INDEX.url) : undefined
    this.userAgent = allowed.userAgent ? line.agent() : undefined
    this.referer = allowed.referer ? line.masked(INDEX.referer) : undefined
    this.bodyBytesSent = allowed.bodyBytesSent ? asInteger(line.at(INDEX.bodyBytesSent)) : undefined
    this.contentRange = allowed.contentRange ? line.at(INDEX.contentRange) : undefined
  }
}

function asInteger(text: string | undefined): bigint | undefined {
  if (text === undefined || text.length > MAX_INTEGER_DIGITS) return undefined
  let number = 0
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - DIGIT_ZERO
    if (digit < 0 || digit > 9) return undefined
    number = number * 10 + digit
  }
  // By way of a number where that is exact, which is several times as fast.
  return text.length <= EXACT_DIGITS ? BigInt(number) : BigInt(text)
}
