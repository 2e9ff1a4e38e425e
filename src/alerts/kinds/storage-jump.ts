import { count } from '../../block-kit/amounts.ts'
import { DAY_MS } from '../../shared/durations.ts'
import type { Parameters, StorageKind, StorageView } from '../alert-kind.ts'
import { clearAt, criticalAt, threshold, warningAt } from '../parameter-declarations.ts'
import { timingOf } from '../kind-timing.ts'
import { settingsOf } from '../parameters.ts'
import type { Reading } from '../reading.ts'
import { percent } from '../reading-sentence.ts'
import { median, robustDeviation } from '../robust.ts'
import { dayText, daysWindow, gigabytes, noDays } from '../storage-days.ts'
import { gravest, levelOf } from '../traffic-reading.ts'

const PARAMETERS = [
  warningAt({
    unit: '%',
    usual: 20,
    min: 1,
    max: 1_000,
    meaning: 'Warns when so much more is stored than the day before, and that is unusual for this zone.',
  }),
  criticalAt({
    unit: '%',
    usual: 50,
    min: 1,
    max: 10_000,
    meaning: 'Critical when so much more is stored than the day before.',
  }),
  clearAt({
    unit: '%',
    usual: 10,
    max: 1_000,
    meaning: 'A day with less growth than this, and no loss of files, is clear again.',
  }),
  threshold('change', 'Unusual', {
    unit: 'times',
    usual: 3,
    max: 100,
    meaning: 'Unusual is so many median deviations from the zone’s other days.',
  }),
  threshold('also-warning', 'Fewer files, warning', {
    unit: '%',
    usual: 10,
    min: 1,
    max: 100,
    meaning: 'Warns when so many of the files are gone since the day before.',
  }),
  threshold('also-critical', 'Fewer files, critical', {
    unit: '%',
    usual: 30,
    min: 1,
    max: 100,
    meaning: 'Critical when so many of the files are gone since the day before.',
  }),
  threshold('also-clear', 'Fewer files, clear again', {
    unit: '%',
    usual: 5,
    max: 100,
    meaning: 'Up to this loss a day is clear again.',
  }),
  threshold('minimum', 'Minimum', {
    unit: 'days',
    usual: 7,
    min: 3,
    max: 31,
    meaning: 'With fewer days than this nothing is said.',
  }),
] as const
const settings = settingsOf(PARAMETERS)
/** Zones with neither so many bytes nor so many files, before or after, are too small to tell. */
const SMALL = { bytes: 1_000_000_000, files: 1_000 }

/**
 * A storage zone holds far more than the day before, or has lost many of its files. More is a warning only where it is also more
 * than three median absolute deviations beyond what the other days added; the deviation is that of changes in percent. Both days
 * have to follow each other. What is bad stays bad until the next day is known.
 */
export const storageJump: StorageKind = {
  name: 'storage-jump',
  title: 'Storage jump',
  summary: 'Whether a storage zone suddenly holds much more, or files were deleted in masses.',
  subject: 'storage',
  parameters: PARAMETERS,
  unit: 'bytes',
  timing: () => timingOf({ clearFor: 0 }),
  observe,
  value: ({ bytes }) => bytes,
}

function observe({ days, firing }: StorageView, parameters: Parameters): Reading {
  const set = settings(parameters)
  const known = days.filter(({ bytes, files }) => bytes !== undefined || files !== undefined)
  const [before, newest] = [known.at(-2), known.at(-1)]
  if (before === undefined || newest === undefined || known.length < set.minimum) {
    return noDays(known, `fewer than ${set.minimum} days are known`)
  }
  if (newest.dayMs - before.dayMs !== DAY_MS)
    return noDays(known, `the day before ${dayText(newest.dayMs)} is not known`)
  const bytes = { before: before.bytes ?? 0, now: newest.bytes ?? before.bytes ?? 0 }
  const files = { before: before.files ?? 0, now: newest.files ?? before.files ?? 0 }
  const small = Math.max(bytes.before, bytes.now) <= SMALL.bytes && Math.max(files.before, files.now) <= SMALL.files
  if (small && !firing) return noDays(known, 'the zone has less than 1 GB and fewer than 1,000 files')
  const grown = change(bytes.before, bytes.now)
  const lost = -change(files.before, files.now)
  const others = known.slice(1, -1).map((day, index) => change(known[index]?.bytes ?? 0, day.bytes ?? 0))
  const usual = median(others) ?? 0
  const unusual = grown - usual > (set.change * robustDeviation(others)) / MAD
  const critical = grown > set.critical / 100 || lost >= set['also-critical'] / 100
  const warning = (grown > set.warning / 100 && unusual) || lost >= set['also-warning'] / 100
  const bad = gravest(critical, warning)
  const clear = grown < set.clear / 100 && lost <= set['also-clear'] / 100
  const rule = `told from +${set.warning}% where that is unusual (critical +${set.critical}%), or −${set['also-warning']}% of the files (critical −${set['also-critical']}%)`
  const sentence = `On ${dayText(newest.dayMs)} it holds ${gigabytes(bytes.now)}, ${signed(grown)} since the day before (usually ${signed(usual)}, median of ${others.length} days), in ${count(files.now)} files, ${signed(-lost)}; ${rule}.`
  const numbers = lost >= set['also-warning'] / 100 && grown <= set.warning / 100 ? filesOf(files) : bytesOf(bytes)
  return { level: levelOf(bad, clear, firing), facts: { sentence, ...numbers, ...daysWindow(known) } }
}

/** `robustDeviation` is so many median absolute deviations. */
const MAD = 1.4826

/** From one day to the next, as a share of the first; what grows out of nothing has doubled. */
function change(before: number, now: number): number {
  return before > 0 ? (now - before) / before : now > 0 ? 1 : 0
}

function signed(share: number): string {
  return `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`
}

function bytesOf({ before, now }: { readonly before: number; readonly now: number }) {
  return { value: now, unit: 'bytes', baseline: before } as const
}

function filesOf({ before, now }: { readonly before: number; readonly now: number }) {
  return { value: now, unit: 'files', baseline: before } as const
}
