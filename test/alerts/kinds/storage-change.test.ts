import { describe, expect, it } from 'vitest'
import type { StorageView } from '../../../src/alerts/kinds/alert-kind.ts'
import { type Evaluated, evaluateStorage } from '../../../src/alerts/incidents/evaluation.ts'
import { storageChange } from '../../../src/alerts/kinds/storage-change.ts'
import { worstWords } from '../../../src/alerts/incidents/incident-words.ts'
import { readIncidentDoc } from '../../../src/alerts/state/incident.ts'
import type { IncidentRecord } from '../../../src/store/schema/alert-records.ts'
import { AlertBook } from '../alert-book.ts'
import { rule } from '../evaluated-zone.ts'

const GB = 1_000_000_000
const DAY_MS = 86_400_000
const LAST = Date.UTC(2026, 10, 20)
const now = new Date(LAST + DAY_MS / 2)
/** The looks at a zone are six hours apart. */
const EARLY = { now: new Date('2026-11-20T05:59:00Z') }
const LATER = { now: new Date('2026-11-20T06:31:00Z') }
const WARNING: Partial<StorageView> = { firing: true, severity: 'warning' }
const CRITICAL: Partial<StorageView> = { firing: true, severity: 'critical' }

interface Day {
  readonly gb?: number | undefined
  readonly files?: number
}

/** What is said of days that follow each other, the last of which is today. */
function read(days: readonly Day[], look: Partial<StorageView> = {}, parameters = {}) {
  const known = days.map(({ gb, files }, index) => ({
    dayMs: LAST - (days.length - 1 - index) * DAY_MS,
    bytes: gb === undefined ? undefined : gb * GB,
    files,
  }))
  return storageChange.observe({ days: known, now, firing: false, ...look }, parameters)
}

