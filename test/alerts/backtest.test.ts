import { describe, expect, it } from 'vitest'
import { backtest } from '../../src/alerts/backtest.ts'
import { ALERT_KINDS } from '../../src/alerts/kinds.ts'
import { hitRatioDrop } from '../../src/alerts/kinds/hit-ratio-drop.ts'
import { staleShare } from '../../src/alerts/kinds/stale-share.ts'
import { MinuteSeries } from '../../src/alerts/minute-series.ts'
import { parametersOf } from '../../src/alerts/parameters.ts'
import { countsOf, type Minute, NOON } from './evaluated-zone.ts'

const DAYS = 3
const MINUTES = DAYS * 1_440

function past(during: (minute: number) => Minute): MinuteSeries {
  const minutes = Array.from({ length: MINUTES }, (_, minute) => countsOf(NOON + minute, during(minute)))
  return new MinuteSeries(NOON, NOON + MINUTES, minutes)
}

const within = (minute: number, from: number, length: number): boolean => minute >= from && minute < from + length
const trouble = past((minute) => (within(minute, 1_000, 10) || within(minute, 2_000, 20) ? { stale: 0.28 } : {}))

describe('a backtest', () => {
  it('says when it would have fired, how gravely and how often a week', () => {
    const { firings, perWeek, covered, noData } = backtest(staleShare, parametersOf(staleShare, {}), trouble, [])
    expect(firings.map(({ severity, peak }) => [severity, peak])).toEqual([
      ['critical', 0.28],
      ['critical', 0.28],
    ])
    expect(firings[0]!.fromMs).toBe((NOON + 1_002) * 60_000)
    expect(firings[0]!.untilMs! - firings[0]!.fromMs).toBeGreaterThan(20 * 60_000)
    expect(perWeek).toBeCloseTo((2 * 7) / DAYS, 1)
    expect([covered, noData]).toEqual([1, 0])
  })

  it('leaves open what fires at the end', () => {
    const series = past((minute) => (minute > MINUTES - 20 ? { stale: 0.28 } : {}))
    expect(backtest(staleShare, parametersOf(staleShare, {}), series, []).firings).toMatchObject([
      { severity: 'critical' },
    ])
    expect(backtest(staleShare, parametersOf(staleShare, {}), series, []).firings[0]!.untilMs).toBeUndefined()
  })

  it('holds back what a mark explains', () => {
    const series = past((minute) => (within(minute, 1_000, 14) ? { miss: 0.6 } : {}))
    const marks = [{ at: new Date((NOON + 999) * 60_000) }]
    const parameters = parametersOf(hitRatioDrop, {})
    expect(backtest(hitRatioDrop, parameters, series, []).firings).toHaveLength(1)
    expect(backtest(hitRatioDrop, parameters, series, marks).firings).toEqual([])
  })

  it('says how much is not known', () => {
    const half = past((minute) => (minute < MINUTES / 2 ? { unread: true } : {}))
    const { covered, noData, perWeek } = backtest(staleShare, parametersOf(staleShare, {}), half, [])
    expect(covered).toBe(0.5)
    expect(noData).toBeCloseTo(0.5, 1)
    expect(perWeek).toBe(0)
    const barely = past((minute) => (minute < MINUTES - 1_000 ? { unread: true } : { stale: 50 }))
    const little = backtest(staleShare, parametersOf(staleShare, {}), barely, [])
    expect(little.firings).toHaveLength(1)
    expect(little.perWeek).toBeUndefined()
    expect(backtest(staleShare, parametersOf(staleShare, {}), new MinuteSeries(NOON, NOON, []), [])).toEqual({
      firings: [],
      perWeek: 0,
      covered: 0,
      noData: 1,
    })
  })

  it('of three days takes no longer than people wait, whatever the kind', () => {
    const slow = ALERT_KINDS.flatMap((kind) => {
      if (kind.subject !== 'pull') return []
      const begun = performance.now()
      backtest(kind, parametersOf(kind, {}), trouble, [])
      const tookMs = performance.now() - begun
      // Five times the 200 ms it may take on a machine with nothing else to do.
      return tookMs > 1_000 ? [`${kind.name}: ${Math.round(tookMs)} ms`] : []
    })
    expect(slow).toEqual([])
  })
})
