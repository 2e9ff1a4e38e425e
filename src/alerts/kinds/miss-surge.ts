import type { Parameters, TrafficKind, TrafficView } from '../alert-kind.ts'
import { frozenOr, usualBefore } from '../baseline.ts'
import {
  baselineHours,
  clearAt,
  clearFor,
  criticalAt,
  growingWindow,
  minimumBad,
  minimumLines,
  threshold,
  warningAt,
} from '../parameter-declarations.ts'
import { timingOf, UNTRUSTED } from '../kind-timing.ts'
import type { Counts } from '../minute-series.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { amount, baselineText, percent, points, shareText } from '../reading-sentence.ts'
import { cacheable, factsOf, gravest, levelOf, noData, shareNumbers, shareValue } from '../traffic-reading.ts'
import { grownWindow, MAX_WINDOW_MINUTES } from '../window.ts'
import { shareOf } from '../wilson.ts'

const PARAMETERS = [
  warningAt({
    unit: 'times',
    usual: 3,
    min: 1,
    max: 100,
    meaning: 'Warns when there are so many times the usual misses.',
  }),
  criticalAt({
    unit: 'times',
    usual: 6,
    min: 1,
    max: 1_000,
    meaning: 'Critical when there are so many times the usual misses.',
  }),
  threshold('change', 'More of the lines', {
    unit: 'points',
    usual: 10,
    max: 90,
    meaning: 'And when the share of MISS is certainly so far over what is usual.',
  }),
  clearAt({ unit: 'times', usual: 1.5, max: 100, meaning: 'Below so many times the usual share it is clear again.' }),
  growingWindow(5),
  minimumLines(50, 'Windows with fewer cacheable lines say nothing.'),
  minimumBad(200, 'Fewer misses than this in the window are no surge.'),
  baselineHours(),
  clearFor(15),
] as const
const settings = settingsOf(PARAMETERS)
/** Where less of a window was read its lines cannot be counted against others, and only shares are compared. */
const COUNTED_FROM = 0.95
/** A window of the baseline with fewer lines has no share to speak of. */
const BASELINE_LINES = 20

/**
 * Misses are so many times what is usual, and the lower Wilson bound of MISS / cacheable is ten points over the median of the
 * windows in the hours before. Where less than 95 % of the window was read, times are those of the shares, by the lower bound.
 * What was usual when it began stays the measure for coming back, as a share. Two of three looks.
 */
export const missSurge: TrafficKind = {
  name: 'miss-surge',
  title: 'MISS surge',
  summary: 'Whether far more than usual has to be fetched from the origin, as after a purge.',
  subject: 'pull',
  parameters: PARAMETERS,
  unit: 'share',
  every: 1,
  inhibitedBy: [...UNTRUSTED, 'stale-share'],
  explainedByMarks: true,
  history: (parameters) => settings(parameters)('baseline-hours') * 60 + MAX_WINDOW_MINUTES,
  timing: (parameters) => timingOf({ times: 2, of: 3, clearFor: settings(parameters)('clear-for') }),
  observe,
  value: (counts) => shareValue(counts.miss, cacheable(counts)),
}

function observe({ series, at, firing, frozenBaseline }: TrafficView, parameters: Parameters): Reading {
  const get = settings(parameters)
  const window = grownWindow(series, at, get('window'), get('minimum-bad'), ({ miss }) => miss)
  const now = shareOf(window.counts.miss, cacheable(window.counts))
  if (now.sample < get('minimum')) {
    return noData(window, `fewer than ${get('minimum')} cacheable lines in an hour`, { sample: now.sample })
  }
  const asked = { before: window.from, minutes: get('window'), hours: get('baseline-hours') }
  const share = (counts: Counts): number | undefined =>
    cacheable(counts) >= BASELINE_LINES ? counts.miss / cacheable(counts) : undefined
  const usual = frozenOr(firing ? frozenBaseline : undefined, () => usualBefore(series, { ...asked, measure: share }))
  if (usual === undefined) return noData(window, 'too little is known of the hours before', shareNumbers(now))
  const minutes = window.until - window.from
  const rate = (counts: Counts): number | undefined =>
    counts.covered >= COUNTED_FROM ? counts.miss / get('window') : undefined
  const more = now.low >= usual.value + get('change') / 100 && window.counts.miss >= get('minimum-bad')
  const counted = more && window.counts.covered >= COUNTED_FROM
  const usualRate = counted ? usualBefore(series, { ...asked, measure: rate }) : undefined
  const times =
    usualRate === undefined
      ? now.low / Math.max(usual.value, 1 / now.sample)
      : window.counts.miss / minutes / Math.max(usualRate.value, 1 / minutes)
  const bad = gravest(more && times >= get('critical'), more && times >= get('warning'))
  const clear = now.value < Math.max(usual.value, 1 / now.sample) * get('clear')
  const compared = usualRate === undefined ? 'by share' : 'by number'
  const rule = `${bad ?? 'warning'} from ${amount(get(bad === 'critical' ? 'critical' : 'warning'))} times on, when certainly ${points(get('change') / 100)} more`
  const sentence = `${shareText(now, 'MISS', 'cacheable line')}, ${amount(times)} times what is usual ${compared}; the usual share is ${baselineText(usual, percent)}; ${rule}.`
  const numbers = { ...shareNumbers(now), threshold: usual.value + get('change') / 100, baseline: usual.value }
  return { level: levelOf(bad, clear, firing), facts: factsOf(window, sentence, numbers) }
}
