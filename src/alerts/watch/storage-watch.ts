import * as z from 'zod'
import { CdnError } from '../../cdn/contract/errors.ts'
import { parseInstant } from '../../cdn/contract/dates.ts'
import type { Chart, StorageStatistics } from '../../cdn/contract/storage-statistics.ts'
import { DAY_MS } from '../../shared/durations.ts'
import { UserError } from '../../shared/errors.ts'
import type { StorageDay } from '../kinds/alert-kind.ts'
import { evaluateStorage } from '../incidents/evaluation.ts'
import { listCurrentRules } from '../kinds/current-rules.ts'
import { nextLook, SOON_MS, type SubjectWatch, type WatchParts } from './subject-watch.ts'

const EVERY_MS = 6 * 3_600_000
const RETRY_MS = 10 * 60_000
/** How often it is seen, while something fires, whether a silence is over and whether anybody has acknowledged it. */
const FOLLOW_MS = 60_000
const MAX_DAYS = 31

const StorageRecord = z.object({ lookedMs: z.number() })

export class StorageWatch implements SubjectWatch {
  readonly #parts: WatchParts<'getStorageStatistics'>
  readonly #subject: string
  readonly #zoneId: bigint
  #healthy: boolean | undefined
  #newest: readonly StorageDay[] = []
  /** The platform, which did not tell, is left alone until then. */
  #retryMs = 0

  constructor(parts: WatchParts<'getStorageStatistics'>, subject: string, zoneId: bigint) {
    this.#parts = parts
    this.#subject = subject
    this.#zoneId = zoneId
  }

  async look(signal: AbortSignal): Promise<number> {
    const { store, clock, webhook } = this.#parts
    const now = clock.now()
    const nowMs = now.getTime()
    const view = await store.alerts.view(this.#subject, now)
    const states = new Set(view.states.map(({ ruleId }) => ruleId))
    const lookedMs = StorageRecord.safeParse(view.watch?.state).data?.lookedMs
    const dueMs = nextLook(lookedMs, EVERY_MS, nowMs)
    // A new rule does not wait for the zone's next turn.
    const isDue = dueMs <= nowMs || listCurrentRules(view.rules, () => this.#subject).some(({ id }) => !states.has(id))
    const isLeftAlone = nowMs < this.#retryMs && nowMs >= this.#retryMs - RETRY_MS
    const read = isDue && !isLeftAlone ? await this.#days(now, signal) : undefined
    if (isDue && !isLeftAlone) this.#retryMs = read === undefined ? nowMs + RETRY_MS : 0
    this.#healthy ??= true
    this.#newest = read ?? this.#newest
    const about = { view, subject: this.#subject, days: this.#newest, onlyTime: read === undefined }
    const looked = evaluateStorage({ ...about, now, newId: () => clock.newId(), webhook })
    const { changed, incidents, posts } = looked
    if (read !== undefined || incidents.length > 0) {
      const watch = read === undefined ? (view.watch?.state ?? {}) : { lookedMs: nowMs }
      const revision = view.watch?.revision ?? 0
      const commit = { subject: this.#subject, revision, watch, states: changed, incidents, posts }
      if (!(await store.alerts.commit(commit))) return nowMs + SOON_MS
    }
    const nextMs = read !== undefined ? nowMs + EVERY_MS : isDue ? this.#retryMs : dueMs
    // People silence and do not answer while something goes on.
    const goesOn = looked.states.some(({ state }) => state.phase === 'firing')
    return goesOn ? Math.min(nextMs, nowMs + FOLLOW_MS) : nextMs
  }

  isHealthy(): boolean | undefined {
    return this.#healthy
  }

  /** Undefined when the platform did not tell; what is known of the zone then stays as it is. */
  async #days(now: Date, signal: AbortSignal): Promise<readonly StorageDay[] | undefined> {
    const { cdn, log } = this.#parts
    try {
      const from = new Date(now.getTime() - MAX_DAYS * DAY_MS)
      const statistics = await cdn.getStorageStatistics({ id: this.#zoneId, dateFrom: from, dateTo: now }, { signal })
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
    const at = parseInstant(key)
    if (at !== undefined) days.set(Math.floor(at.getTime() / DAY_MS) * DAY_MS, Number(value))
  }
  return days
}
