import { beforeEach, expect, test } from 'vitest'
import { INCIDENT_RETENTION_MS } from '../../../src/store/schema/alert-records.ts'
import {
  type IncidentAnswer,
  MAX_NOTES_PER_INCIDENT,
  MAX_STEPS_PER_INCIDENT,
} from '../../../src/store/alerts/incident-answers.ts'
import { incident, look, newPost, OPENED, told } from '../alert-fixtures.ts'
import { entry, type StoreHarness } from '../harness.ts'
import { useStore } from '../use-store.ts'

const later = (milliseconds: number) => new Date(OPENED.getTime() + milliseconds)

/** What people do about incidents, on any engine. */
export function incidentAnswersSuite(harness: StoreHarness): void {
  const store = useStore(harness)
  beforeEach(async () => {
    await look(store, harness.clock, { incidents: [incident('i1'), incident('over', { endedAt: later(1) })] })
  })
  const by = (person: string, event: Parameters<typeof entry>[0], ms = 0, once?: IncidentAnswer['once']) => {
    return { person, at: later(ms), entry: entry(event), once }
  }
  const events = async (id = 'i1') =>
    (await store.alerts.events([id])).map(({ kind, person, holder, text }) =>
      [kind, person, holder ?? text].filter((each) => each !== undefined).join(' '),
    )
  const recorded = async () => (await store.audit.list({ limit: 99 })).map(({ event }) => event).toReversed()
  const deliver = async () => {
    const posts = await store.outbox.claim(9)
    for (const post of posts) await store.outbox.delivered(post)
    return told(posts)
  }

  test('is kept in the order of time, on record, and told: who looks after it is told at once', async () => {
    const { alerts } = store
    expect(await alerts.assign('i1', 'U2', by('U1', 'alert_taken_over', 1))).toBe('assigned')
    expect([await deliver(), await deliver()]).toEqual([
      ['card i1', { status: 'acknowledged' }],
      [{ kind: 'taken_over', holder: 'U2', person: 'U1' }],
    ])
    expect(await alerts.assign('i1', 'U3', by('U3', 'alert_taken_over', 2))).toBe('assigned')
    expect(await alerts.incident('i1')).toMatchObject({ acknowledgedBy: 'U3', acknowledgedAt: later(2), revision: 3 })
    // The webhook knows that somebody does.
    expect([await deliver(), await deliver()]).toEqual([
      ['card i1'],
      [{ kind: 'taken_over', holder: 'U3', person: 'U3' }],
    ])
    expect(await alerts.release('i1', by('U3', 'alert_released', 3))).toBe('released')
    const { acknowledgedBy, acknowledgedAt, releasedAt } = (await alerts.incident('i1'))!
    expect([acknowledgedBy, acknowledgedAt, releasedAt]).toEqual([undefined, undefined, later(3)])
    expect([await deliver(), await deliver()]).toEqual([
      ['card i1', { status: 'released' }],
      [{ kind: 'released', person: 'U3' }],
    ])
    expect(await alerts.note('i1', 'a vendor looks at it', by('U4', 'alert_noted', 4))).toBe('noted')
    expect(await deliver()).toEqual([{ kind: 'note', text: 'a vendor looks at it', person: 'U4' }])
    await alerts.acknowledge('i1', { person: 'U5', at: later(5), entry: entry('alert_acknowledged') })
    await alerts.dismiss('i1', { person: 'U5', at: later(6), entry: entry('alert_dismissed') })
    expect(await events()).toEqual([
      'taken_over U1 U2',
      'taken_over U3 U3',
      'released U3',
      'note U4 a vendor looks at it',
      'acknowledged U5',
      'dismissed U5',
    ])
    expect(await recorded()).toEqual([
      'alert_taken_over',
      'alert_taken_over',
      'alert_released',
      'alert_noted',
      'alert_acknowledged',
      'alert_dismissed',
    ])
  })

  test('takes a note with an acknowledgement, once and told once, also where somebody was first', async () => {
    const { alerts } = store
    expect(await alerts.acknowledge('i1', by('U1', 'alert_acknowledged'), 'I look')).toBe('acknowledged')
    expect([await deliver(), await deliver()]).toEqual([
      ['card i1', { status: 'acknowledged' }],
      [{ kind: 'note', text: 'I look', person: 'U1' }],
    ])
    expect(await alerts.acknowledge('i1', by('U2', 'alert_acknowledged', 1), 'so do I')).toBe('already')
    expect(await deliver()).toEqual([{ kind: 'note', text: 'so do I', person: 'U2' }])
    expect((await events()).toSorted()).toEqual(['acknowledged U1', 'note U1 I look', 'note U2 so do I'])
    expect(await recorded()).toEqual(['alert_acknowledged', 'alert_acknowledged'])
    expect(await alerts.acknowledge('none', by('U1', 'alert_acknowledged'), 'x')).toBeUndefined()
  })

  test('of what changes nothing, nothing is kept, told or recorded', async () => {
    const { alerts } = store
    const take = (id: string) => alerts.assign(id, 'U1', by('U1', 'alert_taken_over'))
    const release = (id: string) => alerts.release(id, by('U1', 'alert_released'))
    expect([
      await take('none'),
      await release('none'),
      await alerts.note('none', 'x', by('U1', 'alert_noted')),
    ]).toEqual([undefined, undefined, undefined])
    expect([await take('over'), await release('over'), await release('i1')]).toEqual(['ended', 'ended', 'already'])
    expect([await events(), await events('over'), await recorded(), await deliver()]).toEqual([[], [], [], []])
    expect([await take('i1'), await take('i1')]).toEqual(['assigned', 'already'])
    expect([await events(), await recorded()]).toEqual([['taken_over U1 U1'], ['alert_taken_over']])
  })

  test('counts once, however often it is delivered, and not at all where its entry cannot be written', async () => {
    const once = { key: 'click', notAfterMs: Number.POSITIVE_INFINITY }
    const { alerts } = store
    await alerts.note('i1', 'once', by('U1', 'alert_noted', 0, once))
    const repeated = alerts.note('i1', 'once', by('U1', 'alert_noted', 0, once))
    await expect(repeated).rejects.toMatchObject({ code: 'repeated' })
    const unrecorded = { ...by('U1', 'alert_noted'), entry: entry('alert_noted', { summary: 'x'.repeat(2_001) }) }
    await expect(alerts.note('i1', 'unrecorded', unrecorded)).rejects.toThrow('Too big')
    await expect(alerts.assign('i1', 'U2', unrecorded)).rejects.toThrow('Too big')
    expect([await events(), await recorded()]).toEqual([['note U1 once'], ['alert_noted']])
    expect((await alerts.incident('i1'))?.acknowledgedBy).toBeUndefined()
  })

  test('of two who take over at once both are kept, and one has it', async () => {
    const ends = ['U1', 'U2'].map((person) => store.alerts.assign('i1', person, by(person, 'alert_taken_over')))
    expect(await Promise.all(ends)).toEqual(['assigned', 'assigned'])
    const holders = (await store.alerts.events(['i1'])).map(({ holder }) => holder)
    expect(holders).toHaveLength(2)
    expect(holders).toContain((await store.alerts.incident('i1'))?.acknowledgedBy)
    expect(await deliver()).toEqual(['card i1', { status: 'acknowledged' }])
  })

  test('takes so many notes, also when it is over, and keeps the newest of all else', async () => {
    const { alerts } = store
    for (let n = 0; n < MAX_NOTES_PER_INCIDENT; n += 1)
      expect(await alerts.note('over', `note ${n}`, by('U1', 'alert_noted', n))).toBe('noted')
    expect(await alerts.note('over', 'one more', by('U1', 'alert_noted'))).toBe('full')
    expect(await alerts.note('i1', 'another incident', by('U1', 'alert_noted'))).toBe('noted')
    expect(await recorded()).toHaveLength(MAX_NOTES_PER_INCIDENT + 1)
    for (let n = 0; n <= MAX_STEPS_PER_INCIDENT; n += 1)
      await alerts.assign('i1', `U${n}`, by(`U${n}`, 'alert_taken_over', n))
    const kept = await events()
    expect(kept).toHaveLength(MAX_STEPS_PER_INCIDENT + 1)
    expect([kept[0], kept[1], kept.at(-1)]).toEqual([
      'note U1 another incident',
      'taken_over U1 U1',
      'taken_over U100 U100',
    ])
    expect(await store.alerts.events(['over', 'i1'])).toHaveLength(MAX_NOTES_PER_INCIDENT + MAX_STEPS_PER_INCIDENT + 1)
    expect(await store.alerts.events([])).toEqual([])
  })

  test('is said even when the incident is dismissed before; what else waits for its thread is not', async () => {
    const { clock } = harness
    await look(store, clock, { posts: [newPost(clock, { body: 'worse' })] })
    await store.alerts.note('i1', 'a canary', by('U1', 'alert_noted'))
    // What comes in the same millisecond counts as coming with it.
    await harness.sql('update outbox set created_at = created_at - 1')
    await store.alerts.dismiss('i1', { person: 'U1', at: later(1), entry: entry('alert_dismissed') })
    expect([...(await deliver()), ...(await deliver())]).toEqual([
      { kind: 'note', text: 'a canary', person: 'U1' },
      'webhook i1',
      'card i1',
    ])
  })

  test('goes with its incident', async () => {
    await store.alerts.note('over', 'a note', by('U1', 'alert_noted'))
    await store.alerts.note('i1', 'a note', by('U1', 'alert_noted'))
    await store.prune(later(INCIDENT_RETENTION_MS + 1))
    expect(await events('i1')).toHaveLength(1)
    expect(await harness.sql('select id from incident_events')).toHaveLength(1)
  })
}
