import { cut } from '../../block-kit/plain-text.ts'
import type { Cdn } from '../../cdn/contract/cdn.ts'
import type { Clock } from '../../shared/clock.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import { type MinuteCounts, COUNTS } from '../../store/schema/minute-counts.ts'
import { type SampleLine, MAX_SAMPLE_LINES } from '../state/incident.ts'
import { LagMeter, SETTLED_MS } from './lag.ts'
import { countLines, countLine, emptyMinute, type MinuteTally } from '../series/minute-series.ts'
import { isBusy, PAGE_LINES, PAGES_A_MINUTE, planPoll, planProbe, type PlannedRead, type Span } from './poll-plan.ts'
import { type FailedRead, classifyFailure, findReadyMinute, type ZoneRecord } from './zone-record.ts'
import type { LogEntry } from '../../cdn/contract/log-entry.ts'
import { CdnError } from '../../cdn/contract/errors.ts'

/** No read is begun after this: the next minute is due. Catching up may take longer. */
const MAX_POLL_MS = 45_000
const MAX_CATCH_UP_MS = 240_000
/** A plan is made anew when traffic turns out not to be as expected, so often. */
const MAX_ROUNDS = 3
/** How fast what was once expected is forgotten when less comes. */
const CALMING = 0.8
/** By how much one read may change what lines count for: where it ends beside a long one, it says little of the others. */
const MAX_WEIGHTING = 8
const RATE_MINUTES = 5
/** Of a shorter stretch with fewer lines, how many a minute would have cannot be told. */
const MIN_RATE_MS = 1_000
const MIN_RATE_LINES = 500

export type Polled = Awaited<ReturnType<TrafficPoller['poll']>>

interface Progress {
  readonly ready: number
  readonly newest: number
  readonly sums: MinuteSums
  /** Minutes read again for late lines, apart from what is read for the first time. */
  readonly again: MinuteSums
  readonly endMs: number
  readUntil: number
  perMinute: number | undefined
  pages: number
  /** The last read was one of a quiet zone, up to the newest minute. */
  sawAll: boolean
}

/** Reads the newest minutes of one pull zone's log. Between polls it keeps some lines to show, and nothing else that grows. */
export class TrafficPoller {
  readonly #cdn: Pick<Cdn, 'queryLogs'>
  readonly #clock: Clock
  readonly #pullZoneId: bigint
  /** The newest lines that may show what is wrong. */
  samples: readonly SampleLine[] = []
  readonly #lag = new LagMeter()
  #probe: PlannedRead | undefined
  /** For how many usual lines one counts, since fewer long ones fit into a page. */
  #weight = 1

  constructor({ cdn, clock, pullZoneId }: { cdn: Pick<Cdn, 'queryLogs'>; clock: Clock; pullZoneId: bigint }) {
    this.#cdn = cdn
    this.#clock = clock
    this.#pullZoneId = pullZoneId
  }

  /** Reads what is due, within the pages of a minute. Rejects only for what is no failure of the platform. */
  async poll(record: ZoneRecord, signal: AbortSignal) {
    const nowMs = this.#clock.now().getTime()
    const ready = findReadyMinute(nowMs, record.lag.lagMs)
    const isBehind = ready - record.readUntil > 2
    const progress: Progress = {
      ready,
      newest: Math.floor(nowMs / MINUTE_MS),
      sums: new MinuteSums(),
      again: new MinuteSums(),
      endMs: this.#clock.monotonicMs() + (isBehind ? MAX_CATCH_UP_MS : MAX_POLL_MS),
      readUntil: record.readUntil,
      perMinute: record.perMinute,
      pages: PAGES_A_MINUTE,
      sawAll: false,
    }
    let failure: FailedRead | undefined
    let { lag } = record
    try {
      await this.#rounds(progress, signal)
      lag = this.#lag.learn(lag, await this.#look(progress, signal))
    } catch (error) {
      failure = classifyFailure(error)
      if (failure === undefined) throw error
    }
    const fresh = new Map([...progress.again.list(), ...progress.sums.list()].map((counts) => [counts.minute, counts]))
    const minutes = [...fresh.values()].filter(({ minute, coveredMs }) => minute < ready && coveredMs > 0)
    return {
      /** Counts that replace what is known of the same minutes, oldest first; only minutes whose lines can be relied on. */
      minutes: minutes.toSorted((a, b) => a.minute - b.minute),
      readUntil: Math.min(progress.readUntil, Math.max(ready, record.readUntil)),
      perMinute: progress.perMinute,
      lag,
      failure,
    }
  }

