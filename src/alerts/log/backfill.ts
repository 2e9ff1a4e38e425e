import { counted } from '../../block-kit/amounts.ts'
import type { Cdn } from '../../cdn/contract/cdn.ts'
import { utcDay } from '../../cdn/contract/dates.ts'
import { LOG_RETENTION_MS, RETENTION_MARGIN_MS } from '../../cdn/contract/log-filter.ts'
import type { Clock } from '../../shared/clock.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/durations.ts'
import type { MinuteCounts } from '../../store/schema/minute-counts.ts'
import type { Store } from '../../store/store.ts'
import { FIRST_LAG_MS } from './lag.ts'
import { countLine, emptyMinute } from '../series/minute-series.ts'
import { PAGE_LINES } from './poll-plan.ts'
import { CAUSES, classifyFailure } from './zone-record.ts'
import { MinuteSums, readSpan } from './traffic-poller.ts'

/** What the file of today may not have yet is read by pages. */
const NEWEST_MINUTES = 15
/** Pages for one reading back, beside the files: with 6 slots in 10 s about two minutes. */
const MAX_PAGES = 72
const PAGES_AT_ONCE = 6
/** A day of which so much is known is not read again. */
const KNOWN_SHARE = 0.99
/** Zones that are read back at once; each takes the alerts' share of its own limit. */
const MAX_AT_ONCE = 4

export interface Backfilled {
  /** How much of the last three days is known now, 0 to 1. */
  readonly covered: number
  /** What could not be read, as sentences for people; empty when all is well. */
  readonly problems: readonly string[]
}

interface Parts {
  readonly cdn: Pick<Cdn, 'queryLogs' | 'tallyDayFile'>
  readonly store: Pick<Store, 'minutes'>
  readonly clock: Clock
}

interface Range {
  readonly from: number
  readonly until: number
}

interface Work {
  readonly pullZoneId: bigint
  readonly signal: AbortSignal
  readonly progress: (sentence: string) => void
  readonly problems: string[]
  /** What was read so far, three days at most; kept when all of it is there. */
  readonly minutes: MinuteCounts[]
}

/** Reads what the platform still has of a zone's log, so that baselines and replays work from the first minute on. */
export class Backfiller {
  readonly #parts: Parts
  readonly #reading = new Set<bigint>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Reads the last three days of a pull zone's log into the store as minutes, as far as they are not there yet, within
   * the share of the limit that alerts have. Never throws for what the platform does: that stands in `problems`.
   */
  async read(pullZoneId: bigint, options: Pick<Work, 'signal' | 'progress'>): Promise<Backfilled> {
    const work: Work = { ...options, pullZoneId, problems: [], minutes: [] }
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
    const { from, until } = findRange(nowMs)
    const filesUntil = Math.max(from, until - NEWEST_MINUTES)
    const newest = { from: filesUntil, until }
    let goesOn = await this.#tryReading('The newest minutes were', newest, work, () => this.#readPages(newest, work))
    for (let endMs = filesUntil * MINUTE_MS; goesOn && endMs > from * MINUTE_MS;) {
      const startMs = Math.floor((endMs - 1) / DAY_MS) * DAY_MS
      const range = { from: Math.max(from, startMs / MINUTE_MS), until: endMs / MINUTE_MS }
      const day = utcDay(new Date(range.from * MINUTE_MS))
      goesOn = await this.#tryReading(`The log of ${day} was`, range, work, () => this.#readDay(day, range, work))
      endMs = startMs
    }
  }

  /** Reads what is not known yet. False when it is no use to go on. Rejects for what is no failure of the platform. */
  async #tryReading(what: string, range: Range, work: Work, read: () => Promise<void>): Promise<boolean> {
    const { signal, problems, pullZoneId } = work
    if (signal.aborted || (await this.#isKnown(range, pullZoneId))) return !signal.aborted
    try {
      await read()
      return true
    } catch (error) {
      const cause = classifyFailure(error)?.cause
      if (signal.aborted) return false
      if (cause === undefined) throw error
      problems.push(`${what} not read: ${CAUSES[cause]}.`)
      // What the zone or the key is refused for holds for the days before as well.
      return cause === 'limited' || cause === 'platform error'
    }
  }

  async #readDay(day: string, { from, until }: Range, { pullZoneId, minutes, signal, progress }: Work): Promise<void> {
    progress(`Reading the log of ${day}`)
    const tallies = Array.from({ length: until - from }, (_, index) => emptyMinute(from + index, MINUTE_MS))
    await this.#parts.cdn.tallyDayFile(
      pullZoneId,
      day,
      (atMs, cacheStatus, statusCode) => {
        const tally = tallies[Math.floor(atMs / MINUTE_MS) - from]
        if (tally !== undefined) countLine(tally, cacheStatus, statusCode)
      },
      {
        signal,
        priority: 'background',
        onProgress: ({ lines }) => progress(`Reading the log of ${day}: ${counted(lines, 'line')} so far`),
      },
    )
    minutes.push(...tallies)
  }

  async #readPages({ from, until }: Range, { pullZoneId, problems, signal, minutes }: Work): Promise<void> {
    const untilMs = until * MINUTE_MS
    const sums = new MinuteSums()
    let fromMs = from * MINUTE_MS
    let pages = MAX_PAGES
    try {
      while (fromMs < untilMs && !signal.aborted) {
        const maxPages = Math.min(pages, 2 * PAGES_AT_ONCE)
        const options = { maxEntries: PAGES_AT_ONCE * PAGE_LINES, maxPages, signal }
        const reading = await readSpan(this.#parts.cdn, pullZoneId, { fromMs, untilMs }, options)
        sums.add(reading.minutes)
        pages -= reading.pages
        if (reading.untilMs < untilMs && (reading.untilMs === fromMs || pages <= 0)) {
          problems.push('Not all of the newest minutes were read: they have too many lines for pages.')
          return
        }
        fromMs = reading.untilMs
      }
    } finally {
      minutes.push(...sums.list())
    }
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
    const known = new Map(stored.map(({ minute, coveredMs }) => [minute, coveredMs]))
    const more = minutes.filter(({ minute, coveredMs }) => coveredMs > (known.get(minute) ?? 0))
    await kept.put(id, more)
  }

  async #summary({ pullZoneId, problems, signal }: Work): Promise<Backfilled> {
    const { store, clock } = this.#parts
    const { from, until } = findRange(clock.now().getTime())
    const covered = (await store.minutes.known(String(pullZoneId), from, until)) / ((until - from) * MINUTE_MS)
    const stopped = signal.aborted ? ['Reading back was stopped before its end.'] : []
    return { covered, problems: [...problems, ...stopped] }
  }
}

/** What the platform still has for sure, and what has been there long enough to be relied on. */
function findRange(nowMs: number): Range {
  const from = Math.ceil((nowMs - LOG_RETENTION_MS + RETENTION_MARGIN_MS) / MINUTE_MS) + 1
  return { from, until: Math.floor((nowMs - FIRST_LAG_MS) / MINUTE_MS) }
}
