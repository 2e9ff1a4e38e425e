import { turnOfTheLoop } from '../../shared/clock.ts'
import { DAY_MINUTES, MINUTE_MS } from '../../shared/durations.ts'
import type { Minutes } from '../../store/alerts/minutes.ts'
import type { AlertCommit, SubjectView } from '../../store/schema/alert-records.ts'
import { COUNTS, type MinuteCounts } from '../../store/schema/minute-counts.ts'
import { evaluateTraffic } from '../incidents/evaluation.ts'
import { hashText } from '../log/poll-plan.ts'
import { type Polled, TrafficPoller } from '../log/traffic-poller.ts'
import {
  applyFailure,
  assessTrust,
  findReadyMinute,
  resumeRecord,
  startRecord,
  ZoneRecord,
} from '../log/zone-record.ts'
import { WeeklyBaseline } from '../series/baseline.ts'
import { HELD_MINUTES, MinuteSeries } from '../series/minute-series.ts'
import { SOON_MS, type SubjectWatch, type WatchParts } from './subject-watch.ts'

/** Zones are looked at this much apart, so that all of them do not start at once. */
const SPREAD_MS = 8_000
/** A minute that could not be read is looked at without its lines after this. */
const PATIENCE_MS = 45_000
/** How long after a failure reading is tried again; where the limit was the reason, twice as long with each time. */
const RETRY_MS = 20_000
const MAX_PAUSE_MS = 300_000
/** A zone that is farther behind is not read in time. */
const MAX_HEALTHY_BEHIND_MINUTES = 5

/** Watches one pull zone: reads its newest minutes, has the rules look at each, and commits both together. */
export class TrafficWatch implements SubjectWatch {
  readonly #parts: WatchParts<'queryLogs'>
  readonly #subject: string
  readonly #poller: TrafficPoller
  readonly #memory: ZoneMemory
  #pause: { readonly untilMs: number; readonly lengthMs: number } | undefined
  /** What of the record after a look tells whether it is read in time; the whole of it is in the store. */
  #last: (Pick<ZoneRecord, 'readUntil'> & { readonly isRead: boolean; readonly lagMs: number }) | undefined

  constructor(parts: WatchParts<'queryLogs'>, subject: string, pullZoneId: bigint) {
    this.#parts = parts
    this.#subject = subject
    this.#memory = new ZoneMemory(parts.store.minutes, String(pullZoneId))
    this.#poller = new TrafficPoller({ cdn: parts.cdn, clock: parts.clock, pullZoneId })
  }

