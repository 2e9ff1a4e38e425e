import type { Parameters, TrafficKind, TrafficView } from '../alert-kind.ts'
import { BASELINE_PART, frozenOr, usualInWeek, weeksAround } from '../baseline.ts'
import {
  baselineHours,
  clearAt,
  clearFor,
  criticalAt,
  growingWindow,
  lasting,
  minimumLines,
  warningAt,
} from '../parameter-declarations.ts'
import { timingOf, UNTRUSTED } from '../kind-timing.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { baselineText, percent, points, shareText } from '../reading-sentence.ts'
import {
  answered,
  factsOf,
  gravest,
  levelOf,
  noData,
  shareNumbers,
  shareValue,
  throughCache,
} from '../traffic-reading.ts'
import { grownWindow, MAX_WINDOW_MINUTES } from '../window.ts'
import { shareOf } from '../wilson.ts'

const PARAMETERS = [
  warningAt({
    unit: 'points',
    usual: 10,
    min: 1,
    max: 90,
    meaning: 'Warns when the hit ratio is certainly so far under what is usual.',
  }),
  criticalAt({
    unit: 'points',
    usual: 20,
    min: 1,
    max: 95,
    meaning: 'Critical when it is certainly so far under what is usual.',
  }),
  clearAt({ unit: 'points', usual: 5, max: 90, meaning: 'Within so many points of what was usual it is clear again.' }),
  growingWindow(15),
  lasting(5),
  minimumLines(500),
  baselineHours(),
  clearFor(15),
] as const
const settings = settingsOf(PARAMETERS)

/**
 * The upper Wilson bound of the hit ratio is so many points under the median of the windows before it: of the hours before, or
 * of the same hour of the week once two weeks are known. It has to be so at two looks five minutes apart, and is held against
 * what was usual when it began until it is back.
 */
export const hitRatioDrop: TrafficKind = {
  name: 'hit-ratio-drop',
  title: 'Hit ratio drop',
  summary: 'Whether the share of answers from the cache is lower than usual, as after a purge or a changed header.',
  subject: 'pull',
  parameters: PARAMETERS,
  unit: 'share',
  every: 1,
  inhibitedBy: [...UNTRUSTED, 'stale-share'],
  explainedByMarks: true,
  history: (parameters) => settings(parameters)('baseline-hours') * 60 + MAX_WINDOW_MINUTES,
  farther: weeksAround,
  timing: (parameters) => {
    const get = settings(parameters)
    return timingOf({ times: 2, apart: Math.max(1, get('for')), clearFor: get('clear-for') })
  },
  observe,
  value: (counts) => shareValue(answered(counts), throughCache(counts)),
}

function observe({ series, at, firing, frozenBaseline }: TrafficView, parameters: Parameters): Reading {
  const get = settings(parameters)
  const minimum = get('minimum')
  const window = grownWindow(series, at, get('window'), minimum, throughCache)
  const now = shareOf(answered(window.counts), throughCache(window.counts))
  if (now.sample < minimum) {
    return noData(window, `fewer than ${minimum} cacheable lines in an hour`, { sample: now.sample })
  }
  const usual = frozenOr(firing ? frozenBaseline : undefined, () =>
    usualInWeek(series, {
      before: window.from,
      minutes: get('window'),
      hours: get('baseline-hours'),
      measure: (counts) =>
        throughCache(counts) >= minimum / BASELINE_PART ? answered(counts) / throughCache(counts) : undefined,
    }),
  )
  if (usual === undefined) return noData(window, 'too little is known of the hours before', shareNumbers(now))
  const [warning, critical] = [get('warning') / 100, get('critical') / 100]
  const bad = gravest(now.high <= usual.value - critical, now.high <= usual.value - warning)
  const clear = now.value >= usual.value - get('clear') / 100
  const limit = usual.value - (bad === 'critical' ? critical : warning)
  const rule = `${bad ?? 'warning'} when certainly at most ${percent(limit)}`
  const sentence = `${shareText(now, 'answered from the cache')}, ${points(now.value - usual.value)} ${now.value < usual.value ? 'under' : 'over'} the usual ${baselineText(usual, percent)}; ${rule}.`
  const facts = factsOf(window, sentence, { ...shareNumbers(now), threshold: limit, baseline: usual.value })
  return { level: levelOf(bad, clear, firing), facts }
}
