/** An instant as the platform writes it: a date, optionally a time with up to 7 fraction digits, optionally a zone. */
const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,7}))?)?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/i

/**
 * Reads a date of the platform. A date without a zone is UTC, with or without a time, although JavaScript would read
 * it as local time; fractions beyond milliseconds are cut. Undefined for anything else, impossible dates included.
 */
export function parseInstant(text: string): Date | undefined {
  return parseUsual(text) ?? parseAny(text)
}

/**
 * `2026-11-20T18:00:00Z`, with up to 7 digits of a fraction or without: each line of a log has one, and an expression of
 * the regular kind would cost more than all else that is read of it. Undefined for any other text.
 */
function parseUsual(text: string): Date | undefined {
  const last = text.length - 1
  const fractionDigits = last - FRACTION_AT
  if (last !== SECONDS_END && (fractionDigits < 1 || fractionDigits > MAX_FRACTION_DIGITS)) return undefined
  if (text.charCodeAt(last) !== CAPITAL_Z || text.charCodeAt(10) !== CAPITAL_T) return undefined
  if (text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN) return undefined
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return undefined
  const century = twoDigits(text, 0)
  const year = century * 100 + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  const hour = twoDigits(text, 11)
  const minute = twoDigits(text, 14)
  const second = twoDigits(text, 17)
  const ms = last === SECONDS_END ? 0 : fractionMs(text, last)
  // Of the first hundred years `Date.UTC` makes others.
  if (century === 0 || year >= NO_DIGIT || month < 1 || month > 12 || day < 1 || day > daysIn(year, month))
    return undefined
  if (hour > 23 || minute > 59 || second > 59 || ms > 999) return undefined
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second, ms))
}

const SECONDS_END = 19
const FRACTION_AT = 20
const MAX_FRACTION_DIGITS = 7
/** Stands for a digit where there is none, and is more than any part of a date may be, so that one look finds it. */
const NO_DIGIT = 10_000
const DIGIT_0 = 0x30
const HYPHEN = 0x2d
const POINT = 0x2e
const COLON = 0x3a
const CAPITAL_T = 0x54
const CAPITAL_Z = 0x5a

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - DIGIT_0
  return value >= 0 && value <= 9 ? value : NO_DIGIT
}

function twoDigits(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1)
}

/** The digits from the point to `end`, of which three count. */
function fractionMs(text: string, end: number): number {
  if (text.charCodeAt(SECONDS_END) !== POINT) return NO_DIGIT
  let ms = 0
  let worth = 100
  for (let at = FRACTION_AT; at < end; at += 1) {
    const value = digit(text, at)
    if (value === NO_DIGIT) return NO_DIGIT
    ms += value * worth
    worth = Math.floor(worth / 10)
  }
  return ms
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function parseAny(text: string): Date | undefined {
  const match = INSTANT.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  const utc = `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`
  const asUtc = new Date(utc)
  // Date rolls 31 February over to March; what does not print back the same was no date.
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString() !== utc) return undefined
  return new Date(asUtc.getTime() - offsetMs(zone))
}

/** Writes an instant the way the platform reads it: UTC, `Z`, whole seconds unless there are milliseconds. */
export function formatInstant(instant: Date): string {
  return instant.toISOString().replace('.000Z', 'Z')
}

/** The UTC day of an instant as `YYYY-MM-DD`. */
export function utcDay(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

function offsetMs(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0
  const digits = zone.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}
