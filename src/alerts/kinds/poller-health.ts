import type { Parameters, TrafficKind, TrafficView } from '../alert-kind.ts'
import { clearAt, clearFor, criticalAt, threshold, warningAt } from '../parameter-declarations.ts'
import { timingOf } from '../kind-timing.ts'
import { MINUTE_MS } from '../minute-series.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { amount, percent } from '../reading-sentence.ts'
import { gravest, levelOf } from '../traffic-reading.ts'
import { inMilliseconds, windowOf } from '../window.ts'

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
    meaning: 'Warns when more of the polls of the last half hour were refused as too many; clear at half of it.',
  }),
  clearFor(2),
] as const
const settings = settingsOf(PARAMETERS)
/** What the reader's own shares are about. */
const HALF_HOUR = 30
/** The beginning of the half hour was read in part as well: then the share is that of a zone too busy, not of a gap. */
const BEGINNING = 10

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
  history: () => HALF_HOUR,
  timing: (parameters) => timingOf({ clearFor: settings(parameters)('clear-for') }),
  observe,
  value: ({ covered }) => covered,
}

function observe({ series, at, trust, firing }: TrafficView, parameters: Parameters): Reading {
  const get = settings(parameters)
  const window = windowOf(series, at, HALF_HOUR)
  const age = Math.max(trust.lagMs / MINUTE_MS, trust.behindMinutes)
  const judged = series.covered(window.from, window.from + BEGINNING) > 0
  const thin = judged && trust.covered < get('also-warning') / 100
  const refused = trust.limited > get('limited') / 100
  const bad = gravest(age > get('critical'), age > get('warning') || thin || refused)
  const enough = !judged || trust.covered >= get('also-clear') / 100
  const clear = age <= get('clear') && enough && trust.limited <= get('limited') / 200
  const cause = trust.failure === undefined ? '' : ` Reading fails: ${trust.failure.cause}.`
  const lost =
    trust.gap === undefined ? '' : ' Lines were lost for good because nobody read them before they were deleted.'
  const sentence = `The newest numbers are ${amount(age)} minutes old, ${percent(trust.covered)} of the last half hour was read, and ${percent(trust.limited)} of the polls were refused as too many.${cause}${lost} Told when they are over ${get('warning')} minutes old, under ${get('also-warning')}% was read, or over ${get('limited')}% were refused.`
  const numbers = { value: age, unit: 'minutes', threshold: get(bad === 'critical' ? 'critical' : 'warning') } as const
  return {
    level: levelOf(bad, clear, firing),
    facts: { ...numbers, sentence, window: inMilliseconds(window), covered: trust.covered },
  }
}
