import { utcDay } from '../../cdn/contract/dates.ts'
import { count } from '../../block-kit/amounts.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/durations.ts'
import {
  type Parameters,
  type ShortWords,
  type StorageDay,
  type StorageKind,
  type StorageView,
  criticalAt,
  threshold,
  warningAt,
  readSettings,
} from './alert-kind.ts'
import {
  amount,
  isSevere,
  LEVELS,
  NO_DATA,
  pickLevel,
  pickSeverity,
  type Reading,
  roundPercent,
} from '../state/reading.ts'
import { median, medianDeviation, theilSen } from '../series/statistics.ts'

const PARAMETERS = [
  threshold(
    'quota',
    'Quota',
    { unit: 'bytes', default: 0, max: 1e18 },
    'How much may be stored. The CDN states none: with 0 nothing is said of when it is full.',
  ),
  warningAt({ unit: 'days', default: 30, min: 1, max: 365 }, 'Warns when it will be full within so many days.'),
  criticalAt({ unit: 'days', default: 7, max: 365 }, 'Critical when it will be full within so many days.'),
  threshold(
    'also-warning',
    'Used, warning',
    { unit: '%', default: 80, min: 5, max: 100 },
    'Warns from this part of the quota on.',
  ),
  threshold(
    'also-critical',
    'Used, critical',
    { unit: '%', default: 90, min: 5, max: 100 },
    'Critical from this part of the quota on.',
  ),
  threshold(
    'change',
    'Jump',
    { unit: '%', default: 20, min: 1, max: 1_000 },
    'Warns when so much more is stored than the day before and that is unusual for this zone; critical at two and a half times that.',
  ),
  threshold(
    'lost',
    'Files lost',
    { unit: '%', default: 10, min: 1, max: 100 },
    'Warns when so many of the files are gone since the day before; critical at three times that.',
  ),
] as const
type Limits = ReturnType<typeof readLimits>
const readLimits = (overrides: Parameters) => readSettings(PARAMETERS, overrides)

/** Storage zones are looked at every six hours, somewhat more or less: that much counts from one clear look to the next. */
const LOOK_MS = 300 * MINUTE_MS
/** No day is older than that when it is looked at first. */
const FIRST_LOOK_MS = 390 * MINUTE_MS
/** The trend is that of so many of the newest days; with fewer than a week nothing is said. */
const [TREND_DAYS, LEAST_DAYS] = [14, 7]
/** What is critical has to go so far back before it is only a warning, and a warning before it is clear. */
const WAY_BACK = { times: 2, points: 0.05, clearTimes: 1.5 }
const CRITICAL_TIMES = { change: 2.5, lost: 3 }
/** Unusual is so many median deviations from the zone's other days. */
const UNUSUAL = 3
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
  timing: { apartMs: LOOK_MS, clearForMs: LOOK_MS },
  observe(view, overrides) {
    const limits = readLimits(overrides)
    const [growth, jump] = [observeGrowth(hideOther(view, GROWTH), limits), observeJump(hideOther(view, JUMP), limits)]
    const [worse, other] = rank(jump) > rank(growth) ? [jump, growth] : [growth, jump]
    // Without a quota nothing is ever known of growth.
    const isAwaited = other !== growth || (limits.quota > 0 && view.begunBy?.['by'] === GROWTH)
    if (view.firing && worse.level === 'clear' && other.level === 'no data' && isAwaited)
      return { ...worse, level: 'between' }
    return worse
  },
  summarize,
  value: ({ bytes }) => bytes,
}

const [GROWTH, JUMP] = ['growth', 'jump']

/** The way back is that of what it began with: one that jumped is not held by how full it is, nor the other way round. */
function hideOther(view: StorageView, by: string): StorageView {
  const began = view.begunBy?.['by']
  return began === undefined || began === by ? view : { ...view, firing: false, severity: undefined }
}

function rank({ level }: Reading): number {
  return LEVELS.indexOf(level)
}

function observeGrowth({ days, firing, severity }: StorageView, limits: Limits): Reading {
  const known = days.flatMap(({ dayMs, bytes }) => (bytes === undefined ? [] : [{ dayMs, bytes }])).slice(-TREND_DAYS)
  const newest = known.at(-1)
  if (limits.quota <= 0 || newest === undefined || known.length < LEAST_DAYS) return NO_DATA
  const slope = theilSen(known.map(({ dayMs, bytes }) => ({ x: dayMs / DAY_MS, y: bytes }))) ?? 0
  const used = newest.bytes / limits.quota
  const left = used >= 1 ? 0 : slope > 0 ? (limits.quota - newest.bytes) / slope : Infinity
  const back = firing && severity === 'critical' ? WAY_BACK : { times: 1, points: 0 }
  const critical = left <= limits.critical * back.times || used >= limits['also-critical'] / 100 - back.points
  const bad = pickSeverity(critical, left <= limits.warning || used >= limits['also-warning'] / 100)
  const clear = left > limits.warning * WAY_BACK.clearTimes && used < limits['also-warning'] / 100 - WAY_BACK.points
  const growth = `${used >= 1 ? 'is full and ' : ''}${slope > 0 ? `grows by ${gigabytes(slope)} a day` : 'does not grow'}`
  const end = used < 1 && slope > 0 ? ` and is full in ${amount(left)} days` : ''
  const sentence = `${gigabytes(newest.bytes)} are stored on ${utcDay(new Date(newest.dayMs))}, ${roundPercent(used)} of the quota of ${gigabytes(limits.quota)}; it ${growth} (trend of ${known.length} days)${end}.`
  const facts = { sentence, value: newest.bytes, unit: 'bytes', ...describeDays(known, newest) } as const
  return { level: pickLevel(bad, clear, firing), facts, seen: { by: GROWTH, used, left } }
}

