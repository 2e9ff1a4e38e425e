import { WEEK_MINUTES } from '../../shared/durations.ts'
import { type Begun, type TrafficView, criticalAt, warningAt } from './alert-kind.ts'
import { expectLeast, readRateBefore } from '../series/baseline.ts'
import { amount } from '../state/reading.ts'
import { scoreCount } from '../series/statistics.ts'
import { rateWords, trafficKind } from './traffic-kind.ts'

const PARAMETERS = [
  warningAt(
    { unit: '%', default: 55, max: 95 },
    'Warns when at most so much of the least that is to be expected comes.',
  ),
  criticalAt({ unit: '%', default: 20, max: 90 }, 'Critical when no more than this comes.'),
]

const HOUR = 60
const WINDOWS = [3, 5, 8, 12, 20, 30, 60] as const
/** Chance is judged against so much of what is expected, since that is not certain itself. */
const CERTAINLY = 0.7
const SURPRISE = 12
/** By how many days are known, yesterday and last week: how much less has to come, and the longest window, in which days fall by themselves. */
const UNKNOWN = [
  { part: 0.45, longest: 12 },
  { part: 1, longest: 12 },
]
const BACK = { windows: [5, 10, 20, 40], part: 0.6, certainly: 0.55, surprise: 2.5 }
/** Of the level when it began: what last week says of the time since may raise it by so much, and lower it so far. */
const BEND = { least: 0.05, most: 1.5, around: 15 }
const FEWEST_AN_HOUR = 3

/** Far fewer lines come than on such a day at such a time. A log that fell silent is the same. */
export const trafficGone = trafficKind({
  name: 'traffic-gone',
  title: 'Traffic gone',
  summary:
    'Far fewer requests come than usual at this time, or none: visitors do not reach the zone, or its log has stopped.',
  parameters: PARAMETERS,
  unit: 'lines a minute',
  falls: true,
  mostMinutes: 12 * HOUR,
  restMinutes: 10,
  find(view, set) {
    const { series, baseline, at, endedAt } = view
    for (const minutes of WINDOWS) {
      if (at - minutes < endedAt) break
      const window = { at, minutes }
      const now = series.rate('traffic', at - minutes, at)
      const before = readRateBefore(series, 'traffic', window)
      if (now === undefined || before === undefined) continue
      const isFarBelow = (level: number, most: number): boolean =>
        now <= most && scoreCount(now * minutes, CERTAINLY * level * minutes, baseline.dispersion) >= SURPRISE
      // No more is expected than came before, which is cheap to know.
      if (!isFarBelow(before, (set.warning / 100) * before)) continue
      const { rate: least, days } = expectLeast(series, 'traffic', window) ?? { rate: 0, days: 0 }
      const unknown = UNKNOWN[days]
      const most = (set.warning / 100) * least * (unknown?.part ?? 1)
      if (!isFarBelow(least, most) || minutes > (unknown?.longest ?? Infinity)) continue
      const severity = now <= (set.critical / 100) * least ? 'critical' : 'warning'
      return { severity, value: now, baseline: least, threshold: most, minutes }
    }
    return undefined
  },
  isOver,
  problem({ level, facts: { value = 0 } }) {
    if (value === 0) return 'traffic gone, no requests arrive'
    return level === 'critical' ? 'traffic nearly gone' : 'far fewer requests than usual'
  },
  over: 'traffic is back',
  usualNow: 'less traffic is usual now',
  number: ({ facts: { value = 0 } }) => rateWords(value),
  compared: ({ facts: { baseline } }) => (baseline === undefined ? [] : [`usually ${amount(baseline)} or more`]),
  logsFilter: { cache: 'all' },
  value: (series, from, until) => series.rate('lines', from, until),
})
function isOver({ series, baseline, at }: TrafficView, { at: began, reading }: Begun): boolean {
  const around = (minute: number): number | undefined =>
    series.rate('traffic', minute - BEND.around - WEEK_MINUTES, minute + BEND.around - WEEK_MINUTES)
  const [then, now] = [around(began), around(at)]
  const bend =
    then === undefined || now === undefined ? 1 : Math.min(BEND.most, Math.max(BEND.least, now / Math.max(then, 1e-9)))
  const level = Math.min((reading.facts.baseline ?? 0) * bend, now ?? Number.POSITIVE_INFINITY)
  for (const minutes of BACK.windows) {
    if (at - minutes < began - 5) break
    const lines = (series.rate('traffic', at - minutes, at) ?? 0) * minutes
    if (
      lines > BACK.part * level * minutes &&
      scoreCount(lines, BACK.certainly * level * minutes, baseline.dispersion) > BACK.surprise
    )
      return true
  }
  return level * HOUR < FEWEST_AN_HOUR
}
