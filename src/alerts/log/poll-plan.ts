import { MINUTE_MS } from '../../shared/durations.ts'

/** Rows of one page of the log, which costs one of the zone's slots. */
export const PAGE_LINES = 2_000
/**
 * Pages for one minute of a zone's log. Background work has 6 slots in 10.05 s, which is 35 a minute; what is left over
 * is for reading back.
 */
export const PAGES_A_MINUTE = 24
/** One of them looks early at a busy zone's lines, to learn how late they come. */
const PROBE_PAGES = 1
/** Of one read, so that no more than 12,000 lines are in memory at once for one zone. */
const MAX_READ_PAGES = 6

/** So full is a page meant to be: traffic varies, and one line too many costs another page. */
const FULL_PAGE_LINES = 1_600
/** Quiet zones are read again as far back as this with each poll. */
const QUIET_MINUTES = 15
/** A zone of which so many minutes fit into a page is a quiet one. */
const MIN_QUIET_MINUTES = 8
/** A busy minute is read again after this, since late lines have come by then. */
const AGAIN_AFTER_MINUTES = 5
/** A minute is read whole where so much more than is expected would still fit. */
const SURGE = 1.05

/** Minutes that wait longer than this are not caught up with: telling of them would help nobody. */
export const MAX_BEHIND_MINUTES = 60

/** What is to be read of a zone's log with one query, oldest line first. */
export interface PlannedRead extends Span {
  readonly maxEntries: number
  /** `new` lines, minutes read `again` for late lines, or a `probe` of how late they come, which counts nothing. */
  readonly part: 'new' | 'again' | 'probe'
}

export interface PollNeeds {
  readonly readUntil: number
  /** The first minute whose lines cannot be relied on yet. */
  readonly ready: number
  readonly newest: number
  /** Lines a minute, as they were lately; undefined while nothing is known. */
  readonly perMinute: number | undefined
  readonly pages: number
  readonly seed: string
}

/**
 * Which lines to read now. A quiet zone's last 15 minutes fit into one page, so they are read anew each time, unfinished
 * ones included. Of a busy one each minute is read once and, where pages are left, once more five minutes later. Of one
 * that is too busy, as many whole sub-windows of each minute are read as pages allow. Oldest minute first.
 */
export function planPoll(needs: PollNeeds): readonly PlannedRead[] {
  const { readUntil, ready, newest, perMinute } = needs
  if (readUntil >= newest) return []
  // One page of one minute is enough to learn how busy the zone is; the rest is planned with that.
  if (perMinute === undefined) return readUntil < ready ? [planRead(toSpan(readUntil, readUntil + 1), 1)] : []
  const fitting = Math.floor(FULL_PAGE_LINES / Math.max(perMinute, 1))
  const wanted = Math.max(newest - readUntil, MIN_QUIET_MINUTES)
  if (fitting >= wanted) {
    const back = Math.min(fitting, Math.max(wanted, QUIET_MINUTES))
    return [planRead(toSpan(newest - back, newest), 1)]
  }
  return [...planNew(needs, perMinute), ...planAgain(needs, perMinute)]
}

/** The last whole seconds of the newest minute that hold about half a page: looked at early and late, they tell the lag. */
export function planProbe(newest: number, perMinute: number): PlannedRead {
  const lengthMs = pickWindowLength(perMinute, PAGE_LINES / 2)
  const untilMs = newest * MINUTE_MS
  return { fromMs: untilMs - lengthMs, untilMs, maxEntries: PAGE_LINES, part: 'probe' }
}

/** Whether a zone's minutes are too many for one page, so that how late lines come has to be learnt by probes. */
export function isBusy(perMinute: number): boolean {
  return FULL_PAGE_LINES / Math.max(perMinute, 1) < MIN_QUIET_MINUTES
}

