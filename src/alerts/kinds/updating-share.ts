import type { Parameters, Reach, TrafficKind, TrafficView, Words } from '../alert-kind.ts'
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
import { COLUMN, shareIn } from '../traffic.ts'
import { levelOf, noData, noDataWords, numbersOf, seenBaseline, shareWords } from '../traffic-reading.ts'
import { grownWindow, MAX_WINDOW_MINUTES } from '../window.ts'
import { shareMeasure } from '../window-measures.ts'
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
type Settings = ReturnType<typeof settings>

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
  reach,
  timing: (parameters) => timingOf({ clearFor: settings(parameters)['clear-for'] }),
  rule(parameters) {
    const set = settings(parameters)
    return {
      observe: (view) => observe(view, set),
      words: (reading) => words(reading, set),
    }
  },
  value: (traffic, from, until) => shareIn(traffic, COLUMN.updating, COLUMN.cacheable, from, until),
}

function observe({ series, at, firing, frozenBaseline }: TrafficView, set: Settings): Reading {
  const minutes = grownWindow(series, at, set.window, set.minimum, COLUMN.cacheable)
  const now = shareOf(series.total(COLUMN.updating, at - minutes, at), series.total(COLUMN.cacheable, at - minutes, at))
  const window = { series, at, minutes }
  if (now.sample < set.minimum) return noData('few', numbersOf(window, undefined, undefined, now.sample))
  const usual = frozenOr(firing ? frozenBaseline : undefined, () =>
    usualBefore({
      before: at - minutes,
      minutes: set.window,
      hours: set['baseline-hours'],
      measure: shareMeasure(series, COLUMN.updating, COLUMN.cacheable, set.minimum / BASELINE_PART),
    }),
  )
  if (usual === undefined) return noData('hours', numbersOf(window, 'share', now.value, now.sample))
  const limit = Math.max(set.warning / 100, usual.value * set.times)
  return {
    level: levelOf(now.low > limit ? 'info' : undefined, now.value < set.clear / 100, firing),
    facts: numbersOf(window, 'share', now.value, now.sample, limit, usual.value),
    seen: { windows: usual.windows, from: usual.from },
  }
}

function words(reading: Reading, set: Settings): Words {
  if (reading.level === 'no data') {
    return noDataWords(reading, {
      few: `fewer than ${set.minimum} cacheable lines in an hour`,
      hours: 'too little is known of the hours before',
    })
  }
  const usual = baselineText(seenBaseline(reading), percent)
  const rule = `told when certainly above ${percent(set.warning / 100)} and ${amount(set.times)} times the usual`
  return shareWords(
    reading.facts,
    (now) => `${shareText(now, 'UPDATING', 'cacheable line')}, usually ${usual}; ${rule}.`,
  )
}

function reach(parameters: Parameters): Reach {
  return {
    columns: [COLUMN.cacheable, COLUMN.updating],
    minutes: settings(parameters)['baseline-hours'] * 60 + MAX_WINDOW_MINUTES,
  }
}
