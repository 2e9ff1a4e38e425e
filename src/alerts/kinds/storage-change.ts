import { count } from '../../block-kit/amounts.ts'
import { DAY_MS } from '../../shared/durations.ts'
import type { Parameters, StorageDay, StorageKind, StorageView } from '../alert-kind.ts'
import { timingOf } from '../step.ts'
import { criticalAt, threshold, warningAt, settingsOf } from '../parameters.ts'
import { type Facts, gravest, graveness, levelOf, type Reading } from '../reading.ts'
import { amount, percent } from '../reading-sentence.ts'
import { median, robustDeviation, theilSen } from '../robust.ts'

const PARAMETERS = [
  threshold('quota', 'Quota', {
    unit: 'bytes',
    usual: 0,
    max: 1e18,
    meaning: 'How much may be stored. The CDN states none: with 0 nothing is said of when it is full.',
  }),
  warningAt({ unit: 'days', usual: 30, min: 1, max: 365, meaning: 'Warns when it will be full within so many days.' }),
  criticalAt({ unit: 'days', usual: 7, max: 365, meaning: 'Critical when it will be full within so many days.' }),
  threshold('also-warning', 'Used, warning', {
    unit: '%',
    usual: 80,
    min: 5,
    max: 100,
    meaning: 'Warns from this part of the quota on.',
  }),
  threshold('also-critical', 'Used, critical', {
    unit: '%',
    usual: 90,
    min: 5,
    max: 100,
    meaning: 'Critical from this part of the quota on.',
  }),
  threshold('change', 'Jump', {
    unit: '%',
    usual: 20,
    min: 1,
    max: 1_000,
    meaning:
      'Warns when so much more is stored than the day before and that is unusual for this zone; critical at two and a half times that.',
  }),
  threshold('lost', 'Files lost', {
    unit: '%',
    usual: 10,
    min: 1,
    max: 100,
    meaning: 'Warns when so many of the files are gone since the day before; critical at three times that.',
  }),
] as const
const settings = settingsOf(PARAMETERS)
type Settings = ReturnType<typeof settings>

/** Storage zones are looked at every six hours, somewhat more or less: that much counts from one clear look to the next. */
const LOOK_MINUTES = 300
/** The trend is that of so many of the newest days; with fewer than a week nothing is said. */
const [TREND_DAYS, LEAST_DAYS] = [14, 7]
/** What is critical has to go so far back before it is only a warning, and a warning before it is clear. */
const WAY_BACK = { times: 2, points: 0.05, clearTimes: 1.5 }
const CRITICAL_TIMES = { change: 2.5, lost: 3 }
/** Unusual is so many median deviations from the zone's other days. */
const UNUSUAL = 3
/** `robustDeviation` is so many of them. */
const MAD = 1.4826
/** Zones with neither so many bytes nor so many files, before or after, are too small to jump. */
const SMALL = { bytes: 1_000_000_000, files: 1_000 }

/**
 * A storage zone will be full soon, holds far more than the day before, or has lost many of its files. The trend is the slope
 * by Theil and Sen through the newest days, which single days do not change. It is read every six hours, so that clear for
 * five means twice.
 */
export const storageChange: StorageKind = {
  name: 'storage-change',
  title: 'Storage growing or jumping',
  summary: 'Whether a storage zone will be full soon, suddenly holds much more, or lost files in masses.',
  subject: 'storage',
  parameters: PARAMETERS,
  unit: 'bytes',
  timing: () => timingOf({ clearFor: LOOK_MINUTES, apart: LOOK_MINUTES }),
  observe(view, parameters: Parameters) {
    const set = settings(parameters)
    const [growth, jump] = [growthOf(asBegun(view, GROWTH), set), jumpOf(asBegun(view, JUMP), set)]
    const [worse, other] = rank(jump) > rank(growth) ? [jump, growth] : [growth, jump]
    if (view.firing && worse.level === 'clear' && other.level === 'no data' && other !== growth)
      return { ...worse, level: 'between' }
    return worse
  },
  value: ({ bytes }) => bytes,
}

const [GROWTH, JUMP] = ['growth', 'jump']

/** The way back is that of what it began with: one that jumped is not held by how full it is, nor the other way round. */
function asBegun(view: StorageView, by: string): StorageView {
  const began = view.begunBy?.['by']
  return began === undefined || began === by ? view : { ...view, firing: false, severity: undefined }
}

const LEVELS = ['no data', 'clear', 'between'] as const

function rank({ level }: Reading): number {
  const severity = graveness(level)
  return severity < 0 ? LEVELS.findIndex((each) => each === level) : LEVELS.length + severity
}

