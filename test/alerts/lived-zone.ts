import { existsSync } from 'node:fs'
import { vi } from 'vitest'
import { type PastMinute, type BacktestEvent, listEvents } from '../../src/alerts/watch/backtest.ts'
import { readIncidentDoc } from '../../src/alerts/state/incident.ts'
import { TrafficWatch } from '../../src/alerts/watch/traffic-watch.ts'
import { ZoneRecord } from '../../src/alerts/log/zone-record.ts'
import type { Cdn } from '../../src/cdn/contract/cdn.ts'
import type { LogEntry } from '../../src/cdn/contract/log-entry.ts'
import { watchSet } from '../../src/operations/alerts/watch-set.ts'
import { seededRandom } from '../../src/playground/cdn/world/seeded-random.ts'
import type { AlertCommit, AlertRule } from '../../src/store/schema/alert-records.ts'
import type { MinuteCounts } from '../../src/store/schema/minute-counts.ts'
import { entry, silentLog } from '../store/harness.ts'
import { alertBench } from './alert-bench.ts'
import { linesAnswered } from './scripted-log.ts'
import { rejected } from './watched-zone.ts'

const MINUTE_MS = 60_000
/** Nothing here is about what a disk keeps, and waiting for one each minute would be most of the time. */
const IN_MEMORY = existsSync('/dev/shm') ? '/dev/shm' : undefined
const ZONE_ID = 301n
const SUBJECT = `pull/${ZONE_ID}`
const PRESENT_MS = 20_000
/** Of a minute's lines so many come late: few, and in some minutes many. */
const LATE = { share: 0.03, burst: 0.3, burstEvery: 53, burstMinutes: 4, atMostMs: 12 * MINUTE_MS }
/** The process ends after so many looks or up to twice as many, and each other time it is away for up to so many minutes. */
const RESTARTS = { after: 70, awayMinutes: 12 }
const STATUSES = [
  ['miss', 'MISS'],
  ['hit', 'HIT'],
  ['stale', 'STALE'],
  ['bypass', 'BYPASS'],
] as const

/** What was told at which look: the kind, how grave it is, and the numbers in words. */
export interface Lived {
  readonly told: readonly { readonly at: number; readonly what: BacktestEvent }[]
  /** What was committed, as it came. */
  readonly minutes: readonly PastMinute[]
  readonly rules: readonly AlertRule[]
  readonly looked: { readonly from: number; readonly until: number }
  readonly restarts: number
}

/** A life of a zone: what its log says of each minute in the end, and from when on it is watched. */
export interface Life {
  readonly seed: string
  readonly minutes: readonly MinuteCounts[]
  readonly watchedFrom: number
  /** Minutes in which the platform refuses. */
  readonly gap: { readonly from: number; readonly until: number }
}

/** Has a zone watched with a store of its own, through late lines, ends of the process and a log that cannot be read. */
export async function lived({ seed, minutes, watchedFrom, gap }: Life): Promise<Lived> {
  await using bench = await alertBench(new Date(watchedFrom * MINUTE_MS).toISOString(), IN_MEMORY)
  const { clock, store } = bench
  const random = seededRandom(`lived ${seed}`)
  const rules = watchSet(ZONE_ID, 'C0TEAM').map((key): AlertRule => ({
    ...key,
    id: clock.newId(),
    createdBy: 'U0ANNA',
    createdAt: clock.now(),
  }))
  await store.alertRules.add(rules, () => entry('alert_added'))
  const past = minutes.filter(({ minute }) => minute < watchedFrom - 3)
  await store.minutes.put(String(ZONE_ID), past)
  const { cdn } = new LateLog(clock, minutes, gap)
  const told: { readonly at: number; readonly what: BacktestEvent }[] = []
  const seen: PastMinute[] = []
  const looks: number[] = []
  const known = new Set<string>()
  let unseen: readonly MinuteCounts[] = []
  const commit = store.alerts.commit.bind(store.alerts)
  vi.spyOn(store.alerts, 'commit').mockImplementation(async (look: AlertCommit) => {
    const isDone = await commit(look)
    if (!isDone) return false
    const { states, incidents = [], posts = [] } = look
    unseen = [...unseen, ...(look.minutes ?? [])]
    if (states === undefined) return true
    const at = ZoneRecord.parse(look.watch).lookedUntil
    seen.push(...unseen.map((counts) => ({ ...counts, seenAt: Math.max(at, counts.minute + 1) })))
    looks.push(at)
    unseen = []
    for (const write of incidents) {
      const { alerts } = readIncidentDoc(write.doc)
      told.push(...listEvents(!known.has(write.id), write, alerts, posts, clock.now()).map((what) => ({ at, what })))
      known.add(write.id)
    }
    return true
  })
  const parts = { cdn, store, clock, log: silentLog, webhook: false }
  const { signal } = new AbortController()
  const endMs = ((minutes.at(-1)?.minute ?? watchedFrom) + 1) * MINUTE_MS
  let [watch, restarts, left] = [new TrafficWatch(parts, SUBJECT, ZONE_ID), 0, RESTARTS.after]
  while (clock.now().getTime() < endMs) {
    const nextMs = await watch.look(signal)
    clock.turn(Math.max(0, nextMs - clock.now().getTime()))
    left -= 1
    if (left > 0) continue
    left = RESTARTS.after * (1 + random.next())
    restarts += 1
    if (restarts % 2 === 0) clock.turn(random.next() * RESTARTS.awayMinutes * MINUTE_MS)
    watch = new TrafficWatch(parts, SUBJECT, ZONE_ID)
  }
  const [first = 0, last = 0] = [looks[0], looks.at(-1)]
  const arrived = seen.toSorted((a, b) => (a.seenAt ?? 0) - (b.seenAt ?? 0))
  return { told, minutes: [...past, ...arrived], rules, looked: { from: first - 1, until: last }, restarts }
}

