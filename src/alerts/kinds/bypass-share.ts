import type { Parameters, TrafficKind, TrafficView } from '../alert-kind.ts'
import { BASELINE_PART, frozenOr, usualInWeek, weeksAround } from '../baseline.ts'
import {
  baselineHours,
  clearAt,
  clearFor,
  criticalAt,
  growingWindow,
  minimumLines,
  warningAt,
} from '../parameter-declarations.ts'
import { timingOf, UNTRUSTED } from '../kind-timing.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { baselineText, percent, points, shareText } from '../reading-sentence.ts'
import { cacheable, factsOf, gravest, levelOf, noData, shareNumbers, shareValue } from '../traffic-reading.ts'
import { grownWindow, MAX_WINDOW_MINUTES } from '../window.ts'
import { shareOf } from '../wilson.ts'

const PARAMETERS = [
  warningAt({
    unit: 'points',
    usual: 10,
    min: 1,
    max: 90,
    meaning: 'Warns when the share of BYPASS is certainly so far over what is usual.',
  }),
  criticalAt({
    unit: 'points',
    usual: 25,
    min: 1,
    max: 95,
    meaning: 'Critical when it is certainly so far over what is usual.',
  }),
  clearAt({ unit: 'points', usual: 5, max: 90, meaning: 'Within so many points of what was usual it is clear again.' }),
  growingWindow(15),
  minimumLines(500),
  baselineHours(),
  clearFor(15),
] as const
const settings = settingsOf(PARAMETERS)

/**
 * The lower Wilson bound of BYPASS / cacheable is so many points over the median of the windows before it: of the hours before,
 * or of the same hour of the week once two weeks are known. Held against what was usual when it began until it is back.
 */
export const bypassShare: TrafficKind = {
  name: 'bypass-share',
  title: 'BYPASS share',
  summary: 'Whether more requests than usual go round the cache, as after a slip with a cookie or a setting.',
  subject: 'pull',
  parameters: PARAMETERS,
  unit: 'share',
  every: 1,
  inhibitedBy: UNTRUSTED,
  explainedByMarks: false,
  history: (parameters) => settings(parameters)('baseline-hours') * 60 + MAX_WINDOW_MINUTES,
  farther: weeksAround,
  timing: (parameters) => timingOf({ clearFor: settings(parameters)('clear-for') }),
  observe,
  value: (counts) => shareValue(counts.bypass, cacheable(counts)),
}

function observe({ series, at, firing, frozenBaseline }: TrafficView, parameters: Parameters): Reading {
  const get = settings(parameters)
  const minimum = get('minimum')
  const window = grownWindow(series, at, get('window'), minimum, cacheable)
  const now = shareOf(window.counts.bypass, cacheable(window.counts))
  if (now.sample < minimum) {
    return noData(window, `fewer than ${minimum} cacheable lines in an hour`, { sample: now.sample })
  }
  const usual = frozenOr(firing ? frozenBaseline : undefined, () =>
    usualInWeek(series, {
      before: window.from,
      minutes: get('window'),
      hours: get('baseline-hours'),
      measure: (counts) =>
        cacheable(counts) >= minimum / BASELINE_PART ? counts.bypass / cacheable(counts) : undefined,
    }),
  )
  if (usual === undefined) return noData(window, 'too little is known of the hours before', shareNumbers(now))
  const [warning, critical] = [get('warning') / 100, get('critical') / 100]
  const bad = gravest(now.low >= usual.value + critical, now.low >= usual.value + warning)
  const clear = now.value <= usual.value + get('clear') / 100
  const limit = usual.value + (bad === 'critical' ? critical : warning)
  const rule = `${bad ?? 'warning'} when certainly at least ${percent(limit)}`
  const sentence = `${shareText(now, 'BYPASS', 'cacheable line')}, ${points(now.value - usual.value)} ${now.value < usual.value ? 'under' : 'over'} the usual ${baselineText(usual, percent)}; ${rule}.`
  const facts = factsOf(window, sentence, { ...shareNumbers(now), threshold: limit, baseline: usual.value })
  return { level: levelOf(bad, clear, firing), facts }
}
