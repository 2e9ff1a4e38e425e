import { describe, expect, it } from 'vitest'
import type { Reading } from '../../../src/alerts/state/reading.ts'
import { cannotLook } from '../../../src/alerts/kinds/cannot-look.ts'
import { buildSeries } from '../../../src/alerts/series/minute-series.ts'
import { READ_FAILURES, type TrafficTrust } from '../../../src/alerts/log/zone-record.ts'
import { WeeklyBaseline } from '../../../src/alerts/series/baseline.ts'
import { NOON, trafficOf, type Happening } from '../traffic-of-days.ts'
import { lived, told, TRUSTED } from './life-of-kind.ts'

/** What is read of half an hour before noon. */
function reading(
  trust: Partial<TrafficTrust>,
  firing = false,
  happening: (minute: number) => Happening = () => ({}),
): Reading {
  const series = buildSeries(NOON - 60, trafficOf({ lines: 10 }, NOON - 60, NOON, happening))
  const begun = firing
    ? ({ at: NOON - 9, reading: { level: 'warning', facts: {} }, severity: 'warning' } as const)
    : undefined
  const baseline = new WeeklyBaseline(series).at(NOON)
  return cannotLook.observe({ series, baseline, at: NOON, trust: { ...TRUSTED, ...trust }, begun, endedAt: 0 }, {})
}

const level = (...given: Parameters<typeof reading>) => reading(...given).level
const said = (trust: Partial<TrafficTrust>) => cannotLook.sentence(reading(trust))
/** Reading has failed for so many minutes. */
const failing = (minutes: number, cause: TrafficTrust['failure'] = { cause: 'limited', sinceMs: 0 }) => ({
  failure: { ...cause, sinceMs: NOON * 60_000 + TRUSTED.lagMs - minutes * 60_000 },
})

describe('begins', () => {
  it('as a warning when nothing could be read for ten minutes, and is critical from thirty on', () => {
    expect(level({})).toBe('clear')
    const levels = [9, 10, 29, 30].map((minutes) => level(failing(minutes)))
    expect(levels).toEqual(['clear', 'warning', 'warning', 'critical'])
  })

  it('when what is known is too old, by the lag or by what was not read', () => {
    expect([9, 10, 30].map((minutes) => level({ behindMinutes: minutes }))).toEqual(['clear', 'warning', 'critical'])
    expect([9, 10, 30].map((minutes) => level({ lagMs: minutes * 60_000 }))).toEqual(['clear', 'warning', 'critical'])
  })

  it('when less than a fifth was read all through the half hour', () => {
    expect([level({ covered: 0.2 }), level({ covered: 0.19 })]).toEqual(['clear', 'warning'])
    const gap = (minute: number): Happening => (minute < NOON - 20 ? { read: 0 } : {})
    expect(level({ covered: 0.19 }, false, gap)).toBe('clear')
  })

  it('whatever the lines are, and of none as well', () => {
    expect(level({}, false, () => ({ times: 0 }))).toBe('clear')
    expect(level(failing(10), false, () => ({ read: 0 }))).toBe('warning')
  })
})

describe('says', () => {
  it.each([
    ['logging off or no such zone', 'logging is off, or there is no such zone: switch it on'],
    ['key refused or zone suspended', 'the API key is refused, or the zone is suspended: check the key'],
    ['limited', 'the CDN limits how often it may be read'],
    ['platform error', 'the CDN answers with errors or not at all'],
  ] as const)('why, and what to do, where the cause is “%s”', (cause, sentence) => {
    expect(READ_FAILURES).toContain(cause)
    expect(said(failing(12, { cause, sinceMs: 0 }))).toBe(`not read for 12 min · ${sentence}.`)
  })

  it('how old the numbers are where nothing fails, and what was lost', () => {
    expect(said({ behindMinutes: 14, covered: 0.4 })).toBe('numbers 14 min old · 40 % of the last half hour read.')
    expect(said({ behindMinutes: 14, gap: { fromMs: 0, untilMs: 1 } })).toContain(
      'Lines were deleted before anybody read them.',
    )
  })

  it('how little was read, and from where on it warns, where that alone is why', () => {
    const facts = (trust: Partial<TrafficTrust>) => {
      const { value, unit, threshold } = reading(trust).facts
      return [value, unit, threshold]
    }
    expect(facts({ covered: 0.12 })).toEqual([0.12, 'share', 0.2])
    expect(facts({ covered: 0.24 })).toEqual([0.24, 'share', 0.2])
    expect(facts({ covered: 0.12, behindMinutes: 10 })).toEqual([10, 'minutes', 10])
    expect(facts(failing(2))).toEqual([2, 'minutes', 10])
  })

  it('no cause where the reading, which may be an old one, has none', () => {
    expect(cannotLook.summarize({ level: 'warning', facts: { value: 14 } }).number).toBe('numbers 14 min old')
  })
})

describe('ends', () => {
  it('when nothing fails any more, numbers are five minutes old at most, and a quarter was read', () => {
    expect(level({}, true)).toBe('clear')
    expect(level(failing(1), true)).toBe('between')
    expect([level({ behindMinutes: 6 }, true), level({ behindMinutes: 5 }, true)]).toEqual(['between', 'clear'])
    expect([level({ covered: 0.24 }, true), level({ covered: 0.25 }, true)]).toEqual(['between', 'clear'])
  })

  it('however late lines come, as long as that is not late enough to begin by', () => {
    expect([level({ lagMs: 9.9 * 60_000 }, true), level({ lagMs: 10 * 60_000 }, true)]).toEqual(['clear', 'warning'])
  })

  it('with the third good look', () => {
    const broken = (minute: number): TrafficTrust =>
      minute > 20 && minute <= 50
        ? { ...TRUSTED, failure: { cause: 'platform error', sinceMs: (NOON + 22) * 60_000 } }
        : TRUSTED
    const life = lived({ kind: 'cannot-look', zone: { lines: 10 }, minutes: 90, trust: broken })
    expect(told(life)).toBe('30 warning 10 in 30 (0 10), 50 critical 30 in 30 (0 30), 53 over 2')
  })
})
