const SEPARATOR = 0x7c
const DIGIT_ZERO = 0x30
/** In each byte of a word the bit that a separator has and no digit has. */
const NO_DIGIT = 0x40404040
/** Milliseconds since 1970 have so many digits until the year 2286. */
export const USUAL_TIME_DIGITS = 13
/** A time of more digits is none. They fit exactly into a number of JavaScript, as those of no more than this all do. */
const EXACT_DIGITS = 15
/** The longest number that a line can hold: 64 bits. */
const MAX_NUMBER_DIGITS = 19

/** The number of four digits that were read as one little-endian word; negative when they are not four digits. */
export function fourDigits(word: number): number {
  const digits = word & 0x0f0f0f0f
  if (((word & 0xf0f0f0f0) ^ 0x30303030) !== 0 || ((digits + 0x06060606) & 0xf0f0f0f0) !== 0) return -1
  const pairs = Math.imul(digits, 10) + (digits >>> 8)
  return (pairs & 0xff) * 100 + ((pairs >>> 16) & 0xff)
}

/** The number of three digits at a place; negative when they are not three digits. */
export function threeDigits(buffer: Buffer, at: number): number {
  let number = 0
  for (let index = at; index < at + 3; index += 1) {
    const digit = (buffer[index] ?? 0) - DIGIT_ZERO
    if (digit < 0 || digit > 9) return -1
    number = number * 10 + digit
  }
  return number
}

/** The time in the field at a place; negative when the field is no time, or the line's last. */
export function timeAt(buffer: Buffer, start: number, end: number): number {
  const stop = separatorAt(buffer, start, end)
  if (stop < 0 || stop - start > EXACT_DIGITS) return -1
  const digits = buffer.toString('latin1', start, stop)
  return /^\d+$/.test(digits) ? Number(digits) : -1
}

/**
 * Where the field of the time at a place ends; negative when none follows it. One of the usual length is not gone through: the bit
 * that a separator has and no digit has is in none of its bytes.
 */
export function timeEndAt(buffer: Buffer, view: DataView, start: number, end: number): number {
  const last = start + USUAL_TIME_DIGITS - 1
  if (last + 1 >= end || buffer[last + 1] !== SEPARATOR) return separatorAt(buffer, start, end)
  const bits = view.getInt32(start, true) | view.getInt32(start + 4, true) | view.getInt32(start + 8, true)
  const isPlain = (bits & NO_DIGIT) === 0 && buffer[last] !== SEPARATOR
  return isPlain ? last + 1 : separatorAt(buffer, start, end)
}

/** The whole number in the field at a place, as a bigint where only that is exact; 0 when the field is none. */
export function amountAt(buffer: Buffer, start: number, end: number): number | bigint {
  const stop = separatorAt(buffer, start, end)
  if (stop < 0 || stop - start > MAX_NUMBER_DIGITS) return 0
  const digits = buffer.toString('latin1', start, stop)
  if (!/^\d+$/.test(digits)) return 0
  return digits.length <= EXACT_DIGITS ? Number(digits) : BigInt(digits)
}

/** Where the next separator of the line is; negative when there is none. */
function separatorAt(buffer: Buffer, start: number, end: number): number {
  let at = start
  while (at < end && buffer[at] !== SEPARATOR) at += 1
  return at < end ? at : -1
}
