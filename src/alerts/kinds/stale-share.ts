import type { Parameters, TrafficKind, TrafficView } from '../alert-kind.ts'
import {
  clearAt,
  clearFor,
  criticalAt,
  growingWindow,
  minimumBad,
  minimumLines,
  threshold,
  warningAt,
} from '../parameter-declarations.ts'
import { withFastLane } from '../fast-lane.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { percent, shareText } from '../reading-sentence.ts'
import { timingOf, UNTRUSTED } from '../kind-timing.ts'
import { cacheable, factsOf, gravest, levelOf, noData, shareNumbers, shareValue } from '../traffic-reading.ts'
import { grownWindow, MAX_WINDOW_MINUTES, windowOf } from '../window.ts'
import { shareOf } from '../wilson.ts'
import { fewAndNoneBad, FEW_BAD_LINES } from '../small-samples.ts'

const PARAMETERS = [
  warningAt({
    unit: '%',
    usual: 1,
    max: 90,
    meaning: 'Warns when certainly more of the cacheable lines are STALE, in both windows.',
  }),
  criticalAt({
    unit: '%',
    usual: 5,
    max: 95,
    meaning: 'Critical when certainly more of them are STALE, in both windows.',
  }),
  clearAt({ unit: '%', usual: 0.5, max: 90, meaning: 'Below this share in the window it is clear again.' }),
  growingWindow(5),
  threshold('long-window', 'Long window', {
    unit: 'minutes',
    usual: 30,
    min: 5,
    max: 180,
    meaning: 'It has to be so over these minutes as well.',
  }),
  minimumLines(200),
  minimumBad(10, 'Fewer STALE lines than this in the window are no trouble.'),
  clearFor(15),
] as const

/**
 * Old content is served because the origin fails. The lower Wilson bound of STALE / cacheable has to be past the threshold in
 * the short and in the long window; a short window that has grown beyond the long one counts for both.
 */
export const staleShare: TrafficKind = {
  name: 'stale-share',
  title: 'STALE share',
  summary: 'How much of the answers is old content served because the origin fails, is slow or is gone.',
  subject: 'pull',
  parameters: PARAMETERS,
  unit: 'share',
  every: 1,
  inhibitedBy: UNTRUSTED,
  explainedByMarks: false,
  history: (parameters) => Math.max(settingsOf(PARAMETERS)(parameters)('long-window'), MAX_WINDOW_MINUTES),
  timing: (parameters) => timingOf({ clearFor: settingsOf(PARAMETERS)(parameters)('clear-for') }),
  observe: (view, parameters) =>
    withFastLane(observe(view, parameters), view, { own: ({ stale }) => stale, word: 'STALE' }),
  value: (counts) => shareValue(counts.stale, cacheable(counts)),
}

function observe({ series, at, firing }: TrafficView, parameters: Parameters): Reading {
  const get = settingsOf(PARAMETERS)(parameters)
  const minimum = get('minimum')
  const short = grownWindow(series, at, get('window'), minimum, cacheable)
  const long = windowOf(series, at, Math.max(get('long-window'), short.until - short.from))
  const now = shareOf(short.counts.stale, cacheable(short.counts))
  if (now.sample < minimum) {
    return (
      fewAndNoneBad(short, short.counts.stale, now, firing, 'STALE') ??
      noData(short, `fewer than ${minimum} cacheable lines in an hour`, { sample: now.sample })
    )
  }
  const over = shareOf(long.counts.stale, cacheable(long.counts))
  const enough = short.counts.stale >= get('minimum-bad')
  const past = (share: number): boolean => enough && now.low > share && over.low > share
  const [warning, critical] = [get('warning') / 100, get('critical') / 100]
  const bad = gravest(past(critical), past(warning))
  const clear = now.value < get('clear') / 100 || short.counts.stale <= FEW_BAD_LINES
  const limit = bad === 'critical' ? critical : warning
  const sentence = `${shareText(now, 'STALE', 'cacheable line')}, ${percent(over.value)} over ${long.until - long.from} minutes; ${bad ?? 'warning'} when certainly above ${percent(limit)} in both.`
  return {
    level: levelOf(bad, clear, firing),
    facts: factsOf(short, sentence, { ...shareNumbers(now), threshold: limit }),
  }
}
