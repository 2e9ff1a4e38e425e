import type { Parameters, TrafficKind, TrafficView } from '../alert-kind.ts'
import {
  clearAt,
  clearFor,
  criticalAt,
  growingWindow,
  lasting,
  minimumBad,
  minimumLines,
  warningAt,
} from '../parameter-declarations.ts'
import { withFastLane } from '../fast-lane.ts'
import { looksFor, timingOf, UNTRUSTED } from '../kind-timing.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { percent, shareText } from '../reading-sentence.ts'
import { FEW_BAD_LINES, fewAndNoneBad } from '../small-samples.ts'
import { coded, factsOf, gravest, levelOf, noData, shareNumbers, shareValue } from '../traffic-reading.ts'
import { grownWindow, MAX_WINDOW_MINUTES } from '../window.ts'
import { shareOf } from '../wilson.ts'

const PARAMETERS = [
  warningAt({
    unit: '%',
    usual: 5,
    max: 90,
    meaning: 'Warns when certainly more of the lines with a status code are 5xx.',
  }),
  criticalAt({ unit: '%', usual: 20, max: 95, meaning: 'Critical when certainly more of them are 5xx.' }),
  clearAt({ unit: '%', usual: 2.5, max: 90, meaning: 'Below this share in the window it is clear again.' }),
  growingWindow(5),
  lasting(5),
  minimumLines(200),
  minimumBad(20, 'Fewer 5xx lines than this in the window are no trouble.'),
  clearFor(15),
] as const
const settings = settingsOf(PARAMETERS)

/**
 * The lower Wilson bound of 5xx / lines with a status code is past the threshold, for five minutes. Lines without a code count
 * for nothing; where none carries one, there is no data.
 */
export const errorShare: TrafficKind = {
  name: 'error-share',
  title: '5xx share',
  summary: 'How much of the answers is a server error. Only where the log carries status codes.',
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
  observe: (view, parameters) =>
    withFastLane(observe(view, parameters), view, { own: ({ c5xx }) => c5xx, word: '5xx' }),
  value: (counts) => shareValue(counts.c5xx, coded(counts)),
}

function observe({ series, at, firing }: TrafficView, parameters: Parameters): Reading {
  const get = settings(parameters)
  const minimum = get('minimum')
  const window = grownWindow(series, at, get('window'), minimum, coded)
  const errors = window.counts.c5xx
  const now = shareOf(errors, coded(window.counts))
  if (now.sample === 0 && window.counts.lines > 0) return noData(window, 'the lines of this zone carry no status codes')
  if (now.sample < minimum) {
    const why = `fewer than ${minimum} lines with a status code in an hour`
    return fewAndNoneBad(window, errors, now, firing, '5xx') ?? noData(window, why, { sample: now.sample })
  }
  const [warning, critical] = [get('warning') / 100, get('critical') / 100]
  const enough = errors >= get('minimum-bad')
  const bad = gravest(enough && now.low > critical, enough && now.low > warning)
  const clear = now.value < get('clear') / 100 || errors <= FEW_BAD_LINES
  const limit = bad === 'critical' ? critical : warning
  const rule = `${bad ?? 'warning'} when certainly above ${percent(limit)}, with ${get('minimum-bad')} errors or more`
  const facts = factsOf(window, `${shareText(now, '5xx')}; ${rule}.`, { ...shareNumbers(now), threshold: limit })
  return { level: levelOf(bad, clear, firing), facts }
}
