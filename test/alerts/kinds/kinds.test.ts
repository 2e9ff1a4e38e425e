import { describe, expect, it } from 'vitest'
import {
  criticalAt,
  PARAMETER_NAMES,
  parameterProblems,
  readSettings,
  warningAt,
} from '../../../src/alerts/kinds/alert-kind.ts'
import { ALERT_KINDS, findAlertKind, FORMER_NAMES } from '../../../src/alerts/kinds/kinds.ts'
import { storageChange } from '../../../src/alerts/kinds/storage-change.ts'
import { trafficGone } from '../../../src/alerts/kinds/traffic-gone.ts'
import { lived } from './life-of-kind.ts'

describe('kinds of alert', () => {
  it('have each a name of its own', () => {
    const names = ALERT_KINDS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(ALERT_KINDS.every((kind) => findAlertKind(kind.name) === kind)).toBe(true)
    expect(findAlertKind('no-such-kind')).toBeUndefined()
  })

  it('go by what they were called before, and none of these names is another kind now', () => {
    const former = Object.entries(FORMER_NAMES)
    expect(former).toHaveLength(13)
    for (const [name, now] of former) expect([name, findAlertKind(name)?.name]).toEqual([name, now])
    expect(ALERT_KINDS.filter(({ name }) => name in FORMER_NAMES)).toEqual([])
  })

  it.each(ALERT_KINDS.map((kind) => [kind.name, kind] as const))('%s declares its parameters whole', (_name, kind) => {
    expect(kind.title.length).toBeLessThanOrEqual(40)
    expect(parameterProblems(kind, {})).toEqual([])
    const names = kind.parameters.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, label, meaning, min, max, default: standard } of kind.parameters) {
      expect(PARAMETER_NAMES).toContain(name)
      expect(label.length).toBeLessThanOrEqual(60)
      expect(meaning).toMatch(/\.$/)
      expect(standard).toBeGreaterThanOrEqual(min)
      expect(standard).toBeLessThanOrEqual(max)
    }
  })

  it('begin by nothing where nothing is known', () => {
    for (const kind of ALERT_KINDS) {
      if (kind.subject !== 'pull') continue
      const life = lived({ kind: kind.name, zone: { lines: 9 }, past: 1, minutes: 12, happening: () => ({ read: 0 }) })
      expect([kind.name, life.some(({ firing }) => firing)]).toEqual([kind.name, false])
      if (kind.name === 'cannot-look') continue
      const unread = kind.sentence({ level: 'no data', facts: {}, seen: { why: 'unread' } })
      expect(unread).toMatch(/nothing can be said/)
      expect(kind.summarize({ level: 'clear', facts: {} }).number).toBe('no requests')
    }
  })
})

describe('parameters of a kind', () => {
  it('are its defaults where a rule says nothing, and nothing it has not', () => {
    const declared = [
      warningAt({ unit: '%', max: 90, default: 55 }, ''),
      criticalAt({ unit: '%', max: 90, default: 20 }, ''),
    ]
    expect(readSettings(declared, { critical: 30, quota: 5 })).toEqual({ warning: 55, critical: 30 })
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
