import type { Clock } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { AlertSubject, AlertRule } from '../../store/schema/alert-records.ts'
import { hashText } from '../log/poll-plan.ts'
import type { SubjectWatch, WatchParts } from './subject-watch.ts'
import type { Cdn } from '../../cdn/contract/cdn.ts'
import type { MinuteCounts } from '../../store/schema/minute-counts.ts'
import type { Store } from '../../store/store.ts'
import type { ZoneName } from '../../store/zone-names.ts'
import { KeysWatch, type KeysWatchParts } from './keys-watch.ts'
import { buildSeries } from '../series/minute-series.ts'
import { Backfiller } from '../log/backfill.ts'
import { parseSubject, pullSubject, storageSubject } from '../state/rule-subjects.ts'
import { StorageWatch } from './storage-watch.ts'
import { TrafficWatch } from './traffic-watch.ts'
import {
  type TrafficTrust,
  startRecord,
  findReadyMinute,
  TRUST_MINUTES,
  assessTrust,
  ZoneRecord,
} from '../log/zone-record.ts'

/** Subjects that are looked at at once. A look at a busy zone is mostly waiting for its slots, so others go on beside it. */
const MAX_AT_ONCE = 24
/** How long a subject waits after a look that failed for a reason of ours, doubled with each. */
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 60_000
/** The first looks at many new subjects are spread over this. */
const SPREAD_MS = 8_000
/** Earlier than when a subject was scheduled by more than this: the clock was put back, and that counts no more. */
const PUT_BACK_MS = 5_000

interface Schedule {
  readonly watch: SubjectWatch
  ruleIds: string
  dueMs: number
  setMs: number
  isRunning: boolean
  failures: number
}

/** Has every subject looked at when it is due, a few at once, each by itself. */
export class Scheduler {
  readonly #clock: Clock
  readonly #log: Log
  readonly #schedules = new Map<AlertSubject, Schedule>()
  readonly #running = new Set<Promise<void>>()

  constructor(clock: Clock, log: Log) {
    this.#clock = clock
    this.#log = log
  }