interface Line {
  readonly entry: LogEntry
  readonly atMs: number
  readonly thereMs: number
}

/** The log of a zone: lines as its minutes count them, in an order of their own, some there only minutes later. */
export class LateLog {
  readonly #clock: { now(): Date }
  readonly #counts: ReadonlyMap<number, MinuteCounts>
  readonly #gap: Life['gap']
  readonly #lines = new Map<number, readonly Line[]>()

  constructor(clock: { now(): Date }, minutes: readonly MinuteCounts[], gap: Life['gap'] = { from: 0, until: 0 }) {
    this.#clock = clock
    this.#gap = gap
    this.#counts = new Map(minutes.map((counts) => [counts.minute, counts]))
  }

  readonly cdn: Pick<Cdn, 'queryLogs'> = {
    queryLogs: async (_, { from = new Date(0), to = new Date(0) }, { maxEntries }) => {
      const now = this.#clock.now().getTime() / MINUTE_MS
      if (now >= this.#gap.from && now < this.#gap.until) throw rejected(503)
      return linesAnswered(this.#between(from.getTime(), to.getTime()), from, to, maxEntries)
    },
  }

  #between(fromMs: number, untilMs: number): readonly LogEntry[] {
    const nowMs = this.#clock.now().getTime()
    const entries: LogEntry[] = []
    for (let minute = Math.floor(fromMs / MINUTE_MS); minute * MINUTE_MS < untilMs; minute += 1)
      for (const { entry: line, atMs, thereMs } of this.#of(minute)) {
        if (thereMs <= nowMs && atMs >= fromMs && atMs < untilMs) entries.push(line)
      }
    return entries
  }

  #of(minute: number): readonly Line[] {
    const lines = this.#lines.get(minute) ?? countLines(minute, this.#counts.get(minute))
    this.#lines.set(minute, lines)
    this.#lines.delete(minute - 100)
    return lines
  }
}

function countLines(minute: number, counts: MinuteCounts | undefined): readonly Line[] {
  if (counts === undefined) return []
  const random = seededRandom(`lines ${minute}`)
  const share = minute % LATE.burstEvery < LATE.burstMinutes ? LATE.burst : LATE.share
  const statuses = STATUSES.flatMap(([name, status]) => Array.from({ length: counts[name] }, () => status))
  return statuses
    .map((cacheStatus, index): Line => {
      const isNotFound = cacheStatus === 'MISS' && index < counts.miss4xx
      const statusCode = isNotFound ? 404 : index >= statuses.length - counts.c5xx ? 502 : 200
      const atMs = minute * MINUTE_MS + Math.floor(random.next() * MINUTE_MS)
      const lateMs = random.next() < share ? random.next() * LATE.atMostMs : PRESENT_MS
      return { entry: { timestamp: new Date(atMs), cacheStatus, statusCode }, atMs, thereMs: atMs + lateMs }
    })
    .toSorted((a, b) => a.atMs - b.atMs)
}
