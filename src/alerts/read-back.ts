import { counted } from '../block-kit/amounts.ts'
import type { Cdn } from '../cdn/cdn.ts'
import { utcDay } from '../cdn/dates.ts'
import { LOG_RETENTION_MS, RETENTION_MARGIN_MS } from '../cdn/log-filter.ts'
import type { Clock } from '../shared/clock.ts'
import { DAY_MS, MINUTE_MS } from '../shared/durations.ts'
import type { MinuteCounts } from '../store/minute-counts.ts'
import type { Store } from '../store/store.ts'
import { FIRST_LAG_MS } from './lag.ts'
import { linesOf } from './minute-series.ts'
import { countLine, emptyMinute } from './minute-tally.ts'
import { PAGE_LINES } from './poll-plan.ts'
import { failedRead } from './read-failure.ts'
import { windowLength } from './sampling.ts'
import { readSpan } from './span-reading.ts'
import type { ReadFailure } from './traffic-trust.ts'

/** What the file of today may not have yet is read by pages. */
const NEWEST_MINUTES = 15
/** Pages for one reading back, beside the files: with 6 slots in 10 s about two minutes. */
const MAX_PAGES = 72
const PAGES_AT_ONCE = 6
/** A day of which so much is known is not read again. */
const KNOWN_SHARE = 0.99
/** Zones that are read back at once; each takes the alerts' share of its own limit. */
const MAX_AT_ONCE = 4

export interface BackReaderParts {
  readonly cdn: Pick<Cdn, 'queryLogs' | 'tallyDayFile'>
  readonly store: Pick<Store, 'minutes'>
  readonly clock: Clock
}

export interface BackReadOptions {
  readonly signal: AbortSignal
  /** Hears plain sentences. */
  readonly progress: (sentence: string) => void
}

/** What reading back has brought. */
export interface ReadBack {
  /** The first and the last minute that is known now; undefined when nothing could be read. */
  readonly span: { readonly from: number; readonly until: number } | undefined
  readonly lines: number
  /** Share of the three days that is known, 0 to 1. */
  readonly covered: number
  /** What could not be read, as sentences for people; empty when all is well. */
  readonly problems: readonly string[]
}

/** One stretch of whole minutes; `until` is excluded. */
interface Range {
  readonly from: number
  readonly until: number
}

interface Work extends BackReadOptions {
  readonly pullZoneId: bigint
  readonly problems: string[]
  /** What was read so far, three days at most; kept when all of it is there. */
  readonly minutes: MinuteCounts[]
  lines: number
  pages: number
  /** Reading by pages has failed. Files may be read all the same. */
  pagesFailed: boolean
}

/** Reads what the platform still has of a zone's log, so that baselines and replays work from the first minute on. */
export class BackReader {
  readonly #parts: BackReaderParts
  readonly #reading = new Set<bigint>()

  constructor(parts: BackReaderParts) {
    this.#parts = parts
  }