/**
 * Of the newest day. Between the last look at a day and its end much may happen, so the first look at the next day judges
 * the one before once more.
 */
function observeJump(view: StorageView, limits: Limits): Reading {
  const { days, firing, now } = view
  const newest = observeNewest(view, limits)
  const sinceMs = now.getTime() - (days.at(-1)?.dayMs ?? 0)
  if (firing || isSevere(newest.level) || sinceMs > FIRST_LOOK_MS) return newest
  const finished = observeNewest({ ...view, days: days.slice(0, -1) }, limits)
  return isSevere(finished.level) ? finished : newest
}

/** What is bad stays bad until the next day is known. */
function observeNewest({ days, firing }: StorageView, limits: Limits): Reading {
  const known = days.filter(({ bytes, files }) => bytes !== undefined || files !== undefined)
  const [before, newest] = [known.at(-2), known.at(-1)]
  if (before === undefined || newest === undefined || known.length < LEAST_DAYS) return NO_DATA
  if (newest.dayMs - before.dayMs !== DAY_MS) return NO_DATA
  const bytes = fillIn(before.bytes, newest.bytes)
  const files = fillIn(before.files, newest.files)
  const small = Math.max(bytes.before, bytes.now) <= SMALL.bytes && Math.max(files.before, files.now) <= SMALL.files
  if (small && !firing) return NO_DATA
  const [grown, lost] = [change(bytes.before, bytes.now), -change(files.before, files.now)]
  const others = known.slice(1, -1).map((day, index) => change(known[index]?.bytes ?? 0, day.bytes ?? 0))
  const usual = median(others) ?? 0
  const unusual = grown - usual > UNUSUAL * medianDeviation(others)
  const [jump, loss] = [limits.change / 100, limits.lost / 100]
  const critical =
    grown > (limits.change * CRITICAL_TIMES.change) / 100 || lost >= (limits.lost * CRITICAL_TIMES.lost) / 100
  const bad = pickSeverity(critical, (grown > jump && unusual) || lost >= loss)
  const clear = grown < jump / 2 && lost <= loss / 2
  const sentence = `On ${utcDay(new Date(newest.dayMs))} it holds ${gigabytes(bytes.now)}, ${signed(grown)} since the day before (usually ${signed(usual)}), in ${count(files.now)} files, ${signed(-lost)}.`
  const numbers =
    lost >= loss && grown <= jump
      ? ({ value: files.now, unit: 'files', baseline: files.before, threshold: files.before * (1 - loss) } as const)
      : ({ value: bytes.now, unit: 'bytes', baseline: bytes.before } as const)
  const facts = { sentence, ...numbers, ...describeDays(known, newest) }
  return { level: pickLevel(bad, clear, firing), facts, seen: { by: JUMP, grown, usual, lost } }
}

function summarize({ level, facts: { value = 0, unit }, seen }: Reading): ShortWords {
  const read = (name: string): number => Number(seen?.[name] ?? 0)
  const isCritical = level === 'critical'
  if (seen?.['by'] === GROWTH) {
    const left = seen['left'] === undefined ? [] : [`full in ${amount(Math.round(read('left')))} days`]
    return {
      title: isSevere(level) ? (isCritical ? 'storage is nearly full' : 'storage fills up') : 'storage has room again',
      number: `${gigabytes(value)} stored`,
      beside: [`${roundPercent(read('used'))} of the quota`, ...left].join(' · '),
    }
  }
  if (unit === 'files') {
    return {
      title: isSevere(level) ? `${isCritical ? 'many ' : ''}files gone since yesterday` : 'files are steady again',
      number: `${count(value)} files`,
      beside: `${signed(-read('lost'))} since the day before`,
    }
  }
  const more = isCritical ? 'far more stored than yesterday' : 'more stored than usual'
  return {
    title: isSevere(level) ? more : 'storage is steady again',
    number: `${gigabytes(value)} stored`,
    beside: `${signed(read('grown'))} since the day before · usually ${signed(read('usual'))}`,
  }
}

/** What is not known of one day is taken to be as on the other. */
function fillIn(before: number | undefined, now: number | undefined) {
  return { before: before ?? now ?? 0, now: now ?? before ?? 0 }
}

/** From one day to the next, as a share of the first; what grows out of nothing has doubled. */
function change(before: number, now: number): number {
  return before > 0 ? (now - before) / before : now > 0 ? 1 : 0
}

function signed(share: number): string {
  return `${share < 0 ? '−' : '+'}${roundPercent(Math.abs(share))}`
}

function gigabytes(bytes: number): string {
  return `${amount(bytes / 1e9)} GB`
}

function describeDays(days: readonly Pick<StorageDay, 'dayMs'>[], newest: Pick<StorageDay, 'dayMs'>) {
  const [first = newest] = days
  return { sample: days.length, window: { fromMs: first.dayMs, untilMs: newest.dayMs + DAY_MS } }
}
