import * as z from 'zod'
import { CdnError } from '../cdn/errors.ts'
import { type Chart, chartDay, type StorageStatistics } from '../cdn/storage-statistics.ts'
import { DAY_MS } from '../shared/durations.ts'
import { UserError } from '../shared/errors.ts'
import type { SubjectView } from '../store/alert-records.ts'
import type { StorageDay } from './alert-kind.ts'
import { evaluateStorage } from './evaluation.ts'
import { rulesNow } from './rules-now.ts'
import { nextLook, SOON_MS, type SubjectWatch, type WatchParts } from './subject-watch.ts'

const EVERY_MS = 6 * 3_600_000
const RETRY_MS = 10 * 60_000
/** How often it is seen, while something fires, whether a silence is over and whether anybody has acknowledged it. */
const FOLLOW_MS = 60_000
const MAX_DAYS = 31

const StorageRecord = z.object({ lookedMs: z.number() })

/** Watches the daily numbers of one storage zone, four times a day. */
export class StorageWatch implements SubjectWatch {
  readonly #parts: WatchParts<'getStorageStatistics'>
  readonly #subject: string
  readonly #zoneId: bigint
  #healthy: boolean | undefined
  #newest: readonly StorageDay[] = []

  constructor(parts: WatchParts<'getStorageStatistics'>, subject: string, zoneId: bigint) {
    this.#parts = parts
    this.#subject = subject
    this.#zoneId = zoneId
  }

  async look(signal: AbortSignal): Promise<number> {
    const { store, clock } = this.#parts
    const now = clock.now()
    const nowMs = now.getTime()
    const view = await store.alerts.view(this.#subject, now)
    const states = new Set(view.states.map(({ ruleId }) => ruleId))
    const lookedMs = StorageRecord.safeParse(view.watch?.state).data?.lookedMs
    const dueMs = nextLook(lookedMs, EVERY_MS, nowMs)
    // A new rule does not wait for the zone's next turn.
    if (dueMs > nowMs && rulesNow(view.rules, () => this.#subject).every(({ id }) => states.has(id))) {
      this.#healthy ??= true
      return this.#evaluate(view, now, undefined, dueMs)
    }
    const days = await this.#days(now, signal)
    if (days === undefined) return nowMs + RETRY_MS
    return this.#evaluate(view, now, days, nowMs + EVERY_MS)
  }

  /** Commits what follows, and says when to look again: soon while something goes on, since people silence and do not answer. */
  async #evaluate(
    view: SubjectView,
    now: Date,
    days: readonly StorageDay[] | undefined,
    dueMs: number,
  ): Promise<number> {
    const { store, clock, webhook } = this.#parts
    const newId = (): string => clock.newId()
    this.#newest = days ?? this.#newest
    const about = { view, zoneId: String(this.#zoneId), days: this.#newest, onlyTime: days === undefined }
    const { states, changed, incidents, posts } = evaluateStorage({ ...about, now, newId, webhook })
    if (days !== undefined || incidents.length > 0) {
      const watch = days === undefined ? view.watch?.state : { lookedMs: now.getTime() }
      const revision = view.watch?.revision ?? 0
      const commit = { subject: this.#subject, revision, watch, states: changed, incidents, posts }
      if (!(await store.alerts.commit(commit))) return now.getTime() + SOON_MS
    }
    const goesOn = states.some(({ state }) => state.phase === 'firing')
    return goesOn ? Math.min(dueMs, now.getTime() + FOLLOW_MS) : dueMs
  }

  isHealthy(): boolean | undefined {
    return this.#healthy
  }

  /** Undefined when the platform did not tell; what is known of the zone then stays as it is. */
  async #days(now: Date, signal: AbortSignal): Promise<readonly StorageDay[] | undefined> {
    const { cdn, log } = this.#parts
    try {
      const from = new Date(now.getTime() - MAX_DAYS * DAY_MS)
      const statistics = await cdn.getStorageStatistics(this.#zoneId, { from, to: now }, { signal })
      this.#healthy = true
      return storageDays(statistics)
    } catch (error) {
      if (signal.aborted || !(error instanceof CdnError || error instanceof UserError)) throw error
      this.#healthy = false
      log.warn({ subject: this.#subject, why: error.message }, 'the statistics of a storage zone could not be read')
      return undefined
    }
  }
}

/** The charts of statistics as days: oldest first, each UTC day once with its last value, the newest 31. */
export function storageDays({ StorageUsedChart, FileCountChart }: StorageStatistics): readonly StorageDay[] {
  const bytes = byDay(StorageUsedChart)
  const files = byDay(FileCountChart)
  const days = [...new Set([...bytes.keys(), ...files.keys()])].toSorted((a, b) => a - b)
  return days.slice(-MAX_DAYS).map((dayMs) => ({ dayMs, bytes: bytes.get(dayMs), files: files.get(dayMs) }))
}

function byDay(chart: Chart): ReadonlyMap<number, number> {
  const days = new Map<number, number>()
  for (const [key, value] of chart) {
    const at = chartDay(key)
    if (at !== undefined) days.set(Math.floor(at.getTime() / DAY_MS) * DAY_MS, Number(value))
  }
  return days
}
