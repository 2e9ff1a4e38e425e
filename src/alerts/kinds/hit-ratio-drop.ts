import type { Parameters, Reach, TrafficKind, TrafficView, Words } from '../alert-kind.ts'
import { BASELINE_PART, frozenOr, usualInWeek, WEEKS_AROUND } from '../baseline.ts'
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
type Settings = ReturnType<typeof settings>

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
  reach,
  timing: (parameters) => {
    const set = settings(parameters)
    return timingOf({ times: 2, apart: Math.max(1, set.for), clearFor: set['clear-for'] })
  },
  rule(parameters) {
    const set = settings(parameters)
    return {
      observe: (view) => observe(view, set),
      words: (reading) => words(reading, set),
    }
  },
  value: (traffic, from, until) => shareIn(traffic, COLUMN.answered, COLUMN.throughCache, from, until),
}

function observe({ series, at, firing, frozenBaseline }: TrafficView, set: Settings): Reading {
  const minutes = grownWindow(series, at, set.window, set.minimum, COLUMN.throughCache)
  const now = shareOf(
    series.total(COLUMN.answered, at - minutes, at),
    series.total(COLUMN.throughCache, at - minutes, at),
  )
  const window = { series, at, minutes }
  if (now.sample < set.minimum) return noData('few', numbersOf(window, undefined, undefined, now.sample))
  const usual = frozenOr(firing ? frozenBaseline : undefined, () =>
    usualInWeek({
      before: at - minutes,
      minutes: set.window,
      hours: set['baseline-hours'],
      measure: shareMeasure(series, COLUMN.answered, COLUMN.throughCache, set.minimum / BASELINE_PART),
    }),
  )
  if (usual === undefined) return noData('hours', numbersOf(window, 'share', now.value, now.sample))
  const warning = set.warning / 100
  const critical = set.critical / 100
  const bad = gravest(now.high <= usual.value - critical, now.high <= usual.value - warning)
  const clear = now.value >= usual.value - set.clear / 100
  const limit = usual.value - (bad === 'critical' ? critical : warning)
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
  const rule = `${badOf(level) ?? 'warning'} when certainly at most ${percent(facts.threshold ?? 0)}`
  return shareWords(facts, (now) => {
    const far = `${points(now.value - usual.value)} ${now.value < usual.value ? 'under' : 'over'}`
    return `${shareText(now, 'answered from the cache')}, ${far} the usual ${baselineText(usual, percent)}; ${rule}.`
  })
}

function reach(parameters: Parameters): Reach {
  return {
    columns: [COLUMN.throughCache, COLUMN.answered],
    minutes: settings(parameters)['baseline-hours'] * 60 + MAX_WINDOW_MINUTES,
    apart: WEEKS_AROUND,
  }
}
