import { IncidentDelivery } from '../../src/alerts/delivery/incident-delivery.ts'
import { ZoneRecord } from '../../src/alerts/log/zone-record.ts'
import { TrafficWatch } from '../../src/alerts/watch/traffic-watch.ts'
import { Dispatcher } from '../../src/delivery/dispatcher.ts'
import { history } from '../../src/operations/history/history.ts'
import { tellDigests } from '../../src/process/tell-digests.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/shared/durations.ts'
import type { AlertCommit } from '../../src/store/schema/alert-records.ts'
import type { Store } from '../../src/store/store.ts'
import { entry, silentLog } from '../store/harness.ts'
import { idleDesk } from '../support/alert-desk.ts'
import { deliverDue } from '../support/delivery-bench.ts'
import { SAMPLE_WORDS } from '../support/sample-incident.ts'
import { checkContext, invocationOf, operationContext } from '../support/operation-context.ts'
import { NoticeBoard } from '../support/notice-board.ts'
import { TurnedClock } from '../support/turned-clock.ts'
import type { PlayedDatabase } from './crash/databases.ts'
import { rule } from './evaluated-zone.ts'
import { LateLog } from './lived-zone.ts'
import { type Happening, trafficOf, type Zone } from './traffic-of-days.ts'

const TURN_MS = 60_000
/** Each night lasts until all of it is over and has been told. */
const AFTERWARDS_MINUTES = 45
/** A Sunday evening. A week later clocks are put back in Berlin, in the night from Saturday. */
export const FIRST_NIGHT_MS = Date.parse('2026-10-18T21:00:00Z')
const KNOWN_MS = 8 * DAY_MS
const ZONES = [301n, 302n] as const
export const [HERE, THERE] = ['C0HERE', 'C0THERE']
/** In which channel which zone is watched. */
const WATCHED: readonly (readonly [channelId: string, zoneId: bigint])[] = [
  [HERE, 301n],
  [HERE, 302n],
  [THERE, 302n],
]

/** From one minute of the night to another. */
export type Stretch = readonly [from: number, until: number]

/** What happens in a night, by minutes since it began. */
export interface Night {
  /** When the digest is due. */
  readonly due: number
  readonly troubles: readonly (readonly [zoneId: bigint, ...Stretch, Happening])[]
  /** The process is gone, and a new one comes. */
  readonly away?: readonly Stretch[]
  readonly slackDown?: readonly Stretch[]
  /** So many minutes after an incident was told, somebody acknowledges it. */
  readonly acknowledgedAfter?: number
  /** So many minutes after it was told, somebody says that it is no problem. */
  readonly dismissedAfter?: number
}

/** When an incident was open, as it happened. */
export interface TrueIncident {
  readonly channelId: string
  readonly spans: { fromMs: number; untilMs: number | undefined }[]
  /** How long after it had begun somebody had it first. */
  acknowledgedMs?: number
  dismissedMs?: number
}

/** Nights of two zones: a real watch, store and delivery, and beside them what happened, put down by other hands. */
export class Nights {
  readonly clock = new TurnedClock(new Date(FIRST_NIGHT_MS - HOUR_MS).toISOString())
  readonly board = new NoticeBoard()
  readonly truth = new Map<string, TrueIncident>()
  readonly #database: PlayedDatabase
  #store: Store | undefined

  constructor(database: PlayedDatabase) {
    this.#database = database
  }

  async begin(): Promise<void> {
    const store = await this.#open()
    const now = this.clock.now()
    for (const [channelId, zoneId] of WATCHED) {
      const kinds = ['origin-failing', 'cache-not-working']
      const about = { subject: `pull/${zoneId}`, channelId, createdAt: now }
      const rules = kinds.map((kind) => rule(kind, { id: this.clock.newId(), ...about }))
      await store.alertRules.add(rules, () => entry('alert_added'))
    }
    const time = { minute: 150, weekday: 0, timeZone: 'Europe/Berlin', toldUntil: now }
    const daily = { ...time, channelId: HERE, cadence: 'daily', nextAt: new Date('2026-10-19T00:30:00Z') } as const
    const weekly = { ...time, channelId: THERE, cadence: 'weekly', nextAt: new Date('2026-10-19T00:30:00Z') } as const
    for (const digest of [daily, weekly]) await store.digests.set(digest, entry('digest_set'))
  }

