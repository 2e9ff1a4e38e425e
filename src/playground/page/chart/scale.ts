/** The values an axis is marked with, from its lower to its upper end. */
export interface Scale {
  readonly ticks: readonly number[]
  /** Where a value stands between the ends: 0 to 1. */
  readonly position: (value: number) => number
}

const WANTED_STEPS = 4
/** A line that varies by less than this share of its size is shown without the way down to zero. */
const FLAT_SHARE = 0.5
/** Differences below this share of the values, and values below it, cannot be seen. */
const NOTHING = 1e-9

/** A scale with round marks around the values. It leaves zero out where a line would be flat. */
export function scaleFor(values: readonly number[]): Scale {
  const least = values.reduce((min, value) => Math.min(min, value), values[0] ?? 0)
  const most = values.reduce((max, value) => Math.max(max, value), values[0] ?? 0)
  const size = Math.max(Math.abs(least), Math.abs(most))
  const isFlat = least > 0 === most > 0 && most - least < size * FLAT_SHARE
  const low = isFlat ? least : Math.min(0, least)
  const high = isFlat ? most : Math.max(0, most)
  const step = roundStep(stepFor(high - low, size))
  const first = Math.floor(low / step)
  const last = Math.max(Math.ceil(high / step), first + 1)
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => rounded((first + index) * step))
  const from = first * step
  const span = (last - first) * step
  return { ticks, position: (value) => (value - from) / span }
}

/** A number as an axis shows it: short, with its thousands apart. */
export function shortNumber(value: number): string {
  const compact = Math.abs(value) >= 1e5
  return new Intl.NumberFormat('en-US', {
    maximumFractionDigits: Math.abs(value) < 1 ? 3 : 2,
    ...(compact ? { notation: 'compact' as const } : {}),
  })
    .format(value)
    .replace('-', '−')
}

/** A step for what lies between the ends, or where that is next to nothing, for how large the values are. */
function stepFor(span: number, size: number): number {
  if (span > Math.max(size * NOTHING, NOTHING)) return span / WANTED_STEPS
  return size > NOTHING ? size / WANTED_STEPS : 1
}

/** 1, 2, 2.5 or 5 times a power of ten, at least as large as what is wanted. */
function roundStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted))
  const factor = [1, 2, 2.5, 5].find((candidate) => candidate * power >= wanted * 0.999) ?? 10
  return factor * power
}

/** Without the dust of binary fractions. */
function rounded(value: number): number {
  return Number(value.toPrecision(12))
}
