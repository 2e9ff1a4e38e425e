import { describe, expect, it } from 'vitest'
import { storageChange } from '../../../src/alerts/kinds/storage-change.ts'
import { trafficGone } from '../../../src/alerts/kinds/traffic-gone.ts'
import { ALERT_KINDS } from '../../../src/alerts/kinds/kinds.ts'
import { criticalAt, parameterProblems, readSettings, warningAt } from '../../../src/alerts/kinds/alert-kind.ts'

describe('parameters of a kind', () => {
  it('are its defaults where a rule says nothing, and nothing it has not', () => {
    const declared = [
      warningAt({ unit: '%', max: 90, default: 55 }, ''),
      criticalAt({ unit: '%', max: 90, default: 20 }, ''),
    ]
    expect(readSettings(declared, { critical: 30, quota: 5 })).toEqual({ warning: 55, critical: 30 })
  })

  it('have no problem as they are', () => {
    for (const kind of ALERT_KINDS) expect(parameterProblems(kind, {})).toEqual([])
  })

  it('are refused beyond their bounds, with the bounds', () => {
    expect(parameterProblems(storageChange, { warning: 0 })).toEqual([
      'warning of storage-change is from 1 days to 365 days.',
    ])
    expect(parameterProblems(storageChange, { warning: 365 })).toEqual([])
    expect(parameterProblems(storageChange, { warning: 366 })).toHaveLength(1)
    expect(parameterProblems(trafficGone, { critical: Number.NaN })).toHaveLength(1)
  })

  it('are refused where a kind has none of that name, with those it has', () => {
    expect(parameterProblems(trafficGone, { quota: 1 })).toEqual([
      'traffic-gone has no parameter quota. It has: warning, critical.',
    ])
  })

  it('keep their order, whichever way the kind goes', () => {
    expect(parameterProblems(storageChange, { 'also-warning': 95 })).toEqual([
      'also-critical of storage-change has to be at least also-warning: 90 and 95 do not go together.',
    ])
    expect(parameterProblems(trafficGone, { warning: 10 })).toEqual([
      'critical of traffic-gone has to be at most warning: 20 and 10 do not go together.',
    ])
    expect(parameterProblems(trafficGone, { warning: 20 })).toEqual([])
  })
})
