import type { Parameters, Reach, TrafficKind, TrafficView, Words } from '../alert-kind.ts'
import { BASELINE_PART, frozenOr, usualInWeek, WEEKS_AROUND } from '../baseline.ts'
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
import { COLUMN, shareIn } from '../traffic.ts'
import {
  badOf,
  gravest,
  levelOf,
  noData,
  noDataWords,
  numbersOf,
  seenBaseline,
  shareWords,
} from '../traffic-reading.ts'
import { grownWindow, MAX_WINDOW_MINUTES } from '../window.ts'
import { shareMeasure } from '../window-measures.ts'
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
type Settings = ReturnType<typeof settings>

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
  reach,
  timing: (parameters) => timingOf({ clearFor: settings(parameters)['clear-for'] }),
  rule(parameters) {
    const set = settings(parameters)
    return {
      observe: (view) => observe(view, set),
      words: (reading) => words(reading, set),
    }
  },
  value: (traffic, from, until) => shareIn(traffic, COLUMN.bypass, COLUMN.cacheable, from, until),
}

function observe({ series, at, firing, frozenBaseline }: TrafficView, set: Settings): Reading {
  const minutes = grownWindow(series, at, set.window, set.minimum, COLUMN.cacheable)
  const now = shareOf(series.total(COLUMN.bypass, at - minutes, at), series.total(COLUMN.cacheable, at - minutes, at))
  const window = { series, at, minutes }
  if (now.sample < set.minimum) return noData('few', numbersOf(window, undefined, undefined, now.sample))
  const usual = frozenOr(firing ? frozenBaseline : undefined, () =>
    usualInWeek({
      before: at - minutes,
      minutes: set.window,
      hours: set['baseline-hours'],
      measure: shareMeasure(series, COLUMN.bypass, COLUMN.cacheable, set.minimum / BASELINE_PART),
    }),
  )
  if (usual === undefined) return noData('hours', numbersOf(window, 'share', now.value, now.sample))
  const [warning, critical] = [set.warning / 100, set.critical / 100]
  const bad = gravest(now.low >= usual.value + critical, now.low >= usual.value + warning)
  const clear = now.value <= usual.value + set.clear / 100
  const limit = usual.value + (bad === 'critical' ? critical : warning)
  return {
    level: levelOf(bad, clear, firing),
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
  const { facts, level } = reading
  const usual = seenBaseline(reading)
  const rule = `${badOf(level) ?? 'warning'} when certainly at least ${percent(facts.threshold ?? 0)}`
  return shareWords(facts, (now) => {
    const far = `${points(now.value - usual.value)} ${now.value < usual.value ? 'under' : 'over'}`
    return `${shareText(now, 'BYPASS', 'cacheable line')}, ${far} the usual ${baselineText(usual, percent)}; ${rule}.`
  })
}

function reach(parameters: Parameters): Reach {
  return {
    columns: [COLUMN.cacheable, COLUMN.bypass],
    minutes: settings(parameters)['baseline-hours'] * 60 + MAX_WINDOW_MINUTES,
    apart: WEEKS_AROUND,
  }
}
