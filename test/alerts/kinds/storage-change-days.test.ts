import { describe, expect, it } from 'vitest'
import { type Evaluated, evaluateStorage } from '../../../src/alerts/incidents/evaluation.ts'
import { storageChange } from '../../../src/alerts/kinds/storage-change.ts'
import { readIncidentDoc } from '../../../src/alerts/state/incident.ts'
import type { IncidentRecord } from '../../../src/store/schema/alert-records.ts'
import { rule } from '../evaluated-zone.ts'

const DAY_MS = 86_400_000
const GB = 1_000_000_000
const LAST = Date.UTC(2026, 10, 20)

interface Day {
  readonly gb?: number
  readonly files?: number
}

/** What is said of days that follow each other, the last of which is 20 November. */
function read(days: readonly Day[], firing = false) {
  const known = days.map(({ gb, files }, index) => ({
    dayMs: LAST - (days.length - 1 - index) * DAY_MS,
    bytes: gb === undefined ? undefined : gb * GB,
    files,
  }))
  return storageChange.observe({ days: known, now: new Date(LAST + DAY_MS / 2), firing }, {})
}

/** Ten days, of which the last two are given. */
const ending = (before: Day, last: Day): readonly Day[] => [...Array.from({ length: 8 }, () => before), before, last]
const times = (factors: readonly number[], gb: number): readonly Day[] => {
  let now = gb
  return [{ gb, files: 10_000 }, ...factors.map((factor) => ({ gb: (now *= factor), files: 10_000 }))]
}

describe('what is usual', () => {
  it('is what each day added to the day before it, not to the first', () => {
    const daily = times([...Array.from({ length: 8 }, () => 1.1), 1.3], 100)
    expect(read(daily).level).toBe('warning')
    expect(read(daily).facts.sentence).toContain('+30 % since the day before (usually +10 %)')
  })

  it('is no jump: a zone that grows by a quarter every day is not told of', () => {
    // Powers of two keep each day's quarter exact.
    expect(
      read(
        times(
          Array.from({ length: 7 }, () => 1.25),
          4_096,
        ),
      ).level,
    ).toBe('clear')
    expect(read(times([...Array.from({ length: 6 }, () => 1.25), 1.26], 4_096)).level).toBe('warning')
  })

  it('is left behind by more than three median deviations of the other days', () => {
    // They differ from their median by 6.8 points, so that it takes 20.5 %.
    const restless = [1.07, 1 / 1.07, 1.07, 1 / 1.07, 1.07, 1 / 1.07, 1.07, 1 / 1.07]
    expect(read(times([...restless, 1.203], 100)).level).toBe('clear')
    expect(read(times([...restless, 1.21], 100)).level).toBe('warning')
  })
})

describe('the two days', () => {
  it('are the newest of which anything is known, and the day before', () => {
    const grown = ending({ gb: 100, files: 10_000 }, { gb: 160, files: 10_000 })
    expect(read([...grown, {}]).facts.sentence).toContain('On 2026-11-19 it holds 160 GB, +60 %')
    expect(read([...grown.slice(0, -1), {}, { gb: 160, files: 10_000 }]).level).toBe('no data')
  })

  it('count among the seven that have to be known, and days without a number do not', () => {
    const grown = ending({ gb: 100, files: 10_000 }, { gb: 160, files: 10_000 })
    expect(read([{}, ...grown.slice(-7)]).level).toBe('critical')
    expect(read([{}, ...grown.slice(-6)]).level).toBe('no data')
  })

  it('are alike in what is not known of the newest', () => {
    const before = { gb: 100, files: 10_000 }
    const files = read(ending(before, { files: 10_000 }))
    expect([files.level, files.facts.sentence]).toEqual(['clear', expect.stringContaining('holds 100 GB, +0 %')])
    expect(files.facts.sentence).toContain('On 2026-11-20')
    expect(read(ending(before, { gb: 100 })).level).toBe('clear')
  })

  it('are too small only where neither had much', () => {
    expect(read(ending({ gb: 0.5, files: 2_000 }, { gb: 0.5, files: 100 })).level).toBe('critical')
    expect(read(ending({ gb: 2, files: 500 }, { gb: 0.5, files: 500 })).level).toBe('clear')
    const small = ending({ gb: 0.5, files: 500 }, { gb: 0.5, files: 500 })
    expect([read(small).level, read(small, true).level]).toEqual(['no data', 'clear'])
  })

  it('have doubled where there was nothing before', () => {
    const { level, facts } = read(ending({ gb: 0, files: 0 }, { gb: 2, files: 10 }))
    expect([level, facts.sentence]).toEqual(['critical', expect.stringContaining('+100 % since the day before')])
  })
})