  /** Lives through a night, which begins a day after the one before. */
  async live(place: number, night: Night): Promise<void> {
    const beginMs = FIRST_NIGHT_MS + place * DAY_MS
    await this.#turnTo(beginMs)
    await this.#know(beginMs, place === 0 ? KNOWN_MS : DAY_MS)
    const last = Math.max(night.due, ...night.troubles.map(([, , until]) => until + AFTERWARDS_MINUTES - 5)) + 5
    const endMs = beginMs + last * MINUTE_MS
    const logs = ZONES.map((zoneId) => this.#logOf(zoneId, beginMs, endMs, night))
    const isIn = (stretches: readonly Stretch[] = []): boolean => {
      const minute = (this.clock.now().getTime() - beginMs) / MINUTE_MS
      return stretches.some(([from, until]) => minute >= from && minute < until)
    }
    let life: Awaited<ReturnType<Nights['start']>> | undefined
    while (this.clock.now().getTime() < endMs) {
      await this.#turnTo(this.clock.now().getTime() + TURN_MS)
      if (isIn(night.slackDown)) for (const channel of [HERE, THERE]) this.board.refusing.set(channel, 'for a while')
      else this.board.refusing.clear()
      if (isIn(night.away)) {
        if (life !== undefined) await this.#end()
        life = undefined
        continue
      }
      life ??= await this.start(logs)
      await life.turn()
      await this.#answer(night)
    }
    this.board.refusing.clear()
    life ??= await this.start(logs)
    while ((await life.deliver()) > 0) await this.#turnTo(this.clock.now().getTime() + 1_000)
  }

  /** A process, which reads, tells and delivers in turn. */
  async start(logs: readonly LateLog[]) {
    const store = await this.#open()
    const { clock, board } = this
    const watches = ZONES.map((zoneId, place) => ({
      watch: new TrafficWatch(
        { cdn: logs[place]!.cdn, store, clock, log: silentLog, webhook: false },
        `pull/${zoneId}`,
        zoneId,
      ),
      nextMs: 0,
    }))
    const options = { store, notifier: board, clock, log: silentLog }
    const incidents = new IncidentDelivery({ ...options, opsChannel: undefined, words: async () => SAMPLE_WORDS })
    const dispatcher = new Dispatcher({ ...options, outbox: store.outbox, incidents })
    const context = async () => ({ store, alerts: idleDesk(), zones: [], command: '/cdn', now: clock.now() })
    const { signal } = new AbortController()
    return {
      deliver: () => deliverDue(dispatcher),
      async turn() {
        for (const each of watches)
          if (each.nextMs <= clock.now().getTime()) each.nextMs = await each.watch.look(signal)
        await tellDigests({ store, clock, log: silentLog, context })
        await deliverDue(dispatcher)
      },
    }
  }

  /** The rows of the file that `history` gives of a stretch of time, and what it says first. */
  async ask(fromMs: number) {
    const store = await this.#open()
    const now = this.clock.now()
    const values = { since: new Date(fromMs).toISOString(), csv: 'true' }
    const context = operationContext({}, { store, now, zones: [], catalog: [] })
    const answer = await invocationOf(history, values, checkContext({ now, zones: [] })).run(context)
    const [head = '', ...lines] = answer.file?.content.trimEnd().split('\n') ?? []
    const columns = head.split(',')
    const rows = lines.map((line) => new Map(cellsOf(line).map((cell, at) => [columns[at] ?? '', cell])))
    return { verdict: answer.message.text.split('\n', 1).join(), rows }
  }

  /** A file that is open is closed with the database. */
  async #open(): Promise<Store> {
    if (this.#store !== undefined) return this.#store
    const store = await this.#database.open(this.clock)
    const commit = store.alerts.commit.bind(store.alerts)
    store.alerts.commit = async (look: AlertCommit) => {
      const isDone = await commit(look)
      if (isDone) this.#note(look)
      return isDone
    }
    this.#store = store
    return store
  }

  async #end(): Promise<void> {
    await this.#store?.close()
    this.#store = undefined
  }

