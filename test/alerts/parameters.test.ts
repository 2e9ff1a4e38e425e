import { describe, expect, it } from 'vitest'
import { errorShare } from '../../src/alerts/kinds/error-share.ts'
import { hitRatioFloor } from '../../src/alerts/kinds/hit-ratio-floor.ts'
import { ALERT_KINDS } from '../../src/alerts/kinds.ts'
import { parameterProblems, parametersOf } from '../../src/alerts/parameters.ts'

describe('parameters of a kind', () => {
  it('are its defaults where a rule says nothing, and nothing it has not', () => {
    const parameters = parametersOf(errorShare, { critical: 30, quota: 5 })
    expect(parameters).toMatchObject({ warning: 5, critical: 30, window: 5, for: 5, minimum: 200 })
    expect(parameters).not.toHaveProperty('quota')
  })

  it('have no problem as they are', () => {
    for (const kind of ALERT_KINDS) expect(parameterProblems(kind, {})).toEqual([])
  })

  it('are refused beyond their bounds, with the bounds', () => {
    expect(parameterProblems(errorShare, { window: 0 })).toEqual([
      'window of error-share is from 1 minutes to 60 minutes.',
    ])
    expect(parameterProblems(errorShare, { window: 1 })).toEqual([])
    expect(parameterProblems(errorShare, { critical: Number.NaN })).toHaveLength(1)
  })

  it('are refused where a kind has none of that name, with those it has', () => {
    expect(parameterProblems(errorShare, { quota: 1 })).toEqual([
      'error-share has no parameter quota. It has: warning, critical, clear, window, for, minimum, minimum-bad, clear-for.',
    ])
  })

  it('keep their order, whichever way the kind goes', () => {
    expect(parameterProblems(errorShare, { warning: 25 })).toEqual([
      'critical of error-share has to be at least warning: 20 and 25 do not go together.',
    ])
    expect(parameterProblems(hitRatioFloor, { warning: 50 })).toEqual([
      'critical of hit-ratio-floor has to be at most warning: 60 and 50 do not go together.',
    ])
  })
})
