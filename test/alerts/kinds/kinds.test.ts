import { describe, expect, it } from 'vitest'
import {
  criticalAt,
  PARAMETER_NAMES,
  parameterProblems,
  readSettings,
  warningAt,
  withGiven,
} from '../../../src/alerts/kinds/alert-kind.ts'
import { ALERT_KINDS, findAlertKind, FORMER_NAMES } from '../../../src/alerts/kinds/kinds.ts'
import { storageChange } from '../../../src/alerts/kinds/storage-change.ts'
import { trafficGone } from '../../../src/alerts/kinds/traffic-gone.ts'
import type { Level, Reading } from '../../../src/alerts/state/reading.ts'
import { lived } from './life-of-kind.ts'

const READINGS: readonly (readonly [kind: string, level: Level, facts: Reading['facts'], seen?: Reading['seen']])[] = [
  ['origin-failing', 'critical', { value: 0.34, baseline: 0.003 }, { stale: 1 }],
  ['origin-failing', 'warning', { value: 0.34, covered: 0.4 }, { place: 1, stale: 0.6 }],
  ['origin-failing', 'warning', { value: 0.34, baseline: 0.003 }, { stale: 0.49 }],
  ['origin-failing', 'critical', { value: 0.34 }, { stale: 0.1 }],
  ['origin-failing', 'critical', { value: 0.34 }, { stale: 0.9 }],
  ['origin-failing', 'clear', { value: 0 }],
  ['origin-failing', 'clear', {}],
  ['cache-not-working', 'warning', { value: 0.3, baseline: 0.01 }, { why: 'BYPASS' }],
  ['cache-not-working', 'critical', { value: 0.3, baseline: 0.9 }, { bypass: 0.1 }],
  ['cache-not-working', 'clear', { value: 0.85 }, { began: 'BYPASS', bypass: 0.02 }],
  ['cache-not-working', 'clear', { value: 0.4, baseline: 0.9 }, { why: 'lasted' }],
  ['traffic-gone', 'warning', { value: 0, baseline: 60 }],
  ['traffic-gone', 'warning', { value: 12, baseline: 60 }],
  ['traffic-gone', 'critical', { value: 12, baseline: 60 }],
  ['traffic-gone', 'clear', { value: 1234, baseline: 60 }],
  ['traffic-gone', 'clear', { value: 12, baseline: 60 }, { why: 'lasted' }],
  ['traffic-surge', 'warning', { value: 1234, baseline: 60 }],
  ['traffic-surge', 'clear', { value: 70 }],
  ['traffic-surge', 'clear', { value: 1234, baseline: 60 }, { why: 'lasted' }],
  ['cannot-look', 'critical', { value: 31.4, covered: 0.4 }, { cause: 'limited', failing: 31 }],
  ['cannot-look', 'warning', { value: 12.4, covered: 0.4 }, { lost: 1 }],
  ['cannot-look', 'clear', { value: 2, covered: 1 }],
  ['cannot-look', 'warning', { value: 0.12, unit: 'share', covered: 0.12 }],
  ['storage-change', 'warning', { value: 700_000_000_000 }, { by: 'growth', used: 0.7, left: 29.6 }],
  ['storage-change', 'critical', { value: 900_000_000_000 }, { by: 'growth', used: 0.9 }],
  ['storage-change', 'clear', { value: 700_000_000_000 }, { by: 'growth', used: 0.7 }],
  ['storage-change', 'warning', { value: 160_000_000_000 }, { by: 'jump', grown: 0.6, usual: -0.01, lost: 0 }],
  ['storage-change', 'critical', { value: 160_000_000_000 }, { by: 'jump', grown: 0.6, usual: 0.01, lost: 0 }],
  ['storage-change', 'clear', { value: 160_000_000_000 }, { by: 'jump', grown: -0.02, usual: 0.01, lost: 0 }],
  ['storage-change', 'warning', { value: 7000, unit: 'files' }, { by: 'jump', grown: 0, usual: 0, lost: 0.3 }],
  ['storage-change', 'critical', { value: 7000, unit: 'files' }, { by: 'jump', grown: 0, usual: 0, lost: 0.3 }],
  ['storage-change', 'clear', { value: 7000, unit: 'files' }, { by: 'jump', grown: 0, usual: 0, lost: -0.3 }],
]
const SAID = [
  'origin failing, visitors get old content: 34 % STALE in the last 5 min · usually 0.3 %.',
  'some visitors get old content: 34 % failing of origin traffic in the last 5 min · 20 % STALE · 14 % 5xx (60 % of the log could not be read).',
  'some visitors get errors: 34 % failing in the last 5 min · 17 % STALE · 17 % 5xx · usually 0.3 %.',
  'origin failing, visitors get errors: 34 % 5xx in the last 5 min.',
  'origin failing, visitors get old content: 34 % STALE in the last 5 min.',
  'origin works again: no 5xx, no STALE in the last 5 min.',
  'origin works again: no requests in the last 5 min.',
  'more requests bypass the cache: 30 % BYPASS in the last 5 min · usually 1 %.',
  'far more requests miss the cache: hit ratio 30 % in the last 5 min · usually 90 %.',
  'cache works again: 2 % BYPASS in the last 5 min.',
  'a lower hit ratio is usual now: New normal: hit ratio 40 % in the last 5 min · usually 90 %.',
  'traffic gone, no requests arrive: no requests in the last 5 min · usually 60 or more.',
  'far fewer requests than usual: 12 requests a minute in the last 5 min · usually 60 or more.',
  'traffic nearly gone: 12 requests a minute in the last 5 min · usually 60 or more.',
  'traffic is back: 1,234 requests a minute in the last 5 min · usually 60 or more.',
  'less traffic is usual now: New normal: 12 requests a minute in the last 5 min · usually 60 or more.',
  'far more requests than usual: 1,234 requests a minute in the last 5 min · usually 60 at most.',
  'traffic is as usual again: 70 requests a minute in the last 5 min.',
  'more traffic is usual now: New normal: 1,234 requests a minute in the last 5 min · usually 60 at most.',
  'log can’t be read, alerts are blind: not read for 31 min · the CDN limits how often it may be read.',
  'log is late, alerts may be late: numbers 12 min old · 40 % of the last half hour read. Lines were deleted before anybody read them.',
  'log can be read again: numbers 2 min old · 100 % of the last half hour read.',
  'log is read in part, alerts are blind: 12 % of the log read in the last 5 min · more is logged than can be read.',
  'storage fills up: 700 GB stored 70 % of the quota · full in 30 days',
  'storage is nearly full: 900 GB stored 90 % of the quota',
  'storage has room again: 700 GB stored 70 % of the quota',
  'more stored than usual: 160 GB stored +60 % since the day before · usually −1 %',
  'far more stored than yesterday: 160 GB stored +60 % since the day before · usually +1 %',
  'storage is steady again: 160 GB stored −2 % since the day before · usually +1 %',
  'files gone since yesterday: 7,000 files −30 % since the day before',
  'many files gone since yesterday: 7,000 files −30 % since the day before',
  'files are steady again: 7,000 files +30 % since the day before',
]

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

  it('have parameters of known names, each with a label and a sentence', () => {
    for (const { name, title, parameters } of ALERT_KINDS) {
      expect([name, title.length <= 40, new Set(parameters.map((each) => each.name)).size]).toEqual([
        name,
        true,
        parameters.length,
      ])
      for (const parameter of parameters) {
        expect(PARAMETER_NAMES).toContain(parameter.name)
        expect(parameter.label.length).toBeLessThanOrEqual(60)
        expect(parameter.meaning).toMatch(/\.$/)
      }
    }
  })

  it('declare what can be set, and within what bounds', () => {
    const declared = ALERT_KINDS.map(({ name, parameters }) =>
      [
        name,
        ...parameters.map((each) => `${each.name} ${each.default} of ${each.min} to ${each.max} ${each.unit}`),
      ].join(', '),
    )
    expect(declared).toEqual([
      'origin-failing, warning 2 of 0 to 90 %, critical 5 of 0 to 95 %',
      'cache-not-working, warning 7 of 3 to 90 points, critical 30 of 3 to 95 points, bypass 20 of 5 to 95 %',
      'traffic-gone, warning 55 of 0 to 95 %, critical 20 of 0 to 90 %',
      'traffic-surge, warning 2.3 of 1.5 to 100 times',
      'cannot-look, warning 10 of 2 to 120 minutes, critical 30 of 2 to 240 minutes, also-warning 20 of 0 to 100 %',
      'storage-change, quota 0 of 0 to 1000000000000000000 bytes, warning 30 of 1 to 365 days, critical 7 of 0 to 365 days, also-warning 80 of 5 to 100 %, also-critical 90 of 5 to 100 %, change 20 of 1 to 1000 %, lost 10 of 1 to 100 %',
      'api-keys-changed',
    ])
  })

  it('over traffic say what explains them, what their numbers leave out, and which lines show them', () => {
    const said = ALERT_KINDS.flatMap((kind) =>
      kind.subject === 'pull' ? [[kind.name, kind.explainedByMarks, kind.leavesOutWorst, kind.logsFilter]] : [],
    )
    expect(said).toEqual([
      ['origin-failing', undefined, true, { failing: 'true' }],
      ['cache-not-working', true, undefined, { cache: 'MISS,BYPASS' }],
      ['traffic-gone', undefined, undefined, { cache: 'all' }],
      ['traffic-surge', undefined, undefined, { cache: 'all' }],
      ['cannot-look', undefined, undefined, undefined],
    ])
  })

  it('word what was read: what is wrong or over, the number, and what that compares with', () => {
    const said = READINGS.map(([name, level, facts, seen]) => {
      const reading = { level, facts: { window: { fromMs: 0, untilMs: 300_000 }, ...facts }, seen }
      const kind = findAlertKind(name)
      if (kind === undefined || kind.subject === 'account') return undefined
      const { title, number, beside } = kind.summarize(reading)
      return `${title}: ${kind.subject === 'pull' ? kind.sentence(reading) : `${number} ${beside}`}`
    })
    expect(said).toEqual(SAID)
  })

  it('begin by nothing where nothing is known', () => {
    for (const kind of ALERT_KINDS) {
      if (kind.subject !== 'pull') continue
      const life = lived({ kind: kind.name, zone: { lines: 9 }, past: 1, minutes: 12, happening: () => ({ read: 0 }) })
      expect([kind.name, life.some(({ firing }) => firing)]).toEqual([kind.name, false])
      if (kind.name === 'cannot-look') continue
      expect(kind.summarize({ level: 'clear', facts: {} }).number).toBe('no requests')
    }
  })

  it('have something to say of a zone whose log is read, also where no requests come', () => {
    for (const kind of ALERT_KINDS) {
      if (kind.subject !== 'pull') continue
      const zone = { lines: 9 }
      const life = lived({ kind: kind.name, zone, past: 1, minutes: 12, happening: () => ({ times: 0 }) })
      expect([kind.name, life.some(({ reading }) => reading?.level === 'clear')]).toEqual([kind.name, true])
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
      { field: 'warning', problem: 'warning of storage-change is a number from 1 to 365, in days.' },
    ])
    expect(parameterProblems(storageChange, { warning: 365 })).toEqual([])
    expect(parameterProblems(storageChange, { warning: 366 })).toHaveLength(1)
    expect(parameterProblems(trafficGone, { critical: Number.NaN })).toHaveLength(1)
  })

  it('are refused where a kind has none of that name, with those it has', () => {
    expect(parameterProblems(trafficGone, { quota: 1 })).toEqual([
      { field: 'quota', problem: 'traffic-gone has no parameter quota. It has warning, critical.' },
    ])
  })

  it('go along with one that is given and passes them', () => {
    expect(withGiven(trafficGone, { warning: 30 }, { warning: 10 })).toEqual({ warning: 10, critical: 10 })
    expect(withGiven(trafficGone, { warning: 30 }, { critical: 40 })).toEqual({ warning: 40, critical: 40 })
    expect(withGiven(trafficGone, {}, { warning: 10, critical: 40 })).toEqual({ warning: 10, critical: 40 })
    expect(withGiven(trafficGone, { warning: 30 }, { critical: 5 })).toEqual({ warning: 30, critical: 5 })
    expect(withGiven(undefined, { warning: 1 }, { critical: 5 })).toEqual({ warning: 1, critical: 5 })
  })

  it('keep their order, whichever way the kind goes', () => {
    const [upwards] = parameterProblems(storageChange, { 'also-warning': 95 })
    const problem = 'also-critical of storage-change has to be at least also-warning: 90 and 95 do not go together.'
    expect(upwards).toEqual({ field: undefined, problem })
    expect(parameterProblems(trafficGone, { warning: 10 })[0]?.problem).toBe(
      'critical of traffic-gone has to be at most warning: 20 and 10 do not go together.',
    )
    expect(parameterProblems(trafficGone, { warning: 20 })).toEqual([])
  })
})