  /** What an incident is after a look: only that it is there, and whether it is over. The look itself says when that was. */
  #note({ incidents = [], watch }: AlertCommit): void {
    const atMs = ZoneRecord.parse(watch).lookedUntil * MINUTE_MS
    for (const { id, channelId, endedAt } of incidents) {
      const known = this.truth.get(id) ?? { channelId, spans: [] }
      const open = known.spans.find(({ untilMs }) => untilMs === undefined)
      if (open === undefined && endedAt === undefined) known.spans.push({ fromMs: atMs, untilMs: undefined })
      if (open !== undefined && endedAt !== undefined) open.untilMs = atMs
      this.truth.set(id, known)
    }
  }

  async #answer({ acknowledgedAfter = Infinity, dismissedAfter = Infinity }: Night): Promise<void> {
    const store = await this.#open()
    const now = this.clock.now()
    for (const [id, known] of this.truth) {
      const open = known.spans.find(({ untilMs }) => untilMs === undefined)
      if (open === undefined) continue
      const openMs = now.getTime() - open.fromMs
      if (openMs >= acknowledgedAfter * MINUTE_MS && known.acknowledgedMs === undefined) {
        const by = { person: 'U0ANNA', at: now, entry: entry('alert_acknowledged') }
        const end = await store.alerts.acknowledge(id, by)
        if (end === 'acknowledged') known.acknowledgedMs = openMs
      }
      if (openMs < dismissedAfter * MINUTE_MS) continue
      const by = { person: 'U0ANNA', at: now, entry: entry('alert_dismissed') }
      if ((await store.alerts.dismiss(id, by)) !== 'dismissed') continue
      open.untilMs = now.getTime()
      known.dismissedMs = openMs
    }
  }

  /** The log of a zone in a night. What was before it is known already: the day is nobody's night. */
  #logOf(zoneId: bigint, beginMs: number, endMs: number, { troubles }: Night): LateLog {
    const begin = beginMs / MINUTE_MS
    const own = troubles.filter(([id]) => id === zoneId)
    const minutes = trafficOf(zoneOf(zoneId), begin - 70, endMs / MINUTE_MS, (minute) => {
      const [, , , happening = {}] =
        own.find(([, from, until]) => minute >= begin + from && minute < begin + until) ?? []
      return happening
    })
    return new LateLog(this.clock, minutes)
  }

  async #turnTo(ms: number): Promise<void> {
    this.clock.turn(Math.max(0, ms - this.clock.now().getTime()))
    await this.#database.turned(this.clock.now().getTime())
  }

  /** What both zones did from so long before a night until shortly before it: somebody else has read that. */
  async #know(beginMs: number, forMs: number): Promise<void> {
    const store = await this.#open()
    const begin = beginMs / MINUTE_MS
    for (const zoneId of ZONES)
      await store.minutes.put(String(zoneId), trafficOf(zoneOf(zoneId), begin - forMs / MINUTE_MS, begin - 65))
  }
}

function zoneOf(zoneId: bigint): Zone {
  return { lines: zoneId === ZONES[0] ? 60 : 40 }
}

/** What holds a comma stands in quotes, as an incident of two kinds does. */
function cellsOf(line: string): readonly string[] {
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)
  return Array.from(cells, ([, quoted, bare = '']) => quoted?.replaceAll('""', '"') ?? bare)
}
