import { MINUTE_MS } from '../../shared/durations.ts'
import type { Begun, TrafficKind, TrafficView } from '../alert-kind.ts'
import { COLUMN, type Column, type MinuteSeries } from '../minute-series.ts'
import { criticalAt, warningAt, settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { percent, windowWords } from '../reading-sentence.ts'
import { shareSurprise } from '../surprise.ts'
import { type Declared, type Finding, trafficKind } from '../traffic-life.ts'
import type { ShareOf } from '../usual.ts'

/** Lines that are bad, among lines of which few usually are. */
export interface BadShare {
  readonly of: ShareOf
  /** From which share on something is wrong, whatever is usual, by the length of the window in minutes. */
  readonly floors: readonly (readonly [minutes: number, share: number])[]
  /** Fewer bad lines prove nothing. */
  readonly least: number
  /** A share of a part of the lines has to show among all of them as well: parts shrink. */
  readonly among?: ShareOf
}

interface SharesWords {
  readonly bad: string
  readonly noun: string
}

/** So many times what is usual is nothing yet. */
const TIMES_USUAL = 2.5
/** What single minutes differ by does not count up to so many deviations. */
const DEVIATIONS = 6
/** A share has to be so many times the limit: what chance brings to it is judged against the limit itself. */
const CERTAINLY = 1.3
const SURPRISE = 9
/** Of longer windows a part at the end has to be bad as well: what is over is not told. */
const LONG = 5
/** So much of a window has to have been read. */
const READ = 0.7
/** Until a day is known nothing is usual: only what is bad anywhere counts. */
const UNKNOWN_MINUTES = 15
const LATEST = { least: 3, part: 6 }
/** What flaps comes back within minutes. */
const LEAST_MINUTES = 15
/**
 * What a longer window found is over after as long a part of it, and not before as many lines came as would have had some bad
 * ones.
 */
const OVER = { minutes: 9, most: 40, ofWindow: 0.4, pauses: 60, beyond: 3, usual: 1.5, ofBegin: 0.15, expected: 8 }

/** The first of the shares that is too high, in the shortest window that proves it. */
export function risenShare(
  shares: readonly BadShare[],
  view: TrafficView,
  times: number,
): (Finding & { readonly place: number }) | undefined {
  const { series, usual, at, endedAt } = view
  if (shares.every(({ of }) => badIn(series, of, at - 2, at) === 0)) return undefined
  const windows = shares[0]?.floors.map(([minutes]) => minutes) ?? []
  for (const [index, minutes] of windows.entries()) {
    if (at - minutes < endedAt || series.total(COLUMN.known, at - minutes, at) < READ * minutes) break
    for (const [place, share] of shares.entries()) {
      const floor = share.floors[index]?.[1]
      const isKnown = usual.days >= 1 || (minutes <= UNKNOWN_MINUTES && share.among === undefined)
      const found = floor === undefined || !isKnown ? undefined : inWindow(share, minutes, floor * times, view)
      if (found !== undefined) return { ...found, severity: 'warning', minutes, place }
    }
  }
  return undefined
}

type Found = Pick<Finding, 'value' | 'baseline' | 'threshold' | 'sample'>

/** The share of a window without its worst minute, which is often one of its own and over when it is told. */
function inWindow(
  { of, least, among }: BadShare,
  minutes: number,
  floor: number,
  { series, usual, at }: TrafficView,
): Found | undefined {
  const from = at - minutes
  const whole = series.total(of.whole, from, at)
  const allBad = badIn(series, of, from, at)
  if (allBad < least || allBad < floor * whole) return undefined
  const known = usual.share(of)
  const bare = Math.max(floor, TIMES_USUAL * known.share)
  if (allBad < bare * whole) return undefined
  const worst = worstMinute(series, of, from, at)
  const [bad, lines] = [allBad - badIn(series, of, worst, worst + 1), whole - series.total(of.whole, worst, worst + 1)]
  const spread = Math.sqrt(Math.max(1, minutes - 1))
  const limits = [bare, (known.share + (DEVIATIONS * known.spread) / spread) / CERTAINLY]
  if (among !== undefined) {
    const { share, spread: deviation } = usual.share(among)
    const limit = Math.max(TIMES_USUAL * share, share + (DEVIATIONS * deviation) / spread)
    limits.push((limit * series.total(among.whole, from, at)) / Math.max(1, whole) / CERTAINLY)
  }
  const limit = Math.max(...limits)
  const share = bad / lines
  if (bad < least || limit >= 0.9 || share < CERTAINLY * limit || shareSurprise(bad, lines, limit) < SURPRISE)
    return undefined
  const latest = Math.max(LATEST.least, Math.floor(minutes / LATEST.part))
  if (minutes > LONG && badIn(series, of, at - latest, at) < bare * series.total(of.whole, at - latest, at))
    return undefined
  return { value: share, baseline: known.share, threshold: CERTAINLY * limit, sample: lines }
}

/** Whether few of its lines are bad again, for longer than they were in between, or none came at all. */
export function isShareOver({ of }: BadShare, { series, usual, at }: TrafficView, begun: Begun): boolean {
  const { value: begunWith = 0, window } = begun.reading.facts
  const begunIn = window === undefined ? 0 : (window.untilMs - window.fromMs) / MINUTE_MS
  const limit = Math.max(OVER.usual * usual.share(of).share, OVER.ofBegin * begunWith)
  const pause = longestPause(series, of, limit, Math.max(begun.at, at - OVER.pauses), at)
  let from = at - Math.max(OVER.minutes, Math.ceil(OVER.ofWindow * begunIn), pause === 0 ? 0 : pause + OVER.beyond)
  while (begunWith * series.total(of.whole, from, at) < OVER.expected && at - from < OVER.most) from -= 1
  const bad = badIn(series, of, from, at)
  return bad === 0 || bad < limit * series.total(of.whole, from, at)
}

/** The most minutes between two that are bad. */
function longestPause(series: MinuteSeries, of: ShareOf, limit: number, from: number, until: number): number {
  let [last, longest] = [until, 0]
  for (let minute = from; minute < until; minute += 1) {
    const bad = badIn(series, of, minute, minute + 1)
    if (bad < 2 || bad < 2 * limit * series.total(of.whole, minute, minute + 1)) continue
    longest = Math.max(longest, minute - last - 1)
    last = minute
  }
  return longest
}

function badIn(series: MinuteSeries, { bad }: ShareOf, from: number, until: number): number {
  let sum = 0
  for (const column of bad) sum += series.total(column, from, until)
  return sum
}

function worstMinute(series: MinuteSeries, of: ShareOf, from: number, until: number): number {
  let [worst, most] = [from, -1]
  for (let minute = from; minute < until; minute += 1) {
    const bad = badIn(series, of, minute, minute + 1)
    if (bad > most) [worst, most] = [minute, bad]
  }
  return worst
}

const FAILED: readonly Column[] = [COLUMN.c5xx, COLUMN.stale]
const OF_ALL: ShareOf = { bad: FAILED, whole: COLUMN.lines }
/** Several windows, as burn rates have them: short ones find what is large within two minutes, long ones what is small. */
const ORIGIN: readonly BadShare[] = [
  {
    of: OF_ALL,
    floors: [
      [2, 0.1],
      [3, 0.05],
      [5, 0.022],
      [10, 0.015],
      [15, 0.015],
      [30, 0.008],
      [60, 0.004],
      [120, 0.003],
    ],
    least: 4,
  },
  {
    of: { bad: FAILED, whole: COLUMN.origin },
    floors: [
      [2, 0.25],
      [3, 0.15],
      [5, 0.08],
      [10, 0.05],
      [15, 0.05],
      [30, 0.03],
      [60, 0.015],
      [120, 0.012],
    ],
    least: 6,
    among: OF_ALL,
  },
]

interface ShareKind extends Pick<Declared<unknown>, 'name' | 'title' | 'summary' | 'explainedByMarks' | 'shows'> {
  readonly shares: readonly BadShare[]
  readonly words: readonly SharesWords[]
  /** In percent: from which share over ten minutes on it is told, and from which on it is critical. */
  readonly warning: number
  readonly critical: number
}

const SHARE_KINDS: readonly ShareKind[] = [
  {
    name: 'origin-failing',
    title: 'Origin failing',
    summary: 'The origin answers with errors or not at all, so that visitors get 5xx or old content (STALE).',
    explainedByMarks: false,
    shows: ({ cacheStatus, statusCode = 0 }) => cacheStatus === 'STALE' || statusCode >= 500,
    shares: ORIGIN,
    words: [
      { bad: 'STALE or 5xx', noun: 'of the lines' },
      { bad: 'STALE or 5xx', noun: 'of what the origin had to answer' },
    ],
    warning: 1.5,
    critical: 5,
  },
]

export const shareKinds: readonly TrafficKind[] = SHARE_KINDS.map(shareKind)

function shareKind({ shares, words, warning, critical, ...rest }: ShareKind): TrafficKind {
  const parameters = [
    warningAt({
      unit: '%',
      usual: warning,
      max: 90,
      meaning:
        'Told from this share over ten minutes on; shorter windows ask for more, longer ones for less, and all of them for more than is usual.',
    }),
    criticalAt({
      unit: '%',
      usual: critical,
      max: 95,
      meaning: 'Critical from this share of the window on that shows it.',
    }),
  ] as const
  const settings = settingsOf(parameters)
  const placeOf = ({ seen }: Reading): number => Number(seen?.['place'] ?? 0)
  return trafficKind({
    ...rest,
    parameters,
    settings,
    unit: 'share',
    leastMinutes: LEAST_MINUTES,
    restMinutes: 2,
    find(view, set) {
      const found = risenShare(shares, view, set.warning / warning)
      if (found === undefined) return undefined
      const { place, ...finding } = found
      const all = place === 0 ? finding.value : valueOf(shares[0], view, finding.minutes)
      return {
        ...finding,
        severity: all >= set.critical / 100 ? 'critical' : 'warning',
        seen: { place },
      }
    },
    isOver(view, begun) {
      const share = shares[placeOf(begun.reading)] ?? shares[0]
      return share === undefined || isShareOver(share, view, begun)
    },
    found(reading) {
      const { bad, noun } = words[placeOf(reading)] ?? { bad: '', noun: '' }
      const { value = 0, baseline } = reading.facts
      const usually = baseline === undefined ? '' : `, usually ${percent(baseline)}`
      return `${percent(value)} ${noun} were ${bad} ${windowWords(reading.facts)}${usually}.`
    },
    value: (series, from, until) => (shares[0] === undefined ? undefined : shareIn(series, shares[0].of, from, until)),
  })
}

function valueOf(share: BadShare | undefined, { series, at }: TrafficView, minutes: number): number {
  return share === undefined ? 0 : (shareIn(series, share.of, at - minutes, at) ?? 0)
}

function shareIn(series: MinuteSeries, of: ShareOf, from: number, until: number): number | undefined {
  const lines = series.total(of.whole, from, until)
  return lines > 0 ? Math.min(1, badIn(series, of, from, until) / lines) : undefined
}
