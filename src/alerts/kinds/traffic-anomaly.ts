import type { Parameters, Reach, TrafficKind, TrafficView, Words } from '../alert-kind.ts'
import {
  baselineHours,
  clearAt,
  clearFor,
  criticalAt,
  growingWindow,
  minimumLines,
  threshold,
  warningAt,
} from '../parameter-declarations.ts'
import { timingOf, UNTRUSTED } from '../kind-timing.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading, Severity } from '../reading.ts'
import { amount, percent } from '../reading-sentence.ts'
import { COLUMN, coveredIn, rateIn, type Traffic } from '../traffic.ts'
import { type TrafficChange, trafficChange, type Unlike, unlikeBefore } from '../traffic-change.ts'
import { badOf, gravest, inTime, levelOf, noData, noDataWords, numbersOf, seenNumber } from '../traffic-reading.ts'

const PARAMETERS = [
  warningAt({
    unit: 'z',
    usual: 3.5,
    min: 2,
    max: 50,
    meaning: 'Warns when traffic is so many robust deviations from what is usual.',
  }),
  criticalAt({
    unit: 'z',
    usual: 6,
    min: 2,
    max: 100,
    meaning: 'Critical when it is so many robust deviations from what is usual.',
  }),
  threshold('change', 'Change', {
    unit: '%',
    usual: 50,
    min: 10,
    max: 1_000,
    meaning: 'And when it is at least so much more or less than usual.',
  }),
  clearAt({ unit: 'z', usual: 2, max: 50, meaning: 'Within so many deviations of what is usual it is clear again.' }),
  threshold('also-warning', 'Drop, warning', {
    unit: '%',
    usual: 70,
    min: 1,
    max: 95,
    meaning: 'Warns when no more than this is left of half an hour ago, in two windows one after the other.',
  }),
  threshold('also-critical', 'Drop, critical', {
    unit: '%',
    usual: 60,
    min: 1,
    max: 95,
    meaning: 'Critical when no more than this is left of half an hour ago.',
  }),
  growingWindow(5),
  minimumLines(200, 'With fewer lines than this in the window, now and usually, nothing is said.'),
  baselineHours(),
  clearFor(15),
] as const
const settings = settingsOf(PARAMETERS)
type Settings = ReturnType<typeof settings>

/** Longer windows would leave too few of them in the hours before. */
const MAX_WINDOW = 30

/**
 * Far more or far less traffic than usual. Plain definitions would be noise where minutes differ much, and would take a morning
 * for a surge. So far from usual (50 % and 3.5 robust deviations from the median of the hours before) is where it may begin only
 * together with the same distance from half an hour ago, and a drop to 70 % or 60 % of half an hour ago only where it is beyond
 * what noise and trend let expect: by 3.5 deviations in two windows one after the other, or by 6 in one. Nor does the end of a
 * surge count as a drop, or the end of a drop as a surge: levels that the hours before had now and then are none. Two looks.
 */
export const trafficAnomaly: TrafficKind = {
  name: 'traffic-anomaly',
  title: 'Traffic anomaly',
  summary: 'Whether there are far more or far fewer requests than usual.',
  subject: 'pull',
  parameters: PARAMETERS,
  unit: 'lines a minute',
  every: 1,
  inhibitedBy: UNTRUSTED,
  explainedByMarks: false,
  reach,
  timing: (parameters) => timingOf({ times: 2, clearFor: settings(parameters)['clear-for'] }),
  rule(parameters) {
    const set = settings(parameters)
    return {
      observe: (view) => observe(view, set),
      words: (reading) => words(reading, set),
    }
  },
  value: rateIn,
}

function observe({ series, at, firing }: TrafficView, set: Settings): Reading {
  const minutes = windowOf(series, at, set)
  const window = { series, at, minutes }
  const compared = { until: at, minutes, hours: set['baseline-hours'] }
  const change = trafficChange(series, compared)
  if (change === undefined) return noData('unread', numbersOf(window, undefined))
  const { now, usual, windows, z, ago } = change
  const lines = series.total(COLUMN.lines, at - minutes, at)
  const seen = { now, usual, windows, z, ago }
  if (Math.max(now, usual) * minutes <= set.minimum) {
    const numbers = numbersOf(window, undefined, undefined, lines)
    // So little has come for hours: that is what is usual now. Nothing at all proves no such thing.
    const settled = firing && now > 0 && Math.abs(z) < set.clear
    return settled ? { level: 'clear', facts: numbers, seen } : noData('few', numbers)
  }
  const bad = badNow(
    change,
    set,
    () => unlikeBefore(series, compared),
    () => unlikeBefore(series, { ...compared, until: at - minutes }),
  )
  const limit = now < usual ? usual * (1 - set.change / 100) : usual * (1 + set.change / 100)
  return {
    level: levelOf(bad, Math.abs(z) < set.clear, firing),
    facts: numbersOf(window, 'lines a minute', now, lines, limit, usual),
    seen: { windows, z, ago },
  }
}

