import { MINUTE_MS } from '../../shared/durations.ts'
import type { Parameters, Reach, TrafficKind, TrafficView, Words } from '../alert-kind.ts'
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
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { amount, baselineText, percent } from '../reading-sentence.ts'
import { COLUMN, coveredIn, rateIn, ratedIn, type Traffic } from '../traffic.ts'
import {
  gravest,
  inTime,
  levelOf,
  noData,
  noDataWords,
  numbersOf,
  seenBaseline,
  seenNumber,
} from '../traffic-reading.ts'
import { READ_FAILURES, type ReadFailure } from '../traffic-trust.ts'
import { rateMeasure } from '../window-measures.ts'
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
type Settings = ReturnType<typeof settings>
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
  reach,
  timing: (parameters) => timingOf({ clearFor: settings(parameters)['clear-for'] }),
  rule(parameters) {
    const set = settings(parameters)
    return {
      observe: (view) => observe(view, set),
      words: (reading) => words(reading, set),
    }
  },
  value: rateIn,
}

function observe(view: TrafficView, set: Settings): Reading {
  const { series, at, trust, firing, frozenBaseline } = view
  const minutes = set.window
  const window = { series, at, minutes }
  if (trust.failure !== undefined) return unreadable(view, trust.failure, set)
  const now = rateIn(series, at - minutes, at)
  if (now === undefined) return noData('unread', numbersOf(window, undefined))
  const lines = series.total(COLUMN.lines, at - minutes, at)
  const usual = frozenOr(firing ? frozenBaseline : undefined, () =>
    usualBefore({
      before: at - set.warning,
      minutes: TEN_MINUTES,
      hours: set['baseline-hours'],
      measure: rateMeasure(series),
    }),
  )
  const plain = (): Reading['facts'] => numbersOf(window, 'lines a minute', now, lines)
  if (firing && spokeForAnHour(series, at, usual === undefined ? undefined : (usual.value * set['also-clear']) / 100)) {
    return { level: 'clear', facts: plain(), seen: { why: 'spoke' } }
  }
  const quiet = usual === undefined || usual.value * TEN_MINUTES < set.minimum
  // It began because the log could not be read. Now it can, and no more than that would be said of so quiet a zone.
  if (quiet && firing && frozenBaseline === undefined) {
    return { level: 'clear', facts: plain(), seen: { why: 'readable' } }
  }
  if (usual === undefined) return noData('hours', plain())
  if (quiet) return noData('quiet', numbersOf(window, 'lines a minute', now, lines, undefined, usual.value))
  const expected = usual.value * minutes * coveredIn(series, at - minutes, at)
  const part = countAtMost(lines) / expected
  const critical = silentFor(series, at, set.critical) || part < set['also-critical'] / 100
  const warning = silentFor(series, at, set.warning) || part < set['also-warning'] / 100
  const bad = gravest(critical, warning)
  const clear = lines >= expected * (set['also-clear'] / 100)
  const limit = (usual.value * set[bad === 'critical' ? 'also-critical' : 'also-warning']) / 100
  return {
    level: levelOf(bad, clear, firing),
    facts: numbersOf(window, 'lines a minute', now, lines, limit, usual.value),
    seen: { part: lines / expected, windows: usual.windows, from: usual.from },
  }
}

function unreadable(
  { series, at, trust, firing }: TrafficView,
  { cause, sinceMs }: { readonly cause: ReadFailure; readonly sinceMs: number },
  set: Settings,
): Reading {
  const minutes = Math.max(0, Math.floor((at * MINUTE_MS + trust.lagMs - sinceMs) / MINUTE_MS))
  const bad = gravest(minutes >= set.critical, minutes >= set.warning)
  const limit = set[bad === 'critical' ? 'critical' : 'warning']
  return {
    level: bad ?? (firing ? 'between' : 'no data'),
    facts: numbersOf({ series, at, minutes: set.window }, 'minutes', minutes, undefined, limit),
    seen: { cause },
  }
}

/** Nothing in all of the time, and enough of it was read. */
function silentFor(series: Traffic, at: number, minutes: number): boolean {
  return series.total(COLUMN.lines, at - minutes, at) === 0 && ratedIn(series, at - minutes, at)
}

/**
 * Lines have come all the time for an hour, though never as many as would clear it: the hour before the silence is none of
 * these, since what was usual came then.
 */
function spokeForAnHour(series: Traffic, at: number, below: number | undefined): boolean {
  for (let end = at; end > at - HOUR_MINUTES; end -= TEN_MINUTES) {
    if (series.total(COLUMN.lines, end - TEN_MINUTES, end) === 0) return false
    if (below !== undefined && (rateIn(series, end - TEN_MINUTES, end) ?? 0) >= below) return false
  }
  return true
}

function words(reading: Reading, set: Settings): Words {
  const { facts, seen } = reading
  const cause = READ_FAILURES.find((each) => each === seen?.['cause'])
  if (cause !== undefined) {
    const rule = `Warning after ${set.warning} minutes, critical after ${set.critical}`
    const sentence = `The log could not be read for ${facts.value} minutes. ${CAUSES[cause]}. This says nothing about the traffic. ${rule}.`
    return { sentence }
  }
  if (reading.level === 'no data') {
    return noDataWords(reading, {
      unread: 'too little of the window was read',
      hours: 'too little is known of the hours before',
      quiet: `usually fewer than ${set.minimum} lines come in ten minutes, too few to tell`,
    })
  }
  const { value = 0 } = facts
  const why = seen?.['why']
  if (why === 'spoke') {
    return { sentence: inTime(facts, `Lines have come for an hour, now ${amount(value)} a minute.`) }
  }
  if (why === 'readable') {
    return { sentence: inTime(facts, `The log can be read again, and holds ${amount(value)} lines a minute.`) }
  }
  const holds = value === 0 ? 'no lines' : `${amount(value)} lines a minute`
  const part = `${percent(seenNumber(reading, 'part'))} of the usual ${baselineText(seenBaseline(reading), amount)}`
  const rule = `told when nothing comes for ${set.warning} minutes, or certainly under ${set['also-warning']}% of the usual`
  return { sentence: inTime(facts, `The log was read and holds ${holds}, ${part}; ${rule}.`) }
}

function reach(parameters: Parameters): Reach {
  const { critical, warning, 'baseline-hours': hours } = settings(parameters)
  const minutes = hours * 60 + Math.max(warning, critical, HOUR_MINUTES)
  return { columns: [COLUMN.lines, COLUMN.known], minutes }
}
