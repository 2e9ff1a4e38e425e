import { expectMost, readRateBefore } from '../series/baseline.ts'
import { warningAt } from './alert-kind.ts'
import { amount } from '../state/reading.ts'
import { scoreCount } from '../series/statistics.ts'
import { rateWords, trafficKind } from './traffic-kind.ts'

const PARAMETERS = [
  warningAt(
    { unit: 'times', default: 2.3, min: 1.5, max: 100 },
    'Warns when so many times the most that is to be expected comes.',
  ),
]

const WINDOWS = [3, 5, 10, 20] as const
/** Chance is judged against so many times what is expected, as a part of the times asked for. */
const CERTAINLY = 0.7
const SURPRISE = 14
/** How much more has to come, as a part of what the zone usually has: a night's few lines are soon many times as many. */
const EXCESS = 0.8
/** Of so much, if the cache's hits have grown as well: visitors, and no crawl. */
const VISITORS = { excess: 0.3, hits: 1.9 }
/** While no other day is known: there may be such a job each day. */
const UNKNOWN_TIMES = 2
const OVER = { minutes: 8, times: 1.6 }

/** Far more lines come than on such a day at such a time. Never more than a warning: it is trouble only if the origin or the cache suffers. */
export const trafficSurge = trafficKind({
  name: 'traffic-surge',
  title: 'Traffic surge',
  summary:
    'Far more requests come than usual at this time. A warning only: what suffers from it has alerts of its own.',
  parameters: PARAMETERS,
  unit: 'lines a minute',
  mostMinutes: 180,
  restMinutes: 10,
  find({ series, baseline, at, endedAt }, set) {
    for (const minutes of WINDOWS) {
      if (at - minutes < endedAt) break
      const window = { at, minutes }
      const now = series.rate('traffic', at - minutes, at)
      const before = readRateBefore(series, 'traffic', window)
      if (now === undefined || before === undefined) continue
      const isAbove = (level: number): boolean =>
        now >= level && scoreCount(now * minutes, CERTAINLY * level * minutes, baseline.dispersion) >= SURPRISE
      // No less is expected than came before, which is cheap to know.
      if (!isAbove(set.warning * before)) continue
      const { rate: most, days } = expectMost(series, 'traffic', window) ?? { rate: Infinity, days: 0 }
      const times = set.warning * (days === 0 ? UNKNOWN_TIMES : 1)
      if (!isAbove(times * most)) continue
      const excess = (now - most) / baseline.rate
      const hits = series.rate('answered', at - minutes, at) ?? 0
      const mostHits = (): number => expectMost(series, 'answered', window)?.rate ?? Infinity
      if (excess < EXCESS && (excess < VISITORS.excess || hits < VISITORS.hits * mostHits())) continue
      return { severity: 'warning', value: now, baseline: most, threshold: times * most, minutes }
    }
    return undefined
  },
  isOver: ({ series, at }, { reading }) =>
    (series.rate('traffic', at - OVER.minutes, at) ?? Number.POSITIVE_INFINITY) <
    OVER.times * (reading.facts.baseline ?? 0),
  problem: () => 'far more requests than usual',
  over: 'traffic is as usual again',
  usualNow: 'more traffic is usual now',
  number: ({ facts: { value = 0 } }) => rateWords(value),
  compared: ({ facts: { baseline } }) => (baseline === undefined ? [] : [`usually ${amount(baseline)} at most`]),
  shows: () => true,
  logsFilter: { cache: 'all' },
  value: (series, from, until) => series.rate('lines', from, until),
})
