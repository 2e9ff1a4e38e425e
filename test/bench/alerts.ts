import { evaluateTraffic } from '../../src/alerts/evaluation.ts'
import { emptyMinute } from '../../src/alerts/minute-tally.ts'
import { ZoneMemory } from '../../src/alerts/zone-memory.ts'
import { beginning, trustOf } from '../../src/alerts/zone-record.ts'
import { MINUTE_MS } from '../../src/shared/durations.ts'
import type { MinuteCounts } from '../../src/store/minute-counts.ts'
import { AlertBook } from '../alerts/simulation/alert-book.ts'
import type { Bench } from './bench.ts'

const ROUNDS = { full: 3, quick: 1 }
/** An hour has all that recurs: what lies weeks back is loaded, windows move on, zones fail and recover. */
const MINUTES = 60
const ZONES = 1_000
const KINDS = ['log-silence', 'stale-share', 'error-share', 'traffic-anomaly', 'hit-ratio-drop']
/** Lines a minute: a few zones have very many, some next to none. */
const USUAL_LINES = [3, 60, 60, 60, 60, 700, 700, 700, 700, 20_000]
const US_PER_MS = 1_000
/** How late a minute is looked at, and how far back a poll reads. */
const LAG_MS = 120_000
const POLLED_MINUTES = 5
/** A Tuesday at noon. */
const FIRST_MINUTE = Date.UTC(2026, 10, 17, 12) / MINUTE_MS
/** Of all zones two fail, for a quarter of the hour. */
const FAILING = { every: 500, from: FIRST_MINUTE + 10, until: FIRST_MINUTE + 25 }

/** From the counts of a minute to where each alert stands, with incidents and posts, less network and store. */
export const alertsBench: Bench = {
  name: 'alerts',
  rows: { minute: { work: 'Alerts, a minute of 1,000 zones × 5 rules: CPU', unit: 'time', atMost: 100, quick: 300 } },
  async *rounds(testbed, quick) {
    await using worker = await testbed.fork(import.meta.url, watchZones)
    for (let round = 0; round < (quick ? ROUNDS.quick : ROUNDS.full); round += 1) yield { minute: await worker.run() }
  },
}

/** Looks at all zones for an hour. Says how much CPU that took for a minute of it, the collector's included. */
export async function watchZones(): Promise<number> {
  const zones = Array.from({ length: ZONES }, (_, number) => new Zone(number))
  let [cpuUs, fired] = [0, 0]
  for (let at = FIRST_MINUTE + 1; at <= FIRST_MINUTE + MINUTES; at += 1) {
    const polled = zones.map((_, number) => minutesOf(number, at - POLLED_MINUTES, at))
    const before = process.cpuUsage()
    for (const [number, zone] of zones.entries()) await zone.look(at, polled[number] ?? [])
    const { user, system } = process.cpuUsage(before)
    cpuUs += user + system
    fired = Math.max(fired, zones.filter(({ fires }) => fires).length)
  }
  if (fired !== ZONES / FAILING.every) throw new Error(`Alerts of ${fired} zones fire`)
  return cpuUs / US_PER_MS / MINUTES
}

class Zone {
  fires = false
  readonly #subject: string
  readonly #memory: ZoneMemory
  readonly #book = new AlertBook([], [])
  readonly #rules
  #revision = 0

  constructor(number: number) {
    this.#subject = `pull/${number}`
    const stored = { read: async (_: string, from: number, until: number) => minutesOf(number, from, until) }
    this.#memory = new ZoneMemory(stored, String(number))
    const rule = { channelId: 'C0TEAM', parameters: {}, createdBy: 'U0ANNA', createdAt: new Date(0) }
    this.#rules = KINDS.map((kind) => ({ ...rule, kind, subject: this.#subject, id: `${kind}/${number}` }))
  }

  async look(at: number, fresh: readonly MinuteCounts[]): Promise<void> {
    const [rules, revision, now] = [this.#rules, this.#revision, new Date(at * MINUTE_MS + LAG_MS)]
    const { series, states: known } = await this.#memory.take({ rules, revision, looks: [at], fresh, until: at + 2 })
    const record = { ...beginning(FIRST_MINUTE * MINUTE_MS), readUntil: at, lookedUntil: at - 1 }
    const trust = trustOf(record, series, now.getTime())
    const view = { ...this.#book.view(this.#subject, now), rules }
    const newId = (): string => crypto.randomUUID().replaceAll('-', '')
    const looked = evaluateTraffic({ view, known, series, at, trust, samples: [], now, newId, webhook: false })
    this.#revision += 1
    this.#memory.settle(this.#revision, looked.states)
    this.#book.commit({ incidents: looked.incidents, posts: looked.posts })
    this.fires = looked.states.some(({ state }) => state.phase === 'firing')
  }
}

/** The same each time; zones have their hours of the day. */
function minutesOf(zone: number, from: number, until: number): readonly MinuteCounts[] {
  return Array.from({ length: until - from }, (_, index) => {
    const minute = from + index
    const fails = zone % FAILING.every === 7 && minute >= FAILING.from && minute < FAILING.until
    const hourly = 1 + 0.4 * Math.sin(((minute % 1_440) + zone) / 229)
    const noise = 1 + 0.15 * Math.sin(minute * 1.7 + zone) * Math.sin(minute * 2.9)
    const lines = Math.round((USUAL_LINES[zone % USUAL_LINES.length] ?? 0) * hourly * noise)
    const stale = Math.round(lines * (fails ? 0.4 : 0.001))
    const miss = Math.round(lines * 0.06)
    const c5xx = Math.round(lines * (fails ? 0.3 : 0.002))
    return { ...emptyMinute(minute, MINUTE_MS), stale, miss, hit: lines - stale - miss, c5xx, c2xx: lines - c5xx }
  })
}