  async read(pullZoneId: bigint, options: BackReadOptions): Promise<ReadBack> {
    const work: Work = {
      ...options,
      pullZoneId,
      problems: [],
      minutes: [],
      lines: 0,
      pages: MAX_PAGES,
      pagesFailed: false,
    }
    if (this.#reading.has(pullZoneId)) work.problems.push('The last three days are being read already.')
    else if (this.#reading.size >= MAX_AT_ONCE) {
      work.problems.push('Other zones are being read back just now, so this one was not; try again in some minutes.')
    } else {
      this.#reading.add(pullZoneId)
      try {
        await this.#readAll(work)
      } finally {
        this.#reading.delete(pullZoneId)
        await this.#keep(work)
      }
    }
    return this.#summary(work)
  }

  async #readAll(work: Work): Promise<void> {
    const nowMs = this.#parts.clock.now().getTime()
    const { from, until } = rangeAt(nowMs)
    const filesUntil = Math.max(from, until - NEWEST_MINUTES)
    await this.#byPages({ from: filesUntil, until }, work)
    for (let endMs = filesUntil * MINUTE_MS; endMs > from * MINUTE_MS;) {
      const startMs = Math.floor((endMs - 1) / DAY_MS) * DAY_MS
      const range = { from: Math.max(from, startMs / MINUTE_MS), until: endMs / MINUTE_MS }
      if (work.signal.aborted) return
      if (!(await this.#byFile(range, work))) return
      endMs = startMs
    }
  }

  /** Reads part of a day from its file. False when it is no use to go on. */
  async #byFile(range: Range, work: Work): Promise<boolean> {
    const { cdn } = this.#parts
    const { pullZoneId, signal, progress } = work
    if (await this.#isKnown(range, pullZoneId)) return true
    const day = utcDay(new Date(range.from * MINUTE_MS))
    try {
      progress(`Reading the log of ${day}`)
      const { minutes, lines } = await readDay(cdn, pullZoneId, day, range, {
        signal,
        onProgress: (lines) => progress(`Reading the log of ${day}: ${counted(lines, 'line')} so far`),
      })
      work.lines += lines
      work.minutes.push(...minutes)
      return true
    } catch (error) {
      if (signal.aborted) return false
      const failure = failedRead(error)
      if (failure === undefined) throw error
      if (failure.cause === 'limited') {
        work.problems.push(`The log of ${day} was not read: no slot of the zone's limit came free in time.`)
        return true
      }
      if (work.pagesFailed) return false
      progress(`The file of ${day} cannot be read; reading its lines page by page`)
      return this.#byPages(range, work)
    }
  }

  /** Reads minutes page by page, the newest first. False when it is no use to go on. */
  async #byPages(range: Range, work: Work): Promise<boolean> {
    const { cdn } = this.#parts
    const { pullZoneId, signal } = work
    if (await this.#isKnown(range, pullZoneId)) return true
    let { until } = range
    let minutes = Math.min(NEWEST_MINUTES, until - range.from)
    while (until > range.from) {
      if (signal.aborted) return false
      if (work.pages <= 0) {
        work.problems.push(
          `Of ${dayAndTime(range.from)} to ${dayAndTime(until)} nothing was read: it is too much for pages.`,
        )
        return false
      }
      const from = Math.max(range.from, until - minutes)
      const maxEntries = Math.min(work.pages, PAGES_AT_ONCE) * PAGE_LINES
      try {
        const span = { fromMs: from * MINUTE_MS, untilMs: until * MINUTE_MS }
        const maxPages = Math.min(work.pages, 2 * PAGES_AT_ONCE)
        const reading = await readSpan(cdn, pullZoneId, span, { maxEntries, maxPages, signal })
        work.pages -= reading.pages
        const lines = reading.minutes.reduce((sum, counts) => sum + linesOf(counts), 0)
        work.lines += lines
        work.minutes.push(...reading.minutes)
        // So many minutes as are expected to fit next time, by how many lines there were in what was read.
        const readMs = Math.max(1, reading.untilMs - span.fromMs)
        minutes = minutesThatFit((lines * MINUTE_MS) / readMs)
        until = from
      } catch (error) {
        if (signal.aborted) return false
        const failure = failedRead(error)
        if (failure === undefined) throw error
        work.pagesFailed = true
        work.problems.push(`Before ${dayAndTime(until)} nothing was read: ${CAUSES[failure.cause]}.`)
        return false
      }
    }
    return true
  }

  async #isKnown({ from, until }: Range, pullZoneId: bigint): Promise<boolean> {
    if (until <= from) return true
    const known = await this.#parts.store.minutes.known(String(pullZoneId), from, until)
    return known >= (until - from) * MINUTE_MS * KNOWN_SHARE
  }

  /**
   * Keeps minutes of which more is known now: files may hold a line twice, so what was read by pages stays. All at once, since
   * a look at the zone that has begun is done anew after it.
   */
  async #keep({ pullZoneId, minutes }: Work): Promise<void> {
    if (minutes.length === 0) return
    const { minutes: kept } = this.#parts.store
    const id = String(pullZoneId)
    const numbers = minutes.map(({ minute }) => minute)
    const stored = await kept.read(id, Math.min(...numbers), Math.max(...numbers) + 1)
    const known = new Map(stored.map((counts) => [counts.minute, counts]))
    await kept.put(
      id,
      minutes.filter(({ minute, coveredMs }) => coveredMs > (known.get(minute)?.coveredMs ?? 0)),
    )
  }

  async #summary({ pullZoneId, lines, problems, signal }: Work): Promise<ReadBack> {
    const { store, clock } = this.#parts
    const { from, until } = rangeAt(clock.now().getTime())
    const id = String(pullZoneId)
    const covered = (await store.minutes.known(id, from, until)) / ((until - from) * MINUTE_MS)
    const stopped = signal.aborted ? ['Reading back was stopped before its end.'] : []
    return {
      span: await store.minutes.span(id),
      lines,
      covered: Math.min(1, covered),
      problems: [...problems, ...stopped],
    }
  }
}

/** What the platform still has for sure, and what has been there long enough to be relied on. */
function rangeAt(nowMs: number): Range {
  const from = Math.ceil((nowMs - LOG_RETENTION_MS + RETENTION_MARGIN_MS) / MINUTE_MS) + 1
  return { from, until: Math.floor((nowMs - FIRST_LAG_MS) / MINUTE_MS) }
}

function minutesThatFit(perMinute: number): number {
  const lines = PAGE_LINES * (PAGES_AT_ONCE - 1)
  return windowLength(perMinute, lines) < MINUTE_MS ? 1 : Math.min(1_440, Math.floor(lines / Math.max(1, perMinute)))
}

const CAUSES: Readonly<Record<ReadFailure, string>> = {
  'logging off or no such zone': 'logging is switched off for this zone, or there is no such zone',
  'key refused or zone suspended': 'the platform refused the key, or the zone is suspended',
  limited: "no slot of the zone's limit came free in time",
  'platform error': 'the platform did not answer as it should',
}

function dayAndTime(minute: number): string {
  return `${new Date(minute * MINUTE_MS).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** What the file of a day says of some of its minutes. */
interface DayReading {
  /** Every minute of the range, those without a line too. */
  readonly minutes: readonly MinuteCounts[]
  readonly lines: number
}

/** Counts minutes of one UTC day (`YYYY-MM-DD`) from its file, as background work. Throws as `Cdn.tallyDayFile` does. */
async function readDay(
  cdn: Pick<Cdn, 'tallyDayFile'>,
  pullZoneId: bigint,
  day: string,
  { from, until }: { readonly from: number; readonly until: number },
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (lines: number) => void },
): Promise<DayReading> {
  const minutes = Array.from({ length: until - from }, (_, index) => emptyMinute(from + index, MINUTE_MS))
  await cdn.tallyDayFile(
    pullZoneId,
    day,
    (atMs, cacheStatus, statusCode) => {
      const tally = minutes[Math.floor(atMs / MINUTE_MS) - from]
      if (tally !== undefined) countLine(tally, cacheStatus, statusCode)
    },
    { signal, priority: 'background', onProgress: ({ lines }) => onProgress(lines) },
  )
  return { minutes, lines: minutes.reduce((sum, counts) => sum + linesOf(counts), 0) }
}
