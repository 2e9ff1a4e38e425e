import { describe, expect, it } from 'vitest'
import { frozenOr, usualBefore, usualInWeek, WEEKS_AROUND } from '../../src/alerts/baseline.ts'
import type { Measure } from '../../src/alerts/window-measures.ts'
import { COLUMN, type Traffic } from '../../src/alerts/traffic.ts'
import { seriesOf } from '../support/minute-lines.ts'

/** Lines a minute of windows that have any. */
const rate =
  (series: Traffic): Measure =>
  (from, until) => {
    const lines = series.total(COLUMN.lines, from, until)
    return lines > 0 ? lines / (until - from) : undefined
  }
const WEEK = 7 * 1_440

describe('what is usual', () => {
  it('is the median of the windows before, which an hour of trouble does not change', () => {
    const { series, at } = seriesOf({ of: 180, hit: 10 }, { of: 60, hit: 900 })
    expect(usualBefore({ before: at, minutes: 15, hours: 4, measure: rate(series) })).toEqual({
      value: 10,
      windows: 16,
      from: 'hours before',
    })
  })

  it('is not known from fewer than eight windows that say something', () => {
    const asked = { minutes: 15, hours: 4 }
    const seven = seriesOf({ of: 135 }, { of: 105, hit: 10 })
    const eight = seriesOf({ of: 120 }, { of: 120, hit: 10 })
    expect(usualBefore({ ...asked, before: seven.at, measure: rate(seven.series) })).toBeUndefined()
    expect(usualBefore({ ...asked, before: eight.at, measure: rate(eight.series) })?.windows).toBe(8)
  })

  it('is that of the same hour of the week where both weeks are known', () => {
    const asked = { minutes: 15, hours: 4 }
    const two = seriesOf({ of: 2 * WEEK - 240, hit: 5 }, { of: 240, hit: 50 })
    expect(usualInWeek({ ...asked, before: two.at, measure: rate(two.series) })).toMatchObject({
      value: 50,
      from: 'hours before',
    })
    const more = seriesOf({ of: 2 * WEEK - 240 + 61, hit: 5 }, { of: 300, hit: 50 })
    expect(usualInWeek({ ...asked, before: more.at, measure: rate(more.series) })).toEqual({
      value: 5,
      windows: 16,
      from: 'same hour of the week',
    })
  })

  it('asks for no more than it says of the weeks before', () => {
    for (const { from, until } of WEEKS_AROUND) expect(from - until).toBe(180)
  })

  it('stays what it was when an alert began', () => {
    expect(frozenOr(0.9, () => undefined)).toMatchObject({ value: 0.9, from: 'when it began' })
    expect(frozenOr(undefined, () => undefined)).toBeUndefined()
  })
})