  async look(signal: AbortSignal): Promise<number> {
    const { clock } = this.#parts
    const now = clock.now()
    const view = await this.#view(now)
    const before = this.#resume(view, now)
    const poll = this.#isPaused(now) ? undefined : await this.#poller.poll(before, signal)
    const after = poll === undefined ? before : this.#applyPoll(before, poll)
    // People silence and acknowledge while a poll goes on, which takes up to minutes.
    const seen = poll === undefined ? view : { ...(await this.#view(clock.now())), watch: view.watch }
    const isDone = await this.#commit(seen, after, poll)
    const { failure, lag, readUntil } = isDone ? after : before
    this.#last = { isRead: failure === undefined, lagMs: lag.lagMs, readUntil }
    return isDone ? this.#nextMs(after) : clock.now().getTime() + SOON_MS
  }

  isHealthy(nowMs: number): boolean | undefined {
    if (this.#last === undefined) return undefined
    const { isRead, lagMs, readUntil } = this.#last
    return isRead && findReadyMinute(nowMs, lagMs) - readUntil < MAX_HEALTHY_BEHIND_MINUTES
  }

  #view(now: Date): Promise<SubjectView> {
    return this.#parts.store.alerts.view(this.#subject, now)
  }

  /** The record after a poll, with the pause that its failure asks for. */
  #applyPoll(before: ZoneRecord, { readUntil, perMinute, lag, failure }: Polled): ZoneRecord {
    const nowMs = this.#parts.clock.now().getTime()
    if (failure === undefined) this.#pause = undefined
    else {
      const isLimited = failure.cause === 'limited'
      const lengthMs =
        isLimited && this.#pause !== undefined ? Math.min(this.#pause.lengthMs * 2, MAX_PAUSE_MS) : RETRY_MS
      // What the platform asks for is waited out, and doubles nothing.
      const waitMs = Math.min(Math.max(lengthMs, failure.retryAfterMs ?? 0), MAX_PAUSE_MS)
      this.#pause = { untilMs: nowMs + waitMs, lengthMs }
    }
    return applyFailure({ ...before, readUntil, perMinute, lag }, nowMs, failure?.cause)
  }

  /**
   * Commits what was read with the first look that sees it, and each further look by itself. False when somebody else has
   * committed meanwhile: all that is left is done anew then.
   */
  async #commit(view: SubjectView, record: ZoneRecord, poll: Polled | undefined): Promise<boolean> {
    const { clock, webhook } = this.#parts
    const nowMs = clock.now().getTime()
    // Where the clock was put back by some minutes, more was read than are over.
    const until = Math.max(Math.floor(nowMs / MINUTE_MS), record.readUntil)
    const looks = listLooks(record, nowMs)
    const revision = view.watch?.revision ?? 0
    const first = looks[0] ?? until
    const { series, baseline, news } = await this.#memory.take(revision, first, until, poll?.minutes ?? [])
    if (looks.length === 0) {
      if (poll !== undefined) return this.#settle(revision, { watch: record, minutes: news })
      this.#memory.settle(revision)
      return true
    }
    const trust = assessTrust(record, series, nowMs)
    let seen = view
    for (const [index, at] of looks.entries()) {
      const now = clock.now()
      if (index > 0) seen = await this.#view(now)
      const { samples } = this.#poller
      const look = { view: seen, subject: this.#subject, series, baseline, at, trust, samples, now, webhook }
      const { changed, incidents, posts } = evaluateTraffic({ ...look, newId: () => clock.newId() })
      const watch: ZoneRecord = { ...record, lookedUntil: at }
      const parts = { watch, minutes: index === 0 ? news : [], states: changed, incidents, posts }
      if (!(await this.#settle(revision + index, parts))) return false
    }
    return true
  }

  /** Commits, and has the memory be as the store then is: at the next revision, or else unknown. */
  async #settle(revision: number, parts: Omit<AlertCommit, 'subject' | 'revision'>): Promise<boolean> {
    const isDone = await this.#parts.store.alerts.commit({ subject: this.#subject, revision, ...parts })
    if (isDone) this.#memory.settle(revision + 1)
    else this.#memory.forget()
    return isDone
  }

  #nextMs({ readUntil, lag }: ZoneRecord): number {
    const nowMs = this.#parts.clock.now().getTime()
    if (this.#pause !== undefined) return Math.min(this.#pause.untilMs, nowMs + RETRY_MS)
    if (readUntil < findReadyMinute(nowMs, lag.lagMs)) return nowMs + SOON_MS
    return (readUntil + 1) * MINUTE_MS + lag.lagMs + (hashText(this.#subject) % SPREAD_MS)
  }

  #isPaused(now: Date): boolean {
    const leftMs = (this.#pause?.untilMs ?? 0) - now.getTime()
    // A pause in which the clock was put back would last for as long.
    return leftMs > 0 && leftMs <= MAX_PAUSE_MS
  }

  #resume({ watch, rules }: SubjectView, now: Date): ZoneRecord {
    const nowMs = now.getTime()
    const known = ZoneRecord.safeParse(watch?.state).data
    if (known === undefined) return startRecord(nowMs)
    const wantedFromMs = Math.min(nowMs, ...rules.map(({ createdAt }) => createdAt.getTime()))
    const record = resumeRecord(known, nowMs, wantedFromMs)
    const minutes = record.readUntil - known.readUntil
    if (record.skipped !== undefined && minutes > 0)
      this.#parts.log.warn(
        { subject: this.#subject, minutes },
        'reading a log was too far behind: minutes were passed over',
      )
    return record
  }
}

/** Which looks are due: at every minute that was read, and at those whose lines nobody can wait for any longer. */
function listLooks({ readUntil, lookedUntil, lag }: ZoneRecord, nowMs: number): readonly number[] {
  const last = Math.max(readUntil, findReadyMinute(nowMs - PATIENCE_MS, lag.lagMs))
  return Array.from({ length: Math.max(0, last - lookedUntil) }, (_, index) => lookedUntil + 1 + index)
}

/** Read at once: what lies between two reads is somebody else's turn. */
const CHUNK_MINUTES = DAY_MINUTES

/**
 * The minutes of one zone, cached between looks. They are as good as the store as long as nobody else has committed: the
 * revision of the watch tells. Otherwise they are loaded anew.
 */
export class ZoneMemory {
  readonly #minutes: Pick<Minutes, 'read'>
  readonly #pullZoneId: string
  #cached: { readonly series: MinuteSeries; readonly baseline: WeeklyBaseline } | undefined
  /** Of the watch, when all this was as the store has it. */
  #revision = Number.NaN

  constructor(minutes: Pick<Minutes, 'read'>, pullZoneId: string) {
    this.#minutes = minutes
    this.#pullZoneId = pullZoneId
  }

  /**
   * Takes in what was just read. Until it is said to be settled it is ahead of the store. `revision` is that of the zone's watch,
   * as it was read together with the rules; `first` is looked at first, so what that looks back on has to be there; of `until` and
   * later ones nothing can be kept. Throws `StoreError`.
   */
  async take(revision: number, first: number, until: number, fresh: readonly MinuteCounts[]) {
    const oldest = Math.min(first, fresh[0]?.minute ?? first)
    const isCurrent = this.#revision === revision && oldest >= (this.#cached?.series.exactFrom ?? Infinity)
    const known = isCurrent ? this.#cached : undefined
    this.forget()
    const news = await this.#findNews(fresh)
    const cached = known ?? (await this.#load(oldest, until, news))
    for (const counts of news) cached.series.put(counts)
    this.#cached = cached
    return { ...cached, news }
  }

  /** All of it is in the store now, at this revision of the watch. */
  settle(revision: number): void {
    this.#revision = revision
  }

  /** Somebody else has committed, or nobody knows what was: the next look loads all of it. */
  forget(): void {
    this.#cached = undefined
    this.#revision = Number.NaN
  }

  /** News go in where they belong: what is far back cannot be replaced later. */
  async #load(first: number, until: number, news: readonly MinuteCounts[]) {
    const from = first - HELD_MINUTES
    const series = new MinuteSeries(from)
    for (let begin = from; begin < until; begin += CHUNK_MINUTES) {
      const end = Math.min(begin + CHUNK_MINUTES, until)
      const kept = await this.#minutes.read(this.#pullZoneId, begin, end)
      const own = news.filter(({ minute }) => minute >= begin && minute < end)
      for (const counts of [...kept, ...own].toSorted((a, b) => a.minute - b.minute)) series.put(counts)
      await turnOfTheLoop()
    }
    return { series, baseline: new WeeklyBaseline(series) }
  }

  /** Of what was just read, only what says more than what is kept. */
  async #findNews(fresh: readonly MinuteCounts[]): Promise<readonly MinuteCounts[]> {
    const [first, last] = [fresh[0], fresh.at(-1)]
    if (first === undefined || last === undefined) return []
    const kept = await this.#minutes.read(this.#pullZoneId, first.minute, last.minute + 1)
    const known = new Map(kept.map((counts) => [counts.minute, counts]))
    return fresh.filter((counts) => saysMore(counts, known.get(counts.minute)))
  }
}

/** A minute that is known better is not replaced; one that is known as well is, since later readings see late lines. */
function saysMore(counts: MinuteCounts, kept: MinuteCounts | undefined): boolean {
  if (kept === undefined || counts.coveredMs > kept.coveredMs) return true
  return counts.coveredMs === kept.coveredMs && COUNTS.some((name) => counts[name] !== kept[name])
}
