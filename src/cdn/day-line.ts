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
/** The sign bit of each of four bytes: none is set while all of them are ASCII. */
const BEYOND_ASCII = 0x80808080
const SEPARATORS = 0x7c7c7c7c
const INDEX = Object.fromEntries(DAY_LINE_FIELDS.map((field, index) => [field, index])) as Record<DayLineField, number>

/**
 * Takes lines of a day file apart, one after the other. Where fields begin and end is found in the bytes; text is made of
 * a line once, and of its fields when they are asked for. The authorization header never becomes text.
 */
export class DayLine {
  readonly #allowed: Readonly<Record<DayLineField, boolean>>
  /** Where the fields begin in `#text`, and one more: where the field after the last one would. */
  readonly #starts = new Int32Array(MAX_FIELDS + 1)
  #buffer: Buffer | undefined
  #view: DataView = new DataView(new ArrayBuffer(0))
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
    if (buffer !== this.#buffer) {
      this.#buffer = buffer
      this.#view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
    }
    const view = this.#view
    const starts = this.#starts
    let fields = 1
    let seen = 0
    let at = start
    while (at < end) {
      if (at + 4 <= end) {
        const word = view.getInt32(at, true)
        seen |= word
        const others = word ^ SEPARATORS
        // Only where a byte of it is zero does the subtraction borrow from a sign bit that was not set.
        if (((others - 0x01010101) & ~others & BEYOND_ASCII) === 0) {
          at += 4
          continue
        }
      }
      const stop = Math.min(end, at + 4)
      for (; at < stop; at += 1) {
        const byte = buffer[at] ?? 0
        seen |= byte
        if (byte !== SEPARATOR) continue
        if (fields === MAX_FIELDS) return false
        starts[fields] = at + 1 - start
        fields += 1
      }
    }
    if (fields < DAY_LINE_MIN_FIELDS) return false
    starts[fields] = end + 1 - start
    this.#fields = Math.min(fields, DAY_LINE_FIELDS.length)
    const stop = start + (starts[this.#fields] ?? 0) - 1
    if ((seen & BEYOND_ASCII) === 0) {
      this.#text = buffer.toString('latin1', start, stop)
    } else {
      this.#text = buffer.toString('utf8', start, stop)
      this.#startsInText()
    }
    return true
  }

  /** The line for filters, unmasked. */
  raw(): RawLine {
    const raw: Partial<Record<LogField, string>> = {}
    for (const field of DAY_LINE_FIELDS) {
      const text = this.#at(INDEX[field])
      if (text !== undefined) raw[field] = text
    }
    return raw
  }

  /**
   * The entry of the line: typed, masked, and with the allowed fields only. A number that is none is left out. Its time
   * is given as it was read from the bytes, negative where there is none; so is its code.
   */
  entry(atMs: number, statusCode: number): LogEntry {
    const allowed = this.#allowed
    return {
      cacheStatus: allowed.cacheStatus ? this.#at(INDEX.cacheStatus) : undefined,
      timestamp: allowed.timestamp && atMs >= 0 ? new Date(atMs) : undefined,
      statusCode: allowed.statusCode ? statusCode : undefined,
      bytesSent: allowed.bytesSent ? asInteger(this.#at(INDEX.bytesSent)) : undefined,
      pullZoneId: allowed.pullZoneId ? this.#zone() : undefined,
      requestId: allowed.requestId ? this.#at(INDEX.requestId) : undefined,
      remoteIp: allowed.remoteIp ? this.#at(INDEX.remoteIp) : undefined,
      countryCode: allowed.countryCode ? this.#at(INDEX.countryCode) : undefined,
      edgeLocation: allowed.edgeLocation ? this.#at(INDEX.edgeLocation) : undefined,
      url: allowed.url ? this.#masked(INDEX.url) : undefined,
      userAgent: allowed.userAgent ? this.#agent() : undefined,
      referer: allowed.referer ? this.#masked(INDEX.referer) : undefined,
      bodyBytesSent: allowed.bodyBytesSent ? asInteger(this.#at(INDEX.bodyBytesSent)) : undefined,
      contentRange: allowed.contentRange ? this.#at(INDEX.contentRange) : undefined,
    }
  }

  /** The text of a field; undefined where it is missing, empty or a dash. */
  #at(index: number): string | undefined {
    if (index >= this.#fields) return undefined
    const start = this.#starts[index] ?? 0
    const stop = (this.#starts[index + 1] ?? 0) - 1
    if (stop <= start) return undefined
    // For the cache status a dash is a value of its own: no cache was involved.
    if (stop === start + 1 && index !== INDEX.cacheStatus && this.#text.charCodeAt(start) === DASH) return undefined
    return this.#text.slice(start, stop)
  }

  #masked(index: number): string | undefined {
    const text = this.#at(index)
    return text && maskUrl(text)
  }

  #agent(): string | undefined {
    const text = this.#at(INDEX.userAgent)
    return text && maskUrlsIn(text)
  }

  /** The same in every line of a file, as a rule. */
  #zone(): bigint | undefined {
    const text = this.#at(INDEX.pullZoneId)
    if (text === undefined) return undefined
    if (text === this.#zoneText) return this.#zoneId
    this.#zoneText = text
    this.#zoneId = asInteger(text)
    return this.#zoneId
  }

  /** Characters beyond ASCII are shorter as text than they are as bytes. */
  #startsInText(): void {
    let start = 0
    for (let index = 1; index <= this.#fields; index += 1) {
      const stop = this.#text.indexOf('|', start)
      start = (stop < 0 ? this.#text.length : stop) + 1
      this.#starts[index] = start
    }
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
