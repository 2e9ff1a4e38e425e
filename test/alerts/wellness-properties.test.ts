import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TrafficRule } from '../../src/alerts/alert-kind.ts'
import { boundRule } from '../../src/alerts/bound-rule.ts'
import { ALERT_KINDS } from '../../src/alerts/kinds.ts'
import { emptyMinute } from '../../src/alerts/minute-tally.ts'
import { MinuteSeries } from '../../src/alerts/minute-series.ts'
import { isUneventful } from '../../src/alerts/reading.ts'
import type { MinuteCounts } from '../../src/store/minute-counts.ts'
import { rule } from './evaluated-zone.ts'

const AT = 29_600_000
const WEEK_MINUTES = 7 * 1_440
/** Three days, and what lies around. */
const KNOWN_MINUTES = 4_400
const RUNS = 200
const SLOW_MS = 30_000
const RULES = [
  ...ALERT_KINDS.filter(({ subject }) => subject === 'pull').map(({ name }) => rule(name)),
  rule('log-silence', { parameters: { warning: 2.5, critical: 30, window: 10, 'baseline-hours': 6.7 } }),
  rule('traffic-anomaly', { parameters: { change: 20, 'also-warning': 90, minimum: 20 } }),
  rule('stale-share', { parameters: { window: 7.5, 'long-window': 5, minimum: 20, 'minimum-bad': 1 } }),
  rule('bypass-share', { parameters: { warning: 1, critical: 1, clear: 1 } }),
]

/** What the newest minutes are like beside those before, as shares of their lines. */
const stretch = fc.record({
  minutes: fc.constantFrom(1, 2, 5, 12, 40, 70),
  lines: fc.constantFrom(0, 1, 6, 30, 70, 400, 900),
  bad: fc.constantFrom(0, 0.004, 0.03, 0.2, 0.6),
  /** Of what is bad: mostly old content, or mostly errors. */
  errors: fc.constantFrom(0.5, 2),
  miss: fc.constantFrom(0, 0.05, 0.15, 0.7),
  covered: fc.constantFrom(0, 0.06, 0.5, 1, 1, 1),
})
const past = fc.record({
  lines: fc.constantFrom(0, 3, 40, 500),
  miss: fc.constantFrom(0, 0.08, 0.4),
  isWeekly: fc.boolean(),
})
const trusted = fc.record({
  lagMs: fc.constantFrom(30_000, 120_000, 400_000),
  behindMinutes: fc.constantFrom(0, 0, 7),
  covered: fc.constantFrom(1, 1, 0.15),
  limited: fc.constantFrom(0, 0.2),
  failure: fc.option(fc.constant({ cause: 'platform error' as const, sinceMs: (AT - 20) * 60_000 }), {
    nil: undefined,
  }),
})

type Drawn<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never
type Past = Drawn<typeof past>
type Stretch = Drawn<typeof stretch>
type Trusted = Drawn<typeof trusted>

/** A seventh of the usual lines for ten minutes, which chance alone hits too seldom. */
const FAR_FEWER: [Past, Stretch[], Trusted] = [
  { lines: 500, miss: 0, isWeekly: false },
  [{ minutes: 12, lines: 70, bad: 0, errors: 0.5, miss: 0, covered: 1 }],
  { lagMs: 120_000, behindMinutes: 0, covered: 1, limited: 0, failure: undefined },
]

interface Lines {
  readonly lines: number
  readonly bad: number
  readonly errors: number
  readonly miss: number
  readonly covered: number
}

function counts(minute: number, { lines, bad, errors: perStale, miss, covered }: Lines): MinuteCounts {
  const read = Math.round(lines * covered * (0.9 + ((minute * 7) % 10) / 50))
  const [stale, missed, errors] = [Math.round(read * bad), Math.round(read * miss), Math.round(read * bad * perStale)]
  const hit = Math.max(0, read - 3 * stale - missed)
  const shares = { hit, miss: missed, stale, updating: stale, bypass: stale }
  return {
    ...emptyMinute(minute, Math.round(covered * 60_000)),
    ...shares,
    c5xx: Math.min(read, errors),
    c2xx: Math.max(0, read - errors),
  }
}

function seriesOf(
  { lines, miss, isWeekly }: { lines: number; miss: number; isWeekly: boolean },
  newest: readonly (Lines & { minutes: number })[],
) {
  const usual = { lines, miss, bad: 0.001, errors: 1, covered: 1 }
  const minutes: MinuteCounts[] = []
  for (const back of isWeekly ? [2 * WEEK_MINUTES, WEEK_MINUTES] : [])
    for (let minute = AT - back - 200; minute < AT - back + 70; minute += 1) minutes.push(counts(minute, usual))
  for (let minute = AT - KNOWN_MINUTES; minute < AT; minute += 1) minutes.push(counts(minute, usual))
  let end = AT
  for (const each of newest) {
    for (let minute = end - each.minutes; minute < end; minute += 1) minutes.push(counts(minute, each))
    end -= each.minutes
  }
  return new MinuteSeries(AT - (isWeekly ? 2 * WEEK_MINUTES + 200 : KNOWN_MINUTES), AT, minutes)
}

function trafficOf(each: (typeof RULES)[number]): TrafficRule {
  const traffic = boundRule(each)?.traffic
  if (traffic === undefined) throw new TypeError(`${each.kind} is no kind of a pull zone`)
  return traffic
}

describe('what a few sums prove to be well', () => {
  it(
    'is nothing bad and nothing fast when it is observed',
    () => {
      const seen = new Set<string>()
      fc.assert(
        fc.property(past, fc.array(stretch, { minLength: 1, maxLength: 4 }), trusted, (before, newest, trust) => {
          const view = { series: seriesOf(before, newest), at: AT, trust, frozenBaseline: undefined, firing: false }
          for (const each of RULES) {
            const traffic = trafficOf(each)
            const reading = traffic.observe(view)
            const isWell = traffic.isWell(view)
            if (isWell) expect([each.kind, isUneventful(reading)]).toEqual([each.kind, true])
            seen.add(`${each.kind} ${isWell ? 'well' : isUneventful(reading) ? 'not proven' : 'bad'}`)
          }
        }),
        { numRuns: RUNS, examples: [FAR_FEWER] },
      )
      const kinds = new Set(RULES.map(({ kind }) => kind))
      for (const kind of kinds) expect([...seen]).toEqual(expect.arrayContaining([`${kind} well`, `${kind} bad`]))
    },
    SLOW_MS,
  )

  it('is no drop to the very part that is told, whatever is lost in rounding', () => {
    const parameters = { window: 10, warning: 2, critical: 3 }
    const traffic = trafficOf(rule('traffic-anomaly', { parameters }))
    const trust = { lagMs: 120_000, behindMinutes: 0, covered: 1, limited: 0 }
    for (let tens = 10; tens < 100; tens += 1) {
      const minutes = Array.from({ length: 400 }, (_, index) => ({
        ...emptyMinute(AT - 400 + index, 60_000),
        hit: index < 380 ? tens * 10 : tens * 7,
      }))
      const view = { series: new MinuteSeries(AT - 400, AT, minutes), at: AT, trust, firing: false }
      expect([tens, traffic.isWell({ ...view, frozenBaseline: undefined })]).toEqual([tens, false])
    }
  })
})