  /** Has exactly these subjects looked at from now on. New ones, and those with other rules, are due soon. */
  keep(ruleIdsOf: ReadonlyMap<AlertSubject, string>, createWatch: (subject: AlertSubject) => SubjectWatch): void {
    for (const subject of this.#schedules.keys()) if (!ruleIdsOf.has(subject)) this.#schedules.delete(subject)
    const nowMs = this.#clock.now().getTime()
    // A few are looked at at once; only where there are many do they have to wait for each other.
    const spreadMs = ruleIdsOf.size > MAX_AT_ONCE ? SPREAD_MS : 1
    for (const [subject, ruleIds] of ruleIdsOf) {
      const schedule = this.#schedules.get(subject)
      if (schedule === undefined) {
        const dueMs = nowMs + (hashText(subject) % spreadMs)
        const watch = createWatch(subject)
        this.#schedules.set(subject, { watch, ruleIds, dueMs, setMs: nowMs, isRunning: false, failures: 0 })
      } else if (schedule.ruleIds !== ruleIds) Object.assign(schedule, { ruleIds, dueMs: nowMs, setMs: nowMs })
    }
  }

  /** Begins the looks that are due, the longest due first, as far as there is room. Never rejects. */
  begin(stopping: AbortSignal): void {
    const nowMs = this.#clock.now().getTime()
    const due = [...this.#schedules].filter(
      ([, { dueMs, setMs, isRunning }]) => !isRunning && (dueMs <= nowMs || nowMs < setMs - PUT_BACK_MS),
    )
    for (const [subject, schedule] of due.toSorted(([, a], [, b]) => a.dueMs - b.dueMs)) {
      if (this.#running.size >= MAX_AT_ONCE || stopping.aborted) return
      const look = this.#look(subject, schedule, stopping)
      this.#running.add(look)
      void look.then(() => this.#running.delete(look))
    }
  }

  get isEmpty(): boolean {
    return this.#schedules.size === 0
  }

  async end(): Promise<void> {
    await Promise.all(this.#running)
  }

  isHealthy(): boolean {
    const nowMs = this.#clock.now().getTime()
    return [...this.#schedules.values()].every(
      ({ watch, failures }) => failures === 0 && watch.isHealthy(nowMs) === true,
    )
  }

  async #look(subject: AlertSubject, schedule: Schedule, stopping: AbortSignal): Promise<void> {
    const { ruleIds } = schedule
    schedule.isRunning = true
    try {
      const dueMs = await schedule.watch.look(stopping)
      schedule.failures = 0
      // Rules that changed during the look were perhaps not seen by it.
      schedule.dueMs = schedule.ruleIds === ruleIds ? dueMs : this.#clock.now().getTime()
    } catch (error) {
      schedule.failures += 1
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (schedule.failures - 1), LONGEST_PAUSE_MS)
      schedule.dueMs = this.#clock.now().getTime() + pauseMs
      const { failures } = schedule
      if (!stopping.aborted) this.#log.error({ err: error, subject, failures }, 'looking at a subject of alerts failed')
    } finally {
      schedule.setMs = this.#clock.now().getTime()
      schedule.isRunning = false
    }
  }
}

/** How long it rests between two looks at the clock: short, since wall time may be put forward or run fast. */
const POLL_MS = 500
/** While there is nothing to look at. What is turned on by somebody here wakes it. */
const IDLE_POLL_MS = 5_000
/** How often rules and names of zones are read, in case that another process has changed them. */
const RULES_MS = 30_000
/** After this without having read the rules, it is not known whether everything is watched. */
const MAX_RULES_AGE_MS = 5 * 60_000
const HEARTBEAT_MS = 60_000
const MAX_OPEN = 200

export interface AlertWatchOptions extends WatchParts<keyof Cdn>, Pick<KeysWatchParts, 'team'> {
  readonly store: Store
  readonly zones: () => Promise<readonly WatchedZone[]>
  /** Called once a minute, but only while everything is read in time. */
  readonly heartbeat?: (() => Promise<void>) | undefined
}

export type AlertService = Pick<AlertWatch, 'backfill' | 'minutes' | 'trust' | 'soon'>

export class AlertWatch {
  readonly #options: AlertWatchOptions
  readonly #backfiller: Backfiller
  /** The wait until the next round. Aborted when rules change, also while a round runs. */
  #nap = new AbortController()
  #rulesMs = Number.NEGATIVE_INFINITY
  #rulesTriedMs = Number.NEGATIVE_INFINITY
  #heartbeatMs = Number.NEGATIVE_INFINITY

  constructor(options: AlertWatchOptions) {
    this.#options = options
    this.#backfiller = new Backfiller(options)
  }

  /** Looks at what is due until the bot stops. Never rejects. */
  async run(stopping: AbortSignal): Promise<void> {
    const { clock, log } = this.#options
    // Somebody else may have looked meanwhile: what is known of each subject is in the store.
    const scheduler = new Scheduler(clock, log)
    this.#rulesTriedMs = Number.NEGATIVE_INFINITY
    while (!stopping.aborted) {
      this.#nap = new AbortController()
      await this.#readRules(scheduler)
      scheduler.begin(stopping)
      this.#sendHeartbeat(scheduler)
      const napMs = scheduler.isEmpty ? IDLE_POLL_MS : POLL_MS
      await clock.sleep(napMs, AbortSignal.any([stopping, this.#nap.signal])).catch(() => undefined)
    }
    await scheduler.end()
  }

  /** The rules have changed: what is new is looked at now, and not only when its time comes. */
  soon(): void {
    this.#rulesTriedMs = Number.NEGATIVE_INFINITY
    this.#nap.abort()
  }

  readonly backfill: Backfiller['read'] = (pullZoneId, options) => this.#backfiller.read(pullZoneId, options)

  /** Minutes as the store has them, oldest first; `until` is excluded. */
  async minutes(pullZoneId: bigint, from: number, until: number): Promise<readonly MinuteCounts[]> {
    return this.#options.store.minutes.read(String(pullZoneId), from, until)
  }

  /** How well the zone is being read; undefined when no rule looks at it. */
  async trust(pullZoneId: bigint): Promise<TrafficTrust | undefined> {
    const { store, clock } = this.#options
    const now = clock.now()
    const nowMs = now.getTime()
    const { watch, rules } = await store.alerts.view(pullSubject(pullZoneId), now)
    if (rules.length === 0) return undefined
    const record = ZoneRecord.safeParse(watch?.state).data ?? startRecord(nowMs)
    const until = findReadyMinute(nowMs, record.lag.lagMs)
    const minutes = await store.minutes.read(String(pullZoneId), until - TRUST_MINUTES, until)
    return assessTrust(record, buildSeries(until - TRUST_MINUTES, minutes), nowMs)
  }

  /** Rules are read anew now and then. While the store does not answer, what is known goes on being looked at. */
  async #readRules(scheduler: Scheduler): Promise<void> {
    const { store, clock, log, zones } = this.#options
    const nowMs = clock.now().getTime()
    if (nowMs >= this.#rulesTriedMs && nowMs - this.#rulesTriedMs < RULES_MS) return
    this.#rulesTriedMs = nowMs
    try {
      const rules = await store.alertRules.list()
      const known = rules.length === 0 ? [] : [...(await zones()), ...(await this.#listUnfinished())]
      scheduler.keep(listSubjects(rules, known), (subject) => this.#createWatch(subject))
      this.#rulesMs = nowMs
    } catch (error) {
      log.error({ err: error }, 'the rules of alerts could not be read: what was watched before goes on being watched')
    }
  }

  /** Storage zones with an open incident: one that has lost its name is looked at until that is over. */
  async #listUnfinished(): Promise<readonly WatchedZone[]> {
    const open = await this.#options.store.alerts.incidents({ open: true, limit: MAX_OPEN })
    return open.flatMap(({ subject }) => {
      const named = parseSubject(subject)
      return named?.kind === 'storage' ? [{ kind: 'storage', zoneId: named.zoneId }] : []
    })
  }

  #createWatch(subject: AlertSubject): SubjectWatch {
    const named = parseSubject(subject)
    if (named?.kind === 'pull') return new TrafficWatch(this.#options, subject, BigInt(named.zoneId))
    if (named?.kind === 'storage') return new StorageWatch(this.#options, subject, BigInt(named.zoneId))
    return new KeysWatch(this.#options)
  }

  #sendHeartbeat(scheduler: Scheduler): void {
    const { clock, log, heartbeat } = this.#options
    const nowMs = clock.now().getTime()
    const isDue = nowMs - this.#heartbeatMs >= HEARTBEAT_MS || nowMs < this.#heartbeatMs
    const areRulesKnown = Math.abs(nowMs - this.#rulesMs) < MAX_RULES_AGE_MS
    if (heartbeat === undefined || !isDue || !areRulesKnown || !scheduler.isHealthy()) return
    this.#heartbeatMs = nowMs
    heartbeat().catch((error: unknown) => log.warn({ err: error }, 'the heartbeat could not be sent'))
  }
}

type WatchedZone = Pick<ZoneName, 'kind' | 'zoneId'>

/**
 * What rules look at, each thing once, with the ids of its rules: `storage/*` stands for every storage zone that has a
 * name. Subjects that are none are left out.
 */
export function listSubjects(
  rules: readonly AlertRule[],
  zones: readonly WatchedZone[],
): ReadonlyMap<AlertSubject, string> {
  const storageZones = zones.filter(({ kind }) => kind === 'storage')
  const pairs = rules.flatMap(({ id, subject }) => {
    const kind = parseSubject(subject)?.kind
    if (kind === undefined) return []
    if (kind !== 'every storage') return [{ subject, id }]
    return storageZones.map(({ zoneId }) => ({ subject: storageSubject(zoneId), id }))
  })
  const bySubject = Map.groupBy(pairs, ({ subject }) => subject)
  return new Map(
    [...bySubject].map(([subject, each]) => [subject, [...new Set(each.map(({ id }) => id))].sort().join(' ')]),
  )
}