describe('growth', () => {
  const grown = (gigabytes: readonly (number | undefined)[], look: Partial<StorageView> = {}, quota = 1_000) =>
    read(
      gigabytes.map((gb) => (gb === undefined ? {} : { gb, files: 10 })),
      look,
      { quota: quota * GB, change: 1_000 },
    )
  /** Fourteen days that end with so much, growing evenly. */
  const growing = (last: number, daily: number): readonly number[] =>
    Array.from({ length: 14 }, (_, day) => last - (13 - day) * daily)
  const gap = [...growing(300, 0), undefined, 300]

  it.each([
    ['warns when it is full within thirty days', growing(700, 9.9), {}, 'clear'],
    ['warns when it is full within thirty days', growing(700, 10), {}, 'warning'],
    ['is critical within seven days', growing(700, 42), {}, 'warning'],
    ['is critical within seven days', growing(700, 43), {}, 'critical'],
    ['warns from 80 % of the quota on', growing(799, 0), {}, 'clear'],
    ['warns from 80 % of the quota on', growing(800, 0), {}, 'warning'],
    ['is critical from 90 % of the quota on', growing(899, 0), {}, 'warning'],
    ['is critical from 90 % of the quota on', growing(900, 0), {}, 'critical'],
    ['is critical beyond the quota', growing(1_001, 0), {}, 'critical'],
    ['does not follow a single day', [...growing(300, 1).slice(0, 13), 700], {}, 'clear'],
    ['is that of the newest fourteen days', [...growing(100, 0), ...growing(500, 20)], {}, 'warning'],
    ['is that of the newest fourteen days', [...growing(700, 40), ...growing(700, 0)], {}, 'clear'],
    ['is none where it shrinks', growing(700, -10), {}, 'clear'],
    ['wants seven days', growing(950, 0).slice(-6), {}, 'no data'],
    ['wants seven days', growing(950, 0).slice(-7), {}, 'critical'],
    ['wants seven days', [...growing(950, 0).slice(-6), undefined], {}, 'no data'],
    ['clears under 75 %', growing(750, 0), WARNING, 'between'],
    ['clears under 75 %', growing(749, 0), WARNING, 'clear'],
    ['clears when it lasts longer than 45 days', growing(700, 300 / 44), WARNING, 'between'],
    ['clears when it lasts longer than 45 days', growing(700, 300 / 46), WARNING, 'clear'],
    ['is critical until it is under 85 %', growing(850, 0), CRITICAL, 'critical'],
    ['is critical until it is under 85 %', growing(849, 0), CRITICAL, 'warning'],
    ['is critical until it lasts longer than fourteen days', growing(700, 300 / 14 + 0.01), CRITICAL, 'critical'],
    ['is critical until it lasts longer than fourteen days', growing(700, 300 / 14.1), CRITICAL, 'warning'],
    ['waits for what cannot be said of jumps', gap, {}, 'clear'],
    ['waits for what cannot be said of jumps', gap, WARNING, 'between'],
  ] as const)('%s', (_, gigabytes, look, level) => {
    expect(grown(gigabytes, look).level).toBe(level)
  })

  it.each([
    [
      growing(700, 10),
      '700 GB are stored on 2026-11-20, 70 % of the quota of 1,000 GB; it grows by 10 GB a day (trend of 14 days) and is full in 30 days.',
    ],
    [
      growing(700, 0),
      '700 GB are stored on 2026-11-20, 70 % of the quota of 1,000 GB; it does not grow (trend of 14 days).',
    ],
    [
      growing(700, -10),
      '700 GB are stored on 2026-11-20, 70 % of the quota of 1,000 GB; it does not grow (trend of 14 days).',
    ],
    [
      growing(1_000, 0),
      '1,000 GB are stored on 2026-11-20, 100 % of the quota of 1,000 GB; it is full and does not grow (trend of 14 days).',
    ],
    [
      growing(1_000, 10),
      '1,000 GB are stored on 2026-11-20, 100 % of the quota of 1,000 GB; it is full and grows by 10 GB a day (trend of 14 days).',
    ],
    [
      growing(1_100, 10),
      '1,100 GB are stored on 2026-11-20, 110 % of the quota of 1,000 GB; it is full and grows by 10 GB a day (trend of 14 days).',
    ],
  ])('states its numbers, and how long there is room', (gigabytes, said) => {
    const { facts, seen } = grown(gigabytes)
    expect(facts.sentence).toBe(said)
    const window = { fromMs: LAST - 13 * DAY_MS, untilMs: LAST + DAY_MS }
    const value = gigabytes[13]! * GB
    expect(facts).toMatchObject({ value, unit: 'bytes', sample: 14, window })
    expect(seen).toMatchObject({ by: 'growth', used: value / (1_000 * GB) })
  })

  it('is not over while it is not known how much is stored, but for a quota that is none any more', () => {
    const days = Array.from({ length: 10 }, () => ({ files: 10_000 }))
    const begun = { ...WARNING, begunBy: { by: 'growth' } }
    expect([read(days, begun, { quota: GB }).level, read(days, begun).level]).toEqual(['between', 'clear'])
    expect(read(days, { ...WARNING, begunBy: { by: 'jump' } }, { quota: GB }).level).toBe('clear')
  })

  it('wants a quota, without which only jumps are told', () => {
    expect(grown(growing(950, 0), {}, 0).level).toBe('clear')
    expect(grown(growing(950, 0).slice(-6), {}, 0).level).toBe('no data')
  })

  it('clears when it was read so twice, six hours apart', () => {
    expect(storageChange.timing).toMatchObject({ apartMs: 5 * 3_600_000, clearForMs: 5 * 3_600_000 })
  })
})

