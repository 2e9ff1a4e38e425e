import { DAY_MS } from '../../shared/durations.ts'
import type { Parameters, StorageKind, StorageView } from '../alert-kind.ts'
import { clearAt, clearFor, criticalAt, threshold, warningAt } from '../parameter-declarations.ts'
import { timingOf } from '../kind-timing.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { amount, percent } from '../reading-sentence.ts'
import { theilSen } from '../robust.ts'
import { dayText, daysWindow, gigabytes, noDays } from '../storage-days.ts'
import { gravest, levelOf } from '../traffic-reading.ts'

/** Storage zones are looked at every six hours, somewhat more or less: that much counts from one clear look to the next. */
const LOOK_MINUTES = 300

const PARAMETERS = [
  threshold('quota', 'Quota', {
    unit: 'bytes',
    usual: 0,
    max: 1e18,
    meaning: 'How much may be stored. The platform states none: with 0 nothing is said.',
  }),
  warningAt({ unit: 'days', usual: 30, min: 1, max: 365, meaning: 'Warns when it will be full within so many days.' }),
  criticalAt({
    unit: 'days',
    usual: 7,
    max: 365,
    meaning: 'Critical when it will be full within so many days, until it lasts twice as long.',
  }),
  clearAt({
    unit: 'days',
    usual: 45,
    max: 1_000,
    meaning: 'When it lasts longer than so many days it is clear again.',
  }),
  threshold('also-warning', 'Used, warning', {
    unit: '%',
    usual: 80,
    min: 1,
    max: 100,
    meaning: 'Warns from this part of the quota on.',
  }),
  threshold('also-critical', 'Used, critical', {
    unit: '%',
    usual: 90,
    min: 1,
    max: 100,
    meaning: 'Critical from this part of the quota on, until it is 5 points less.',
  }),
  threshold('also-clear', 'Used, clear again', {
    unit: '%',
    usual: 75,
    max: 100,
    meaning: 'Below this part of the quota it is clear again.',
  }),
  threshold('window', 'Window', {
    unit: 'days',
    usual: 14,
    min: 7,
    max: 31,
    meaning: 'The trend is that of so many of the newest days.',
  }),
  threshold('minimum', 'Minimum', {
    unit: 'days',
    usual: 7,
    min: 3,
    max: 31,
    meaning: 'With fewer days than this nothing is said.',
  }),
  clearFor(LOOK_MINUTES),
] as const
const settings = settingsOf(PARAMETERS)
/** What is critical has to go so far back before it is only a warning. */
const CRITICAL_WAY_BACK = { times: 2, points: 0.05 }

/**
 * A storage zone will be full soon, or nearly is. The trend is the slope by Theil and Sen through the newest days, which single
 * days do not change. It is read every six hours, so that clear for five means twice.
 */
export const storageGrowth: StorageKind = {
  name: 'storage-growth',
  title: 'Storage growth',
  summary: 'When a storage zone will be full if it goes on growing as it does. Only where a quota is set.',
  subject: 'storage',
  parameters: PARAMETERS,
  unit: 'bytes',
  timing: (parameters) => timingOf({ clearFor: settings(parameters)['clear-for'], apart: LOOK_MINUTES }),
  observe,
  value: ({ bytes }) => bytes,
}

function observe({ days, firing, severity }: StorageView, parameters: Parameters): Reading {
  const set = settings(parameters)
  const quota = set.quota
  const known = days
    .flatMap(({ dayMs, bytes, files }) => (bytes === undefined ? [] : [{ dayMs, bytes, files }]))
    .slice(-set.window)
  const newest = known.at(-1)
  if (quota <= 0) return noDays(known, 'no quota is set for this zone')
  if (newest === undefined || known.length < set.minimum) {
    return noDays(known, `fewer than ${set.minimum} days are known`)
  }
  const slope = theilSen(known.map(({ dayMs, bytes }) => ({ x: dayMs / DAY_MS, y: bytes }))) ?? 0
  const used = newest.bytes / quota
  const left = used >= 1 ? 0 : slope > 0 ? (quota - newest.bytes) / slope : Infinity
  const back = firing && severity === 'critical'
  const critical = back
    ? left <= set.critical * CRITICAL_WAY_BACK.times || used >= set['also-critical'] / 100 - CRITICAL_WAY_BACK.points
    : left <= set.critical || used >= set['also-critical'] / 100
  const bad = gravest(critical, left <= set.warning || used >= set['also-warning'] / 100)
  const clear = left > set.clear && used < set['also-clear'] / 100
  const full = left === Infinity ? 'and does not grow' : `and is full in ${amount(left)} days`
  const rule = `told within ${set.warning} days (critical ${set.critical}) or from ${set['also-warning']}% on (critical ${set['also-critical']}%)`
  const sentence = `${gigabytes(newest.bytes)} are stored on ${dayText(newest.dayMs)}, ${percent(used)} of the quota of ${gigabytes(quota)}; it grows by ${gigabytes(slope)} a day (median trend of ${known.length} days) ${full}; ${rule}.`
  const facts = { sentence, value: newest.bytes, unit: 'bytes', threshold: quota, ...daysWindow(known) } as const
  return { level: levelOf(bad, clear, firing), facts }
}
