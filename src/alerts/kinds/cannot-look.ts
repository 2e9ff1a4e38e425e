import { MINUTE_MS } from '../../shared/durations.ts'
import type { TrafficKind, TrafficView } from '../alert-kind.ts'
import { timingOf } from '../step.ts'
import { COLUMN } from '../minute-series.ts'
import { criticalAt, threshold, warningAt, settingsOf } from '../parameters.ts'
import { amount, percent } from '../reading-sentence.ts'
import { gravest, levelOf, type Reading, windowOf } from '../reading.ts'
import { READ_FAILURES, type ReadFailure } from '../traffic-trust.ts'

const PARAMETERS = [
  warningAt({
    unit: 'minutes',
    usual: 10,
    min: 2,
    max: 120,
    meaning: 'Warns when the log could not be read for so long, or what is known is older than this.',
  }),
  criticalAt({
    unit: 'minutes',
    usual: 30,
    min: 2,
    max: 240,
    meaning: 'Critical when it could not be read for so long, or what is known is older than this.',
  }),
  threshold('also-warning', 'Share read', {
    unit: '%',
    usual: 20,
    max: 100,
    meaning: 'Warns when less than this of the last half hour was read, all through it.',
  }),
] as const
const settings = settingsOf(PARAMETERS)
type Settings = ReturnType<typeof settings>

const HALF_HOUR = 30
/** The beginning of the half hour was read in part as well: then the share is that of a zone too busy, not of a gap. */
const BEGINNING = 10
/** Clear again from so much more than the share read, and below so much of the minutes. */
const BACK = { share: 1.25, minutes: 0.5 }

/** What each failure means for whoever reads it, and what to do. */
const CAUSES: Readonly<Record<ReadFailure, string>> = {
  'logging off or no such zone': 'Logging is off for this zone, or there is no such zone. Switch logging on',
  'key refused or zone suspended': 'The API key is refused for this log, or the zone is suspended. Check the key',
  limited: 'The log may not be read more often. It is tried again more slowly',
  'platform error': 'The CDN answers with errors or not at all. It is tried again',
}

/** The log of a zone cannot be read, or not in time, or not enough of it: nothing else can be told about the zone meanwhile. */
export const cannotLook: TrafficKind = {
  name: 'cannot-look',
  title: 'Cannot look',
  summary: 'The zone’s log cannot be read, or not in time, so that its other alerts say nothing.',
  subject: 'pull',
  parameters: PARAMETERS,
  unit: 'share',
  explainedByMarks: false,
  timing: () => timingOf({ clearFor: 2 }),
  rule(parameters) {
    const set = settings(parameters)
    return { observe: (view) => observe(view, set), sentence: (reading) => sentenceOf(reading, set) }
  },
  value: (series, from, until) => series.covered(from, until),
  shows: () => false,
}

function observe({ series, at, trust, begun }: TrafficView, set: Settings): Reading {
  const from = at - HALF_HOUR
  const { failure, lagMs, behindMinutes, covered, gap } = trust
  const failing =
    failure === undefined ? 0 : Math.max(0, Math.floor((at * MINUTE_MS + lagMs - failure.sinceMs) / MINUTE_MS))
  const minutes = Math.max(failing, lagMs / MINUTE_MS, behindMinutes)
  const isJudged = series.total(COLUMN.coveredMs, from, from + BEGINNING) > 0
  const isThin = isJudged && covered < set['also-warning'] / 100
  const bad = gravest(minutes >= set.critical, minutes >= set.warning || isThin)
  const enough = !isJudged || covered >= (BACK.share * set['also-warning']) / 100
  const clear = failure === undefined && minutes <= BACK.minutes * set.warning && enough
  const threshold = set[bad === 'critical' ? 'critical' : 'warning']
  return {
    level: levelOf(bad, clear, begun !== undefined),
    facts: {
      value: minutes,
      unit: 'minutes',
      threshold,
      window: windowOf(at, HALF_HOUR),
      covered,
    },
    seen: { cause: failure?.cause, failing, lost: gap === undefined ? undefined : 1 },
  }
}

function sentenceOf({ facts, seen }: Reading, set: Settings): string {
  const cause = READ_FAILURES.find((each) => each === seen?.['cause'])
  const lost =
    seen?.['lost'] === undefined ? '' : ' Lines were lost for good: nobody read them before they were deleted.'
  if (cause !== undefined) {
    return `The log could not be read for ${amount(Number(seen?.['failing'] ?? 0))} min. ${CAUSES[cause]}. This says nothing about the traffic.${lost}`
  }
  const read = `${percent(facts.covered ?? 0)} of the last half hour was read`
  return `The newest numbers are ${amount(facts.value ?? 0)} min old, and ${read}; told from ${set.warning} min on, or below ${set['also-warning']}%.${lost}`
}
