import { DAY_MINUTES, MINUTE_MS, WEEK_MINUTES } from '../../shared/durations.ts'
import { type Column, type MinuteSeries, STEP_MINUTES } from './minute-series.ts'

const HOUR_MINUTES = 60
const STEPS_AN_HOUR = HOUR_MINUTES / STEP_MINUTES
/** The newest minutes may still get late lines: what was learnt would depend on when. */
const SETTLED_MINUTES = 60

/** Of which lines a share is. `bad` are summed up. */
export interface LineShare {
  readonly bad: readonly Column[]
  readonly whole: Column
}

export type Baseline = ReturnType<typeof learnBaseline>

/** Hours of a problem are not usual: the worst of each week are left out. */
const WORST_HOURS = 0.07
/** Shares of fewer lines say nothing. */
const MIN_LINES = 20
const DISPERSION = { least: 1.2, unknown: 3, most: 60 }
/** Of a hit ratio: over so many steps, against so many that end a little before. */
const RATIO = {
  now: 2,
  gap: 1,
  before: 23,
  minNow: 10,
  minBefore: 50,
  unknown: 0.5,
  fewest: 50,
  least: 0.05,
  most: 0.6,
}

export class WeeklyBaseline {
  readonly #series: MinuteSeries
  #hour = Number.NaN
  #baseline: Baseline | undefined

  constructor(series: MinuteSeries) {
    this.#series = series
  }

  at(minute: number): Baseline {
    const hour = Math.floor(minute / HOUR_MINUTES)
    if (this.#baseline === undefined || this.#hour !== hour) {
      this.#hour = hour
      this.#baseline = learnBaseline(this.#series, hour * HOUR_MINUTES - SETTLED_MINUTES)
    }
    return this.#baseline
  }
}

/** What is not known of the week says nothing, whether or not the series reaches back so far. */
function learnBaseline(series: MinuteSeries, until: number) {
  const steps = (column: Column): Float64Array => series.steps(column, until - WEEK_MINUTES, until)
  const total = (column: Column): number => steps(column).reduce((sum, amount) => sum + amount, 0)
  const shares = new Map<LineShare, ReturnType<typeof learnShare>>()
  const read = Math.max(1, total('coveredMs') / MINUTE_MS)
  let dispersion: number | undefined
  let ratioSpread: number | undefined
  return {
    /** How much of the last week was read, in days. */
    days: total('known') / DAY_MINUTES,
    /** Traffic, and cacheable lines, in a minute. */
    rate: total('traffic') / read,
    cacheableRate: total('cacheable') / read,
    // Not every kind of alert asks for each of these.
    get dispersion() {
      return (dispersion ??= measureDispersion(steps('traffic'), steps('firstHalf'), steps('known')))
    },
    get ratioSpread() {
      return (ratioSpread ??= measureRatioSpread(steps('answered'), steps('cacheable')))
    },
    share(of: LineShare) {
      const learnt = shares.get(of) ?? learnShare(of.bad.map(steps), steps(of.whole), steps('known'))
      shares.set(of, learnt)
      return learnt
    },
  }
}

/** Variance of the number of lines over its mean, at least 1.2: how much they come in clumps. The mean of what the halves of ten minutes that were read whole say. */
function measureDispersion(all: Float64Array, firstHalf: Float64Array, known: Float64Array): number {
  let sum = 0
  let count = 0
  for (let index = 0; index < all.length; index += 1) {
    const lines = all[index] ?? 0
    if (lines === 0 || known[index] !== STEP_MINUTES) continue
    const difference = 2 * (firstHalf[index] ?? 0) - lines
    sum += Math.min((difference * difference) / lines, DISPERSION.most)
    count += 1
  }
  return Math.max(DISPERSION.least, count > 0 ? sum / count : DISPERSION.unknown)
}

/**
 * What a share usually is, and by how much single minutes differ from that beyond chance, as a standard deviation. Of the hours
 * without the worst ones: what is left of a problem would deafen the zone for a week.
 */
function learnShare(bad: readonly Float64Array[], whole: Float64Array, read: Float64Array) {
  const hours: ReturnType<typeof sumHour>[] = []
  for (let at = 0; at < whole.length; at += STEPS_AN_HOUR)
    if (read.subarray(at, at + STEPS_AN_HOUR).some((minutes) => minutes > 0)) hours.push(sumHour(bad, whole, at))
  const kept = hours.toSorted((a, b) => a.share - b.share).slice(0, Math.floor(hours.length * (1 - WORST_HOURS)))
  const all = (name: keyof ReturnType<typeof sumHour>): number => kept.reduce((sum, hour) => sum + hour[name], 0)
  const share = all('bad') / (all('lines') + 1)
  const steps = all('steps')
  if (steps === 0) return { share, spread: 0 }
  const variance = all('squares') / steps - (all('shares') / steps) ** 2
  const byChance = (share * (1 - share) * all('inverses')) / steps
  return { share, spread: Math.sqrt(Math.max(0, variance - byChance) * STEP_MINUTES) }
}

/** An hour's lines, and over its steps that say something: their shares, squares of these, and of how few lines they are. */
function sumHour(bad: readonly Float64Array[], whole: Float64Array, from: number) {
  let [allBad, allLines, steps, shares, squares, inverses] = [0, 0, 0, 0, 0, 0]
  for (let at = from; at < from + STEPS_AN_HOUR && at < whole.length; at += 1) {
    const few = bad.reduce((sum, column) => sum + (column[at] ?? 0), 0)
    const lines = whole[at] ?? 0
    allBad += few
    allLines += lines
    if (lines < MIN_LINES) continue
    steps += 1
    shares += few / lines
    squares += (few / lines) ** 2
    inverses += 1 / lines
  }
  return { share: allBad / (allLines + 1), bad: allBad, lines: allLines, steps, shares, squares, inverses }
}

