import { DAY_MINUTES, WEEK_MINUTES } from '../../shared/durations.ts'
import { type Begun, type TrafficView, criticalAt, threshold, warningAt, type Settings } from './alert-kind.ts'
import { expectRate, type Window } from '../series/baseline.ts'
import type { Column, MinuteSeries } from '../series/minute-series.ts'
import { type Reading, roundPercent } from '../state/reading.ts'
import { scoreShare } from '../series/statistics.ts'
import { type Finding, trafficKind } from './traffic-kind.ts'
import { type BadShare, isShareOver, findRisenShare } from './origin-failing.ts'

const PARAMETERS = [
  warningAt(
    { unit: 'points', default: 7, min: 3, max: 90 },
    'Warns when the hit ratio has fallen by so many points, though as many visitors come.',
  ),
  criticalAt({ unit: 'points', default: 30, min: 3, max: 95 }, 'Critical when it has fallen by so many points.'),
  threshold(
    'bypass',
    'BYPASS',
    { unit: '%', default: 20, min: 5, max: 95 },
    'Warns when so much goes round the cache that usually does not.',
  ),
]

const BYPASS: BadShare = {
  of: { bad: ['bypass'], whole: 'cacheable' },
  floors: { 5: 0.15, 10: 0.15, 20: 0.15, 60: 0.15, 120: 0.15 },
  least: 6,
}
const USUAL_BYPASS = 20
const CRITICAL_BYPASS = 0.5
/** What has gone round the cache for hours, nearly as much, is what is usual now. */
const OLD = 0.8
const BYPASSED = 'BYPASS'

const HOUR = 60
const OTHER_DAYS = [DAY_MINUTES, WEEK_MINUTES] as const
const WINDOWS = [20, 40, 90] as const
const FEWEST_LINES = 20
/** The hours before, which end a little before the window; other days are looked at so far to either side. */
const BEFORE = { minutes: 4 * HOUR, gap: 10, around: 20 }
/** A drop has to be so many of the zone's own spreads, and not by chance. */
const SPREADS = 4
const SURPRISE = 6
/** A purge: the cache fills again. Halves of the window, and its last minutes, show so much of the drop. */
const STAYS = { half: 0.7, last: 0.8, minutes: 5, few: 20, longer: 10 }
/** A crawl adds misses and leaves the hits as they were: of the drop, in logarithms, so much has to be hits that are missing, and more while last week is not known. */
const MISSING = { hits: 0.6, lines: 0.3 }
const UNKNOWN_MISSING = { hits: 0.8, lines: 0.15 }
/** A drop that other days had at that time is no news, if it was so much of this one. */
const KNOWN_DROP = 0.6
const BACK = { part: 0.4, minutes: 10, fewest: 5, longer: 40 }

/** Visitors are not served from the cache any more: the hit ratio fell and stays so, or requests go round it. */
export const cacheNotWorking = trafficKind({
  name: 'cache-not-working',
  title: 'Cache not working',
  summary: 'Requests that the cache should answer go to the origin: MISS where there were hits, or BYPASS.',
  parameters: PARAMETERS,
  unit: 'share',
  falls: true,
  explainedByMarks: true,
  mostMinutes: 4 * HOUR,
  restMinutes: 10,
  find(view, set) {
    const found = findRisenShare([BYPASS], view, set.bypass / USUAL_BYPASS)
    if (found !== undefined && !isOld(found, view)) {
      const severity = found.value >= CRITICAL_BYPASS ? 'critical' : 'warning'
      return { ...found, severity, seen: { why: BYPASSED } }
    }
    for (const minutes of WINDOWS) {
      const finding = findMissingHits(view, { at: view.at, minutes }, set)
      if (finding !== undefined) return finding
    }
    return undefined
  },
  isOver: (view, begun) => (isBypass(begun.reading) ? isShareOver(BYPASS, view, begun) : isBack(view, begun)),
  problem: (reading) =>
    `${reading.level === 'critical' ? 'far more requests' : 'more requests'} ${isBypass(reading) ? 'bypass' : 'miss'} the cache`,
  over: 'cache works again',
  usualNow: 'a lower hit ratio is usual now',
  number(reading) {
    const { facts, seen } = reading
    const isBypassed = isBypass(reading) || seen?.['began'] === BYPASSED
    const value = isBypassed && !isBypass(reading) ? Number(seen?.['bypass'] ?? 0) : (facts.value ?? 0)
    return isBypassed ? `${roundPercent(value)} BYPASS` : `hit ratio ${roundPercent(value)}`
  },
  see: (series, from, until) => ({ bypass: series.share('bypass', 'cacheable', from, until) }),
  compared: ({ facts: { baseline } }) => (baseline === undefined ? [] : [`usually ${roundPercent(baseline)}`]),
  shows: ({ cacheStatus }) => cacheStatus === 'MISS' || cacheStatus === 'BYPASS',
  logsFilter: { cache: 'MISS,BYPASS' },
  value: (series, from, until) => series.share('answered', 'cacheable', from, until),
})

