import { MINUTE_MS } from '../../shared/durations.ts'
import { type MinuteCounts, type CountName, COUNTS } from '../../store/schema/minute-counts.ts'

/** What is added up of a pull zone's minutes. */
const AMOUNTS = {
  lines: countLines,
  coveredMs: ({ coveredMs }) => coveredMs,
  /** Minutes of which at least a part was read. */
  known: ({ coveredMs }) => (coveredMs > 0 ? 1 : 0),
  /** Lines but for 4xx, which scanners cause and the CDN cannot help. */
  traffic: countTraffic,
  /** The same of the first half of each ten minutes. */
  firstHalf: (counts) => (counts.minute % STEP_MINUTES < STEP_MINUTES / 2 ? countTraffic(counts) : 0),
  c5xx: ({ c5xx }) => c5xx,
  stale: ({ stale }) => stale,
  /** Lines that the origin had to answer. Each 5xx counts as one. */
  origin: (counts) => Math.max(countOriginLines(counts), Math.min(countLines(counts), counts.c5xx + counts.stale)),
  /** Lines that the cache could answer: not `-`, nor a MISS of what is not there. */
  cacheable: (counts) => countAnswered(counts) + counts.miss - counts.miss4xx + counts.bypass,
  /** Lines answered from the cache, what was old or had to be asked for again included. */
  answered: countAnswered,
  bypass: ({ bypass }) => bypass,
} satisfies Readonly<Record<string, (counts: MinuteCounts) => number>>
export type Column = keyof typeof AMOUNTS
const COLUMNS = Object.keys(AMOUNTS) as Column[] // its very keys

/** The newest minutes, each by itself: the longest window, an hour that may be caught up with, and late lines. */
const MINUTES = 200
const SUMS = MINUTES + 1
/** What lies farther back is kept by ten minutes: a week, and what is looked at around that time. */
export const STEP_MINUTES = 10
const STEPS = 1_060
/** How far back all is held, whatever minute of an hour that may be caught up with is looked at. */
export const HELD_MINUTES = (STEPS - 2) * STEP_MINUTES - 70
/** A stretch of which less was read says nothing about how many lines there were. */
const RATED_FROM = { known: 0.5, covered: 0.02 }

/**
 * What is known of a pull zone's minutes, moved along with time: the newest ones exactly, a week and some hours before
 * them by ten minutes. 55 KiB. Minutes are whole ones since 1970; ranges exclude their end.
 */
