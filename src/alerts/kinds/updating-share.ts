import type { Parameters, TrafficKind, TrafficView } from '../alert-kind.ts'
import { BASELINE_PART, frozenOr, usualBefore } from '../baseline.ts'
import {
  baselineHours,
  clearAt,
  clearFor,
  growingWindow,
  minimumLines,
  threshold,
  warningAt,
} from '../parameter-declarations.ts'
import { timingOf, UNTRUSTED } from '../kind-timing.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { amount, baselineText, percent, shareText } from '../reading-sentence.ts'
import { cacheable, factsOf, levelOf, noData, shareNumbers, shareValue } from '../traffic-reading.ts'
import { grownWindow, MAX_WINDOW_MINUTES } from '../window.ts'
import { shareOf } from '../wilson.ts'

const PARAMETERS = [
  warningAt({
    unit: '%',
    usual: 10,
    max: 90,
    meaning: 'Told, as information, when certainly more of the cacheable lines are UPDATING.',
  }),
  threshold('times', 'Times the usual', {
    unit: 'times',
    usual: 3,
    min: 1,
    max: 100,
    meaning: 'And when that is certainly so many times what is usual.',
  }),
  clearAt({ unit: '%', usual: 5, max: 90, meaning: 'Below this share in the window it is clear again.' }),
  growingWindow(15),
  minimumLines(500),
  baselineHours(),
  clearFor(30),
] as const
const settings = settingsOf(PARAMETERS)

/**
 * The lower Wilson bound of UPDATING / cacheable is past the threshold and past three times the median of the windows in the
 * hours before. Information only: some is normal where content is refreshed in the background.
 */
export const updatingShare: TrafficKind = {
  name: 'updating-share',
  title: 'UPDATING share',
  summary: 'Whether unusually much old content is served while new one is fetched, as from a slow origin.',
  subject: 'pull',
  parameters: PARAMETERS,
  unit: 'share',
  every: 1,
  inhibitedBy: UNTRUSTED,
  explainedByMarks: false,
  history: (parameters) => settings(parameters)('baseline-hours') * 60 + MAX_WINDOW_MINUTES,
  timing: (parameters) => timingOf({ clearFor: settings(parameters)('clear-for') }),
  observe,
  value: (counts) => shareValue(counts.updating, cacheable(counts)),
}

function observe({ series, at, firing, frozenBaseline }: TrafficView, parameters: Parameters): Reading {
  const get = settings(parameters)
  const minimum = get('minimum')
  const window = grownWindow(series, at, get('window'), minimum, cacheable)
  const now = shareOf(window.counts.updating, cacheable(window.counts))
  if (now.sample < minimum) {
    return noData(window, `fewer than ${minimum} cacheable lines in an hour`, { sample: now.sample })
  }
  const usual = frozenOr(firing ? frozenBaseline : undefined, () =>
    usualBefore(series, {
      before: window.from,
      minutes: get('window'),
      hours: get('baseline-hours'),
      measure: (counts) =>
        cacheable(counts) >= minimum / BASELINE_PART ? counts.updating / cacheable(counts) : undefined,
    }),
  )
  if (usual === undefined) return noData(window, 'too little is known of the hours before', shareNumbers(now))
  const limit = Math.max(get('warning') / 100, usual.value * get('times'))
  const clear = now.value < get('clear') / 100
  const rule = `told when certainly above ${percent(get('warning') / 100)} and ${amount(get('times'))} times the usual`
  const sentence = `${shareText(now, 'UPDATING', 'cacheable line')}, usually ${baselineText(usual, percent)}; ${rule}.`
  const facts = factsOf(window, sentence, { ...shareNumbers(now), threshold: limit, baseline: usual.value })
  return { level: levelOf(now.low > limit ? 'info' : undefined, clear, firing), facts }
}
