import { median, quantile, robustDeviation } from './robust.ts'
import { coveredIn, type Traffic } from './traffic.ts'
import { measureWindows, spokenRateMeasure } from './window-measures.ts'

/** So many windows of the hours before have to be known. */
const MIN_WINDOWS = 8
/** However even the traffic is, so much from one minute to another is ordinary, beside what chance makes of few lines. */
const LEAST_NOISE = 0.18
/** What "half an hour ago" is the median of, in minutes back from now. */
const AGO = { from: 45, until: 20 }
/** Traffic that grows or falls faster than this a minute does not do so because of the hour of the day. */
const FASTEST_TREND = 0.004

/** The newest window. */
interface Window {
  readonly until: number
  readonly minutes: number
}

/** Which window is compared with which. */
interface Compared extends Window {
  /** How long before it is looked at. */
  readonly hours: number
}

/** How the newest window of traffic compares with those before it. Rates are lines a minute. */
export interface TrafficChange {
  readonly now: number
  /** Median of the windows in the hours before. */
  readonly usual: number
  readonly windows: number
  /** Distance from `usual` in robust standard deviations of those windows. */
  readonly z: number
  /** Rate half an hour ago, as far as it is known. */
  readonly ago: number | undefined
  /** As high, or as low, as windows of the hours before were now and then. */
  readonly seenHigh: boolean
  readonly seenLow: boolean
}

/**
 * Distance under and over what half an hour ago lets expect, in deviations from one window to the next: positive for a fall
 * and for a rise. 0 where that is not known.
 */
export interface Unlike {
  readonly fall: number
  readonly rise: number
}

/**
 * Compares the window of so many minutes before `until` with the windows of the hours before it. Undefined where too little was
 * read to say so. Deviations are never taken for smaller than chance alone makes them.
 */
export function trafficChange(traffic: Traffic, compared: Compared): TrafficChange | undefined {
  const { until, minutes } = compared
  const now = rateAt(traffic, until, minutes)
  const rates = ratesBefore(traffic, compared)
  if (now === undefined || rates === undefined) return undefined
  const usual = median(rates) ?? 0
  const read = minutes * coveredIn(traffic, until - minutes, until)
  const spread = Math.max(robustDeviation(rates, usual), chance(usual, minutes, read))
  return {
    now,
    usual,
    windows: rates.length,
    z: spread > 0 ? (now - usual) / spread : 0,
    ago: halfHourAgo(traffic, compared)?.rate,
    seenHigh: now <= (quantile(rates, 0.9) ?? 0) * 1.1,
    seenLow: now >= (quantile(rates, 0.1) ?? 0) * 0.9,
  }
}

/**
 * How unlike half an hour ago a window is. The usual evening is no fall and the usual morning no rise: what half an hour ago
 * lets expect follows the trend of the hours before, as far as that goes the same way. Undefined where `trafficChange` is.
 */
export function unlikeBefore(traffic: Traffic, compared: Compared): Unlike | undefined {
  const { until, minutes } = compared
  const now = rateAt(traffic, until, minutes)
  const rates = ratesBefore(traffic, compared)
  if (now === undefined || rates === undefined) return undefined
  const before = halfHourAgo(traffic, compared)
  if (before === undefined) return { fall: 0, rise: 0 }
  const read = minutes * coveredIn(traffic, until - minutes, until)
  const slope = trend(rates, minutes)
  const unrest = unrestOf(rates)
  const unlike = (expected: number): number => {
    const noise = Math.max(expected * unrest, chance(expected, minutes, read)) * Math.sqrt(1 + medianNoise(before.of))
    return noise > 0 ? (now - expected) / noise : 0
  }
  return {
    fall: -unlike(before.rate * Math.exp(Math.min(0, slope) * before.minutesAgo)),
    rise: unlike(before.rate * Math.exp(Math.max(0, slope) * before.minutesAgo)),
  }
}

/** The rates of the windows in the hours before, newest first; undefined where too few of them are known. */
function ratesBefore(traffic: Traffic, { until, minutes, hours }: Compared): readonly number[] | undefined {
  const windows = { until: until - minutes, minutes, count: Math.floor((hours * 60) / minutes) }
  const rates = measureWindows(windows, spokenRateMeasure(traffic))
  return rates.length < MIN_WINDOWS ? undefined : rates
}

/** The variance of the median of so many windows, as a part of that of one. */
function medianNoise(windows: number): number {
  return windows <= 1 ? 1 : Math.PI / 2 / windows
}

/** The rate of one window; undefined also where the log was silent for a while. */
function rateAt(traffic: Traffic, until: number, minutes: number): number | undefined {
  return spokenRateMeasure(traffic)(until - minutes, until)
}

/** What has to be put down to chance in a rate of so many minutes, of which so much was read. */
function chance(rate: number, minutes: number, read: number): number {
  return Math.hypot(Math.sqrt(rate / Math.max(read, 0.1)), (rate * LEAST_NOISE) / Math.sqrt(minutes))
}

interface Before {
  readonly rate: number
  /** Windows that it is the median of. */
  readonly of: number
  readonly minutesAgo: number
}

/** The median of the windows around half an hour ago; earlier where windows are so long that they would meet those of now. */
function halfHourAgo(traffic: Traffic, { until, minutes }: Window): Before | undefined {
  const last = until - Math.max(AGO.until, 2 * minutes)
  const of = Math.max(1, Math.round((AGO.from - AGO.until) / minutes))
  const rates = measureWindows({ until: last, minutes, count: of }, spokenRateMeasure(traffic))
  const rate = median(rates)
  if (rate === undefined) return undefined
  return { rate, of: rates.length, minutesAgo: until - last + (minutes * (of - 1)) / 2 }
}

/** The trend of the hours before as a share a minute: newer half against older half of the rates. */
function trend(rates: readonly number[], minutes: number): number {
  const half = rates.length >> 1
  const newer = median(rates.slice(0, half)) ?? 0
  const older = median(rates.slice(rates.length - half)) ?? 0
  if (newer <= 0 || older <= 0) return 0
  const slope = Math.log(newer / older) / ((rates.length - half) * minutes)
  return Math.max(-FASTEST_TREND, Math.min(FASTEST_TREND, slope))
}

/** How much a window usually differs from the next one, as a share: whatever the trend, and a few jumps left out. */
function unrestOf(rates: readonly number[]): number {
  const logs = rates.map((rate) => Math.log(Math.max(rate, 1e-9)))
  const steps = logs.slice(1).map((each, index) => each - (logs[index] ?? 0))
  return robustDeviation(steps, 0) / Math.SQRT2
}