/** As many minutes as hold the minimum, now or in the mean of the hours before. */
function windowOf(series: Traffic, at: number, set: Settings): number {
  const hours = set['baseline-hours']
  const newest = rateIn(series, at - set.window, at) ?? 0
  const read = coveredIn(series, at - hours * 60, at) * hours * 60
  const rate = Math.max(newest, read > 0 ? series.total(COLUMN.lines, at - hours * 60, at) / read : 0)
  const wanted = rate > 0 ? Math.ceil((1.1 * set.minimum) / rate) : MAX_WINDOW
  return Math.max(set.window, Math.min(wanted, MAX_WINDOW))
}

/** How bad it is. What costs much, how unlike half an hour ago it is, is asked for where the rest would be bad enough. */
function badNow(
  change: TrafficChange,
  set: Settings,
  unlikeNow: () => Unlike | undefined,
  unlikePrevious: () => Unlike | undefined,
): Severity | undefined {
  const drop = dropOf(change, set)
  const far = farOf(change, set)
  if (drop === undefined && far === undefined) return undefined
  const unlike = unlikeNow()
  if (unlike === undefined || Math.max(unlike.fall, unlike.rise) <= set.warning) return undefined
  const before = unlikePrevious()
  const high = change.now >= change.usual
  const falls = beyond(unlike.fall, before?.fall ?? 0, set)
  const rises = beyond(unlike.rise, before?.rise ?? 0, set)
  return worse(falls ? drop : undefined, (high ? rises : falls) ? far : undefined)
}

/** Far from usual, either way, and from half an hour ago as well: how bad, if it is beyond what noise makes. */
function farOf({ now, usual, z, ago, seenHigh, seenLow }: TrafficChange, set: Settings): Severity | undefined {
  const share = set.change / 100
  const [more, less] = [1 + share, Math.max(0, 1 - share)]
  const high = now >= usual * more && !seenHigh
  const low = now <= usual * less && !seenLow
  if (!high && !low) return undefined
  const from = ago ?? usual
  const begins = high ? now >= from * more : now <= from * less
  return begins ? gravest(Math.abs(z) > set.critical, Math.abs(z) > set.warning) : undefined
}

/** Far less than half an hour ago; or than usual, where half an hour ago was a rise itself, whose end is no drop. */
function dropOf({ now, usual, ago, seenLow }: TrafficChange, set: Settings): Severity | undefined {
  const from = ago !== undefined && ago >= usual * (1 + set.change / 100) ? usual : ago
  const left = from === undefined || from <= 0 || seenLow ? 1 : now / from
  return gravest(left <= set['also-critical'] / 100, left <= set['also-warning'] / 100)
}

/** Beyond what noise makes: much in the newest window, or enough in it and in the one before. */
function beyond(now: number, before: number, set: Settings): boolean {
  return now > set.critical || (now > set.warning && before > set.warning)
}

function worse(one: Severity | undefined, other: Severity | undefined): Severity | undefined {
  return gravest(one === 'critical' || other === 'critical', one === 'warning' || other === 'warning')
}

function interval(lines: number, rate: number): readonly [number, number] {
  const part = lines > 0 ? 1.96 / Math.sqrt(lines) : 0
  return [Math.max(0, rate * (1 - part)), rate * (1 + part)]
}

function words(reading: Reading, set: Settings): Words {
  if (reading.level === 'no data') {
    return noDataWords(reading, {
      unread: 'too little was read of the window or of the hours before',
      few: `not more than ${set.minimum} lines in the window, now or usually`,
    })
  }
  const { facts, seen } = reading
  const now = facts.value ?? seenNumber(reading, 'now')
  const usual = facts.baseline ?? seenNumber(reading, 'usual')
  const bad = badOf(reading.level)
  const [low, high] = interval(facts.sample ?? 0, now)
  const what = bad === undefined ? 'Traffic is' : now < usual ? 'Traffic has dropped to' : 'Traffic has risen to'
  const ago = seen?.['ago'] === undefined ? 0 : seenNumber(reading, 'ago')
  const since = ago > 0 ? `, ${percent(now / ago)} of half an hour ago` : ''
  const compared = `usually ${amount(usual)} (median of ${seenNumber(reading, 'windows')} windows in ${set['baseline-hours']} hours, z ${amount(seenNumber(reading, 'z'))})${since}`
  const rule = `told from ±${set.change}% with z past ${set.warning}, or down to ${set['also-warning']}% of half an hour ago`
  const sentence = `${what} ${amount(now)} lines a minute (95% interval ${amount(low)} to ${amount(high)}), ${compared}; ${rule}.`
  return { sentence: inTime(facts, sentence), ...(facts.value === undefined ? {} : { interval: [low, high] }) }
}

function reach(parameters: Parameters): Reach {
  const minutes = settings(parameters)['baseline-hours'] * 60 + 2 * Math.max(MAX_WINDOW, settings(parameters).window)
  return { columns: [COLUMN.lines, COLUMN.known], minutes }
}
