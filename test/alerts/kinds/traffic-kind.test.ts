import { expect, it } from 'vitest'
import { originFailing } from '../../../src/alerts/kinds/origin-failing.ts'
import { WeeklyBaseline } from '../../../src/alerts/series/baseline.ts'
import { buildSeries } from '../../../src/alerts/series/minute-series.ts'
import { NOON, trafficOf } from '../traffic-of-days.ts'
import { TRUSTED } from './life-of-kind.ts'

const MINUTE_MS = 60_000

it.each([
  [3, 3],
  [9, 3],
  [10, 10],
  [60, 10],
])('%i minutes after the end of an alert the newest %i say where things stand', (sinceEnd, minutes) => {
  const series = buildSeries(NOON - 120, trafficOf({ lines: 10 }, NOON - 120, NOON))
  const baseline = new WeeklyBaseline(series).at(NOON)
  const view = { series, baseline, at: NOON, trust: TRUSTED, begun: undefined, endedAt: NOON - sinceEnd }
  const { level, facts } = originFailing.observe(view, {})
  expect(level).toBe('clear')
  expect(facts.window).toEqual({ fromMs: (NOON - minutes) * MINUTE_MS, untilMs: NOON * MINUTE_MS })
})