function planNew({ readUntil, ready, pages, seed }: PollNeeds, perMinute: number): readonly PlannedRead[] {
  const waiting = ready - readUntil
  if (waiting <= 0) return []
  const together = Math.min(QUIET_MINUTES, Math.floor(FULL_PAGE_LINES / Math.max(perMinute, 1)))
  const reads: PlannedRead[] = []
  if (together > 1) {
    for (let minute = readUntil; minute < ready; minute += together) {
      reads.push(planRead(toSpan(minute, Math.min(minute + together, ready)), 2))
    }
    return reads
  }
  // Minutes that have waited share the pages, so that catching up does not make the newest ones late.
  const each = Math.max(1, Math.floor((pages - PROBE_PAGES) / waiting))
  for (let minute = readUntil; minute < ready; minute += 1) reads.push(...planMinute(minute, perMinute, each, seed))
  return reads
}

function planMinute(minute: number, perMinute: number, pages: number, seed: string): readonly PlannedRead[] {
  const whole = measureWhole(perMinute)
  if (whole.pages <= pages) return cutMinute(minute, whole.lengthMs).map((window) => planRead(window, MAX_READ_PAGES))
  const lengthMs = pickWindowLength(perMinute, FULL_PAGE_LINES)
  return sampleMinute(minute, lengthMs, pages, seed).map((window) => planRead(window, 1))
}

function planAgain({ readUntil, ready, pages, seed }: PollNeeds, perMinute: number): readonly PlannedRead[] {
  const needed = measureWhole(perMinute).pages
  if (ready - readUntil > 1 || needed * 2 + PROBE_PAGES > pages) return []
  const reads = planMinute(ready - 1 - AGAIN_AFTER_MINUTES, perMinute, needed, seed)
  return reads.map((read) => ({ ...read, part: 'again' }))
}
function measureWhole(perMinute: number): { readonly lengthMs: number; readonly pages: number } {
  const lengthMs = pickWindowLength(perMinute, FULL_PAGE_LINES * (MAX_READ_PAGES - 1))
  const perWindow = (perMinute * SURGE * lengthMs) / MINUTE_MS
  return { lengthMs, pages: (MINUTE_MS / lengthMs) * Math.max(1, Math.ceil(perWindow / PAGE_LINES)) }
}

function toSpan(from: number, until: number): Span {
  return { fromMs: from * MINUTE_MS, untilMs: until * MINUTE_MS }
}

function planRead(span: Span, pages: number): PlannedRead {
  return { ...span, maxEntries: PAGE_LINES * Math.min(pages, MAX_READ_PAGES), part: 'new' }
}

/** Lengths into which a minute can be cut without a rest, in milliseconds, longest first. */
const LENGTHS_MS = [
  60_000, 30_000, 20_000, 15_000, 12_000, 10_000, 6_000, 5_000, 4_000, 3_000, 2_000, 1_000, 500, 250, 200, 100, 50, 20,
  10, 5, 2, 1,
] as const

/** A stretch of time in milliseconds since 1970; `untilMs` is excluded. */
export interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

/** The longest length of which a minute is made whole and that is expected to hold at most `lines` lines; 1 ms at least. */
export function pickWindowLength(perMinute: number, lines: number): number {
  return LENGTHS_MS.find((lengthMs) => (perMinute * lengthMs) / MINUTE_MS <= lines) ?? 1
}

/** A minute cut into windows of a length, in order. `lengthMs` is one that `pickWindowLength` gave. */
export function cutMinute(minute: number, lengthMs: number): readonly Span[] {
  return Array.from({ length: MINUTE_MS / lengthMs }, (_, index) => cutWindow(minute, lengthMs, index))
}

/**
 * `amount` windows of a minute, one from each of as many equal parts of it, by chance so that no rhythm within the minute is
 * preferred, and the same for the same seed so that a repetition reads the same. In order of time.
 */
export function sampleMinute(minute: number, lengthMs: number, amount: number, seed: string): readonly Span[] {
  const total = MINUTE_MS / lengthMs
  const parts = Math.min(amount, total)
  return Array.from({ length: parts }, (_, part) => {
    const first = Math.floor((part * total) / parts)
    const room = Math.floor(((part + 1) * total) / parts) - first
    return cutWindow(minute, lengthMs, first + (hashText(`${seed}/${minute}/${part}`) % room))
  })
}

function cutWindow(minute: number, lengthMs: number, index: number): Span {
  const fromMs = minute * MINUTE_MS + index * lengthMs
  return { fromMs, untilMs: fromMs + lengthMs }
}

/** A number from a text that is spread evenly over 32 bits (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