  async #rounds(progress: Progress, signal: AbortSignal): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const plan = planPoll({ ...progress, perMinute: this.#weighed(progress), seed: String(this.#pullZoneId) })
      const reads = plan.filter(({ part }) => part === 'new')
      // Each minute that is caught up with costs a page at least, however many there are.
      if (round === 0) progress.pages = Math.max(progress.pages, reads.length)
      await this.#readNew(reads, progress, signal)
      progress.perMinute = expectPerMinute(progress.sums.list(), progress)
      if (progress.readUntil >= progress.ready) {
        for (const read of plan.filter(({ part }) => part === 'again'))
          if (!this.#isSpent(progress)) await this.#read(read, progress.again, progress, signal)
        return
      }
    }
  }

  /** Reads in order, until one shows that the plan does not fit the traffic, or pages or time are used up. */
  async #readNew(reads: readonly PlannedRead[], progress: Progress, signal: AbortSignal): Promise<void> {
    for (const { fromMs, untilMs } of reads) {
      for (let at = fromMs; at < untilMs; at += MINUTE_MS) progress.sums.drop(Math.floor(at / MINUTE_MS))
    }
    const isKnown = progress.perMinute !== undefined
    let begun = progress.readUntil
    for (const read of reads) {
      if (this.#isSpent(progress)) break
      const minute = Math.floor(read.fromMs / MINUTE_MS)
      progress.readUntil = Math.max(progress.readUntil, Math.min(minute, begun))
      const untilMs = await this.#read(read, progress.sums, progress, signal)
      const isPartOfMinute = isKnown && read.untilMs - read.fromMs <= MINUTE_MS
      begun = Math.max(begun, isPartOfMinute ? minute + 1 : Math.floor(untilMs / MINUTE_MS))
      progress.sawAll = untilMs === progress.newest * MINUTE_MS && reads.length === 1
      if (untilMs < read.untilMs && !isPartOfMinute) break
    }
    progress.readUntil = Math.max(progress.readUntil, begun)
  }

  async #read(read: PlannedRead, into: MinuteSums, progress: Progress, signal: AbortSignal): Promise<number> {
    const options = { maxEntries: read.maxEntries, maxPages: progress.pages, signal }
    const reading = await readSpan(this.#cdn, this.#pullZoneId, read, options)
    progress.pages -= reading.pages
    this.#weight = Math.min(PAGE_LINES / reading.pageRows, this.#weight * MAX_WEIGHTING)
    into.add(reading.minutes)
    this.samples = keepNewest(this.samples, reading.entries)
    return reading.untilMs
  }

  /** Looks at how many lines are there of stretches that ended a while ago; returns which ones go on being looked at. */
  async #look(progress: Progress, signal: AbortSignal): Promise<ReadonlySet<number>> {
    // Minutes by their number, probes by where they begin: milliseconds, so that neither is taken for the other.
    const looked = new Set<number>()
    if (progress.sawAll) {
      const nowMs = this.#clock.now().getTime()
      for (const counts of progress.sums.list()) {
        this.#lag.look(counts.minute, nowMs - (counts.minute + 1) * MINUTE_MS, countLines(counts))
        looked.add(counts.minute)
      }
      return looked
    }
    const perMinute = this.#weighed(progress)
    if (perMinute === undefined || !isBusy(perMinute) || this.#isSpent(progress)) return looked
    const probe = (this.#probe ??= planProbe(progress.newest, perMinute))
    const { fromMs, untilMs } = probe
    const probed = new MinuteSums()
    const wholeUntilMs = await this.#read(probe, probed, progress, signal)
    const ageMs = this.#clock.now().getTime() - untilMs
    const isWhole = wholeUntilMs === untilMs
    const lines = probed.list().reduce((sum, counts) => sum + countLines(counts), 0)
    if (isWhole) this.#lag.look(fromMs, ageMs, lines)
    if (!isWhole || ageMs >= SETTLED_MS) this.#probe = undefined
    else looked.add(fromMs)
    return looked
  }

  #weighed({ perMinute }: Progress): number | undefined {
    return perMinute === undefined ? undefined : perMinute * this.#weight
  }

  #isSpent({ pages, endMs }: Progress): boolean {
    return pages <= 0 || this.#clock.monotonicMs() > endMs
  }
}

/** Lines a minute, as the newest minutes that are over had them; what was expected before is forgotten slowly. */
function expectPerMinute(sums: readonly MinuteCounts[], { perMinute, newest }: Progress): number | undefined {
  const newestOver = sums.filter(({ minute }) => minute < newest).slice(-RATE_MINUTES)
  const rates = newestOver.flatMap((counts) => {
    const [lines, { coveredMs }] = [countLines(counts), counts]
    const isTelling = coveredMs >= MIN_RATE_MS || (lines >= MIN_RATE_LINES && coveredMs > 0)
    return isTelling ? [(lines * MINUTE_MS) / coveredMs] : []
  })
  return rates.length === 0 ? perMinute : Math.max(...rates, (perMinute ?? 0) * CALMING)
}

/** Of each text of a line, in characters; with 15 lines this is less than 16 KB a zone. */
const MAX_TEXT_CHARACTERS = 200

/** The newest lines that may show what is wrong, three for each reason that read differently, newest first: of those known, and of what was read. */
export function keepNewest(known: readonly SampleLine[], read: readonly LogEntry[]): readonly SampleLine[] {
  const lines = [...known, ...read.flatMap((entry) => toSample(entry) ?? [])].toSorted((a, b) => b.atMs - a.atMs)
  const kept: SampleLine[] = []
  for (const line of lines) {
    const alike = kept.filter((other) => findReason(other) === findReason(line))
    const isKept = alike.some((other) => SHOWN_PARTS.every((part) => other[part] === line[part]))
    if (alike.length < MAX_SAMPLE_LINES && !isKept) kept.push(line)
  }
  return kept
}

