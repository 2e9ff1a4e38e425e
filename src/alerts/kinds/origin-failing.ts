import { MINUTE_MS } from '../../shared/durations.ts'
import type { LineShare } from '../series/baseline.ts'
import type { Column, MinuteSeries } from '../series/minute-series.ts'
import { scoreShare } from '../series/statistics.ts'
import { type Reading, roundPercent } from '../state/reading.ts'
import { type Begun, criticalAt, type TrafficView, warningAt } from './alert-kind.ts'
import { trafficKind } from './traffic-kind.ts'

/** Lines that are bad, among lines of which few usually are. */
export interface BadShare {
  readonly of: LineShare
  /** From which share on something is wrong, whatever is usual, by the length of the window in minutes. */
  readonly floors: Readonly<Record<number, number>>
  readonly least: number
  /** A share of a part of the lines has to show among all of them as well: parts shrink. */
  readonly among?: LineShare
}

/** So many times what is usual is nothing yet. */
const TIMES_USUAL = 2.5
/** What single minutes differ by does not count up to so many deviations. */
const DEVIATIONS = 6
/** A share has to be so many times the limit: what chance brings to it is judged against the limit itself. */
const CERTAINLY = 1.3
const SURPRISE = 9
/** Of longer windows a part at the end has to be bad as well: what is over notifies nobody. */
const LONG = 5
const READ = 0.7
/** A limit is a share over so many minutes. */
const LIMIT_MINUTES = 10
/** Until a day is known nothing is usual: only what is bad anywhere counts. */
const UNKNOWN_MINUTES = 15
const LATEST = { least: 3, part: 6 }
/**
 * What a longer window found is over after as long a part of it, and not before as many lines came as would have had some bad
 * ones.
 */
const OVER = { minutes: 9, most: 40, ofWindow: 0.4, pauses: 60, beyond: 3, usual: 1.5, ofBegin: 0.15, expected: 8 }

/** The first share that is too high, in the shortest window that proves it, unless less than `leastOfAll` of all lines failed. */
export function findRisenShare(shares: readonly BadShare[], view: TrafficView, times: number, leastOfAll = 0) {
  const { series, baseline, at, endedAt } = view
  if (shares.every(({ of }) => countBad(series, of, at - 2, at) === 0)) return undefined
  for (const minutes of Object.keys(shares[0]?.floors ?? {}).map(Number)) {
    if (at - minutes < endedAt || series.total('known', at - minutes, at) < READ * minutes) break
    for (const [place, share] of shares.entries()) {
      const floor = share.floors[minutes]
      const isKnown = baseline.days >= 1 || (minutes <= UNKNOWN_MINUTES && share.among === undefined)
      const found = floor === undefined || !isKnown ? undefined : findInWindow(share, minutes, floor * times, view)
      if (found !== undefined && (shareOfAll(series, at - Math.max(minutes, LIMIT_MINUTES), at) ?? 0) >= leastOfAll)
        return { ...found, minutes, seen: { place } }
    }
  }
  return undefined
}

/**
 * The share of a window without its worst minute, which is often one of its own and over when somebody hears of it. `shown`
 * is the share of the whole window, which one can check in the log.
 */
function findInWindow(
  { of, least, among }: BadShare,
  minutes: number,
  floor: number,
  { series, baseline, at }: TrafficView,
) {
  const from = at - minutes
  const whole = series.total(of.whole, from, at)
  const allBad = countBad(series, of, from, at)
  if (allBad < least || allBad < floor * whole) return undefined
  const known = baseline.share(of)
  const bare = Math.max(floor, TIMES_USUAL * known.share)
  if (allBad < bare * whole) return undefined
  const worst = findWorstMinute(series, of, from, at)
  const bad = allBad - countBad(series, of, worst, worst + 1)
  const lines = whole - series.total(of.whole, worst, worst + 1)
  const spread = Math.sqrt(Math.max(1, minutes - 1))
  const limits = [bare, (known.share + (DEVIATIONS * known.spread) / spread) / CERTAINLY]
  if (among !== undefined) {
    const { share, spread: deviation } = baseline.share(among)
    const limit = Math.max(TIMES_USUAL * share, share + (DEVIATIONS * deviation) / spread)
    limits.push((limit * series.total(among.whole, from, at)) / Math.max(1, whole) / CERTAINLY)
  }
  const limit = Math.max(...limits)
  const share = bad / lines
  if (bad < least || limit >= 0.9 || share < CERTAINLY * limit || scoreShare(bad, lines, limit) < SURPRISE)
    return undefined
  const latest = Math.max(LATEST.least, Math.floor(minutes / LATEST.part))
  if (minutes > LONG && countBad(series, of, at - latest, at) < bare * series.total(of.whole, at - latest, at))
    return undefined
  const shown = { value: allBad / whole, sample: whole }
  return { value: share, baseline: known.share, threshold: CERTAINLY * limit, shown }
}

/** Whether few of its lines are bad again, for longer than they were in between, or none came at all. */
export function isShareOver({ of }: BadShare, { series, baseline, at }: TrafficView, begun: Begun): boolean {
  const { value = 0, window } = begun.reading.facts
  const begunWith = Number(begun.reading.seen?.['decided'] ?? value)
  const begunIn = window === undefined ? 0 : (window.untilMs - window.fromMs) / MINUTE_MS
  const limit = Math.max(OVER.usual * baseline.share(of).share, OVER.ofBegin * begunWith)
  const pause = measureLongestPause(series, of, limit, Math.max(begun.at, at - OVER.pauses), at)
  let from = at - Math.max(OVER.minutes, Math.ceil(OVER.ofWindow * begunIn), pause === 0 ? 0 : pause + OVER.beyond)
  while (begunWith * series.total(of.whole, from, at) < OVER.expected && at - from < OVER.most) from -= 1
  const bad = countBad(series, of, from, at)
  return bad === 0 || bad < limit * series.total(of.whole, from, at)
}
function measureLongestPause(series: MinuteSeries, of: LineShare, limit: number, from: number, until: number): number {
  let [last, longest] = [until, 0]
  for (let minute = from; minute < until; minute += 1) {
    const bad = countBad(series, of, minute, minute + 1)
    if (bad < 2 || bad < 2 * limit * series.total(of.whole, minute, minute + 1)) continue
    longest = Math.max(longest, minute - last - 1)
    last = minute
  }
  return longest
}

