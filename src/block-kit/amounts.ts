const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB'] as const
const STEP = 1_000n
/** A true minus: screen readers say it, and it is as wide as the plus. */
const MINUS = '−'

/**
 * A size in decimal units, as storage is billed: `1.25 GB` is 1,250,000,000 bytes. Below 1,000 it is exact, above it is
 * rounded half up to two decimals. Counted in bigint, so no size is too large.
 */
export function bytes(value: bigint): string {
  if (value < 0n) return `${MINUS}${bytes(-value)}`
  if (value < STEP) return `${value} ${value === 1n ? 'byte' : 'bytes'}`
  let unit = 1
  let size = STEP
  while (unit < UNITS.length - 1 && hundredths(value, size) >= STEP * 100n) {
    unit += 1
    size *= STEP
  }
  const rounded = hundredths(value, size)
  return `${grouped(rounded / 100n)}.${String(rounded % 100n).padStart(2, '0')} ${UNITS[unit]}`
}

/** A size in three digits, for a headline: `581 GB`, `54.8 GB`. */
export function roundBytes(value: bigint): string {
  if (value < 0n) return `${MINUS}${roundBytes(-value)}`
  // Rounded before its unit is chosen: 999,990 bytes are 1.00 MB.
  const step = 10n ** BigInt(Math.max(0, String(value).length - 3))
  const [amount = '', unit = ''] = bytes(((value + step / 2n) / step) * step).split(' ')
  return `${threeDigits(amount)} ${unit}`
}

/** An amount for a headline: `1.67 M`; below a million it is exact. */
export function roundCount(value: bigint): string {
  return value < 1_000_000n ? count(value) : `${threeDigits(String(Number(hundredths(value, 1_000_000n)) / 100))} M`
}

/** Of a number as it is written above. */
function threeDigits(amount: string): string {
  const [whole = '', decimals] = amount.split('.')
  if (decimals === undefined) return amount
  return whole.length > 3 ? whole : Number(amount).toFixed(Math.max(0, 3 - whole.length))
}

export function count(value: bigint | number): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    return Number.isFinite(value) ? String(value) : 'unknown'
  }
  return value < 0 ? `${MINUS}${grouped(-value)}` : grouped(value)
}

/** A share of one as a percentage with one decimal; never shows `0.0 %` or `100.0 %` for something between. */
export function percent(share: number): string {
  if (!Number.isFinite(share)) return 'unknown'
  if (share > 0 && share < 0.000_5) return '<0.1 %'
  if (share < 1 && share >= 0.999_5) return '>99.9 %'
  const shown = (Math.abs(share) * 100).toFixed(1)
  return share < 0 && shown !== '0.0' ? `${MINUS}${shown} %` : `${shown} %`
}

/** A change in three digits with its sign: `+1.25 GB`, `−5 bytes`, `±0 bytes`. */
export function changeInBytes(value: bigint): string {
  const size = value < 0n ? -value : value
  const sign = value === 0n ? '±' : value < 0n ? MINUS : '+'
  return `${sign}${roundBytes(size)}`
}

/** As `Intl.NumberFormat` would write it, whose data take 8 MB of memory. */
function grouped(value: bigint | number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

function hundredths(value: bigint, size: bigint): bigint {
  return (value * 100n + size / 2n) / size
}

export function counted(amount: number | bigint, singular: string, plural = `${singular}s`): string {
  return `${count(amount)} ${BigInt(amount) === 1n ? singular : plural}`
}
