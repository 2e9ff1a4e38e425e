import type { Parameters, TrafficKind, TrafficView } from '../alert-kind.ts'
import { frozenOr, usualBefore } from '../baseline.ts'
import {
  baselineHours,
  clearFor,
  criticalAt,
  fixedWindow,
  minimumLines,
  threshold,
  warningAt,
} from '../parameter-declarations.ts'
import { timingOf } from '../kind-timing.ts'
import { MINUTE_MS, type MinuteSeries } from '../minute-series.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { amount, baselineText, percent } from '../reading-sentence.ts'
import { factsOf, gravest, levelOf, noData, rated, rateOf } from '../traffic-reading.ts'
import type { ReadFailure } from '../traffic-trust.ts'
import { inMilliseconds, windowOf } from '../window.ts'
import { countAtMost } from '../wilson.ts'

const PARAMETERS = [
  warningAt({
    unit: 'minutes',
    usual: 10,
    min: 2,
    max: 120,
    meaning: 'Warns after so long without a line, or without being able to read any.',
  }),
  criticalAt({
    unit: 'minutes',
    usual: 30,
    min: 2,
    max: 240,
    meaning: 'Critical after so long without a line, or without being able to read any.',
  }),
  threshold('also-warning', 'Part, warning', {
    unit: '%',
    usual: 20,
    max: 90,
    meaning: 'Warns when certainly fewer of the expected lines come, over the window.',
  }),
  threshold('also-critical', 'Part, critical', {
    unit: '%',
    usual: 10,
    max: 90,
    meaning: 'Critical when certainly fewer of the expected lines come, over the window.',
  }),
  threshold('also-clear', 'Clear again', {
    unit: '%',
    usual: 30,
    max: 100,
    meaning: 'From this part of the expected lines on it is clear again.',
  }),
  fixedWindow(5, 30),
  minimumLines(50, 'Zones in which usually fewer lines come in ten minutes are too quiet to tell.'),
  baselineHours(),
  clearFor(1),
] as const
const settings = settingsOf(PARAMETERS)
/** The minimum is about so many minutes, and so long are the windows of the baseline. */
const TEN_MINUTES = 10
/** After an hour in which lines came in every ten minutes, what comes is what is usual now. */
const HOUR_MINUTES = 60

/** What each failure means for whoever reads it, and what to do. */
const CAUSES: Readonly<Record<ReadFailure, string>> = {
  'logging off or no such zone':
    'The platform says that logging is off for this zone, or that there is no such zone. Switch logging on',
  'key refused or zone suspended':
    'The platform refuses the API key for this log, or the zone is suspended. Check the key',
  limited: 'The platform limits how often this log is read. It is tried again more slowly',
  'platform error': 'The platform answers with errors or not at all. It is tried again',
}

/**
 * The log of a zone fell silent, and why: it cannot be read, or it was read and nothing, or next to nothing, was in it. Time that
 * was not read is never silence. "A part of what is expected" holds by the upper bound of the number of lines, since a quiet zone
 * has few of them by chance. What was usual when it began stays the measure, until lines have come for an hour.
 */
export const logSilence: TrafficKind = {
  name: 'log-silence',
  title: 'Log silence',
  summary: 'Whether the log of a zone has stopped or cannot be read, so that nothing can be told about its traffic.',
  subject: 'pull',
  parameters: PARAMETERS,
  unit: 'lines a minute',
  every: 1,
  inhibitedBy: [],
  explainedByMarks: false,
  history: (parameters) => {
    const get = settings(parameters)
    return get('baseline-hours') * 60 + get('critical')
  },
  timing: (parameters) => timingOf({ clearFor: settings(parameters)('clear-for') }),
  observe,
  value: rateOf,
}

