import type { Reach, TrafficKind, TrafficView, Words } from '../alert-kind.ts'
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
import { COLUMN, shareIn } from '../traffic.ts'
import { badOf, gravest, levelOf, noData, noDataWords, numbersOf, shareWords } from '../traffic-reading.ts'
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
type Settings = ReturnType<typeof settings>
const REACH: Reach = {
  columns: [COLUMN.throughCache, COLUMN.answered],
  minutes: MAX_WINDOW_MINUTES,
}

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
  reach: () => REACH,
  timing: (parameters) => {
    const set = settings(parameters)
    return timingOf({ times: looksFor(set.for), clearFor: set['clear-for'] })
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

function observe({ series, at, firing }: TrafficView, set: Settings): Reading {
  const minutes = grownWindow(series, at, set.window, set.minimum, COLUMN.throughCache)
  const now = shareOf(
    series.total(COLUMN.answered, at - minutes, at),
    series.total(COLUMN.throughCache, at - minutes, at),
  )
  const window = { series, at, minutes }
  if (now.sample < set.minimum) return noData('few', numbersOf(window, undefined, undefined, now.sample))
  const [warning, critical] = [set.warning / 100, set.critical / 100]
  const bad = gravest(now.high < critical, now.high < warning)
  return {
    level: levelOf(bad, now.value >= set.clear / 100, firing),
    facts: numbersOf(window, 'share', now.value, now.sample, bad === 'critical' ? critical : warning),
  }
}

function words(reading: Reading, set: Settings): Words {
  if (reading.level === 'no data') {
    return noDataWords(reading, { few: `fewer than ${set.minimum} cacheable lines in an hour` })
  }
  const { facts, level } = reading
  const rule = `${badOf(level) ?? 'warning'} when certainly under ${percent(facts.threshold ?? 0)}`
  return shareWords(facts, (now) => `${shareText(now, 'answered from the cache')}; ${rule}.`)
}