export class MinuteSeries {
  /**
   * By column, what came until each of the newest minutes, so that a sum is one subtraction. It may run over and begin at 0
   * again: differences are right as long as they are less than 2³².
   */
  readonly #sums = createColumns(SUMS)
  readonly #steps = createColumns(STEPS)
  readonly #columns = COLUMNS.map((name) => ({
    amount: AMOUNTS[name],
    sums: this.#sums[name],
    steps: this.#steps[name],
  }))
  readonly from: number
  #until: number
  /** Whether lines carry status codes, as far as they were put in: without any nothing is known of errors. */
  isCoded = false

  constructor(from: number) {
    this.from = from
    this.#until = from
  }

  get until(): number {
    return this.#until
  }

  /** The first minute that is known by itself, and can be replaced. */
  get exactFrom(): number {
    return Math.max(this.from, this.#until - MINUTES)
  }

  /** Puts a minute in, or replaces it. One that is not known by itself any more is left as it is. */
  put(counts: MinuteCounts): void {
    const { minute } = counts
    if (minute < this.exactFrom) return
    this.#moveTo(minute + 1)
    this.isCoded ||= countLines(counts) > counts.uncoded
    const step = toStep(minute) % STEPS
    for (const { amount, sums, steps } of this.#columns) {
      const more = amount(counts) - exactTotal(sums, minute, minute + 1)
      steps[step] = (steps[step] ?? 0) + more
      for (let until = minute + 1; until <= this.#until; until += 1)
        sums[until % SUMS] = (sums[until % SUMS] ?? 0) + more
    }
  }

  /**
   * The sum of a column from one minute to another. Minutes of which nothing is known count as not read. Full ten minutes are
   * always exact; where a stretch begins or ends within ten minutes far back, it has that part of their sum. So what is known
   * of later minutes by now makes no difference to what a look says, as long as it is no more than an hour.
   */
  total(column: Column, from: number, until: number): number {
    const [first, last] = [Math.max(from, this.from, this.#oldestStep * STEP_MINUTES), Math.min(until, this.#until)]
    let sum = 0
    for (let begin = first; begin < last;) {
      if (begin >= this.exactFrom) return sum + exactTotal(this.#sums[column], begin, last)
      const step = toStep(begin)
      const end = Math.min(last, (step + 1) * STEP_MINUTES)
      sum += ((this.#steps[column][step % STEPS] ?? 0) * (end - begin)) / STEP_MINUTES
      begin = end
    }
    return sum
  }

  /** The share of a stretch that was read, 0 to 1; 0 of an empty one. */
  covered(from: number, until: number): number {
    return until > from ? this.total('coveredMs', from, until) / ((until - from) * MINUTE_MS) : 0
  }

  /**
   * What comes of a column in a minute, as if all was read; undefined where less than half of the minutes were read at all:
   * parts of every minute are a fair sample, minutes without any are a gap.
   */
  rate(column: Column, from: number, until: number): number | undefined {
    const covered = this.covered(from, until)
    const known = until > from ? this.total('known', from, until) / (until - from) : 0
    if (known < RATED_FROM.known || covered < RATED_FROM.covered) return undefined
    return this.total(column, from, until) / (covered * (until - from))
  }

  /** What a column is of another one, 0 to 1; undefined of nothing. */
  share(part: Column, whole: Column, from: number, until: number): number | undefined {
    const all = this.total(whole, from, until)
    return all > 0 ? this.total(part, from, until) / all : undefined
  }

  /** A column by ten minutes, from one minute to another, both at full ten minutes. What is not held any more is 0. */
  steps(column: Column, from: number, until: number): Float64Array {
    const first = toStep(from)
    const amounts = new Float64Array(Math.max(0, toStep(until) - first))
    for (let step = Math.max(first, this.#oldestStep); step < first + amounts.length; step += 1)
      amounts[step - first] = this.#steps[column][step % STEPS] ?? 0
    return amounts
  }

  get #oldestStep(): number {
    return toStep(this.#until - 1) - STEPS + 1
  }

  /** Makes room: nothing is known of the minutes up to this one. */
  #moveTo(until: number): void {
    const [last, newest] = [this.#until % SUMS, toStep(until - 1)]
    for (const { sums, steps } of this.#columns) {
      for (let minute = Math.max(this.#until + 1, until - MINUTES); minute <= until; minute += 1)
        sums[minute % SUMS] = sums[last] ?? 0
      for (let step = Math.max(toStep(this.#until - 1) + 1, newest - STEPS + 1); step <= newest; step += 1)
        steps[step % STEPS] = 0
    }
    this.#until = Math.max(this.#until, until)
  }
}

/** A series of minutes that are known already, ascending, the first one from `from` on. */
export function buildSeries(from: number, minutes: readonly MinuteCounts[]): MinuteSeries {
  const series = new MinuteSeries(from)
  for (const counts of minutes) series.put(counts)
  return series
}

function createColumns(length: number): Readonly<Record<Column, Uint32Array>> {
  const columns = COLUMNS.map((name) => [name, new Uint32Array(length)])
  // All of them are there.
  return Object.fromEntries(columns) as Record<Column, Uint32Array>
}

function exactTotal(sums: Uint32Array, from: number, until: number): number {
  return ((sums[until % SUMS] ?? 0) - (sums[from % SUMS] ?? 0)) >>> 0
}

function toStep(minute: number): number {
  return Math.floor(minute / STEP_MINUTES)
}

export function countLines(counts: MinuteCounts): number {
  return countAnswered(counts) + counts.miss + counts.bypass + counts.uncached + counts.other
}

function countTraffic(counts: MinuteCounts): number {
  return countLines(counts) - counts.c4xx
}

function countAnswered({ hit, stale, updating, revalidated }: MinuteCounts): number {
  return hit + stale + updating + revalidated
}

/** Lines of which scanners asked for what is not there say nothing about the origin. */
function countOriginLines({ miss, miss4xx, stale, updating, revalidated, bypass, other }: MinuteCounts): number {
  return miss - miss4xx + stale + updating + revalidated + bypass + other
}

export type MinuteTally = { -readonly [Name in keyof MinuteCounts]: MinuteCounts[Name] }

// Each name is one of a count, and has 0.
const NO_LINES = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Record<CountName, number>

/** A minute without a line. `coveredMs`: how much of it was read. */
export function emptyMinute(minute: number, coveredMs: number): MinuteTally {
  return { minute, coveredMs, ...NO_LINES }
}

const CACHE_COUNTS: ReadonlyMap<string, CountName> = new Map([
  ['HIT', 'hit'],
  ['MISS', 'miss'],
  ['STALE', 'stale'],
  ['UPDATING', 'updating'],
  ['REVALIDATED', 'revalidated'],
  ['BYPASS', 'bypass'],
  ['-', 'uncached'],
])
const CODE_COUNTS = ['c1xx', 'c2xx', 'c3xx', 'c4xx', 'c5xx'] as const

/** Adds one line: by its cache status as the contract spells it, and by the class of its status code. */
export function countLine(tally: MinuteTally, cacheStatus = '', statusCode = 0): void {
  const cache = CACHE_COUNTS.get(cacheStatus) ?? 'other'
  const code = CODE_COUNTS[Math.floor(statusCode / 100) - 1] ?? 'uncoded'
  tally[cache] += 1
  tally[code] += 1
  if (code === 'c4xx' && cache === 'miss') tally.miss4xx += 1
}
