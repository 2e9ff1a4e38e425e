import { count } from '../../block-kit/amounts.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import type { Parameters, Reach, TrafficKind, TrafficView, Words } from '../alert-kind.ts'
import { clearFor, criticalAt, minimumBad, minimumLines, threshold, warningAt } from '../parameter-declarations.ts'
import { timingOf, UNTRUSTED } from '../kind-timing.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading, Severity } from '../reading.ts'
import { amount, percent, shareText } from '../reading-sentence.ts'
import { COLUMN, shareIn, type Traffic } from '../traffic.ts'
import { noData, noDataWords, numbersOf, seenNumber, shareWords } from '../traffic-reading.ts'
import { grownWindow, MAX_WINDOW_MINUTES } from '../window.ts'
import { shareOf, type Share } from '../wilson.ts'

const PARAMETERS = [
  threshold('objective', 'Objective', {
    unit: '%',
    usual: 99.9,
    min: 90,
    max: 99.99,
    meaning: 'The share of answers that shall be no server errors; the rest is the budget.',
  }),
  warningAt({
    unit: 'times',
    usual: 1,
    min: 0.5,
    max: 100,
    meaning: 'Warns when it is spent so many times as fast as it lasts, over 72 long windows.',
  }),
  threshold('times', 'Slow burn', {
    unit: 'times',
    usual: 6,
    min: 0.5,
    max: 100,
    meaning: 'Critical when it is spent so many times as fast, over six long windows.',
  }),
  criticalAt({
    unit: 'times',
    usual: 14.4,
    min: 0.5,
    max: 1_000,
    meaning: 'Critical when it is spent so many times as fast, over one long window.',
  }),
  threshold('window', 'Window', {
    unit: 'minutes',
    usual: 5,
    min: 2,
    max: 10,
    meaning: 'The short window, in which it has to be so as well; 6 and 72 times as long for slower burns.',
  }),
  threshold('long-window', 'Long window', {
    unit: 'minutes',
    usual: 60,
    min: 20,
    max: 60,
    meaning: 'The long window; 6 and 72 times as long for slower burns: an hour, 6 hours, 3 days.',
  }),
  minimumLines(1_000, 'Long windows with fewer lines say nothing; the short one needs a fifth of it.'),
  minimumBad(20, 'Fewer 5xx lines than this in the long window are no trouble.'),
  clearFor(15),
] as const
const settings = settingsOf(PARAMETERS)
type Settings = ReturnType<typeof settings>
/** Of windows that are longer, only their ends are at hand. */
const MAX_NEAR_MINUTES = 360

/** The pairs of windows, fastest burn first: how many times as long as the parameters say, and which of them is the limit. */
const PAIRS = [
  { scale: 1, limit: 'critical', severity: 'critical' },
  { scale: 6, limit: 'times', severity: 'critical' },
  { scale: 72, limit: 'warning', severity: 'warning' },
] as const satisfies readonly { scale: number; limit: string; severity: Severity }[]
/** The short window needs this part of the long one's minimum. */
const SHORT_MINIMUM = 5

/** One pair of windows as it was read. */
interface Pair {
  readonly severity: Severity
  readonly burn: number
  readonly limit: number
  /** Of the long window. */
  readonly minutes: number
  readonly over: Share
  readonly now: Share
  /** Both windows hold enough lines, and the long one reaches back into its older half. */
  readonly known: boolean
  readonly enough: boolean
}

/**
 * The budget that an objective leaves is spent too fast: the lower Wilson bounds of 5xx / lines with a status code are past the
 * limit in a long and in a short window. Pairs are those of the SRE workbook; pages are critical, the ticket is a warning. A
 * pair is back under when either of its windows is, by value.
 */
export const errorBudget: TrafficKind = {
  name: 'error-budget',
  title: '5xx error budget',
  summary:
    'Whether server errors use up what the objective allows, fast or slowly. Only where the log carries status codes.',
  subject: 'pull',
  parameters: PARAMETERS,
  unit: 'share',
  every: 1,
  inhibitedBy: UNTRUSTED,
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
  value: (traffic, from, until) => shareIn(traffic, COLUMN.c5xx, COLUMN.coded, from, until),
}