function isBypass({ seen }: Reading): boolean {
  return seen?.['why'] === BYPASSED
}
function isOld({ value, minutes }: Pick<Finding, 'value' | 'minutes'>, { series, at }: TrafficView): boolean {
  const from = at - minutes - BEFORE.minutes
  return (series.share('bypass', 'cacheable', from, at - BEFORE.gap - minutes) ?? 0) >= OLD * value
}
function findMissingHits(
  view: TrafficView,
  window: Window,
  { warning, critical }: Settings<'warning' | 'critical'>,
): Finding | undefined {
  const { series, baseline, at } = view
  const { minutes } = window
  const from = at - minutes
  const lines = series.total('cacheable', from, at)
  if (from < view.endedAt || lines < FEWEST_LINES) return undefined
  const now = hitRatio(series, from, at)
  const hoursBefore = hitRatio(series, from - BEFORE.minutes, from - BEFORE.gap)
  if (now === undefined || hoursBefore === undefined || hoursBefore - now < warning / 100) return undefined
  const before = Math.min(hoursBefore, findBestRatio(series, window))
  if (before - now < warning / 100) return undefined
  const drop = logit(before) - logit(now)
  const few = Math.sqrt(Math.max(1, (20 * baseline.cacheableRate) / lines))
  if (drop < SPREADS * baseline.ratioSpread * few * (minutes > 20 ? 0.9 : 1)) return undefined
  if (scoreShare(lines - series.total('answered', from, at), lines, 1 - before) < SURPRISE) return undefined
  if (recovers(series, window, before, before - now) || isDailyDrop(series, window, drop)) return undefined
  if (!areHitsMissing(series, window, Math.log(before / now))) return undefined
  const isCritical = before - now >= critical / 100
  return {
    severity: isCritical ? 'critical' : 'warning',
    value: now,
    baseline: before,
    threshold: before - warning / 100,
    sample: lines,
    minutes,
  }
}

/** The best that other days had at this time; 1 where none is known. */
function findBestRatio(series: MinuteSeries, { at, minutes }: Window): number {
  const from = at - minutes - BEFORE.around
  const then = OTHER_DAYS.flatMap((back) => hitRatio(series, from - back, at + BEFORE.around - back) ?? [])
  return then.length === 0 ? 1 : Math.max(...then)
}

function recovers(series: MinuteSeries, { at, minutes }: Window, before: number, drop: number): boolean {
  const middle = at - Math.floor(minutes / 2)
  const best = Math.max(hitRatio(series, middle, at) ?? 0, hitRatio(series, at - minutes, middle) ?? 0)
  const isFew = series.total('cacheable', at - STAYS.minutes, at) < STAYS.few
  const last = hitRatio(series, at - (isFew ? STAYS.longer : STAYS.minutes), at) ?? 0
  return before - best < STAYS.half * drop || before - last < STAYS.last * drop
}

/** Whether other days had such a drop at this time: a daily job. */
function isDailyDrop(series: MinuteSeries, { at, minutes }: Window, drop: number): boolean {
  return OTHER_DAYS.some((back) => {
    const level = hitRatio(series, at - back - minutes - BEFORE.minutes, at - back - minutes - 30)
    if (level === undefined) return false
    for (let off = -20; off <= 20; off += 10) {
      const then = hitRatio(series, at - back - minutes + off, at - back + off)
      if (then !== undefined && logit(level) - logit(then) > KNOWN_DROP * drop) return true
    }
    return false
  })
}

function areHitsMissing(series: MinuteSeries, window: Window, drop: number): boolean {
  const { at, minutes } = window
  const [hits, lines] = [measureGain('answered'), measureGain('cacheable')]
  if (hits === undefined || lines === undefined) return false
  const missing = hits.days === OTHER_DAYS.length ? MISSING : UNKNOWN_MISSING
  return hits.gain <= -missing.hits * drop && lines.gain <= missing.lines * drop

  function measureGain(column: Column) {
    const forecast = expectRate(series, column, window)
    const rate = series.rate(column, at - minutes, at)
    if (forecast === undefined || rate === undefined) return undefined
    return { gain: Math.log((rate * minutes + 1) / (forecast.rate * minutes + 1)), days: forecast.days }
  }
}

function isBack({ series, at }: TrafficView, { reading: { facts } }: Begun): boolean {
  const { value = 0, baseline = 1 } = facts
  const isFew = series.total('cacheable', at - BACK.minutes, at) < BACK.fewest
  const now = hitRatio(series, at - (isFew ? BACK.longer : BACK.minutes), at)
  return now !== undefined && now > baseline - BACK.part * (baseline - value)
}

/** The hit ratio, drawn a little to the middle where there are few lines, so that it is never 0 or 1; undefined of nothing. */
function hitRatio(series: MinuteSeries, from: number, until: number): number | undefined {
  const lines = series.total('cacheable', from, until)
  return lines === 0 ? undefined : (series.total('answered', from, until) + 0.5) / (lines + 1)
}

function logit(share: number): number {
  return Math.log(share / (1 - share))
}
