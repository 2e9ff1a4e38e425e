import { AlertWatch } from '../../../src/alerts/watch/scheduler.ts'
import { IncidentDelivery } from '../../../src/alerts/delivery/incident-delivery.ts'
import { countLine, emptyMinute } from '../../../src/alerts/series/minute-series.ts'
import type { Cdn } from '../../../src/cdn/contract/cdn.ts'
import type { LogEntry } from '../../../src/cdn/contract/log-entry.ts'
import { Dispatcher } from '../../../src/delivery/dispatcher.ts'
import type { IncidentRecord } from '../../../src/store/schema/alert-records.ts'
import type { MinuteCounts } from '../../../src/store/schema/minute-counts.ts'
import type { Store } from '../../../src/store/store.ts'
import { entry, silentLog } from '../../store/harness.ts'
import { NoticeBoard } from '../../support/notice-board.ts'
import { SAMPLE_WORDS } from '../../support/sample-incident.ts'
import { turnOfTheLoop } from '../../../src/shared/clock.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { rule } from '../evaluated-zone.ts'
import { ScriptedLog } from '../scripted-log.ts'
import type { PlayedDatabase } from './databases.ts'
import { type Death, Effects } from './effects.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
/** Naps are a second long; coarser turns only let several of them end together. */
const TURN_MS = 10 * SECOND_MS
/** Until somebody, or something, has started the process again. */
const DOWN_MS = 20 * SECOND_MS
const QUIET_ROUNDS = 4
const ZONE_ID = 201n
const SUBJECT = 'pull/201'
const CHANNEL = 'C0TEAM'
/** Who is called when nobody has acknowledged the outage, which nobody does. */
export const NEXT = 'S0NEXT'
const START = '2026-01-20T12:00:00Z'
const START_MS = Date.parse(START)
const START_MINUTE = START_MS / MINUTE_MS
/** How long a play lasts; the alert has to be over by then. */
const PLAY_MINUTES = 45

const OUTAGE = { fromMs: START_MS + 4 * MINUTE_MS + 7_000, untilMs: START_MS + 12 * MINUTE_MS + 31_000 }
const LINES_A_MINUTE = 24
const LINE_MS = MINUTE_MS / LINES_A_MINUTE
/** Some lines come so late that their minute has been read by then. */
const LATE = { every: 11, ms: 150_000, usualMs: 20_000 }

/** While the origin is down, every other line shows it. */
function entryAt(atMs: number): Pick<LogEntry, 'cacheStatus' | 'statusCode' | 'host' | 'path'> {
  const at = atMs / LINE_MS
  const where = { host: 'www.shop.example', path: `/page/${at % 7}` }
  const isBad = atMs >= OUTAGE.fromMs && atMs < OUTAGE.untilMs && at % 2 === 0
  if (!isBad) return { ...where, cacheStatus: 'HIT', statusCode: 200 }
  return at % 4 === 0
    ? { ...where, cacheStatus: 'STALE', statusCode: 200 }
    : { ...where, cacheStatus: 'MISS', statusCode: 502 }
}

/** What the store has to know of a minute in the end. */
export function truthOf(minute: number): MinuteCounts {
  const tally = emptyMinute(minute, MINUTE_MS)
  for (let line = 0; line < LINES_A_MINUTE; line += 1) {
    const { cacheStatus, statusCode } = entryAt(minute * MINUTE_MS + line * LINE_MS)
    countLine(tally, cacheStatus, statusCode)
  }
  return tally
}

/** A platform with one pull zone. Nothing else can be asked of it. */
function ailingCdn(clock: TurnedClock): Cdn {
  const log = new ScriptedLog(clock)
  log.perMinute = () => LINES_A_MINUTE
  log.lateMs = (place) => (Math.round(place * LINES_A_MINUTE) % LATE.every === 0 ? LATE.ms : LATE.usualMs)
  log.entry = entryAt
  return log.cdn as Cdn // calling anything else fails the test
}

export interface Played {
  /** What the first process did until it ended, in order. */
  readonly steps: readonly string[]
  readonly board: NoticeBoard
  readonly incidents: readonly IncidentRecord[]
  readonly minutes: readonly MinuteCounts[]
  /** Posts that still wait, and posts that were given up. */
  readonly left: number
}

/** Plays an outage against poller, evaluation, outbox and dispatcher, with one process that ends on the way, or with none. */
export async function play(database: PlayedDatabase, death?: Death): Promise<Played> {
  const clock = new TurnedClock(START)
  const board = new NoticeBoard()
  await watchZone(await database.open(clock), clock)
  const first = await live(database, clock, board, new Effects(death))
  if (first.isDead) {
    clock.turn(DOWN_MS)
    await database.turned(clock.now().getTime())
    await live(database, clock, board, new Effects())
  }
  const store = await database.open(clock)
  return {
    steps: first.steps,
    board,
    incidents: await store.alerts.incidents({ limit: 100 }),
    minutes: await store.minutes.read(String(ZONE_ID), START_MINUTE, START_MINUTE + PLAY_MINUTES),
    left: (await store.outbox.waitingPosts()).count + (await store.outbox.deadPosts()).length,
  }
}

/** The life of one process, to its end or to the end of the play. */
async function live(
  database: PlayedDatabase,
  clock: TurnedClock,
  board: NoticeBoard,
  effects: Effects,
): Promise<Effects> {
  const stopping = new AbortController()
  const store = effects.store(await database.open(clock))
  const options = { store, notifier: effects.notifier(board), clock, log: silentLog }
  const incidents = new IncidentDelivery({ ...options, opsChannel: undefined, words: async () => SAMPLE_WORDS })
  const dispatcher = new Dispatcher({ ...options, outbox: store.outbox, incidents })
  const watch = new AlertWatch({
    cdn: effects.cdn(ailingCdn(clock)),
    store,
    clock,
    log: silentLog,
    zones: async () => [],
    webhook: false,
  })
  const running = [watch.run(stopping.signal), dispatcher.run(stopping.signal)]
  await quiet(effects)
  while (!effects.isDead && clock.now().getTime() < START_MS + PLAY_MINUTES * MINUTE_MS) {
    clock.turn(TURN_MS)
    await database.turned(clock.now().getTime())
    await quiet(effects)
  }
  stopping.abort()
  await Promise.all(running)
  return effects
}

/** Until nothing goes on any more that does not wait for the clock. */
async function quiet(effects: Effects): Promise<void> {
  for (let rounds = 0; rounds < QUIET_ROUNDS; rounds += 1) {
    const before = effects.activity
    // A server takes its time, and a loop that turns meanwhile takes the core from it.
    if (effects.inFlight > 0) await effects.answered
    await turnOfTheLoop()
    if (effects.inFlight > 0 || effects.activity !== before) rounds = -1
  }
}

async function watchZone(store: Store, clock: TurnedClock): Promise<void> {
  const next = { escalate: NEXT, escalateAfterMs: 2 * MINUTE_MS }
  const rules = ['origin-failing', 'cache-not-working'].map((kind) =>
    rule(kind, { subject: SUBJECT, channelId: CHANNEL, ...next, createdAt: clock.now() }),
  )
  await store.alertRules.add(rules, () => entry('alert_added', { at: clock.now() }))
}
