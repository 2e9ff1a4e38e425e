import type { Parameters, TrafficKind, TrafficView } from '../alert-kind.ts'
import { clearFor, criticalAt, minimumBad, minimumLines, threshold, warningAt } from '../parameter-declarations.ts'
import { timingOf, UNTRUSTED } from '../kind-timing.ts'
import type { MinuteSeries } from '../minute-series.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading, Severity } from '../reading.ts'
import { amount, percent, shareText } from '../reading-sentence.ts'
import { coded, factsOf, noData, shareNumbers, shareValue } from '../traffic-reading.ts'
import { grownWindow, windowOf, type Window } from '../window.ts'
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
  readonly long: Window
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
  history: (parameters) => 72 * settings(parameters)('long-window'),
  timing: (parameters) => timingOf({ clearFor: settings(parameters)('clear-for') }),
  observe,
  value: (counts) => shareValue(counts.c5xx, coded(counts)),
}

function observe({ series, at, firing }: TrafficView, parameters: Parameters): Reading {
  const get = settings(parameters)
  const budget = 1 - get('objective') / 100
  const pairs = PAIRS.map(({ scale, limit, severity }) => read(series, at, scale, get(limit) * budget, severity, get))
  const known = pairs.filter((pair) => pair.known)
  const [first] = pairs
  if (known.length === 0) {
    const newest = first?.long ?? windowOf(series, at, get('long-window'))
    const none = coded(newest.counts) === 0 && newest.counts.lines > 0
    const few = `fewer than ${get('minimum')} lines with a status code, or too short a time`
    return noData(newest, none ? 'the lines of this zone carry no status codes' : few)
  }
  const bad = known.find(({ enough, over, now, limit }) => enough && over.low > limit && now.low > limit)
  const clear = known.every(({ over, now, limit, enough }) => !enough || over.value < limit || now.value < limit)
  const shown = bad ?? known.reduce((most, pair) => (pair.burn / pair.limit > most.burn / most.limit ? pair : most))
  const { over, now, limit, long } = shown
  const hours = (long.until - long.from) / 60
  const rule = `the objective of ${get('objective')}% allows ${percent(budget)}, ${shown.severity} when certainly above ${amount(limit / budget)} times that, ${percent(limit)}, in both`
  const sentence = `${shareText(over, '5xx')} over ${hours === 1 ? 'an hour' : `${amount(hours)} hours`}, and ${percent(now.value)} of the newest ${now.sample.toLocaleString('en')}; ${rule}.`
  const facts = factsOf(long, sentence, { ...shareNumbers(over), threshold: limit })
  return { level: bad?.severity ?? (clear || !firing ? 'clear' : 'between'), facts }
}

function read(
  series: MinuteSeries,
  at: number,
  scale: number,
  limit: number,
  severity: Severity,
  get: ReturnType<typeof settings>,
): Pair {
  const long = windowOf(series, at, scale * get('long-window'))
  const leastShort = get('minimum') / SHORT_MINIMUM
  const short = grownWindow(series, at, scale * get('window'), leastShort, coded)
  const over = shareOf(long.counts.c5xx, coded(long.counts))
  const now = shareOf(short.counts.c5xx, coded(short.counts))
  const reachesBack = series.covered(long.from, (long.from + long.until) >> 1) > 0
  const known = reachesBack && over.sample >= get('minimum') && now.sample >= leastShort
  return { severity, burn: over.value, limit, long, over, now, known, enough: long.counts.c5xx >= get('minimum-bad') }
}
