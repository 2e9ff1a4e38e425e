import type { Reach, TrafficKind, TrafficView, Words } from '../alert-kind.ts'
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
import { fastWords, withFastLane } from '../fast-lane.ts'
import { looksFor, timingOf, UNTRUSTED } from '../kind-timing.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { percent, shareText } from '../reading-sentence.ts'
import { FEW_BAD_LINES, fewAndNoneBad, fewWords } from '../small-samples.ts'
import { COLUMN, shareIn } from '../traffic.ts'
import { badOf, gravest, levelOf, noData, noDataWords, numbersOf, shareWords } from '../traffic-reading.ts'
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
type Settings = ReturnType<typeof settings>
const LANE = { own: COLUMN.c5xx, word: '5xx' } as const
const REACH: Reach = {
  columns: [COLUMN.lines, COLUMN.cacheable, COLUMN.coded, COLUMN.stale, COLUMN.c5xx],
  minutes: MAX_WINDOW_MINUTES,
}

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
  reach: () => REACH,
  timing: (parameters) => {
    const set = settings(parameters)
    return timingOf({ times: looksFor(set.for), clearFor: set['clear-for'] })
  },
  rule(parameters) {
    const set = settings(parameters)
    return {
      observe: (view) => withFastLane(observe(view, set), view, LANE),
      words: (reading) => fastWords(reading, LANE, (own) => words(own, set)),
    }
  },
  value: (traffic, from, until) => shareIn(traffic, COLUMN.c5xx, COLUMN.coded, from, until),
}

function observe({ series, at, firing }: TrafficView, set: Settings): Reading {
  const minutes = grownWindow(series, at, set.window, set.minimum, COLUMN.coded)
  const errors = series.total(COLUMN.c5xx, at - minutes, at)
  const now = shareOf(errors, series.total(COLUMN.coded, at - minutes, at))
  const window = { series, at, minutes }
  if (now.sample === 0 && series.total(COLUMN.lines, at - minutes, at) > 0)
    return noData('no codes', numbersOf(window, undefined))
  if (now.sample < set.minimum) {
    return (
      fewAndNoneBad(errors, now.sample, firing, () => numbersOf(window, 'share', now.value, now.sample)) ??
      noData('few', numbersOf(window, undefined, undefined, now.sample))
    )
  }
  const warning = set.warning / 100
  const critical = set.critical / 100
  const enough = errors >= set['minimum-bad']
  const bad = gravest(enough && now.low > critical, enough && now.low > warning)
  const clear = now.value < set.clear / 100 || errors <= FEW_BAD_LINES
  return {
    level: levelOf(bad, clear, firing),
    facts: numbersOf(window, 'share', now.value, now.sample, bad === 'critical' ? critical : warning),
  }
}

function words(reading: Reading, set: Settings): Words {
  if (reading.level === 'no data') {
    return noDataWords(reading, {
      'no codes': 'the lines of this zone carry no status codes',
      few: `fewer than ${set.minimum} lines with a status code in an hour`,
    })
  }
  const { facts, level } = reading
  const rule = `${badOf(level) ?? 'warning'} when certainly above ${percent(facts.threshold ?? 0)}, with ${set['minimum-bad']} errors or more`
  return fewWords(reading, LANE.word) ?? shareWords(facts, (now) => `${shareText(now, LANE.word)}; ${rule}.`)
}
