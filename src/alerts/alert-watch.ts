import type { Cdn } from '../cdn/cdn.ts'
import type { MinuteCounts } from '../store/minute-counts.ts'
import type { Store } from '../store/store.ts'
import type { AlertDesk, ReadBack, ReadBackProgress } from './alert-desk.ts'
import { KeysWatch } from './keys-watch.ts'
import { LookRound } from './look-round.ts'
import { seriesOf } from './minute-series.ts'
import { BackReader } from './read-back.ts'
import { namedSubject } from './rule-subjects.ts'
import { StorageWatch } from './storage-watch.ts'
import type { SubjectWatch, WatchParts } from './subject-watch.ts'
import { TrafficWatch } from './traffic-watch.ts'
import type { TrafficTrust } from './traffic-trust.ts'
import { beginning, readyAt, TRUST_MINUTES, trustOf, ZoneRecord } from './zone-record.ts'
import type { AlertRule, AlertSubject } from '../store/alert-records.ts'

/** How long it rests between two looks at the clock: short, since wall time may be put forward or run fast. */
const NAP_MS = 500
/** While there is nothing to look at but the heartbeat to be sent. What is turned on by somebody here wakes it. */
const IDLE_NAP_MS = 5_000
/** How often rules and names of zones are read, in case that another process has changed them. */
const RULES_MS = 30_000
/** After this without having read the rules, it is not known whether everything is watched. */
const MAX_RULES_AGE_MS = 5 * 60_000
const HEARTBEAT_MS = 60_000
/** Open incidents that are asked for, the newest. */
const MAX_OPEN = 200

export interface AlertWatchOptions extends WatchParts<keyof Cdn> {
  readonly store: Store
  /** Zones that have names, for rules about all storage zones. */
  readonly zones: () => Promise<readonly WatchedZone[]>
  /** Called once a minute, but only while everything is read in time. */
  readonly heartbeat?: (() => Promise<void>) | undefined
  /** The workspace that entries in the record are made for. */
  readonly team?: (() => string | undefined) | undefined
}

/** Looks at the platform by itself, for everything that there is a rule about. */
export class AlertWatch implements AlertDesk {
  readonly #options: AlertWatchOptions
  readonly #round: LookRound
  readonly #backReader: BackReader
  #wake = Promise.withResolvers<void>()
  #rulesMs = Number.NEGATIVE_INFINITY
  #triedMs = Number.NEGATIVE_INFINITY
  #beatMs = Number.NEGATIVE_INFINITY

  constructor(options: AlertWatchOptions) {
    this.#options = options
    this.#round = new LookRound(options.clock, options.log)
    this.#backReader = new BackReader(options)
  }