/** How much the hit ratio of twenty minutes differs from that of the hours before, in logits: a standard deviation. */
function measureRatioSpread(answered: Float64Array, cacheable: Float64Array): number {
  const [hits, all] = [accumulate(answered), accumulate(cacheable)]
  const logit = (from: number, until: number): number => {
    const hit = (hits[until] ?? 0) - (hits[from] ?? 0) + 0.5
    return Math.log(hit / ((all[until] ?? 0) - (all[from] ?? 0) + 1 - hit))
  }
  const differences: number[] = []
  for (let at = RATIO.now + RATIO.gap + RATIO.before; at <= answered.length; at += 1) {
    const now = at - RATIO.now
    const end = now - RATIO.gap
    const begin = end - RATIO.before
    if ((all[at] ?? 0) - (all[now] ?? 0) < RATIO.minNow || (all[end] ?? 0) - (all[begin] ?? 0) < RATIO.minBefore)
      continue
    differences.push(Math.abs(logit(now, at) - logit(begin, end)))
  }
  if (differences.length < RATIO.fewest) return RATIO.unknown
  // Two places of a normal distribution: the second sees what is rare and large.
  const sorted = Float64Array.from(differences).sort()
  const place = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? 0
  const deviation = Math.max(place(0.68), place(0.85) / 1.44)
  return Math.min(RATIO.most, Math.max(RATIO.least, deviation))
}

function accumulate(column: Float64Array): Float64Array {
  const sums = new Float64Array(column.length + 1)
  for (let index = 0; index < column.length; index += 1) sums[index + 1] = (sums[index] ?? 0) + (column[index] ?? 0)
  return sums
}

/** The level before a window: so many minutes, or more where these were not read, which end a little before it. */
const BEFORE = { minutes: 40, unread: 120, gap: 3 }
/** The same time of another day is looked at so far to either side. */
const AROUND_MINUTES = 20

/** The minutes that end with `at`, of which something is expected. */
export interface Window {
  readonly at: number
  readonly minutes: number
}

/** The rate shortly before a window, or in the hours before where that was not read; undefined where nothing was. */
export function readRateBefore(
  series: MinuteSeries,
  column: Column,
  { at, minutes }: Window,
  back = 0,
): number | undefined {
  const until = at - minutes - BEFORE.gap - back
  return series.rate(column, until - BEFORE.minutes, until) ?? series.rate(column, until - BEFORE.unread, until)
}

/** How the rate went on from shortly before a window into it, on another day; undefined where that is not known. */
function readShape(series: MinuteSeries, column: Column, window: Window, back: number): number | undefined {
  const middle = Math.floor(window.at - window.minutes / 2) - back
  const now = series.rate(column, middle - AROUND_MINUTES, middle + AROUND_MINUTES)
  const before = readRateBefore(series, column, window, back)
  return now === undefined || before === undefined || before <= 0 ? undefined : now / before
}

/** Rates around the time of a window on another day: of stretches of so many minutes, so far apart. */
function readRates(
  series: MinuteSeries,
  column: Column,
  { at, minutes }: Window,
  back: number,
  stretch: number,
  apart: number,
) {
  const rates: number[] = []
  for (let off = -AROUND_MINUTES; off <= AROUND_MINUTES; off += apart) {
    const middle = Math.floor(at - minutes / 2) + off - back
    const rate = series.rate(column, middle - stretch / 2, middle + stretch / 2)
    if (rate !== undefined) rates.push(rate)
  }
  return rates
}

/**
 * The rate that is to be expected by the rate before a window, and by how it went on from there on other days; and by how many
 * other days that is: without any, nothing is known of how days go.
 */
function forecast(
  series: MinuteSeries,
  column: Column,
  window: Window,
  rate: (before: number, shapes: readonly number[]) => number,
) {
  const before = readRateBefore(series, column, window)
  if (before === undefined) return undefined
  const shapes = [DAY_MINUTES, WEEK_MINUTES].flatMap((back) => readShape(series, column, window, back) ?? [])
  return { rate: rate(before, shapes), days: shapes.length }
}

/** The least that is to be expected in a minute of a window: by what came before, by how days go, and by last week, or yesterday. */
export function expectLeast(series: MinuteSeries, column: Column, window: Window) {
  return forecast(series, column, window, (before, shapes) => {
    const week = readRates(series, column, window, WEEK_MINUTES, 24, 20)
    const then = week.length > 0 ? week : readRates(series, column, window, DAY_MINUTES, 24, 20)
    return Math.min(before * Math.max(0.2, Math.min(1, ...shapes)), ...then)
  })
}

/** The most that is to be expected: yesterday or last week, there may have been a job at that time. */
export function expectMost(series: MinuteSeries, column: Column, window: Window) {
  return forecast(series, column, window, (before, shapes) => {
    const then = [DAY_MINUTES, WEEK_MINUTES].flatMap((back) => readRates(series, column, window, back, 10, 10))
    return Math.max(before * Math.max(1, ...shapes), ...then)
  })
}

export function expectRate(series: MinuteSeries, column: Column, window: Window) {
  return forecast(series, column, window, (before, shapes) => {
    const sum = shapes.reduce((all, shape) => all + Math.log(Math.max(shape, 1e-9)), 0)
    const mean = Math.exp(sum / Math.max(1, shapes.length))
    return before * Math.max(0.3, Math.min(3, mean))
  })
}
