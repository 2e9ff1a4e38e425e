import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../src/shared/durations.ts'
import { type PlayedDatabase, type PlayedServer, playOnPostgres, playOnSqlite } from './crash/databases.ts'
import type { Happening } from './traffic-of-days.ts'
import { FIRST_NIGHT_MS, HERE, type Night, Nights, THERE, type TrueIncident } from './nights.ts'

const [ORIGIN, CACHE, BYPASS] = [{ c5xx: 0.3 }, { hit: 0.2 }, { bypass: 0.6 }]
const FLAPS = Array.from({ length: 8 }, (_, flap) => [301n, 20 + flap * 18, 28 + flap * 18, ORIGIN] as const)

const on = (zoneId: bigint, from: number, until: number, what: Happening) => [zoneId, from, until, what] as const
const stretch = (from: number, until: number) => [from, until] as const

/** In minutes since 21:00 UTC. The digest is due in minute 210, after the seventh night in minute 270. */
const NIGHTS: Readonly<Record<string, Omit<Night, 'due'>>> = {
  'an origin fails': { troubles: [on(301n, 40, 70, ORIGIN)], acknowledgedAfter: 4 },
  'it comes and goes': { troubles: FLAPS },
  'the process ends in the middle': { troubles: [on(301n, 50, 100, ORIGIN)], away: [stretch(65, 75)] },
  'Slack is down, also when the digest is due': {
    troubles: [on(301n, 40, 60, ORIGIN), on(302n, 100, 130, CACHE)],
    slackDown: [stretch(30, 240)],
  },
  'nothing happens': { troubles: [] },
  'two zones at once': { troubles: [on(301n, 60, 110, ORIGIN), on(302n, 80, 140, ORIGIN)], acknowledgedAfter: 10 },
  'clocks are put back': { troubles: [on(301n, 150, 180, ORIGIN), on(302n, 285, 310, ORIGIN)], acknowledgedAfter: 7 },
  'it begins again, twice': {
    troubles: [on(301n, 20, 40, ORIGIN), on(301n, 120, 140, ORIGIN), on(301n, 300, 320, ORIGIN)],
    acknowledgedAfter: 5,
  },
  'somebody says that it is no problem': { troubles: [on(301n, 60, 120, ORIGIN)], dismissedAfter: 6 },
  'the process is away when the digest is due, and Slack before that': {
    troubles: [on(302n, 50, 90, ORIGIN)],
    away: [stretch(85, 130), stretch(250, 290)],
    slackDown: [stretch(40, 140)],
  },
  'requests go round the cache': { troubles: [on(302n, 60, 120, BYPASS)] },
  'much happens': {
    troubles: [
      on(301n, 30, 50, ORIGIN),
      on(302n, 45, 65, CACHE),
      on(301n, 200, 230, ORIGIN),
      on(302n, 300, 320, ORIGIN),
    ],
  },
}

/** 02:30 in Berlin, each night; on that of the change for the first time. */
const DUE_MINUTES = Object.keys(NIGHTS).map((_, place) => (place < 7 ? 210 : 270))
const DUE = DUE_MINUTES.map((minute, place) => FIRST_NIGHT_MS + place * DAY_MS + minute * MINUTE_MS)
/** Nothing here is about what a disk keeps, and waiting for one each minute would be most of the time. */
const IN_MEMORY = existsSync('/dev/shm') ? '/dev/shm' : undefined
const SLOT_MS = 10_000

/** The minutes in which any of them was open, counted slot by slot. */
function countOpen(incidents: readonly TrueIncident[], fromMs: number, untilMs: number): number {
  let slots = 0
  for (let atMs = fromMs; atMs < untilMs; atMs += SLOT_MS)
    if (incidents.some(({ spans }) => spans.some((span) => span.fromMs <= atMs && atMs < (span.untilMs ?? Infinity))))
      slots += 1
  return (slots * SLOT_MS) / MINUTE_MS
}

const within =
  (fromMs: number, untilMs: number) =>
  ({ spans }: TrueIncident): boolean =>
    spans.some((span) => span.fromMs <= untilMs && (span.untilMs ?? Infinity) >= fromMs)
const minutes = (ms: number): number => Math.round(ms / MINUTE_MS)
/** As people read it, in whole minutes. */
const words = (long: number): string => {
  const whole = Math.floor(long)
  if (whole < 60) return `${whole} min`
  return `${Math.floor(whole / 60)} h${whole % 60 === 0 ? '' : ` ${whole % 60} min`}`
}
const incidentsIn = (count: number): string =>
  count === 0 ? 'No incident' : count === 1 ? '1 incident' : `${count} incidents`
const utc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

let server: PlayedServer
beforeAll(async () => {
  server = await playOnPostgres()
})
afterAll(() => server.drop())