function growthOf({ days, firing, severity }: StorageView, set: Settings): Reading {
  const known = days
    .flatMap(({ dayMs, bytes, files }) => (bytes === undefined ? [] : [{ dayMs, bytes, files }]))
    .slice(-TREND_DAYS)
  const newest = known.at(-1)
  if (set.quota <= 0) return noDays(known, 'no quota is set for this zone')
  if (newest === undefined || known.length < LEAST_DAYS) return noDays(known, `fewer than ${LEAST_DAYS} days are known`)
  const slope = theilSen(known.map(({ dayMs, bytes }) => ({ x: dayMs / DAY_MS, y: bytes }))) ?? 0
  const used = newest.bytes / set.quota
  const left = used >= 1 ? 0 : slope > 0 ? (set.quota - newest.bytes) / slope : Infinity
  const back = firing && severity === 'critical' ? WAY_BACK : { times: 1, points: 0 }
  const critical = left <= set.critical * back.times || used >= set['also-critical'] / 100 - back.points
  const bad = gravest(critical, left <= set.warning || used >= set['also-warning'] / 100)
  const clear = left > set.warning * WAY_BACK.clearTimes && used < set['also-warning'] / 100 - WAY_BACK.points
  const full = left === Infinity ? 'and does not grow' : `and is full in ${amount(left)} days`
  const sentence = `${gigabytes(newest.bytes)} are stored on ${dayText(newest.dayMs)}, ${percent(used)} of the quota of ${gigabytes(set.quota)}; it grows by ${gigabytes(slope)} a day (trend of ${known.length} days) ${full}.`
  const facts = { sentence, value: newest.bytes, unit: 'bytes', threshold: set.quota, ...daysWindow(known) } as const
  return { level: levelOf(bad, clear, firing), facts, seen: { by: GROWTH } }
}

/** What is bad stays bad until the next day is known. */
function jumpOf({ days, firing }: StorageView, set: Settings): Reading {
  const known = days.filter(({ bytes, files }) => bytes !== undefined || files !== undefined)
  const [before, newest] = [known.at(-2), known.at(-1)]
  if (before === undefined || newest === undefined || known.length < LEAST_DAYS)
    return noDays(known, `fewer than ${LEAST_DAYS} days are known`)
  if (newest.dayMs - before.dayMs !== DAY_MS)
    return noDays(known, `the day before ${dayText(newest.dayMs)} is not known`)
  const bytes = { before: before.bytes ?? 0, now: newest.bytes ?? before.bytes ?? 0 }
  const files = { before: before.files ?? 0, now: newest.files ?? before.files ?? 0 }
  const small = Math.max(bytes.before, bytes.now) <= SMALL.bytes && Math.max(files.before, files.now) <= SMALL.files
  if (small && !firing) return noDays(known, 'the zone has less than 1 GB and fewer than 1,000 files')
  const [grown, lost] = [change(bytes.before, bytes.now), -change(files.before, files.now)]
  const others = changesOf(known.slice(0, -1))
  const usual = median(others) ?? 0
  const unusual = grown - usual > (UNUSUAL * robustDeviation(others)) / MAD
  const [jump, loss] = [set.change / 100, set.lost / 100]
  const critical = grown > (set.change * CRITICAL_TIMES.change) / 100 || lost >= (set.lost * CRITICAL_TIMES.lost) / 100
  const bad = gravest(critical, (grown > jump && unusual) || lost >= loss)
  const clear = grown < jump / 2 && lost <= loss / 2
  const sentence = `On ${dayText(newest.dayMs)} it holds ${gigabytes(bytes.now)}, ${signed(grown)} since the day before (usually ${signed(usual)}), in ${count(files.now)} files, ${signed(-lost)}.`
  const numbers =
    lost >= loss && grown <= jump
      ? ({ value: files.now, unit: 'files', baseline: files.before } as const)
      : ({ value: bytes.now, unit: 'bytes', baseline: bytes.before } as const)
  const facts = { sentence, ...numbers, ...daysWindow(known) }
  return { level: levelOf(bad, clear, firing), facts, seen: { by: JUMP } }
}

function changesOf(days: readonly StorageDay[]): readonly number[] {
  return days.slice(1).map((day, index) => change(days[index]?.bytes ?? 0, day.bytes ?? 0))
}

/** From one day to the next, as a share of the first; what grows out of nothing has doubled. */
function change(before: number, now: number): number {
  return before > 0 ? (now - before) / before : now > 0 ? 1 : 0
}

function signed(share: number): string {
  return `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`
}

function dayText(dayMs: number): string {
  return new Date(dayMs).toISOString().slice(0, 10)
}

function gigabytes(bytes: number): string {
  return `${amount(bytes / 1e9)} GB`
}

/** What facts say of a number of days, the newest last. */
function daysWindow(days: readonly StorageDay[]): Pick<Facts, 'sample' | 'window'> {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return { sample: 0 }
  return { sample: days.length, window: { fromMs: first.dayMs, untilMs: last.dayMs + DAY_MS } }
}

function noDays(days: readonly StorageDay[], why: string): Reading {
  return { level: 'no data', facts: { ...daysWindow(days), sentence: `No data: ${why}.` } }
}