describe('a jump', () => {
  /** So many days that hardly change, then one. */
  const after = (last: Day, before = 9, usual: Day = { gb: 100, files: 10_000 }): readonly Day[] => [
    ...Array.from({ length: before }, () => usual),
    { files: 10_000, ...last },
  ]
  const restless = [100, 110, 90, 110, 88, 108, 86, 105, 85].map((gb) => ({ gb, files: 10_000 }))
  const small = { gb: 0.4, files: 500 }

  it.each([
    ['warns of more than 20 % more than the day before', after({ gb: 120 }), {}, 'clear'],
    ['warns of more than 20 % more than the day before', after({ gb: 120.1 }), {}, 'warning'],
    ['is critical over 50 %', after({ gb: 150 }), {}, 'warning'],
    ['is critical over 50 %', after({ gb: 150.1 }), {}, 'critical'],
    ['is none where it is usual for the zone', [...restless, { gb: 110, files: 10_000 }], {}, 'clear'],
    ['warns when 10 % of the files are gone', after({ gb: 100, files: 9_001 }), {}, 'clear'],
    ['warns when 10 % of the files are gone', after({ gb: 100, files: 9_000 }), {}, 'warning'],
    ['is critical when 30 % of the files are gone', after({ gb: 100, files: 7_001 }), {}, 'warning'],
    ['is critical when 30 % of the files are gone', after({ gb: 100, files: 7_000 }), {}, 'critical'],
    ['is over the day after', [...after({ gb: 200 }), { gb: 200, files: 10_000 }], {}, 'clear'],
    ['is told at the first look after its day', [...after({ gb: 200 }), { gb: 200, files: 10_000 }], EARLY, 'critical'],
    [
      'is told at the first look after its day',
      [...after({ gb: 100, files: 8_000 }), { gb: 100, files: 8_000 }],
      EARLY,
      'warning',
    ],
    ['is told at the first look after its day', [...after({ gb: 100 }), { gb: 200, files: 10_000 }], EARLY, 'critical'],
    ['is none at the first look after usual days', after({ gb: 100 }, 6), EARLY, 'clear'],
    [
      'is told up to half an hour after its time',
      [...after({ gb: 200 }), { gb: 200, files: 10_000 }],
      { now: new Date('2026-11-20T06:30:00Z') },
      'critical',
    ],
    ['is told at the first look only', [...after({ gb: 200 }), { gb: 200, files: 10_000 }], LATER, 'clear'],
    ['is not told again', [...after({ gb: 200 }), { gb: 200, files: 10_000 }], { ...EARLY, firing: true }, 'clear'],
    ['wants the day before', [...after({}).slice(0, -1), {}, { gb: 200, files: 10_000 }], {}, 'no data'],
    ['wants seven days', after({ gb: 200 }, 5), {}, 'no data'],
    ['wants seven days', after({ gb: 200 }, 6), {}, 'critical'],
    ['wants more than 1 GB or 1,000 files', after({ gb: 1, files: 1_000 }, 9, small), {}, 'no data'],
    ['wants more than 1 GB or 1,000 files', after({ gb: 1.1, files: 1_000 }, 9, small), {}, 'critical'],
    ['wants more than 1 GB or 1,000 files', after({ gb: 1, files: 1_001 }, 9, small), {}, 'critical'],
    ['clears on the next normal day', after({ gb: 110 }), { firing: true }, 'between'],
    ['clears on the next normal day', after({ gb: 109 }), { firing: true }, 'clear'],
    ['clears on the next normal day', after({ gb: 100, files: 9_499 }), { firing: true }, 'between'],
    ['clears on the next normal day', after({ gb: 100, files: 9_500 }), { firing: true }, 'clear'],
  ] as const)('%s', (_, days, look, level) => {
    expect(read(days, look).level).toBe(level)
  })
})

/** Ten days, of which the last two are given. */
const ending = (before: Day, last: Day): readonly Day[] => [...Array.from({ length: 8 }, () => before), before, last]
const times = (factors: readonly number[], gb: number): readonly Day[] => {
  let now = gb
  return [{ gb, files: 10_000 }, ...factors.map((factor) => ({ gb: (now *= factor), files: 10_000 }))]
}

/** They differ from their median by 6.8 points, so that it takes 20.5 %. */
const RESTLESS = [1.07, 1 / 1.07, 1.07, 1 / 1.07, 1.07, 1 / 1.07, 1.07, 1 / 1.07]

