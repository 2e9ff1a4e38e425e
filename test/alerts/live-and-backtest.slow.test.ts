import { expect, it } from 'vitest'
import { backtest, type BacktestEvent } from '../../src/alerts/watch/backtest.ts'
import { IN_CI } from '../support/in-ci.ts'
import { lived } from './lived-zone.ts'
import { DAY, type Happening, NOON, trafficOf, type Zone } from './traffic-of-days.ts'

const MINUTE_MS = 60_000
const LAG_MS = 120_000
const DAYS = 14
/** So many minutes of the days are lived, look by look; what was before is in the store. */
const LIVED_MINUTES = 560
const GAP = { from: NOON - 80, until: NOON - 40 }

const ZONES: readonly Zone[] = [
  { lines: 8, swing: 0.3, dispersion: 1.5, hit: 0.85 },
  { lines: 25, swing: 0.6, dispersion: 4, hit: 0.7, c4xx: 0.04 },
  { lines: 60, swing: 0.4, dispersion: 15, hit: 0.93, c5xx: 0.004 },
  { lines: 260, swing: 0.2, dispersion: 8, hit: 0.95, bypass: 0.02 },
]
const PROBLEMS: Readonly<Record<string, Happening>> = {
  '5xx': { c5xx: 0.2 },
  STALE: { stale: 0.4 },
  MISS: { hit: 0.3 },
  BYPASS: { bypass: 0.6 },
  silence: { times: 0 },
  surge: { times: 6 },
}

/** Each zone with orders of the problems: three of them, 50 minutes each, two hours apart. */
const TURNS = IN_CI ? [0, 4] : [0, 1, 2, 3, 4]
const CASES = ZONES.flatMap((zone) =>
  TURNS.map((turn) => {
    const names = Object.keys(PROBLEMS)
    const problems = [0, 1, 2].map((place) => names[(turn + 2 * place) % names.length] ?? '')
    return { name: `${zone.lines} lines a minute, ${problems.join(', ')}`, zone, problems, turn }
  }),
)

const words = (at: number, { event, alert }: BacktestEvent): string =>
  `${at - NOON} ${event} ${alert.kind} ${alert.severity}: ${alert.facts.sentence}`
/** Whether reading fails is known live alone. */
const isTraffic = ({ alert }: BacktestEvent): boolean => alert.kind !== 'cannot-look'

// With the counts as they were committed, in that order: lines that came late were not there when it was looked at.
it.each(CASES)('is told live as in a backtest, to the minute: $name', async ({ name, zone, problems, turn }) => {
  const watchedFrom = NOON - LIVED_MINUTES
  const happening = (minute: number): Happening => {
    const since = minute - watchedFrom - 60
    const place = Math.floor(since / 170)
    return since % 170 < 50 ? (PROBLEMS[problems[place] ?? ''] ?? {}) : {}
  }
  // Of some zones less is known than is looked back on.
  const from = NOON - (turn === 4 ? 3 : DAYS) * DAY
  const minutes = trafficOf(zone, from, NOON, happening)
  const live = await lived({ seed: name, minutes, watchedFrom, gap: GAP })
  const { rules, looked } = live
  const past = { rules, minutes: live.minutes, ...looked, lagMs: LAG_MS, marks: [] }
  const { events } = await backtest(past)
  const liveTold = live.told.filter(({ what }) => isTraffic(what)).map(({ at, what }) => words(at, what))
  expect(events.filter(isTraffic).map((what) => words((what.atMs - LAG_MS) / MINUTE_MS, what))).toEqual(liveTold)
  expect(liveTold.length).toBeGreaterThan(2)
  expect(live.restarts).toBeGreaterThan(1)
})