describe('what is told', () => {
  it('is of bytes, with those of the day before', () => {
    const { facts } = read(ending({ gb: 100, files: 10_000 }, { gb: 160, files: 8_000 }))
    expect(facts).toMatchObject({ value: 160 * GB, unit: 'bytes', baseline: 100 * GB })
    expect(facts.sentence).toContain('in 8,000 files, −20 %')
  })

  it('is of files where only those are fewer, up to the growth that is told', () => {
    const { facts } = read(ending({ gb: 100, files: 10_000 }, { gb: 120, files: 8_000 }))
    expect(facts).toMatchObject({ value: 8_000, unit: 'files', baseline: 10_000 })
  })

  it('covers all days, the last one whole', () => {
    const { facts } = read(ending({ gb: 100, files: 10_000 }, { gb: 160, files: 10_000 }))
    expect(facts).toMatchObject({ sample: 10, window: { fromMs: LAST - 9 * DAY_MS, untilMs: LAST + DAY_MS } })
  })
})

it('ends with what it began with, however full the zone is by then', () => {
  const rules = [rule('storage-change', { subject: 'storage/55', parameters: { quota: 200 * GB } })]
  let states: Evaluated['states'] = []
  const phases = [0, 1, 1.25].map((past) => {
    const now = new Date(LAST + past * DAY_MS)
    // Three quarters of the quota and more, from one day to the next.
    const days = [...Array.from({ length: 9 }, () => 120), 156, 156, 156].map((gb, index) => ({
      dayMs: LAST + (index - 9) * DAY_MS,
      bytes: gb * GB,
      files: 10,
    }))
    const view = { rules, states, incidents: [], silences: [], marks: [], watch: undefined }
    const known = days.filter(({ dayMs }) => dayMs <= now.getTime())
    ;({ states } = evaluateStorage({ view, zoneId: '55', days: known, now, newId: () => 'i', webhook: false }))
    return states[0]?.state.phase
  })
  expect(phases).toEqual(['firing', 'firing', 'inactive'])
})

describe('a storage zone that holds far more today', () => {
  const days = Array.from({ length: 14 }, (_, ago) => ({
    dayMs: LAST - (13 - ago) * DAY_MS,
    bytes: ago === 13 ? 9e12 : 1e12 + ago,
    files: 10_000,
  }))
  const look = (subject: string, incidents: readonly IncidentRecord[] = [], onlyTime = false) => {
    const rules = [rule('storage-change', { subject })]
    const view = { rules, states: [], incidents, silences: [], marks: [], watch: undefined }
    const now = new Date(LAST + DAY_MS / 2)
    return evaluateStorage({ view, zoneId: '55', days, onlyTime, now, newId: () => 'i', webhook: false })
  }

  it('has one incident, though the rule is about all zones', () => {
    const { states, incidents, posts } = look('storage/*')
    expect(states).toMatchObject([{ subject: 'storage/55', state: { phase: 'firing' } }])
    expect(incidents).toMatchObject([{ subject: 'storage/55', doc: { alerts: [{ subject: 'storage/55' }] } }])
    expect(posts).toMatchObject([{ what: 'card' }])
  })

  it('has its incident ended with what was said last, where the store cannot read any more how its alert stood', () => {
    const opened = look('storage/55').incidents[0]!
    const closed = look('storage/55', [{ ...opened, shownRevision: 1, revision: 1 }], true).incidents[0]!
    const [before, after] = [opened, closed].map(({ doc }) => readIncidentDoc(doc).alerts[0]!)
    expect(after).toMatchObject({ facts: before!.facts, endedMs: LAST + DAY_MS / 2 })
    expect(before!.endedMs).toBeUndefined()
  })
})
