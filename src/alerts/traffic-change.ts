import type { MinuteSeries } from './minute-series.ts'
import { median, quantile, robustDeviation } from './robust.ts'
import { rateOf } from './traffic-reading.ts'

/** So many windows of the hours before have to be known. */
const MIN_WINDOWS = 8
/** However even the traffic is, so much from one minute to another is ordinary, beside what chance makes of few lines. */
const LEAST_NOISE = 0.18
/** So many minutes without a line, one after the other, are silence of the log. */
const SILENT_MINUTES = 3
/** What "half an hour ago" is the median of, in minutes back from now. */
const AGO = { from: 45, until: 20 }
/** Traffic that grows or falls faster than this a minute does not do so because of the hour of the day. */
const FASTEST_TREND = 0.004

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
  /**
   * Distance under and over what half an hour ago lets expect, in deviations from one window to the next: positive for a fall
   * and for a rise. 0 where that is not known.
   */
  readonly fall: number
  readonly rise: number
  /** As high, or as low, as windows of the hours before were now and then. */
  readonly seenHigh: boolean
  readonly seenLow: boolean
}

/**
 * Compares the window of so many minutes before `until` with the windows of the hours before it. Undefined where too little was
 * read to say so. The usual evening is no fall and the usual morning no rise: what half an hour ago lets expect follows the
 * trend of the hours before, as far as that goes the same way. Deviations are never taken for smaller than chance alone makes them.
 */
export function trafficChange(
  series: MinuteSeries,
  until: number,
  minutes: number,
  hours: number,
): TrafficChange | undefined {
  const now = rateAt(series, until - minutes, until)
  const rates: number[] = []
  for (let end = until - minutes; end - minutes >= until - minutes - hours * 60; end -= minutes) {
    const rate = rateAt(series, end - minutes, end)
    if (rate !== undefined) rates.push(rate)
  }
  const usual = median(rates)
  if (now === undefined || usual === undefined || rates.length < MIN_WINDOWS) return undefined
  const read = minutes * series.covered(until - minutes, until)
  const spread = Math.max(robustDeviation(rates, usual), chance(usual, minutes, read))
  const before = halfHourAgo(series, until, minutes)
  const slope = trend(rates, minutes)
  const unlike = (expected: number): number => {
    const noise =
      Math.max(expected * unrest(rates), chance(expected, minutes, read)) * Math.sqrt(1 + medianNoise(before?.of ?? 1))
    return noise > 0 ? (now - expected) / noise : 0
  }
  return {
    now,
    usual,
    windows: rates.length,
    z: spread > 0 ? (now - usual) / spread : 0,
    ago: before?.rate,
    fall: before === undefined ? 0 : -unlike(before.rate * Math.exp(Math.min(0, slope) * before.minutesAgo)),
    rise: before === undefined ? 0 : unlike(before.rate * Math.exp(Math.max(0, slope) * before.minutesAgo)),
    seenHigh: now <= (quantile(rates, 0.9) ?? Infinity) * 1.1,
    seenLow: now >= (quantile(rates, 0.1) ?? 0) * 0.9,
  }
}

/** The variance of the median of so many windows, as a part of that of one. */
function medianNoise(windows: number): number {
  return windows <= 1 ? 1 : Math.PI / 2 / windows
}

/** Undefined also where the log was silent for a while: that says nothing about traffic, now or as a measure for it. */
function rateAt(series: MinuteSeries, from: number, until: number): number | undefined {
  if (fellSilent(series, from, until)) return undefined
  return rateOf({ lines: series.lines(from, until), ...series.stretch(from, until) })
}

/** Zones with enough traffic to be judged have no such minutes by chance; how long a silence matters is `log-silence`'s. */
function fellSilent(series: MinuteSeries, from: number, until: number): boolean {
  for (let minute = from; minute < until; minute += SILENT_MINUTES) {
    const end = Math.min(minute + SILENT_MINUTES, until)
    if (end - minute === SILENT_MINUTES && series.lines(minute, end) === 0 && series.known(minute, end) === 1)
      return true
  }
  return false
}

/** What has to be put down to chance in a rate of so many minutes, of which so much was read. */
function chance(rate: number, minutes: number, read: number): number {
  return Math.hypot(Math.sqrt(rate / Math.max(read, 0.1)), (rate * LEAST_NOISE) / Math.sqrt(minutes))
}

/** The median of the windows around half an hour ago; earlier where windows are so long that they would meet those of now. */
function halfHourAgo(series: MinuteSeries, until: number, minutes: number) {
  const last = until - Math.max(AGO.until, 2 * minutes)
  const of = Math.max(1, Math.round((AGO.from - AGO.until) / minutes))
  const rates = Array.from({ length: of }, (_, index) => {
    const end = last - index * minutes
    return rateAt(series, end - minutes, end)
  }).filter((rate) => rate !== undefined)
  const rate = median(rates)
  return rate === undefined
    ? undefined
    : { rate, of: rates.length, minutesAgo: until - last + (minutes * (of - 1)) / 2 }
}

/** The trend of the hours before as a share a minute: newer half against older half. `rates` are newest first. */
function trend(rates: readonly number[], minutes: number): number {
  const half = rates.length >> 1
  const newer = median(rates.slice(0, half))
  const older = median(rates.slice(-half))
  if (newer === undefined || older === undefined || newer <= 0 || older <= 0) return 0
  const slope = Math.log(newer / older) / ((rates.length - half) * minutes)
  return Math.max(-FASTEST_TREND, Math.min(FASTEST_TREND, slope))
}

/** How much a window usually differs from the next one, as a share: whatever the trend, and a few jumps left out. */
function unrest(rates: readonly number[]): number {
  const steps = rates
    .slice(1)
    .map((rate, index) => Math.log(Math.max(rate, 1e-9) / Math.max(rates[index] ?? rate, 1e-9)))
  return robustDeviation(steps, 0) / Math.SQRT2
}
