import type { Parameters, Reach, TrafficKind, TrafficView, Words } from '../alert-kind.ts'
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
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { amount, baselineText, percent, points, shareText } from '../reading-sentence.ts'
import { COLUMN, coveredIn, shareIn } from '../traffic.ts'
import {
  badOf,
  gravest,
  levelOf,
  noData,
  noDataWords,
  numbersOf,
  seenBaseline,
  seenNumber,
  shareWords,
} from '../traffic-reading.ts'
import { grownWindow, MAX_WINDOW_MINUTES } from '../window.ts'
import { shareMeasure } from '../window-measures.ts'
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
type Settings = ReturnType<typeof settings>
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
  reach,
  timing: (parameters) => timingOf({ times: 2, of: 3, clearFor: settings(parameters)['clear-for'] }),
  rule(parameters) {
    const set = settings(parameters)
    return {
      observe: (view) => observe(view, set),
      words: (reading) => words(reading, set),
    }
  },
  value: (traffic, from, until) => shareIn(traffic, COLUMN.miss, COLUMN.cacheable, from, until),
}

function observe({ series, at, firing, frozenBaseline }: TrafficView, set: Settings): Reading {
  const minutes = grownWindow(series, at, set.window, set['minimum-bad'], COLUMN.miss)
  const missed = series.total(COLUMN.miss, at - minutes, at)
  const now = shareOf(missed, series.total(COLUMN.cacheable, at - minutes, at))
  const window = { series, at, minutes }
  if (now.sample < set.minimum) return noData('few', numbersOf(window, undefined, undefined, now.sample))
  const asked = { before: at - minutes, minutes: set.window, hours: set['baseline-hours'] }
  const share = shareMeasure(series, COLUMN.miss, COLUMN.cacheable, BASELINE_LINES)
  const usual = frozenOr(firing ? frozenBaseline : undefined, () => usualBefore({ ...asked, measure: share }))
  if (usual === undefined) return noData('hours', numbersOf(window, 'share', now.value, now.sample))
  const rate = (from: number, until: number): number | undefined =>
    coveredIn(series, from, until) >= COUNTED_FROM ? series.total(COLUMN.miss, from, until) / set.window : undefined
  const more = now.low >= usual.value + set.change / 100 && missed >= set['minimum-bad']
  const counted = more && coveredIn(series, at - minutes, at) >= COUNTED_FROM
  const usualRate = counted ? usualBefore({ ...asked, measure: rate }) : undefined
  const times =
    usualRate === undefined
      ? now.low / Math.max(usual.value, 1 / now.sample)
      : missed / minutes / Math.max(usualRate.value, 1 / minutes)
  const bad = gravest(more && times >= set.critical, more && times >= set.warning)
  const clear = now.value < Math.max(usual.value, 1 / now.sample) * set.clear
  return {
    level: levelOf(bad, clear, firing),
    facts: numbersOf(window, 'share', now.value, now.sample, usual.value + set.change / 100, usual.value),
    seen: {
      windows: usual.windows,
      from: usual.from,
      times,
      compared: usualRate === undefined ? 'by share' : 'by number',
    },
  }
}

function words(reading: Reading, set: Settings): Words {
  if (reading.level === 'no data') {
    return noDataWords(reading, {
      few: `fewer than ${set.minimum} cacheable lines in an hour`,
      hours: 'too little is known of the hours before',
    })
  }
  const bad = badOf(reading.level)
  const times = `${amount(seenNumber(reading, 'times'))} times what is usual ${reading.seen?.['compared']}`
  const usual = baselineText(seenBaseline(reading), percent)
  const limit = amount(set[bad === 'critical' ? 'critical' : 'warning'])
  const rule = `${bad ?? 'warning'} from ${limit} times on, when certainly ${points(set.change / 100)} more`
  return shareWords(
    reading.facts,
    (now) => `${shareText(now, 'MISS', 'cacheable line')}, ${times}; the usual share is ${usual}; ${rule}.`,
  )
}

function reach(parameters: Parameters): Reach {
  return {
    columns: [COLUMN.cacheable, COLUMN.miss],
    minutes: settings(parameters)['baseline-hours'] * 60 + MAX_WINDOW_MINUTES,
  }
}
