import { evaluateTraffic, type KnownState } from '../../../src/alerts/incidents/evaluation.ts'
import { emptyMinute } from '../../../src/alerts/series/minute-series.ts'
import { ZoneMemory } from '../../../src/alerts/watch/traffic-watch.ts'
import { startRecord, assessTrust } from '../../../src/alerts/log/zone-record.ts'
import { watchSet } from '../../../src/operations/alerts/watch-set.ts'
import { MINUTE_MS } from '../../../src/shared/durations.ts'
import type { MinuteCounts } from '../../../src/store/schema/minute-counts.ts'
import { AlertBook } from '../../alerts/alert-book.ts'
import type { Bench } from './bench.ts'
import { cpuSince } from '../../support/cpu-spent.ts'

const ZONES = 1_000
/** An hour has all that recurs: what is usual is learnt anew, windows move on, zones fail and recover. */
const MINUTES = 60
/** Lines a minute: a few zones have very many, some next to none. */
const USUAL_LINES = [3, 60, 60, 60, 60, 700, 700, 700, 700, 20_000]
const POLLED_MINUTES = 5
/** A Tuesday at noon. */
const FIRST_MINUTE = Date.UTC(2026, 10, 17, 12) / MINUTE_MS
/** Of all zones two fail, for a quarter of the hour. */
const FAILING = { every: 500, from: FIRST_MINUTE + 10, until: FIRST_MINUTE + 25 }

/** From the counts of a minute to where each alert stands, with incidents and posts, less network and store. */
export const alertsBench: Bench = {
  name: 'alerts',
  rows: {
    minute: { work: 'Alerts, a minute of 1,000 zones × all rules: CPU', unit: 'time', atMost: 100, quick: 300 },
    zone: { work: 'Alerts, a zone with a week of minutes: memory', unit: 'size', atMost: 65_536, quick: 131_072 },
  },
  async *rounds(testbed, quick) {
    await using worker = await testbed.fork(import.meta.url, watchZones, ['--expose-gc'])
    for (let round = 0; round < (quick ? 1 : 2); round += 1) yield worker.run()
  },
}

/** Looks at all zones for an hour: how much CPU a minute of it took, the collector's included, and what a zone holds then. */
export async function watchZones(): Promise<{ readonly minute: number; readonly zone: number }> {
  const zones = Array.from({ length: ZONES }, (_, number) => new Zone(number))
  const empty = held()
  let [cpuMs, fired] = [0, 0]
  for (let at = FIRST_MINUTE; at <= FIRST_MINUTE + MINUTES; at += 1) {
    const applyFailure = zones.map((_, number) => minutesOf(number, at - POLLED_MINUTES, at))
    const before = process.cpuUsage()
    for (const [number, zone] of zones.entries()) await zone.look(at, applyFailure[number] ?? [])
    if (at > FIRST_MINUTE) cpuMs += cpuSince(before) // the first look loads all of it
    fired = Math.max(fired, zones.filter(({ fires }) => fires).length)
  }
  if (fired !== ZONES / FAILING.every) throw new Error(`Alerts of ${fired} zones fire`)
  return { minute: cpuMs / MINUTES, zone: (held() - empty) / zones.length }
}

function held(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
}

class Zone {
  fires = false
  readonly #memory: ZoneMemory
  readonly #book = new AlertBook()
  readonly #rules
  #revision = 0
  /** Minutes before this one were committed, and are what the store has. */
  #committedUntil = FIRST_MINUTE - POLLED_MINUTES
  #known: readonly KnownState[] = []

  constructor(number: number) {
    const read = async (_: string, from: number, until: number) =>
      minutesOf(number, from, Math.min(until, this.#committedUntil))
    this.#memory = new ZoneMemory({ read }, String(number))
    const by = { createdBy: 'U0ANNA', createdAt: new Date(0) }
    this.#rules = watchSet(BigInt(number), 'C0TEAM').map((key) => ({ ...by, ...key, id: key.kind }))
  }

  async look(at: number, fresh: readonly MinuteCounts[]): Promise<void> {
    const [rules, revision, now] = [this.#rules, this.#revision, new Date((at + 2) * MINUTE_MS)]
    const memory = await this.#memory.take(revision, at, at, fresh)
    const record = { ...startRecord(FIRST_MINUTE * MINUTE_MS), readUntil: at, lookedUntil: at - 1 }
    const trust = assessTrust(record, memory.series, now.getTime())
    const set = { rules, silences: [], marks: [], watch: undefined }
    const subject = rules[0]?.subject ?? ''
    const view = { ...this.#book.view(subject, now), ...set }
    const newId = (): string => crypto.randomUUID().replaceAll('-', '')
    const seen = { view, subject, known: this.#known, at, trust, samples: [], now }
    const looked = evaluateTraffic({ ...memory, ...seen, newId, webhook: false })
    this.#memory.settle((this.#revision += 1))
    this.#committedUntil = at
    this.#known = looked.states
    this.#book.commit({ incidents: looked.incidents })
    this.fires = looked.states.some(({ state }) => state.phase === 'firing')
  }
}

/** The same each time; zones have their hours of the day. */
function minutesOf(zone: number, from: number, until: number): readonly MinuteCounts[] {
  return Array.from({ length: Math.max(0, until - from) }, (_, index) => {
    const minute = from + index
    const fails = zone % FAILING.every === 7 && minute >= FAILING.from && minute < FAILING.until
    const wave = 1 + 0.4 * Math.sin(((minute % 1_440) + zone) / 229) + 0.15 * Math.sin(minute * 1.7 + zone)
    const lines = Math.round((USUAL_LINES[zone % USUAL_LINES.length] ?? 0) * wave)
    const of = (share: number): number => Math.round(lines * share)
    const [stale, miss, c5xx] = [of(fails ? 0.4 : 0.001), of(0.06), of(fails ? 0.3 : 0.002)]
    return { ...emptyMinute(minute, MINUTE_MS), stale, miss, hit: lines - stale - miss, c5xx, c2xx: lines - c5xx }
  })
}
