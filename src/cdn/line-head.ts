const SEPARATOR = 0x7c
const DIGIT_ZERO = 0x30
/** Four digits 0, and the same taken from a separator. */
const ZEROS = 0x30303030
const SEPARATOR_LESS_ZERO = SEPARATOR ^ DIGIT_ZERO
/** The upper half of each byte of a word. With six more to each, it is empty only where all four are 0 to 9. */
const UPPER_HALVES = 0xf0f0f0f0
const SIXES = 0x06060606
const POWERS = Int32Array.of(1, 10, 100, 1_000)
/** Milliseconds since 1970 have so many digits until the year 2286. */
const USUAL_TIME_DIGITS = 13
/** A time of more digits is none. They fit exactly into a number of JavaScript, as those of no more than this all do. */
const EXACT_DIGITS = 15
/** The longest number that a line can hold: 64 bits. */
const MAX_NUMBER_DIGITS = 19
/** A time of the usual length with its separator. */
export const USUAL_TIME_BYTES = USUAL_TIME_DIGITS + 1
/** What is read, at most, to find an amount of up to nine digits. */
export const SHORT_AMOUNT_BYTES = 12

/**
 * Whether a field of the length of a usual time begins at a place, with its separator and no other byte that ends a field or
 * a line. It may still be no number: `:` to `?` pass.
 */
export function isUsualTime(view: DataView, at: number): boolean {
  const first = view.getInt32(at, true)
  const second = view.getInt32(at + 4, true)
  const third = view.getInt32(at + 8, true)
  return (
    ((first | second | third) & UPPER_HALVES) === ZEROS &&
    (first & second & third & UPPER_HALVES) === ZEROS &&
    (view.getUint16(at + 12, true) & 0xfff0) === ((SEPARATOR << 8) | DIGIT_ZERO)
  )
}

/** The time of a field that `isUsualTime`; negative when it is no number. */
export function usualTimeAt(view: DataView, at: number): number {
  const upper = fourDigits(view.getInt32(at, true) ^ ZEROS)
  const middle = fourDigits(view.getInt32(at + 4, true) ^ ZEROS)
  const lower = fourDigits(view.getInt32(at + 8, true) ^ ZEROS)
  const last = view.getUint8(at + 12) - DIGIT_ZERO
  if (upper < 0 || middle < 0 || lower < 0 || last > 9) return -1
  return upper * 1e9 + (middle * 100_000 + lower * 10 + last)
}

/** The number in a field of at most nine digits; negative when it is longer, no number, or the line's last. 0 when it is empty. */
export function shortAmountAt(view: DataView, at: number): number {
  let upper = 0
  let digits = view.getInt32(at, true) ^ ZEROS
  let others = (digits | (digits + SIXES)) & UPPER_HALVES
  if (others === 0) {
    upper = numberOf(digits)
    digits = view.getInt32(at + 4, true) ^ ZEROS
    others = (digits | (digits + SIXES)) & UPPER_HALVES
    if (others === 0) {
      upper = Math.imul(upper, 10_000) + numberOf(digits)
      digits = view.getInt32(at + 8, true) ^ ZEROS
      others = (digits | (digits + SIXES)) & UPPER_HALVES
      if ((others & 0xffff) === 0) return -1
    }
  }
  // The lowest byte that is no digit ends the number; those before it are moved to where the last digits of four are.
  const bits = (31 - Math.clz32(others & -others)) & 0x18
  if (((digits >>> bits) & 0xff) !== SEPARATOR_LESS_ZERO) return -1
  return Math.imul(upper, POWERS[bits >> 3] ?? 0) + numberOf((digits << 8) << (24 - bits))
}

/** The number of four digits less their zeros, read as one little-endian word; negative when they are not four digits. */
function fourDigits(digits: number): number {
  return ((digits | (digits + SIXES)) & UPPER_HALVES) === 0 ? numberOf(digits) : -1
}

function numberOf(digits: number): number {
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

/** The time from a place to its end; negative when that is no time. */
export function timeOf(buffer: Buffer, start: number, end: number): number {
  if (end - start > EXACT_DIGITS) return -1
  const digits = buffer.toString('latin1', start, end)
  return /^\d+$/.test(digits) ? Number(digits) : -1
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
export function separatorAt(buffer: Buffer, start: number, end: number): number {
  let at = start
  while (at < end && buffer[at] !== SEPARATOR) at += 1
  return at < end ? at : -1
}