  /** Looks at what is due until the bot stops. Never rejects. */
  async run(stopping: AbortSignal): Promise<void> {
    const { clock } = this.#options
    while (!stopping.aborted) {
      this.#wake = Promise.withResolvers<void>()
      await this.#readRules()
      this.#round.begin(stopping)
      this.#beat()
      const rested = new AbortController()
      const nap = clock.sleep(this.#napMs(), AbortSignal.any([stopping, rested.signal])).catch(() => undefined)
      await Promise.race([nap, this.#wake.promise])
      rested.abort()
    }
    await this.#round.end()
  }

  soon(): void {
    this.#triedMs = Number.NEGATIVE_INFINITY
    this.#wake.resolve()
  }

  async readBack(
    pullZoneId: bigint,
    options: { readonly signal: AbortSignal; readonly progress: (told: ReadBackProgress) => void },
  ): Promise<ReadBack> {
    return this.#backReader.read(pullZoneId, options)
  }

  async minutes(pullZoneId: bigint, from: number, until: number): Promise<readonly MinuteCounts[]> {
    return this.#options.store.minutes.read(String(pullZoneId), from, until)
  }

  async trust(pullZoneId: bigint): Promise<TrafficTrust | undefined> {
    const { store, clock } = this.#options
    const now = clock.now()
    const nowMs = now.getTime()
    const { watch, rules } = await store.alerts.view(`pull/${pullZoneId}`, now)
    if (rules.length === 0) return undefined
    const record = ZoneRecord.safeParse(watch?.state).data ?? beginning(nowMs)
    const until = readyAt(nowMs, record.lag.lagMs)
    const minutes = await store.minutes.read(String(pullZoneId), until - TRUST_MINUTES, until)
    return trustOf(record, seriesOf(until - TRUST_MINUTES, minutes), nowMs)
  }

  #napMs(): number {
    if (!this.#round.isEmpty) return NAP_MS
    const untilRulesMs = this.#triedMs + RULES_MS - this.#options.clock.now().getTime()
    const longestMs = this.#options.heartbeat === undefined ? RULES_MS : IDLE_NAP_MS
    return Math.min(Math.max(untilRulesMs, 1), longestMs)
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
      const subjects = watchedSubjects(rules, known)
      this.#round.keep(subjects, (watched) => this.#createWatch(watched))
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

  #createWatch(watched: Watched): SubjectWatch {
    const { team = () => undefined, ...options } = this.#options
    switch (watched.what) {
      case 'pull':
        return new TrafficWatch(options, watched.subject, watched.zoneId)
      case 'storage':
        return new StorageWatch(options, watched.subject, watched.zoneId)
      case 'account':
        return new KeysWatch({ ...options, team }, watched.subject)
    }
  }

  #beat(): void {
    const { clock, log, heartbeat } = this.#options
    const nowMs = clock.now().getTime()
    const isDue = nowMs - this.#beatMs >= HEARTBEAT_MS || nowMs < this.#beatMs
    const areRulesKnown = Math.abs(nowMs - this.#rulesMs) < MAX_RULES_AGE_MS
    if (heartbeat === undefined || !isDue || !areRulesKnown || !this.#round.isHealthy()) return
    this.#beatMs = nowMs
    heartbeat().catch((error: unknown) => log.warn({ err: error }, 'the heartbeat could not be sent'))
  }
}

/** A zone that has a name, as far as it matters here. */
interface WatchedZone {
  readonly kind: string
  readonly name: string
  /** Digits. */
  readonly zoneId: string
}

/** One thing that is looked at by itself. */
type Watched =
  | { readonly what: 'pull' | 'storage'; readonly subject: AlertSubject; readonly zoneId: bigint }
  | { readonly what: 'account'; readonly subject: AlertSubject }

/** Digits of an id that the platform can have. */
const ID = /^[1-9]\d{0,18}$/

/**
 * What rules look at, each thing once, with the ids of its rules: `storage/*` stands for every storage zone that has a
 * name. Subjects that are none are left out.
 */
export function watchedSubjects(
  rules: readonly AlertRule[],
  zones: readonly WatchedZone[],
): ReadonlyMap<AlertSubject, Watched & { readonly ruleIds: string }> {
  const ruleIds = new Map<AlertSubject, string[]>()
  const note = (subject: AlertSubject, id: string): void => {
    const ids = ruleIds.get(subject)
    if (ids === undefined) ruleIds.set(subject, [id])
    else ids.push(id)
  }
  const storageZones = new Set(zones.filter(({ kind }) => kind === 'storage').map(({ zoneId }) => zoneId))
  for (const { id, subject } of rules) {
    if (subject === 'storage/*') for (const zoneId of storageZones) note(`storage/${zoneId}`, id)
    else note(subject, id)
  }
  return new Map(
    [...ruleIds].flatMap(([subject, ids]) => {
      const watched = readSubject(subject)
      return watched === undefined ? [] : [[subject, { ...watched, ruleIds: ids.sort().join(' ') }] as const]
    }),
  )
}

function readSubject(subject: AlertSubject): Watched | undefined {
  if (subject === 'account') return { what: 'account', subject }
  const [what, id = ''] = subject.split('/')
  if ((what !== 'pull' && what !== 'storage') || !ID.test(id)) return undefined
  return { what, subject, zoneId: BigInt(id) }
}