type Store = readonly [name: string, open: () => PlayedDatabase | Promise<PlayedDatabase>]
const SQLITE: Store = ['SQLite', () => playOnSqlite(IN_MEMORY)]
const POSTGRES: Store = ['PostgreSQL', () => server.database()]

describe.each([SQLITE, POSTGRES])('twelve nights on %s', (_, open) => {
  let database: PlayedDatabase
  let nights: Nights
  beforeAll(async () => {
    database = await open()
    nights = new Nights(database)
    await nights.begin()
  })
  afterAll(() => database.close())

  it.each(
    Object.entries(NIGHTS).map(([name, night], place) => ({
      name,
      night: { ...night, due: DUE_MINUTES[place] ?? 0 },
      place,
    })),
  )('$name: history tells what happened, to the minute', async ({ night, place }) => {
    await nights.live(place, night)
    const beginMs = FIRST_NIGHT_MS + place * DAY_MS
    const endMs = nights.clock.now().getTime()
    const lived = [...nights.truth.values()].filter(within(beginMs, endMs))
    // What happened is what the script says, a little later: it has to be noticed, and to be over for a while.
    for (const { spans } of lived)
      for (const { fromMs, untilMs = Infinity } of spans) {
        const [from, until] = [minutes(fromMs - beginMs), minutes(untilMs - beginMs)]
        const cause = night.troubles.find(([, began, ended]) => from >= began && from <= ended + 5)
        expect([from, until, cause]).toEqual([from, until, expect.anything()])
        expect(until).toBeLessThanOrEqual((night.troubles.at(-1)?.[2] ?? 0) + 60)
      }
    expect(lived.length > 0).toBe(night.troubles.length > 0)
    const { verdict, rows } = await nights.ask(beginMs)
    const told = rows.filter((row) => row.get('what') === 'incident')
    const row = ({ channelId, spans, acknowledgedMs, dismissedMs }: TrueIncident) => ({
      channel: channelId,
      time_utc: new Date(spans[0]!.fromMs).toISOString(),
      until_utc: new Date(spans.at(-1)!.untilMs!).toISOString(),
      minutes: String(minutes(spans.reduce((sum, { fromMs, untilMs = 0 }) => sum + untilMs - fromMs, 0))),
      acknowledged_after_minutes: acknowledgedMs === undefined ? '' : String(minutes(acknowledgedMs)),
      by: dismissedMs === undefined ? '' : 'U0ANNA',
    })
    const wanted = lived.map(row)
    const found = told.map((each) =>
      Object.fromEntries(Object.keys(row(lived[0]!)).map((column) => [column, each.get(column) ?? ''])),
    )
    const ordered = (list: readonly Record<string, string>[]) =>
      list.map((each) => JSON.stringify(each, Object.keys(each).toSorted())).toSorted()
    expect(ordered(found)).toEqual(ordered(wanted))
    const long = words(countOpen(lived, beginMs, endMs))
    if (lived.length === 0) return expect(verdict).toMatch(/^No incident in /)
    expect(verdict).toMatch(
      new RegExp(`^${incidentsIn(lived.length)} in [^,]+, ${long} in trouble; (all are|it is) over`),
    )
  })

  it('each digest is told once, and says what happened until it was due', () => {
    const digests = (channel: string): readonly string[] =>
      nights.board.posted
        .filter((each) => each.channel === channel && each.thread === undefined)
        .map(({ texts }) => texts[0] ?? '')
        .filter((text) => / since /.test(text))
    const check = (channel: string, due: readonly number[]): void => {
      const told = digests(channel)
      expect(told).toHaveLength(due.length)
      let fromMs = FIRST_NIGHT_MS - 3_600_000
      for (const [place, untilMs] of due.entries()) {
        const happened = [...nights.truth.values()]
          .filter((each) => each.channelId === channel)
          .filter(within(fromMs, untilMs))
        const text = told[place] ?? ''
        if (happened.length === 0) expect(text).toBe(`🟢 Nothing happened here since ${utc(fromMs)}.`)
        else {
          const long = words(countOpen(happened, fromMs, untilMs))
          expect(text).toContain(`${incidentsIn(happened.length)} since ${utc(fromMs)}, ${long} in trouble; `)
          const times = happened.flatMap(({ acknowledgedMs }) => acknowledgedMs ?? []).toSorted((a, b) => a - b)
          const half = times.length / 2
          const median = ((times[Math.ceil(half) - 1] ?? 0) + (times[Math.floor(half)] ?? 0)) / 2
          expect(text).toContain(
            times.length === 0 ? '\nNobody acknowledged.' : `\nAcknowledged after ${words(median / MINUTE_MS)}`,
          )
        }
        fromMs = untilMs
      }
    }
    check(HERE, DUE)
    check(THERE, [DUE[0]!, DUE[7]!])
  })
})
