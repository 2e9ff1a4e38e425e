import { MINUTE_MS } from '../../shared/durations.ts'
import {
  type Parameters,
  type ShortWords,
  type TrafficKind,
  type TrafficView,
  criticalAt,
  threshold,
  warningAt,
  readSettings,
} from './alert-kind.ts'
import {
  getWindow,
  isSevere,
  pickLevel,
  pickSeverity,
  type Reading,
  roundPercent,
  spanWords,
} from '../state/reading.ts'
import { CAUSES, READ_FAILURES } from '../log/zone-record.ts'

const PARAMETERS = [
  warningAt(
    { unit: 'minutes', default: 10, min: 2, max: 120 },
    'Warns when the log could not be read for so long, or what is known is older than this.',
  ),
  criticalAt(
    { unit: 'minutes', default: 30, min: 2, max: 240 },
    'Critical when it could not be read for so long, or what is known is older than this.',
  ),
  threshold(
    'also-warning',
    'Share read',
    { unit: '%', default: 20, max: 100 },
    'Warns when less than this of the last half hour was read, all through it.',
  ),
] as const

const HALF_HOUR = 30
/** The beginning of the half hour was read in part as well: then the share is that of a zone too busy, not of a gap. */
const BEGINNING = 10
/** Clear again from so much more than the share read, and up to so much of the minutes behind. */
const BACK = { share: 1.25, minutes: 0.5 }
/** The log of a zone cannot be read, or not in time, or not enough of it: nothing else can be told about the zone meanwhile. */
export const cannotLook: TrafficKind = {
  name: 'cannot-look',
  title: 'Cannot look',
  summary: 'The zone’s log cannot be read, or not in time, so that its other alerts say nothing.',
  subject: 'pull',
  parameters: PARAMETERS,
  unit: 'share',
  timing: { clearForMs: 2 * MINUTE_MS },
  observe,
  sentence(reading) {
    const { number, beside } = summarize(reading)
    const lost = reading.seen?.['lost'] === undefined ? '' : ' Lines were deleted before anybody read them.'
    return `${number} ${beside}.${lost}`
  },
  summarize,
  value: (series, from, until) => series.covered(from, until),
}

function observe({ series, at, trust, begun }: TrafficView, overrides: Parameters): Reading {
  const set = readSettings(PARAMETERS, overrides)
  const from = at - HALF_HOUR
  const { failure, lagMs, behindMinutes, covered, gap } = trust
  const failing =
    failure === undefined ? 0 : Math.max(0, Math.floor((at * MINUTE_MS + lagMs - failure.sinceMs) / MINUTE_MS))
  const minutes = Math.max(failing, lagMs / MINUTE_MS, behindMinutes)
  const isJudged = series.total('coveredMs', from, from + BEGINNING) > 0
  const isThin = isJudged && covered < set['also-warning'] / 100
  const bad = pickSeverity(minutes >= set.critical, minutes >= set.warning || isThin)
  const enough = !isJudged || covered >= (BACK.share * set['also-warning']) / 100
  // How late lines come is no way back: where they always come late it would never be over.
  const clear = failure === undefined && behindMinutes <= BACK.minutes * set.warning && enough
  const numbers =
    minutes < set.warning && failure === undefined && !enough
      ? ({ value: covered, unit: 'share', threshold: set['also-warning'] / 100 } as const)
      : ({ value: minutes, unit: 'minutes', threshold: set[bad === 'critical' ? 'critical' : 'warning'] } as const)
  return {
    level: pickLevel(bad, clear, begun !== undefined),
    facts: { ...numbers, window: getWindow(at, HALF_HOUR), covered },
    seen: { cause: failure?.cause, failing, lost: gap === undefined ? undefined : 1 },
  }
}

function summarize({ level, facts, seen }: Reading): ShortWords {
  const { value = 0, covered = 0, unit } = facts
  if (unit === 'share') {
    return {
      title: isSevere(level) ? 'log is read in part, alerts are blind' : 'log can be read again',
      number: `${roundPercent(value)} of the log read`,
      beside: `${spanWords(facts)} · more is logged than can be read`,
    }
  }
  const cause = READ_FAILURES.find((each) => each === seen?.['cause'])
  const reach = level === 'critical' ? 'alerts are blind' : 'alerts may be late'
  const title = `${cause === undefined ? 'log is late' : 'log can’t be read'}, ${reach}`
  const minutes = Math.round(cause === undefined ? value : Number(seen?.['failing'] ?? value))
  return {
    title: isSevere(level) ? title : 'log can be read again',
    number: `${cause === undefined ? 'numbers' : 'not read for'} ${minutes} min${cause === undefined ? ' old' : ''}`,
    beside: `· ${cause === undefined ? `${roundPercent(covered)} of the last half hour read` : CAUSES[cause]}`,
  }
}
