import type { Cdn } from '../cdn/cdn.ts'
import type { MinuteCounts } from '../store/minute-counts.ts'
import type { Store } from '../store/store.ts'
import { KeysWatch, type KeysWatchParts } from './keys-watch.ts'
import { seriesOf } from './minute-series.ts'
import { BackReader, type BackReadOptions, type ReadBack } from './read-back.ts'
import { namedSubject, pullSubject, storageSubject } from './rule-subjects.ts'
import { Scheduler } from './scheduler.ts'
import { StorageWatch } from './storage-watch.ts'
import type { SubjectWatch, WatchParts } from './subject-watch.ts'
import { TrafficWatch } from './traffic-watch.ts'
import type { TrafficTrust } from './traffic-trust.ts'
import { beginning, readyAt, TRUST_MINUTES, trustOf, ZoneRecord } from './zone-record.ts'
import type { AlertRule, AlertSubject } from '../store/alert-records.ts'

/** How long it rests between two looks at the clock: short, since wall time may be put forward or run fast. */
const NAP_MS = 500
/** While there is nothing to look at. What is turned on by somebody here wakes it. */
const IDLE_NAP_MS = 5_000
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

export type AlertDesk = Pick<AlertWatch, 'readBack' | 'minutes' | 'trust' | 'soon'>

export class AlertWatch {
  readonly #options: AlertWatchOptions
  readonly #scheduler: Scheduler
  readonly #backReader: BackReader
  #wake = Promise.withResolvers<void>()
  #rulesMs = Number.NEGATIVE_INFINITY
  #triedMs = Number.NEGATIVE_INFINITY
  #beatMs = Number.NEGATIVE_INFINITY

  constructor(options: AlertWatchOptions) {
    this.#options = options
    this.#scheduler = new Scheduler(options.clock, options.log)
    this.#backReader = new BackReader(options)
  }

  /** Looks at what is due until the bot stops. Never rejects. */
  async run(stopping: AbortSignal): Promise<void> {
    const { clock } = this.#options
    while (!stopping.aborted) {
      this.#wake = Promise.withResolvers<void>()
      await this.#readRules()
      this.#scheduler.begin(stopping)
      this.#beat()
      const rested = new AbortController()
      const nap = clock
        .sleep(this.#scheduler.isEmpty ? IDLE_NAP_MS : NAP_MS, AbortSignal.any([stopping, rested.signal]))
        .catch(() => undefined)
      await Promise.race([nap, this.#wake.promise])
      rested.abort()
    }
    await this.#scheduler.end()
  }

  /** The rules have changed: what is new is looked at now, and not only when its time comes. */
  soon(): void {
    this.#triedMs = Number.NEGATIVE_INFINITY
    this.#wake.resolve()
  }

  /**
   * Reads the last three days of a pull zone's log into the store as minutes, as far as they are not there yet, within
   * the share of the limit that alerts have. Never throws for what the platform does: that stands in `problems`.
   */
  async readBack(pullZoneId: bigint, options: BackReadOptions): Promise<ReadBack> {
    return this.#backReader.read(pullZoneId, options)
  }

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
    const record = ZoneRecord.safeParse(watch?.state).data ?? beginning(nowMs)
    const until = readyAt(nowMs, record.lag.lagMs)
    const minutes = await store.minutes.read(String(pullZoneId), until - TRUST_MINUTES, until)
    return trustOf(record, seriesOf(until - TRUST_MINUTES, minutes), nowMs)
  }

  /** Rules are read anew now and then. While the store does not answer, what is known goes on being looked at. */
  async #readRules(): Promise<void> {
    const { store, clock, log, zones } = this.#options
    const nowMs = clock.now().getTime()
    if (nowMs >= this.#triedMs && nowMs - this.#triedMs < RULES_MS) return
    this.#triedMs = nowMs
    try {
      const rules = await store.alertRules.list()
      const known = rules.length === 0 ? [] : [...(await zones()), ...(await this.#unfinished())]
      this.#scheduler.keep(watchedSubjects(rules, known), (subject) => this.#createWatch(subject))
      this.#rulesMs = nowMs
    } catch (error) {
      log.error({ err: error }, 'the rules of alerts could not be read: what was watched before goes on being watched')
    }
  }

  /** Storage zones with an open incident: one that has lost its name is looked at until that is over. */
  async #unfinished(): Promise<readonly WatchedZone[]> {
    const open = await this.#options.store.alerts.incidents({ open: true, limit: MAX_OPEN })
    return open.flatMap(({ subject }) => {
      const named = namedSubject(subject)
      return named?.kind === 'storage' ? [{ kind: 'storage', name: '', zoneId: named.zoneId }] : []
    })
  }

  #createWatch(subject: AlertSubject): SubjectWatch {
    const named = namedSubject(subject)
    if (named?.kind === 'pull') return new TrafficWatch(this.#options, subject, BigInt(named.zoneId))
    if (named?.kind === 'storage') return new StorageWatch(this.#options, subject, BigInt(named.zoneId))
    return new KeysWatch(this.#options, subject)
  }

  #beat(): void {
    const { clock, log, heartbeat } = this.#options
    const nowMs = clock.now().getTime()
    const isDue = nowMs - this.#beatMs >= HEARTBEAT_MS || nowMs < this.#beatMs
    const areRulesKnown = Math.abs(nowMs - this.#rulesMs) < MAX_RULES_AGE_MS
    if (heartbeat === undefined || !isDue || !areRulesKnown || !this.#scheduler.isHealthy()) return
    this.#beatMs = nowMs
    heartbeat().catch((error: unknown) => log.warn({ err: error }, 'the heartbeat could not be sent'))
  }
}

interface WatchedZone {
  readonly kind: string
  readonly name: string
  readonly zoneId: string
}

/**
 * What rules look at, each thing once, with the ids of its rules: `storage/*` stands for every storage zone that has a
 * name. Subjects that are none are left out.
 */
export function watchedSubjects(
  rules: readonly AlertRule[],
  zones: readonly WatchedZone[],
): ReadonlyMap<AlertSubject, string> {
  const storageZones = zones.filter(({ kind }) => kind === 'storage')
  const pairs = rules.flatMap(({ id, subject }) => {
    const kind = namedSubject(subject)?.kind
    if (kind === undefined) return []
    if (kind !== 'every storage') return [{ subject, id }]
    return storageZones.map(({ zoneId }) => ({ subject: storageSubject(zoneId), id }))
  })
  const bySubject = Map.groupBy(pairs, ({ subject }) => subject)
  return new Map(
    [...bySubject].map(([subject, each]) => [subject, [...new Set(each.map(({ id }) => id))].sort().join(' ')]),
  )
}
