import type { Parameters, TrafficKind, TrafficView } from '../alert-kind.ts'
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
import { trafficChange, type TrafficChange } from '../traffic-change.ts'
import { factsOf, gravest, levelOf, noData, rateOf } from '../traffic-reading.ts'
import { windowOf } from '../window.ts'

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
type Get = ReturnType<typeof settings>

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
  history: (parameters) => settings(parameters)('baseline-hours') * 60 + 3 * MAX_WINDOW,
  timing: (parameters) => timingOf({ times: 2, clearFor: settings(parameters)('clear-for') }),
  observe,
  value: rateOf,
}

function observe({ series, at, firing }: TrafficView, parameters: Parameters): Reading {
  const get = settings(parameters)
  const hours = get('baseline-hours')
  const newest = rateOf(windowOf(series, at, get('window')).counts) ?? 0
  const known = series.covered(at - hours * 60, at) * hours * 60
  const rate = Math.max(newest, known > 0 ? series.lines(at - hours * 60, at) / known : 0)
  const wanted = rate > 0 ? Math.ceil((1.1 * get('minimum')) / rate) : MAX_WINDOW
  const minutes = Math.max(get('window'), Math.min(wanted, MAX_WINDOW))
  const window = windowOf(series, at, minutes)
  const change = trafficChange(series, at, minutes, hours)
  if (change === undefined) return noData(window, 'too little was read of the window or of the hours before')
  const most = Math.max(change.now, change.usual) * minutes
  if (most <= get('minimum')) {
    const numbers = { sample: window.counts.lines }
    // So little has come for hours: that is what is usual now. Nothing at all proves no such thing.
    const settled = firing && change.now > 0 && Math.abs(change.z) < get('clear')
    if (settled)
      return { level: 'clear', facts: factsOf(window, sentence(change, window.counts.lines, undefined, get), numbers) }
    return noData(window, `not more than ${get('minimum')} lines in the window, now or usually`, numbers)
  }
  const unlike = Math.max(change.fall, change.rise) > get('warning')
  const previous = unlike ? trafficChange(series, at - minutes, minutes, hours) : undefined
  const bad = worse(dropOf(change, previous, get), farOf(change, previous, get))
  const level = levelOf(bad, Math.abs(change.z) < get('clear'), firing)
  const facts = factsOf(window, sentence(change, window.counts.lines, bad, get), {
    value: change.now,
    unit: 'lines a minute',
    sample: window.counts.lines,
    interval: interval(window.counts.lines, change.now),
    threshold:
      change.now < change.usual ? change.usual * (1 - get('change') / 100) : change.usual * (1 + get('change') / 100),
    baseline: change.usual,
  })
  return { level, facts }
}

/** Far from usual, either way, and from half an hour ago as well. */
function farOf(
  { now, usual, z, ago, seenHigh, seenLow, ...change }: TrafficChange,
  previous: TrafficChange | undefined,
  get: Get,
): Severity | undefined {
  const share = get('change') / 100
  const [more, less] = [1 + share, Math.max(0, 1 - share)]
  const high = now >= usual * more && !seenHigh
  const low = now <= usual * less && !seenLow
  if (!high && !low) return undefined
  const from = ago ?? usual
  const unlike = high ? [change.rise, previous?.rise ?? 0] : [change.fall, previous?.fall ?? 0]
  const begins = (high ? now >= from * more : now <= from * less) && beyond(unlike, get)
  if (!begins) return undefined
  return gravest(Math.abs(z) > get('critical'), Math.abs(z) > get('warning'))
}

/** Far less than half an hour ago; or than usual, where half an hour ago was a rise itself, whose end is no drop. */
function dropOf(change: TrafficChange, previous: TrafficChange | undefined, get: Get): Severity | undefined {
  const { now, usual, ago, seenLow } = change
  const from = ago !== undefined && ago >= usual * (1 + get('change') / 100) ? usual : ago
  const left = from === undefined || from <= 0 || seenLow ? 1 : now / from
  if (!beyond([change.fall, previous?.fall ?? 0], get)) return undefined
  return gravest(left <= get('also-critical') / 100, left <= get('also-warning') / 100)
}

/** Beyond what noise makes: much in the newest window, or enough in it and in the one before. */
function beyond([now = 0, before = 0]: readonly number[], get: Get): boolean {
  return now > get('critical') || (now > get('warning') && before > get('warning'))
}

function worse(one: Severity | undefined, other: Severity | undefined): Severity | undefined {
  return gravest(one === 'critical' || other === 'critical', one === 'warning' || other === 'warning')
}

function interval(lines: number, rate: number): readonly [number, number] {
  const part = lines > 0 ? 1.96 / Math.sqrt(lines) : 0
  return [Math.max(0, rate * (1 - part)), rate * (1 + part)]
}

function sentence(
  { now, usual, windows, z, ago }: TrafficChange,
  lines: number,
  bad: Severity | undefined,
  get: Get,
): string {
  const [low, high] = interval(lines, now)
  const what = bad === undefined ? 'Traffic is' : now < usual ? 'Traffic has dropped to' : 'Traffic has risen to'
  const since = ago === undefined || ago <= 0 ? '' : `, ${percent(now / ago)} of half an hour ago`
  const compared = `usually ${amount(usual)} (median of ${windows} windows in ${get('baseline-hours')} hours, z ${amount(z)})${since}`
  const rule = `told from ±${get('change')}% with z past ${get('warning')}, or down to ${get('also-warning')}% of half an hour ago`
  return `${what} ${amount(now)} lines a minute (95% interval ${amount(low)} to ${amount(high)}), ${compared}; ${rule}.`
}
