import type { Parameters, Reach, TrafficKind, TrafficView, Words } from '../alert-kind.ts'
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
import { fastWords, withFastLane } from '../fast-lane.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { percent, shareText } from '../reading-sentence.ts'
import { timingOf, UNTRUSTED } from '../kind-timing.ts'
import { COLUMN, shareIn } from '../traffic.ts'
import { badOf, gravest, levelOf, noData, noDataWords, numbersOf, seenNumber, shareWords } from '../traffic-reading.ts'
import { grownWindow, MAX_WINDOW_MINUTES } from '../window.ts'
import { shareOf } from '../wilson.ts'
import { fewAndNoneBad, FEW_BAD_LINES, fewWords } from '../small-samples.ts'

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
const settings = settingsOf(PARAMETERS)
type Settings = ReturnType<typeof settings>
const LANE = { own: COLUMN.stale, word: 'STALE' } as const

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
  reach,
  timing: (parameters) => timingOf({ clearFor: settings(parameters)['clear-for'] }),
  rule(parameters) {
    const set = settings(parameters)
    return {
      observe: (view) => withFastLane(observe(view, set), view, LANE),
      words: (reading) => fastWords(reading, LANE, (own) => words(own, set)),
    }
  },
  value: (traffic, from, until) => shareIn(traffic, COLUMN.stale, COLUMN.cacheable, from, until),
}

function observe({ series, at, firing }: TrafficView, set: Settings): Reading {
  const minutes = grownWindow(series, at, set.window, set.minimum, COLUMN.cacheable)
  const stale = series.total(COLUMN.stale, at - minutes, at)
  const now = shareOf(stale, series.total(COLUMN.cacheable, at - minutes, at))
  const window = { series, at, minutes }
  if (now.sample < set.minimum) {
    return (
      fewAndNoneBad(stale, now.sample, firing, () => numbersOf(window, 'share', now.value, now.sample)) ??
      noData('few', numbersOf(window, undefined, undefined, now.sample))
    )
  }
  const long = Math.max(set['long-window'], minutes)
  const over = shareOf(series.total(COLUMN.stale, at - long, at), series.total(COLUMN.cacheable, at - long, at))
  const enough = stale >= set['minimum-bad']
  const low = enough ? Math.min(now.low, over.low) : 0
  const warning = set.warning / 100
  const critical = set.critical / 100
  const bad = gravest(enough && low > critical, enough && low > warning)
  const clear = now.value < set.clear / 100 || stale <= FEW_BAD_LINES
  return {
    level: levelOf(bad, clear, firing),
    facts: numbersOf(window, 'share', now.value, now.sample, bad === 'critical' ? critical : warning),
    seen: { over: over.value, minutes: long },
  }
}

function words(reading: Reading, set: Settings): Words {
  if (reading.level === 'no data') {
    return noDataWords(reading, { few: `fewer than ${set.minimum} cacheable lines in an hour` })
  }
  const { facts, level } = reading
  const over = `${percent(seenNumber(reading, 'over'))} over ${seenNumber(reading, 'minutes')} minutes`
  const rule = `${badOf(level) ?? 'warning'} when certainly above ${percent(facts.threshold ?? 0)} in both`
  return (
    fewWords(reading, LANE.word) ??
    shareWords(facts, (now) => `${shareText(now, LANE.word, 'cacheable line')}, ${over}; ${rule}.`)
  )
}

function reach(parameters: Parameters): Reach {
  const minutes = Math.max(settings(parameters)['long-window'], MAX_WINDOW_MINUTES)
  return { columns: [COLUMN.lines, COLUMN.cacheable, COLUMN.stale, COLUMN.c5xx], minutes }
}
