import { DAY_MINUTES, WEEK_MINUTES } from '../../shared/durations.ts'
import type { Begun, TrafficView } from '../alert-kind.ts'
import { expected, type Window } from '../forecast.ts'
import { COLUMN, type MinuteSeries } from '../minute-series.ts'
import { criticalAt, threshold, warningAt, settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { percent, windowWords } from '../reading-sentence.ts'
import { shareSurprise } from '../surprise.ts'
import { type Finding, trafficKind } from '../traffic-life.ts'
import { type BadShare, isShareOver, risenShare } from './shares.ts'

const PARAMETERS = [
  warningAt({
    unit: 'points',
    usual: 7,
    min: 3,
    max: 90,
    meaning: 'Warns when the hit ratio has fallen by so many points, though as many visitors come.',
  }),
  criticalAt({ unit: 'points', usual: 30, min: 3, max: 95, meaning: 'Critical when it has fallen by so many points.' }),
  threshold('bypass', 'BYPASS', {
    unit: '%',
    usual: 20,
    min: 5,
    max: 95,
    meaning: 'Warns when so much goes round the cache that usually does not.',
  }),
] as const
const settings = settingsOf(PARAMETERS)
type Settings = ReturnType<typeof settings>

const BYPASS: BadShare = {
  of: { bad: [COLUMN.bypass], whole: COLUMN.cacheable },
  floors: [
    [5, 0.15],
    [10, 0.15],
    [20, 0.15],
    [60, 0.15],
    [120, 0.15],
  ],
  least: 6,
}
const USUAL_BYPASS = 20
const CRITICAL_BYPASS = 0.5
/** What has gone round the cache for hours, nearly as much, is what is usual now. */
const OLD = 0.8
const BYPASSED = 'BYPASS'

const HOUR = 60
const OTHER_DAYS = [DAY_MINUTES, WEEK_MINUTES] as const
/** Short ones find what is large. */
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
export const cacheNotWorking = trafficKind<Settings>({
  name: 'cache-not-working',
  title: 'Cache not working',
  summary: 'Requests that the cache should answer go to the origin: MISS where there were hits, or BYPASS.',
  parameters: PARAMETERS,
  settings,
  unit: 'share',
  explainedByMarks: true,
  mostMinutes: 4 * HOUR,
  restMinutes: 10,
  find(view, set) {
    const found = risenShare([BYPASS], view, set.bypass / USUAL_BYPASS)
    if (found !== undefined && !isOld(found, view)) {
      const { place: _, ...finding } = found
      return {
        ...finding,
        severity: finding.value >= CRITICAL_BYPASS ? 'critical' : 'warning',
        seen: { why: BYPASSED },
      }
    }
    for (const minutes of WINDOWS) {
      const finding = missingHits(view, { at: view.at, minutes }, set)
      if (finding !== undefined) return finding
    }
    return undefined
  },
  isOver: (view, begun) => (isBypass(begun.reading) ? isShareOver(BYPASS, view, begun) : isBack(view, begun)),
  found(reading) {
    const { value = 0, baseline } = reading.facts
    const usually = baseline === undefined ? '' : `, usually ${percent(baseline)}`
    return isBypass(reading)
      ? `${percent(value)} of what the cache could answer went round it (BYPASS) ${windowWords(reading.facts)}${usually}.`
      : `The hit ratio was ${percent(value)} ${windowWords(reading.facts)}${usually}.`
  },
  lasted: ({ facts, seen }) =>
    seen?.['began'] === BYPASSED
      ? `requests go round the cache (BYPASS), hit ratio ${percent(facts.value ?? 0)}`
      : `hit ratio ${percent(facts.value ?? 0)}, was ${percent(facts.baseline ?? 0)}`,
  shows: ({ cacheStatus }) => cacheStatus === 'MISS' || cacheStatus === 'BYPASS',
  value: (series, from, until) => series.share(COLUMN.answered, COLUMN.cacheable, from, until),
})

function isBypass({ seen }: Reading): boolean {
  return seen?.['why'] === BYPASSED
}

/** Whether as much went round the cache in the hours before. */
function isOld({ value, minutes }: Finding, { series, at }: TrafficView): boolean {
  const from = at - minutes - BEFORE.minutes
  return (series.share(COLUMN.bypass, COLUMN.cacheable, from, at - BEFORE.gap - minutes) ?? 0) >= OLD * value
}

/** The hit ratio has fallen, stays so, and hits are missing that should be there. */
function missingHits(view: TrafficView, window: Window, set: Settings): Finding | undefined {
  const { series, usual, at } = view
  const { minutes } = window
  const from = at - minutes
  const lines = series.total(COLUMN.cacheable, from, at)
  if (from < view.endedAt || lines < FEWEST_LINES) return undefined
  const now = ratio(series, from, at)
  const hoursBefore = ratio(series, from - BEFORE.minutes, from - BEFORE.gap)
  if (now === undefined || hoursBefore === undefined || hoursBefore - now < set.warning / 100) return undefined
  const before = Math.min(hoursBefore, ratioOfOtherDays(series, window))
  if (before - now < set.warning / 100) return undefined
  const drop = logit(before) - logit(now)
  const few = Math.sqrt(Math.max(1, (20 * usual.cacheableRate) / lines))
  if (drop < SPREADS * usual.ratioSpread * few * (minutes > 20 ? 0.9 : 1)) return undefined
  if (shareSurprise(lines - series.total(COLUMN.answered, from, at), lines, 1 - before) < SURPRISE) return undefined
  if (recovers(series, window, before, before - now) || isKnown(series, window, drop)) return undefined
  if (!areHitsMissing(series, window, Math.log(before / now))) return undefined
  const critical = before - now >= set.critical / 100
  return {
    severity: critical ? 'critical' : 'warning',
    value: now,
    baseline: before,
    threshold: before - set.warning / 100,
    sample: lines,
    minutes,
  }
}

/** The best that other days had at this time; 1 where none is known. */
function ratioOfOtherDays(series: MinuteSeries, { at, minutes }: Window): number {
  const from = at - minutes - BEFORE.around
  const then = OTHER_DAYS.flatMap((back) => ratio(series, from - back, at + BEFORE.around - back) ?? [])
  return then.length === 0 ? 1 : Math.max(...then)
}

function recovers(series: MinuteSeries, { at, minutes }: Window, before: number, drop: number): boolean {
  const middle = at - Math.floor(minutes / 2)
  const best = Math.max(ratio(series, middle, at) ?? 0, ratio(series, at - minutes, middle) ?? 0)
  const isFew = series.total(COLUMN.cacheable, at - STAYS.minutes, at) < STAYS.few
  const last = ratio(series, at - (isFew ? STAYS.longer : STAYS.minutes), at) ?? 0
  return before - best < STAYS.half * drop || before - last < STAYS.last * drop
}

/** Whether other days had such a drop at this time: a daily job. */
function isKnown(series: MinuteSeries, { at, minutes }: Window, drop: number): boolean {
  return OTHER_DAYS.some((back) => {
    const level = ratio(series, at - back - minutes - BEFORE.minutes, at - back - minutes - 30)
    if (level === undefined) return false
    for (let off = -20; off <= 20; off += 10) {
      const then = ratio(series, at - back - minutes + off, at - back + off)
      if (then !== undefined && logit(level) - logit(then) > KNOWN_DROP * drop) return true
    }
    return false
  })
}

function areHitsMissing(series: MinuteSeries, window: Window, drop: number): boolean {
  const { at, minutes } = window
  const [hits, lines] = [gain(COLUMN.answered), gain(COLUMN.cacheable)]
  if (hits === undefined || lines === undefined) return false
  const missing = hits.days === OTHER_DAYS.length ? MISSING : UNKNOWN_MISSING
  return hits.gain <= -missing.hits * drop && lines.gain <= missing.lines * drop

  function gain(column: typeof COLUMN.answered | typeof COLUMN.cacheable) {
    const forecast = expected(series, column, window)
    const rate = series.rate(column, at - minutes, at)
    if (forecast === undefined || rate === undefined) return undefined
    return { gain: Math.log((rate * minutes + 1) / (forecast.rate * minutes + 1)), days: forecast.days }
  }
}

function isBack({ series, at }: TrafficView, { reading: { facts } }: Begun): boolean {
  const { value = 0, baseline = 1 } = facts
  const isFew = series.total(COLUMN.cacheable, at - BACK.minutes, at) < BACK.fewest
  const now = ratio(series, at - (isFew ? BACK.longer : BACK.minutes), at)
  return now !== undefined && now > baseline - BACK.part * (baseline - value)
}

/** The hit ratio, drawn a little to the middle where there are few lines, so that it is never 0 or 1; undefined of nothing. */
function ratio(series: MinuteSeries, from: number, until: number): number | undefined {
  const lines = series.total(COLUMN.cacheable, from, until)
  return lines === 0 ? undefined : (series.total(COLUMN.answered, from, until) + 0.5) / (lines + 1)
}

function logit(share: number): number {
  return Math.log(share / (1 - share))
}