function observe({ series, at, firing }: TrafficView, set: Settings): Reading {
  const budget = 1 - set.objective / 100
  const pairs = PAIRS.map(({ scale, limit, severity }) => read(series, at, scale, set[limit] * budget, severity, set))
  const known = pairs.filter((pair) => pair.known)
  if (known.length === 0) {
    const minutes = set['long-window']
    const none = series.total(COLUMN.coded, at - minutes, at) === 0 && series.total(COLUMN.lines, at - minutes, at) > 0
    return noData(none ? 'no codes' : 'few', numbersOf({ series, at, minutes }, undefined))
  }
  const bad = known.find(({ enough, over, now, limit }) => enough && over.low > limit && now.low > limit)
  const clear = known.every(({ over, now, limit, enough }) => !enough || over.value < limit || now.value < limit)
  const shown = bad ?? known.reduce((most, pair) => (pair.burn / pair.limit > most.burn / most.limit ? pair : most))
  const { over, now, limit, minutes, severity } = shown
  return {
    level: bad?.severity ?? (clear || !firing ? 'clear' : 'between'),
    facts: numbersOf({ series, at, minutes }, 'share', over.value, over.sample, limit),
    seen: { now: now.value, of: now.sample, severity },
  }
}

function read(series: Traffic, at: number, scale: number, limit: number, severity: Severity, set: Settings): Pair {
  const minutes = scale * set['long-window']
  const leastShort = set.minimum / SHORT_MINIMUM
  const short = grownWindow(series, at, scale * set.window, leastShort, COLUMN.coded)
  const errors = series.total(COLUMN.c5xx, at - minutes, at)
  const over = shareOf(errors, series.total(COLUMN.coded, at - minutes, at))
  const now = shareOf(series.total(COLUMN.c5xx, at - short, at), series.total(COLUMN.coded, at - short, at))
  const reachesBack = series.total(COLUMN.coveredMs, at - minutes, halfWay(at, minutes)) > 0
  const known = reachesBack && over.sample >= set.minimum && now.sample >= leastShort
  return { severity, burn: over.value, limit, minutes, over, now, known, enough: errors >= set['minimum-bad'] }
}

/** The middle of the minutes before `at`. */
function halfWay(at: number, minutes: number): number {
  return at - Math.ceil(minutes / 2)
}

function words(reading: Reading, set: Settings): Words {
  const { facts, seen } = reading
  if (reading.level === 'no data') {
    return noDataWords(reading, {
      'no codes': 'the lines of this zone carry no status codes',
      few: `fewer than ${set.minimum} lines with a status code, or too short a time`,
    })
  }
  const { threshold: limit = 0, window = { fromMs: 0, untilMs: 0 } } = facts
  const budget = 1 - set.objective / 100
  const hours = (window.untilMs - window.fromMs) / MINUTE_MS / 60
  const rule = `the objective of ${set.objective}% allows ${percent(budget)}, ${seen?.['severity']} when certainly above ${amount(limit / budget)} times that, ${percent(limit)}, in both`
  const newest = `${percent(seenNumber(reading, 'now'))} of the newest ${count(seenNumber(reading, 'of'))}`
  const long = hours === 1 ? 'an hour' : `${amount(hours)} hours`
  return shareWords(facts, (over) => `${shareText(over, '5xx')} over ${long}, and ${newest}; ${rule}.`)
}

/** Three days are summed up from where they begin to where the newest hours do; those lie at hand minute by minute. */
function reach(parameters: Parameters): Reach {
  const { window, 'long-window': long } = settings(parameters)
  const edges = PAIRS.flatMap(({ scale }) => [scale * long, Math.ceil((scale * long) / 2), scale * window])
  const minutes = Math.max(MAX_WINDOW_MINUTES, ...edges.filter((edge) => edge <= MAX_NEAR_MINUTES))
  return {
    columns: [COLUMN.lines, COLUMN.coveredMs, COLUMN.coded, COLUMN.c5xx],
    minutes,
    edges: edges.filter((edge) => edge > minutes),
  }
}