const SHOWN_PARTS = ['cacheStatus', 'statusCode', 'host', 'path', 'edgeLocation'] as const

function toSample(entry: LogEntry): SampleLine | undefined {
  const { timestamp, statusCode, cacheStatus, host, path, edgeLocation } = entry
  if (timestamp === undefined || findReason(entry) === undefined) return undefined
  const [status, zone, rest, edge] = [cacheStatus, host, path, edgeLocation].map(
    (text) => text && cut(text, MAX_TEXT_CHARACTERS),
  )
  return { atMs: timestamp.getTime(), statusCode, cacheStatus: status, host: zone, path: rest, edgeLocation: edge }
}

/** Why a line may be worth showing; undefined where it is not. */
function findReason({ cacheStatus, statusCode = 0 }: Pick<LogEntry, 'cacheStatus' | 'statusCode'>): string | undefined {
  if (statusCode >= 500 && statusCode <= 599) return '5xx'
  return ['STALE', 'UPDATING', 'MISS', 'BYPASS'].find((status) => status === cacheStatus)
}

/**
 * Reads the lines of a stretch, the oldest first, and counts them by minute, as background work. Where there are more
 * than `maxEntries`, or than `maxPages` bring, what lies before the time of the last line is read whole and the rest not at
 * all. Lines too long to be read count as time that was not. Throws `CdnError`, also where no line says when it was, and
 * `UserError` (busy).
 */
export async function readSpan(
  cdn: Pick<Cdn, 'queryLogs'>,
  pullZoneId: bigint,
  span: Span,
  options: { readonly maxEntries: number; readonly maxPages: number; readonly signal: AbortSignal },
) {
  const range = { from: new Date(span.fromMs), to: new Date(span.untilMs), order: 'asc' as const }
  const result = await cdn.queryLogs(pullZoneId, range, { ...options, priority: 'background' })
  const { entries, truncated, pages, skipped, pageRows, appliedFrom, appliedTo } = result
  const times = entries.flatMap(({ timestamp }) => (timestamp === undefined ? [] : timestamp.getTime()))
  if (entries.length > 0 && times.length === 0)
    throw new CdnError('queryLogs', { kind: 'malformed', status: 200, why: 'no line says when it was' })
  const fromMs = Math.max(span.fromMs, appliedFrom?.getTime() ?? span.fromMs)
  const endMs = Math.min(span.untilMs, appliedTo?.getTime() ?? span.untilMs)
  const untilMs = Math.max(fromMs, truncated ? Math.min(endMs, findWholeUntil(times) ?? fromMs) : endMs)
  const share = skipped === 0 ? 1 : entries.length / (entries.length + skipped)
  const minutes = createTallies({ fromMs, untilMs }, share)
  for (const { timestamp, cacheStatus, statusCode } of entries) {
    const atMs = timestamp?.getTime()
    if (atMs === undefined || atMs < fromMs || atMs >= untilMs) continue
    const tally = minutes.get(Math.floor(atMs / MINUTE_MS))
    if (tally !== undefined) countLine(tally, cacheStatus, statusCode)
  }
  return {
    entries,
    /** Every minute of what was read, those without a line too. `coveredMs` is how much of it lies in what was read. */
    minutes: [...minutes.values()],
    /** Up to here everything was read; the end of the stretch unless there were too many lines. */
    untilMs,
    pages,
    /** How many lines a page has room for, as it is now. */
    pageRows,
  }
}

export class MinuteSums {
  readonly #minutes = new Map<number, MinuteTally>()

  add(minutes: readonly MinuteCounts[]): void {
    for (const counts of minutes) {
      const sum = this.#minutes.get(counts.minute)
      if (sum === undefined) {
        this.#minutes.set(counts.minute, { ...counts })
        continue
      }
      for (const name of COUNTS) sum[name] += counts[name]
      sum.coveredMs = Math.min(MINUTE_MS, sum.coveredMs + counts.coveredMs)
    }
  }

  drop(minute: number): void {
    this.#minutes.delete(minute)
  }

  list(): readonly MinuteCounts[] {
    return [...this.#minutes.values()].toSorted((a, b) => a.minute - b.minute)
  }
}

/** The time of the last line, if lines came in the order that was asked for; else it is not known what is missing. */
function findWholeUntil(times: readonly number[]): number | undefined {
  return times.every((time, index) => time >= (times[index - 1] ?? 0)) ? times.at(-1) : undefined
}

function createTallies({ fromMs, untilMs }: Span, share: number): Map<number, MinuteTally> {
  const minutes = new Map<number, MinuteTally>()
  for (let minute = Math.floor(fromMs / MINUTE_MS); minute * MINUTE_MS < untilMs; minute += 1) {
    const startMs = Math.max(fromMs, minute * MINUTE_MS)
    const endMs = Math.min(untilMs, (minute + 1) * MINUTE_MS)
    minutes.set(minute, emptyMinute(minute, Math.floor((endMs - startMs) * share)))
  }
  return minutes
}
