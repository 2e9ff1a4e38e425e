import { wordFacts } from '../../../src/alerts/kinds/current-rules.ts'
import { evaluateTraffic, type KnownState } from '../../../src/alerts/incidents/evaluation.ts'
import { MinuteSeries } from '../../../src/alerts/series/minute-series.ts'
import type { Facts, Reading, Severity } from '../../../src/alerts/state/reading.ts'
import type { TrafficTrust } from '../../../src/alerts/log/zone-record.ts'
import { WeeklyBaseline } from '../../../src/alerts/series/baseline.ts'
import { rule } from '../evaluated-zone.ts'
import { DAY, type Happening, NOON, trafficOf, type Zone } from '../traffic-of-days.ts'

/** Days before noon that are only learnt from: a week, and what is compared with a week ago. */
const PAST_MINUTES = 7 * DAY + 360
/** Reading goes well. */
export const TRUSTED: TrafficTrust = { lagMs: 120_000, behindMinutes: 0, covered: 1 }

/** One look at the minutes before `minute`, counted from noon, and where the alert stands afterwards. */
export interface Lived {
  readonly minute: number
  readonly firing: boolean
  readonly severity: Severity | undefined
  readonly reading: Reading | undefined
  readonly facts: Facts | undefined
}

/** What a kind is told of. Minutes are counted from noon. */
export interface Life {
  readonly kind: string
  readonly zone: Zone
  readonly minutes: number
  /** How much of the past is known. */
  readonly past?: number
  readonly happening?: (minute: number) => Happening
  readonly parameters?: Readonly<Record<string, number>>
  readonly trust?: (minute: number) => TrafficTrust
}

/** The life of an alert, minute by minute from noon on, after a week of which the zone was learnt. */
export function lived({ kind, zone, minutes, past = PAST_MINUTES, parameters = {}, ...life }: Life): readonly Lived[] {
  const { happening = () => ({}), trust } = life
  const from = NOON - past
  const series = new MinuteSeries(from)
  const baseline = new WeeklyBaseline(series)
  const watching = rule(kind, { parameters })
  const looks: Lived[] = []
  let known: readonly KnownState[] = []
  const all = trafficOf(zone, from, NOON + minutes, (minute) => happening(minute - NOON))
  let next = 0
  for (let at = NOON + 1; at <= NOON + minutes; at += 1) {
    for (let counts = all[next]; counts !== undefined && counts.minute < at; counts = all[next]) {
      series.put(counts)
      next += 1
    }
    const view = { rules: [watching], states: [], incidents: [], silences: [], marks: [], watch: undefined }
    const now = new Date(at * 60_000)
    const looking = { view, known, series, baseline, at, trust: trust?.(at - NOON) ?? TRUSTED, samples: [], now }
    known = evaluateTraffic({ ...looking, subject: watching.subject, newId: () => 'i', webhook: false }).states
    const state = known[0]?.state
    // Of an alert at rest not each look is noted.
    const reading = state?.last?.atMs === at * 60_000 ? state.last.reading : undefined
    looks.push({
      minute: at - NOON,
      firing: state?.phase === 'firing',
      severity: state?.phase === 'firing' ? state.severity : undefined,
      reading,
      facts: reading && wordFacts(watching, reading),
    })
  }
  return looks
}

/**
 * When it began, became graver and was over, in minutes since noon, each with its value; and of what begins, of how many lines,
 * in how many minutes, and in brackets what is usual and from where on it fires.
 */
export function told(life: readonly Lived[]): string {
  const short = (value = 0): string => String(Number(value.toPrecision(2)))
  const turns = life.flatMap(({ minute, severity, facts }, index) => {
    if (severity === life[index - 1]?.severity) return []
    const { value, baseline, threshold, sample, window = { fromMs: 0, untilMs: 0 }, covered = 0 } = facts ?? {}
    const read = covered < 1 ? ` read ${short(covered)}` : ''
    if (severity === undefined) return [`${minute} over ${short(value)}${read}`]
    const lines = sample === undefined ? '' : ` of ${short(sample)}`
    const minutes = (window.untilMs - window.fromMs) / 60_000
    return [
      `${minute} ${severity} ${short(value)}${lines} in ${minutes} (${short(baseline)} ${short(threshold)})${read}`,
    ]
  })
  return turns.join(', ')
}

/** From which minute on, for how long, and what. */
export type Phase = readonly [from: number, length: number, what: Happening]
/** The first of these that a minute lies in. */
export const phases =
  (...all: readonly Phase[]) =>
  (minute: number): Happening =>
    all.find(([from, length]) => within(minute, from, length))?.[2] ?? {}

/** Whether a minute lies within so many from another one on. */
export function within(minute: number, from: number, length: number): boolean {
  return minute >= from && minute < from + length
}

/** From the twentieth minute on, for so long. */
export const during = (length: number, what: Happening) => (minute: number) => (within(minute, 20, length) ? what : {})
/** Each day at that time. */
export const daily = (length: number, what: Happening) => (minute: number) =>
  during(length, what)((minute + 10 * DAY) % DAY)