// Powers of two keep each day's quarter exact.
it.each<[name: string, days: readonly Day[], said: string, look?: Partial<StorageView>]>([
  [
    'is what each day added to the day before it',
    times([...Array.from({ length: 8 }, () => 1.1), 1.3], 100),
    'warning 214359000000 to 278667000000 bytes: On 2026-11-20 it holds 279 GB, +30 % since the day before (usually +10 %), in 10,000 files, +0 %.',
  ],
  [
    'is no jump where it grows by a quarter every day',
    times(
      Array.from({ length: 7 }, () => 1.25),
      4_096,
    ),
    'clear 15625000000000 to 19531300000000 bytes: On 2026-11-20 it holds 19,531 GB, +25 % since the day before (usually +25 %), in 10,000 files, +0 %.',
  ],
  [
    'is one with a little more',
    times([...Array.from({ length: 6 }, () => 1.25), 1.26], 4_096),
    'warning 15625000000000 to 19687500000000 bytes: On 2026-11-20 it holds 19,688 GB, +26 % since the day before (usually +25 %), in 10,000 files, +0 %.',
  ],
  [
    'is unusual where it shrinks',
    times([...Array.from({ length: 8 }, () => 0.9), 1.15], 100),
    'clear 43046700000 to 49503700000 bytes: On 2026-11-20 it holds 49.5 GB, +15 % since the day before (usually −10 %), in 10,000 files, +0 %.',
  ],
  [
    'is not left behind by three median deviations of the other days',
    times([...RESTLESS, 1.203], 100),
    'clear 100000000000 to 120300000000 bytes: On 2026-11-20 it holds 120 GB, +20 % since the day before (usually +0.23 %), in 10,000 files, +0 %.',
  ],
  [
    'is that of the newest day of which anything is known',
    [...ending({ gb: 100, files: 10_000 }, { gb: 160, files: 10_000 }), {}],
    'critical 100000000000 to 160000000000 bytes: On 2026-11-19 it holds 160 GB, +60 % since the day before (usually +0 %), in 10,000 files, +0 %.',
  ],
  ['wants the day before', [...ending({ gb: 100, files: 10_000 }, {}), { gb: 160, files: 10_000 }], 'no data'],
  [
    'counts days of which something is known',
    [{}, ...ending({ gb: 100, files: 10_000 }, { gb: 160, files: 10_000 }).slice(-7)],
    'critical 100000000000 to 160000000000 bytes: On 2026-11-20 it holds 160 GB, +60 % since the day before (usually +0 %), in 10,000 files, +0 %.',
  ],
  ['and no others', [{}, ...ending({ gb: 100, files: 10_000 }, { gb: 160, files: 10_000 }).slice(-6)], 'no data'],
  [
    'takes bytes that are not known for those of the day before',
    ending({ gb: 100, files: 10_000 }, { files: 10_000 }),
    'clear 100000000000 to 100000000000 bytes: On 2026-11-20 it holds 100 GB, +0 % since the day before (usually +0 %), in 10,000 files, +0 %.',
  ],
  [
    'takes bytes that are not known of the day before for those of the day',
    ending({ files: 10_000 }, { gb: 100, files: 10_000 }),
    'clear 100000000000 to 100000000000 bytes: On 2026-11-20 it holds 100 GB, +0 % since the day before (usually +0 %), in 10,000 files, +0 %.',
  ],
  [
    'takes files that are not known likewise',
    ending({ gb: 100 }, { gb: 100, files: 10_000 }),
    'clear 100000000000 to 100000000000 bytes: On 2026-11-20 it holds 100 GB, +0 % since the day before (usually +0 %), in 10,000 files, +0 %.',
  ],
  [
    'is of a zone that had many files',
    ending({ gb: 0.5, files: 2_000 }, { gb: 0.5, files: 100 }),
    'critical 2000 to 100 files: On 2026-11-20 it holds 0.5 GB, +0 % since the day before (usually +0 %), in 100 files, −95 %.',
  ],
  ['is of none that is small', ending({ gb: 0.5, files: 500 }, { gb: 0.5, files: 500 }), 'no data'],
  [
    'but while it fires',
    ending({ gb: 0.5, files: 500 }, { gb: 0.5, files: 500 }),
    'clear 500000000 to 500000000 bytes: On 2026-11-20 it holds 0.5 GB, +0 % since the day before (usually +0 %), in 500 files, +0 %.',
    WARNING,
  ],
  [
    'has doubled where there was nothing before',
    ending({ gb: 0, files: 0 }, { gb: 2, files: 10 }),
    'critical 0 to 2000000000 bytes: On 2026-11-20 it holds 2 GB, +100 % since the day before (usually +0 %), in 10 files, +100 %.',
  ],
  [
    'is of bytes where these grow as files are fewer',
    ending({ gb: 100, files: 10_000 }, { gb: 160, files: 8_000 }),
    'critical 100000000000 to 160000000000 bytes: On 2026-11-20 it holds 160 GB, +60 % since the day before (usually +0 %), in 8,000 files, −20 %.',
  ],
  [
    'is of files up to the growth that is told',
    ending({ gb: 100, files: 10_000 }, { gb: 120, files: 8_000 }),
    'warning 10000 to 8000 files: On 2026-11-20 it holds 120 GB, +20 % since the day before (usually +0 %), in 8,000 files, −20 %.',
  ],
])('a jump %s', (_, days, said, look) => {
  const { level, facts } = read(days, look)
  const { value, baseline, unit, sample, window } = facts
  const [before, now] = [baseline, value].map((each = 0) => Number(each.toPrecision(6)))
  expect(level === 'no data' ? level : `${level} ${before} to ${now} ${unit}: ${facts.sentence}`).toBe(said)
  if (level === 'no data') return
  const known = days.filter(({ gb, files }) => gb !== undefined || files !== undefined)
  const untilMs = LAST + (days.at(-1)?.files === undefined && days.at(-1)?.gb === undefined ? 0 : DAY_MS)
  expect([sample, window]).toEqual([known.length, { fromMs: untilMs - known.length * DAY_MS, untilMs }])
})

