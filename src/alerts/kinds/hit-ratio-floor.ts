import type { Parameters, TrafficKind, TrafficView } from '../alert-kind.ts'
import {
  clearAt,
  clearFor,
  criticalAt,
  growingWindow,
  lasting,
  minimumLines,
  warningAt,
} from '../parameter-declarations.ts'
import { looksFor, timingOf, UNTRUSTED } from '../kind-timing.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { percent, shareText } from '../reading-sentence.ts'
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
  warningAt({ unit: '%', usual: 80, max: 100, meaning: 'Warns when the hit ratio is certainly lower.' }),
  criticalAt({ unit: '%', usual: 60, max: 100, meaning: 'Critical when the hit ratio is certainly lower.' }),
  clearAt({ unit: '%', usual: 83, max: 100, meaning: 'From this hit ratio on it is clear again.' }),
  growingWindow(10),
  lasting(10),
  minimumLines(200),
  clearFor(15),
] as const
const settings = settingsOf(PARAMETERS)

/**
 * The upper Wilson bound of (HIT + STALE + UPDATING + REVALIDATED) / (cacheable − BYPASS) is under the floor for ten minutes.
 * A zone has to ask for it: that of an API is rightly low.
 */
export const hitRatioFloor: TrafficKind = {
  name: 'hit-ratio-floor',
  title: 'Hit ratio floor',
  summary: 'Whether the share of answers from the cache is lower than a fixed number.',
  subject: 'pull',
  parameters: PARAMETERS,
  unit: 'share',
  every: 1,
  inhibitedBy: UNTRUSTED,
  explainedByMarks: false,
  history: () => MAX_WINDOW_MINUTES,
  timing: (parameters) => {
    const get = settings(parameters)
    return timingOf({ times: looksFor(get('for')), clearFor: get('clear-for') })
  },
  observe,
  value: (counts) => shareValue(answered(counts), throughCache(counts)),
}

function observe({ series, at, firing }: TrafficView, parameters: Parameters): Reading {
  const get = settings(parameters)
  const minimum = get('minimum')
  const window = grownWindow(series, at, get('window'), minimum, throughCache)
  const now = shareOf(answered(window.counts), throughCache(window.counts))
  if (now.sample < minimum) {
    return noData(window, `fewer than ${minimum} cacheable lines in an hour`, { sample: now.sample })
  }
  const [warning, critical] = [get('warning') / 100, get('critical') / 100]
  const bad = gravest(now.high < critical, now.high < warning)
  const limit = bad === 'critical' ? critical : warning
  const rule = `${bad ?? 'warning'} when certainly under ${percent(limit)}`
  const facts = factsOf(window, `${shareText(now, 'answered from the cache')}; ${rule}.`, {
    ...shareNumbers(now),
    threshold: limit,
  })
  return { level: levelOf(bad, now.value >= get('clear') / 100, firing), facts }
}
