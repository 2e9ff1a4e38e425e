import { MINUTE_MS } from '../../shared/durations.ts'
import type { Reach, TrafficKind, TrafficView, Words } from '../alert-kind.ts'
import { clearAt, clearFor, criticalAt, threshold, warningAt } from '../parameter-declarations.ts'
import { timingOf } from '../kind-timing.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { amount, percent } from '../reading-sentence.ts'
import { COLUMN, coveredIn, type Traffic } from '../traffic.ts'
import type { TrafficTrust } from '../traffic-trust.ts'
import { gravest, levelOf, seenNumber } from '../traffic-reading.ts'
import { inMilliseconds } from '../window.ts'

const PARAMETERS = [
  warningAt({ unit: 'minutes', usual: 5, min: 1, max: 120, meaning: 'Warns when what is known is older than this.' }),
  criticalAt({
    unit: 'minutes',
    usual: 15,
    min: 1,
    max: 240,
    meaning: 'Critical when what is known is older than this.',
  }),
  clearAt({ unit: 'minutes', usual: 4, max: 240, meaning: 'Up to this age it is clear again.' }),
  threshold('also-warning', 'Share read', {
    unit: '%',
    usual: 20,
    max: 100,
    meaning: 'Warns when less than this of the last half hour was read, all through it.',
  }),
  threshold('also-clear', 'Share read, clear again', {
    unit: '%',
    usual: 25,
    max: 100,
    meaning: 'From this share on it is clear again.',
  }),
  threshold('limited', 'Refused polls', {
    unit: '%',
    usual: 5,
    max: 100,
    meaning: 'Tells when more of the polls of the last half hour were refused as too many; clear at half of it.',
  }),
  clearFor(2),
] as const
const settings = settingsOf(PARAMETERS)
type Settings = ReturnType<typeof settings>
/** What the reader's own shares are about. */
const HALF_HOUR = 30
/** The beginning of the half hour was read in part as well: then the share is that of a zone too busy, not of a gap. */
const BEGINNING = 10
const REACH: Reach = { columns: [], minutes: 2 * HALF_HOUR }

/**
 * How well the log of a zone is read: how old the newest numbers are, how much of the last half hour was read at all, and how
 * many polls were answered with 429. Reading that began within the half hour is not yet judged by its share.
 */
export const pollerHealth: TrafficKind = {
  name: 'poller-health',
  title: 'Log reading',
  summary: 'Whether this zone’s log is read in time and for the most part, so that its other alerts can be trusted.',
  subject: 'pull',
  parameters: PARAMETERS,
  unit: 'share',
  every: 1,
  inhibitedBy: [],
  explainedByMarks: false,
  reach: () => REACH,
  timing: (parameters) => timingOf({ clearFor: settings(parameters)['clear-for'] }),
  rule(parameters) {
    const set = settings(parameters)
    return {
      observe: (view) => observe(view, set),
      words: (reading) => words(reading, set),
    }
  },
  value: coveredIn,
}

function observe({ series, at, trust, firing }: TrafficView, set: Settings): Reading {
  const from = at - HALF_HOUR
  const { covered, limited, failure, gap } = trust
  const age = ageOf(trust)
  const judged = isJudged(series, at)
  const thin = judged && covered < set['also-warning'] / 100
  const refused = limited > set.limited / 100
  // What was read all the same is fresh and enough: nothing else is muted for that.
  const bad = gravest(age > set.critical, age > set.warning || thin) ?? (refused ? 'info' : undefined)
  const enough = !judged || covered >= set['also-clear'] / 100
  const clear = age <= set.clear && enough && limited <= set.limited / 200
  const limit = set[bad === 'critical' ? 'critical' : 'warning']
  return {
    level: levelOf(bad, clear, firing),
    facts: {
      value: age,
      unit: 'minutes',
      sample: undefined,
      threshold: limit,
      baseline: undefined,
      window: inMilliseconds(from, at),
      covered,
    },
    seen: { limited, cause: failure?.cause, lost: gap === undefined ? undefined : 1 },
  }
}

/** How many minutes old the newest numbers are. */
function ageOf({ lagMs, behindMinutes }: TrafficTrust): number {
  return Math.max(lagMs / MINUTE_MS, behindMinutes)
}

function isJudged(series: Traffic, at: number): boolean {
  return series.total(COLUMN.coveredMs, at - HALF_HOUR, at - HALF_HOUR + BEGINNING) > 0
}

function words(reading: Reading, set: Settings): Words {
  const { facts, seen } = reading
  const cause = seen?.['cause'] === undefined ? '' : ` Reading fails: ${seen['cause']}.`
  const lost =
    seen?.['lost'] === undefined ? '' : ' Lines were lost for good because nobody read them before they were deleted.'
  const read = `${percent(facts.covered ?? 0)} of the last half hour was read`
  const refused = `${percent(seenNumber(reading, 'limited'))} of the polls were refused as too many`
  const sentence = `The newest numbers are ${amount(facts.value ?? 0)} minutes old, ${read}, and ${refused}.${cause}${lost} Told when they are over ${set.warning} minutes old, under ${set['also-warning']}% was read, or over ${set.limited}% were refused.`
  return { sentence }
}
