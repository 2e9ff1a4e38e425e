import { MINUTE_MS } from '../shared/durations.ts'
import type { AlertCommit, SubjectView } from '../store/alert-records.ts'
import { evaluateTraffic } from './evaluation.ts'
import { hashOf } from './sampling.ts'
import { SOON_MS, type SubjectWatch, type WatchParts } from './subject-watch.ts'
import { type Polled, TrafficPoller } from './traffic-poller.ts'
import { ZoneMemory } from './zone-memory.ts'
import { beginning, polled, readyAt, resumed, trustOf, ZoneRecord } from './zone-record.ts'

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
    const before = this.#resumed(view, now)
    const poll = this.#isPaused(now) ? undefined : await this.#poller.poll(before, signal)
    const after = poll === undefined ? before : this.#taken(before, poll)
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
    return isRead && readyAt(nowMs, lagMs) - readUntil < MAX_HEALTHY_BEHIND_MINUTES
  }

  #view(now: Date): Promise<SubjectView> {
    return this.#parts.store.alerts.view(this.#subject, now)
  }

  /** The record after a poll, with the pause that its failure asks for. */
  #taken(before: ZoneRecord, { readUntil, perMinute, lag, failure }: Polled): ZoneRecord {
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
    return polled({ ...before, readUntil, perMinute, lag }, nowMs, failure?.cause)
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
    const looks = looksOf(record, nowMs)
    const revision = view.watch?.revision ?? 0
    const first = looks[0] ?? until
    const wanted = { revision, first, fresh: poll?.minutes ?? [], until }
    const { series, usual, news } = await this.#memory.take(wanted)
    if (looks.length === 0) {
      if (poll !== undefined) return this.#settled(revision, { watch: record, minutes: news })
      this.#memory.settle(revision)
      return true
    }
    const trust = trustOf(record, series, nowMs)
    let seen = view
    for (const [index, at] of looks.entries()) {
      const now = clock.now()
      if (index > 0) seen = await this.#view(now)
      const samples = this.#poller.samples()
      const look = { view: seen, series, usual, at, trust, samples, now, newId: () => clock.newId(), webhook }
      const { changed, incidents, posts } = evaluateTraffic(look)
      const watch: ZoneRecord = { ...record, lookedUntil: at }
      const parts = { watch, minutes: index === 0 ? news : [], states: changed, incidents, posts }
      if (!(await this.#settled(revision + index, parts))) return false
    }
    return true
  }

  /** Commits, and has the memory be as the store then is: at the next revision, or else unknown. */
  async #settled(revision: number, parts: Omit<AlertCommit, 'subject' | 'revision'>): Promise<boolean> {
    const isDone = await this.#parts.store.alerts.commit({ subject: this.#subject, revision, ...parts })
    if (isDone) this.#memory.settle(revision + 1)
    else this.#memory.forget()
    return isDone
  }

  #nextMs({ readUntil, lag }: ZoneRecord): number {
    const nowMs = this.#parts.clock.now().getTime()
    if (this.#pause !== undefined) return Math.min(this.#pause.untilMs, nowMs + RETRY_MS)
    if (readUntil < readyAt(nowMs, lag.lagMs)) return nowMs + SOON_MS
    return (readUntil + 1) * MINUTE_MS + lag.lagMs + (hashOf(this.#subject) % SPREAD_MS)
  }

  #isPaused(now: Date): boolean {
    const leftMs = (this.#pause?.untilMs ?? 0) - now.getTime()
    // A pause in which the clock was put back would last for as long.
    return leftMs > 0 && leftMs <= MAX_PAUSE_MS
  }

  #resumed({ watch, rules }: SubjectView, now: Date): ZoneRecord {
    const nowMs = now.getTime()
    const known = ZoneRecord.safeParse(watch?.state).data
    if (known === undefined) return beginning(nowMs)
    const wantedFromMs = Math.min(nowMs, ...rules.map(({ createdAt }) => createdAt.getTime()))
    const record = resumed(known, nowMs, wantedFromMs)
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
function looksOf({ readUntil, lookedUntil, lag }: ZoneRecord, nowMs: number): readonly number[] {
  const last = Math.max(readUntil, readyAt(nowMs - PATIENCE_MS, lag.lagMs))
  return Array.from({ length: Math.max(0, last - lookedUntil) }, (_, index) => lookedUntil + 1 + index)
}