function countBad(series: MinuteSeries, { bad }: LineShare, from: number, until: number): number {
  return bad.reduce<number>((sum, column) => sum + series.total(column, from, until), 0)
}

function findWorstMinute(series: MinuteSeries, of: LineShare, from: number, until: number): number {
  let [worst, most] = [from, -1]
  for (let minute = from; minute < until; minute += 1) {
    const bad = countBad(series, of, minute, minute + 1)
    if (bad > most) [worst, most] = [minute, bad]
  }
  return worst
}

const FAILED: readonly Column[] = ['c5xx', 'stale']
const OF_ALL: LineShare = { bad: FAILED, whole: 'lines' }
/** Several lookback windows, as burn rates have them: short ones find what is large within two minutes, long ones what is small. */
const AMONG_ALL: BadShare = {
  of: OF_ALL,
  floors: { 2: 0.1, 3: 0.05, 5: 0.022, 10: 0.015, 15: 0.015, 30: 0.008, 60: 0.004, 120: 0.003 },
  least: 4,
}
const AMONG_ORIGIN: BadShare = {
  of: { bad: FAILED, whole: 'origin' },
  floors: { 2: 0.25, 3: 0.15, 5: 0.08, 10: 0.05, 15: 0.05, 30: 0.03, 60: 0.015, 120: 0.012 },
  least: 6,
  among: OF_ALL,
}
/** A reading keeps by its place which of them it is about. */
const SHARES = [AMONG_ALL, AMONG_ORIGIN] as const

/** In percent: from which share over ten minutes on somebody is notified, as the windows above and `CERTAINLY` have it. */
const WARNING = 2

export const originFailing = trafficKind({
  name: 'origin-failing',
  title: 'Origin failing',
  summary: 'The origin answers with errors or not at all, so that visitors get 5xx or old content (STALE).',
  parameters: [
    warningAt(
      { unit: '%', default: WARNING, max: 90 },
      'Warns when this share of requests fails over ten minutes, or a larger one over a shorter time. A limit above the default keeps all below it quiet.',
    ),
    criticalAt({ unit: '%', default: 5, max: 95 }, 'Critical when this share of requests fails.'),
  ],
  unit: 'share',
  leavesOutWorst: true,
  leastMinutes: 15,
  restMinutes: 2,
  find(view, set) {
    const times = set.warning / WARNING
    // Whoever sets a limit wants to hear of nothing below it, though over hours less would show that something is wrong.
    const found = findRisenShare(SHARES, view, times, times > 1 ? set.warning / 100 : 0)
    if (found === undefined) return undefined
    const all = shareOfAll(view.series, view.at - found.minutes, view.at) ?? 0
    const isCritical = (found.seen.place === 0 ? found.value : all) >= set.critical / 100
    return { ...found, severity: isCritical ? 'critical' : 'warning' }
  },
  isOver: (view, begun) => isShareOver(getShare(begun.reading), view, begun),
  problem(reading) {
    const what = readStalePart(reading) >= 0.5 ? 'old content' : 'errors'
    return reading.level === 'critical' ? `origin failing, visitors get ${what}` : `some visitors get ${what}`
  },
  over: 'origin works again',
  number(reading) {
    const { value = 0 } = reading.facts
    const stale = readStalePart(reading)
    const noun = stale > FEW ? (stale < 1 - FEW ? 'failing' : 'STALE') : '5xx'
    const among = getShare(reading) === AMONG_ORIGIN ? ' of origin traffic' : ''
    return value === 0 ? 'no 5xx, no STALE' : `${roundPercent(value)} ${noun}${among}`
  },
  compared(reading) {
    const { value = 0, baseline } = reading.facts
    const stale = readStalePart(reading)
    const isMixed = value > 0 && stale > FEW && stale < 1 - FEW
    return [
      ...(isMixed ? [`${roundPercent(value * stale)} STALE`, `${roundPercent(value * (1 - stale))} 5xx`] : []),
      ...(baseline === undefined ? [] : [`usually ${roundPercent(baseline)}`]),
    ]
  },
  see(series, from, until) {
    const [stale, failed] = [series.total('stale', from, until), series.total('c5xx', from, until)]
    return stale + failed === 0 ? {} : { stale: stale / (stale + failed) }
  },
  value: shareOfAll,
  shows: ({ cacheStatus, statusCode = 0 }) => cacheStatus === 'STALE' || statusCode >= 500,
  logsFilter: { failing: 'true' },
})

/** Less of what fails goes without saying. */
const FEW = 0.1

/** Which part of what failed was STALE, 0 to 1; the other was 5xx. */
function readStalePart({ seen }: Reading): number {
  return Number(seen?.['stale'] ?? 1)
}

function getShare({ seen }: Reading): BadShare {
  return SHARES[Number(seen?.['place'])] ?? SHARES[0]
}

function shareOfAll(series: MinuteSeries, from: number, until: number): number | undefined {
  const lines = series.total(OF_ALL.whole, from, until)
  return lines > 0 ? Math.min(1, countBad(series, OF_ALL, from, until) / lines) : undefined
}