function observe(view: TrafficView, parameters: Parameters): Reading {
  const { series, at, trust, firing } = view
  const get = settings(parameters)
  const window = windowOf(series, at, get('window'))
  if (trust.failure !== undefined) {
    const { cause, sinceMs } = trust.failure
    const minutes = Math.max(0, Math.floor((at * MINUTE_MS + trust.lagMs - sinceMs) / MINUTE_MS))
    const bad = gravest(minutes >= get('critical'), minutes >= get('warning'))
    const rule = `Warning after ${get('warning')} minutes, critical after ${get('critical')}`
    const sentence = `The log could not be read for ${minutes} minutes. ${CAUSES[cause]}. This says nothing about the traffic. ${rule}.`
    const facts = {
      sentence,
      value: minutes,
      unit: 'minutes',
      threshold: get(bad === 'critical' ? 'critical' : 'warning'),
      window: inMilliseconds(window),
      covered: window.counts.covered,
    } as const
    return { level: bad ?? (firing ? 'between' : 'no data'), facts }
  }
  const { lines, covered } = window.counts
  if (!rated(window.counts)) return noData(window, 'too little of the window was read')
  const usual = frozenOr(firing ? view.frozenBaseline : undefined, () =>
    usualBefore(series, {
      before: at - get('warning'),
      minutes: TEN_MINUTES,
      hours: get('baseline-hours'),
      measure: rateOf,
    }),
  )
  const sample = { value: rateOf(window.counts) ?? 0, unit: 'lines a minute', sample: lines } as const
  if (firing && spokeForAnHour(series, at, usual === undefined ? undefined : (usual.value * get('also-clear')) / 100)) {
    const sentence = `Lines have come for an hour, now ${amount(sample.value)} a minute.`
    return { level: 'clear', facts: factsOf(window, sentence, sample) }
  }
  const quiet = usual === undefined || usual.value * TEN_MINUTES < get('minimum')
  // It began because the log could not be read. Now it can, and no more than that would be said of so quiet a zone.
  if (quiet && firing && view.frozenBaseline === undefined) {
    const sentence = `The log can be read again, and holds ${amount(sample.value)} lines a minute.`
    return { level: 'clear', facts: factsOf(window, sentence, sample) }
  }
  if (usual === undefined) return noData(window, 'too little is known of the hours before', sample)
  if (quiet) {
    return noData(window, `usually fewer than ${get('minimum')} lines come in ten minutes, too few to tell`, {
      ...sample,
      baseline: usual.value,
    })
  }
  const expected = usual.value * window.counts.minutes * covered
  const part = countAtMost(lines) / expected
  const critical = silentFor(series, at, get('critical')) || part < get('also-critical') / 100
  const warning = silentFor(series, at, get('warning')) || part < get('also-warning') / 100
  const bad = gravest(critical, warning)
  const clear = lines >= expected * (get('also-clear') / 100)
  const threshold = (usual.value * get(bad === 'critical' ? 'also-critical' : 'also-warning')) / 100
  const rule = `told when nothing comes for ${get('warning')} minutes, or certainly under ${get('also-warning')}% of the usual`
  const sentence = `The log was read and holds ${sample.value === 0 ? 'no lines' : `${amount(sample.value)} lines a minute`}, ${percent(lines / expected)} of the usual ${baselineText(usual, amount)}; ${rule}.`
  return {
    level: levelOf(bad, clear, firing),
    facts: factsOf(window, sentence, { ...sample, threshold, baseline: usual.value }),
  }
}

/** Nothing in all of the time, and enough of it was read. */
function silentFor(series: MinuteSeries, at: number, minutes: number): boolean {
  return rated(series.stretch(at - minutes, at)) && series.lines(at - minutes, at) === 0
}

/**
 * Lines have come all the time for an hour, though never as many as would clear it: the hour before the silence is none of
 * these, since what was usual came then.
 */
function spokeForAnHour(series: MinuteSeries, at: number, below: number | undefined): boolean {
  for (let end = at; end > at - HOUR_MINUTES; end -= TEN_MINUTES) {
    const counts = { lines: series.lines(end - TEN_MINUTES, end), ...series.stretch(end - TEN_MINUTES, end) }
    if (counts.lines === 0) return false
    if (below !== undefined && (rateOf(counts) ?? 0) >= below) return false
  }
  return true
}