const ORDINARY = { gb: 120, files: 10_000 }
const STEADY = Array.from({ length: 9 }, () => ORDINARY)

it.each<[name: string, last: readonly Partial<typeof ORDINARY>[], worst: string, quota?: number]>([
  ['fills up', [{ gb: 165 }, { gb: 170 }, { gb: 168 }], '165.00 GB, 170.00 GB, 170.00 GB', 200],
  [
    'loses files day by day',
    [{ files: 8_000 }, { files: 5_000 }, { files: 4_000 }],
    '8,000 files, 5,000 files, 4,000 files',
  ],
  ['holds more, and then loses files', [{ gb: 200 }, { gb: 200, files: 5_000 }], '200.00 GB, 200.00 GB'],
])('the worst of a zone that %s is kept', (_, last, worst, quota = 0) => {
  const rules = [rule('storage-change', { subject: 'storage/55', parameters: { quota: quota * GB } })]
  const all = [...STEADY, ...last.map((day) => ({ ...ORDINARY, ...day }))]
  const days = all.map(({ gb, files }, index) => ({ dayMs: LAST + index * DAY_MS, bytes: gb * GB, files }))
  const book = new AlertBook()
  const said = last.map((_day, index) => {
    const now = new Date(LAST + (STEADY.length + index + 0.5) * DAY_MS)
    const known = days.filter(({ dayMs }) => dayMs <= now.getTime())
    const view = { ...book.view('storage/55', now), rules, silences: [], marks: [], watch: undefined }
    book.commit(evaluateStorage({ view, subject: 'storage/55', days: known, now, newId: () => 'i', webhook: false }))
    const [incident] = book.view('storage/55', now).incidents
    return incident && worstWords(readIncidentDoc(incident.doc).alerts[0]!)
  })
  expect(said.join(', ')).toBe(worst)
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
    ;({ states } = evaluateStorage({ view, subject: 'storage/55', days: known, now, newId: () => 'i', webhook: false }))
    return states[0]?.state.phase
  })
  expect(phases).toEqual(['firing', 'firing', 'inactive'])
})

describe('a storage zone that holds far more today', () => {
  const days = Array.from({ length: 31 }, (_, index) => ({
    dayMs: LAST - (30 - index) * DAY_MS,
    bytes: index === 30 ? 9e12 : 1e12 + index,
    files: 10_000,
  }))
  const look = (subject: string, incidents: readonly IncidentRecord[] = [], onlyTime = false) => {
    const rules = [rule('storage-change', { subject })]
    const view = { rules, states: [], incidents, silences: [], marks: [], watch: undefined }
    const now = new Date(LAST + DAY_MS / 2)
    return evaluateStorage({ view, subject: 'storage/55', days, onlyTime, now, newId: () => 'i', webhook: false })
  }

  it('has one incident, though the rule is about all zones', () => {
    const { states, incidents, posts } = look('storage/*')
    expect(states).toMatchObject([{ subject: 'storage/55', state: { phase: 'firing' } }])
    expect(incidents).toMatchObject([{ subject: 'storage/55', doc: { alerts: [{ subject: 'storage/55' }] } }])
    expect(posts).toMatchObject([{ what: 'card' }])
    const trend = days.slice(11).map(({ dayMs, bytes }) => ({ atMs: dayMs, value: bytes }))
    expect(incidents).toMatchObject([{ doc: { trend } }])
  })

  it('is told without a chart when a silence is over and nothing was read since a restart', () => {
    const { states } = look('storage/55')
    const rules = [rule('storage-change', { subject: 'storage/55' })]
    const view = { rules, states, incidents: [], silences: [], marks: [], watch: undefined }
    const known = { view, subject: 'storage/55', days: [], onlyTime: true, now, newId: () => 'i', webhook: false }
    expect(evaluateStorage(known).incidents).toMatchObject([{ doc: { alerts: [{ severity: 'critical' }], trend: [] } }])
  })

  it('has its incident ended with what was said last, where the store cannot read any more how its alert stood', () => {
    const opened = look('storage/55').incidents[0]!
    const closed = look('storage/55', [{ ...opened, shownRevision: 1, revision: 1 }], true).incidents[0]!
    const [before, after] = [opened, closed].map(({ doc }) => readIncidentDoc(doc).alerts[0]!)
    expect(after).toMatchObject({ facts: before!.facts, endedMs: LAST + DAY_MS / 2 })
    expect(before!.endedMs).toBeUndefined()
  })
})
