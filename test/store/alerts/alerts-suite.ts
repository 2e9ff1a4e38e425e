import { expect, test } from 'vitest'
import {
  INCIDENT_RETENTION_MS,
  MARK_RETENTION_MS,
  MAX_INCIDENT_DOC_BYTES,
  RECENT_INCIDENT_MS,
} from '../../../src/store/schema/alert-records.ts'
import { MAX_MESSAGE_BYTES } from '../../../src/store/schema/tables.ts'
import { WATCH_RETENTION_MS } from '../../../src/store/alerts/alerts.ts'
import { OPENED, incident, look, minute, newPost, rule, silence, told } from '../alert-fixtures.ts'
import { MINUTE_MS, type StoreHarness, entry } from '../harness.ts'
import { useStore } from '../use-store.ts'

const later = (milliseconds: number) => new Date(OPENED.getTime() + milliseconds)

/** Where alerts stand, and what follows from a look, on any engine. */
export function alertsSuite(harness: StoreHarness): void {
  const store = useStore(harness)
  const commit = (more: Parameters<typeof look>[2]) => look(store, harness.clock, more)
  const acknowledge = (id: string, person = 'U1') =>
    store.alerts.acknowledge(id, { person, at: later(5_000), entry: entry('alert_acknowledged') })

  test('a look is written whole, once, and only on the revision that it began with', async () => {
    await store.alertRules.add([rule('r1')], () => entry('alert_added'))
    const states = [{ ruleId: 'r1', subject: 'pull/301', state: { phase: 'firing' } }]
    const whole = {
      watch: { cursor: 7 },
      minutes: [minute(1)],
      states,
      incidents: [incident('i1')],
      posts: [newPost(harness.clock, { what: 'card' })],
      entries: [entry('keys_changed')],
    }
    expect(await commit({ ...whole, revision: 1 })).toBe(false)
    expect(await store.alerts.view('pull/301', OPENED)).toMatchObject({ states: [], incidents: [], watch: undefined })
    expect(await commit(whole)).toBe(true)
    expect(await commit({ ...whole, revision: 0 })).toBe(false)
    expect(await store.alerts.view('pull/301', OPENED)).toEqual({
      rules: [rule('r1')],
      states,
      incidents: [{ ...incident('i1'), revision: 1, shownRevision: 0 }],
      silences: [],
      marks: [],
      watch: { subject: 'pull/301', state: { cursor: 7 }, revision: 1 },
    })
    expect(await store.minutes.known('301', 0, 9)).toBe(MINUTE_MS)
    expect(await store.outbox.waitingPosts()).toMatchObject({ count: 1 })
    expect((await store.audit.list({ limit: 9 })).map(({ event }) => event)).toEqual(['keys_changed', 'alert_added'])
  })

  test('of many who commit the same look, one does', async () => {
    for (const revision of [0, 1]) {
      const looks = Array.from({ length: 6 }, (_, n) => commit({ revision, incidents: [incident(`i${revision}${n}`)] }))
      expect((await Promise.all(looks)).filter(Boolean)).toHaveLength(1)
    }
    expect(await store.alerts.incidents({ limit: 9 })).toHaveLength(2)
  })

  test('what fails half-way leaves nothing', async () => {
    const { clock } = harness
    const tooLong = entry('keys_changed', { summary: 'x'.repeat(2_001) })
    await expect(commit({ incidents: [incident('i1')], entries: [tooLong] })).rejects.toThrow('Too big')
    const large = newPost(clock, { body: 'x'.repeat(MAX_MESSAGE_BYTES) })
    await expect(commit({ incidents: [incident('i1')], posts: [large] })).rejects.toThrow(RangeError)
    const doc = 'x'.repeat(MAX_INCIDENT_DOC_BYTES)
    await expect(commit({ minutes: [minute(1)], incidents: [incident('i1', { doc })] })).rejects.toThrow(RangeError)
    expect(await store.alerts.incident('i1')).toBeUndefined()
    expect(await store.minutes.span('301')).toBeUndefined()
    expect(await commit({ revision: 0 })).toBe(true)
  })

  test('the evaluation changes what is its own: place and acknowledgement stay until it takes that back', async () => {
    const { clock } = harness
    await commit({ incidents: [incident('i1')], posts: [newPost(clock, { what: 'card' })] })
    const [card] = await store.outbox.claim(1)
    await store.outbox.delivered(card!, { messageTs: '1.1', revision: 1, at: later(1) })
    expect(await acknowledge('i1')).toBe('acknowledged')
    const people = { acknowledgedBy: 'U1', acknowledgedAt: later(5_000), messageTs: '1.1', postedAt: later(1) }
    const again = incident('i1', { doc: 2, endedAt: later(9), openedAt: later(2), subject: 'account', channelId: 'C9' })
    await commit({ incidents: [again] })
    expect(await store.alerts.incident('i1')).toEqual({
      ...again,
      ...people,
      subject: 'pull/301',
      channelId: 'C1',
      revision: 3,
      shownRevision: 1,
    })
    await commit({ incidents: [incident('i1', { unacknowledge: true })] })
    const { acknowledgedBy, acknowledgedAt, endedAt, messageTs } = (await store.alerts.incident('i1'))!
    expect([acknowledgedBy, acknowledgedAt, endedAt, messageTs]).toEqual([undefined, undefined, undefined, '1.1'])
  })

  test('an incident is acknowledged by one person, on record, and its message says so at once', async () => {
    await commit({ incidents: [incident('i1'), incident('i2', { endedAt: later(1) })] })
    expect(await acknowledge('i9')).toBeUndefined()
    expect(await acknowledge('i2')).toBe('ended')
    const ends = await Promise.all(['U1', 'U2', 'U3'].map((person) => acknowledge('i1', person)))
    expect(ends.map(String).toSorted()).toEqual(['acknowledged', 'already', 'already'])
    expect(await store.audit.list({ limit: 9 })).toHaveLength(1)
    expect((await store.alerts.incident('i1'))?.revision).toBe(2)
    expect(told(await store.outbox.claim(9))).toEqual(['card i1', { status: 'acknowledged' }])
  })

  test('an acknowledgement between a look and its commit is kept', async () => {
    await commit({ incidents: [incident('i1')] })
    const [committed, acknowledged] = await Promise.all([
      store.alerts.commit({ subject: 'pull/301', revision: 1, watch: 1, incidents: [incident('i1', { doc: 2 })] }),
      acknowledge('i1'),
    ])
    expect([committed, acknowledged]).toEqual([true, 'acknowledged'])
    expect(await store.alerts.incident('i1')).toMatchObject({ acknowledgedBy: 'U1', doc: 2, revision: 3 })
  })

  const dismiss = (id: string, person = 'U1', at = later(5_000)) =>
    store.alerts.dismiss(id, { person, at, entry: entry('alert_dismissed') })

  test('an incident is dismissed by one person, on record: it ends, says so at once, and tells nothing else', async () => {
    const { clock } = harness
    await commit({
      incidents: [incident('i1'), incident('i2', { endedAt: later(1) })],
      posts: [newPost(clock), newPost(clock, { incidentId: 'i2', channelId: 'C2', body: 'i2' })],
    })
    expect(await dismiss('i9')).toBeUndefined()
    expect(await dismiss('i2')).toBe('ended')
    const ends = await Promise.all(['U1', 'U2', 'U3'].map((person) => dismiss('i1', person)))
    expect(ends.map(String).toSorted()).toEqual(['already', 'already', 'dismissed'])
    expect((await store.audit.list({ limit: 9 })).map(({ event }) => event)).toEqual(['alert_dismissed'])
    const { endedAt, revision, doc } = (await store.alerts.incident('i1'))!
    expect([endedAt, revision, doc]).toEqual([later(5_000), 2, incident('i1').doc])
    expect(told(await store.outbox.claim(9))).toEqual(['i2', 'card i1', 'webhook i1'])
  })

  test('a look that began before an answer is refused, and the next one knows of it', async () => {
    await commit({ incidents: [incident('i1')] })
    expect(await dismiss('i1')).toBe('dismissed')
    const late = { subject: 'pull/301', revision: 1, watch: 1, incidents: [incident('i1', { doc: 2 })] }
    expect(await store.alerts.commit(late)).toBe(false)
    const { incidents, watch } = await store.alerts.view('pull/301', OPENED)
    expect(incidents).toMatchObject([{ id: 'i1', dismissedBy: 'U1', endedAt: later(5_000) }])
    expect(watch?.revision).toBe(2)
  })

  test('a view has the answers of its subject for as long as they may count, the newest twenty', async () => {
    const ids = Array.from({ length: 22 }, (_, n) => `i${n + 10}`)
    await commit({ incidents: [...ids, 'i9'].map((id) => incident(id)) })
    await commit({ subject: 'account', incidents: [incident('other', { subject: 'account' })] })
    for (const [place, id] of ids.entries()) await dismiss(id, 'U1', later(place))
    for (const id of ['i9', 'other']) await dismiss(id, 'U1', later(99))
    const { incidents } = await store.alerts.view('pull/301', later(99 + RECENT_INCIDENT_MS))
    expect(incidents.map(({ id }) => id)).toEqual(['i9', ...ids.slice(3)].toSorted().toReversed())
  })

  test('a view has what concerns its subject and the present', async () => {
    const now = later(0)
    const ended = (ms: number) => ({ endedAt: later(-ms) })
    await store.alertRules.add(
      [rule('r1', { subject: 'storage/*' }), rule('r2', { subject: 'storage/55' }), rule('r3')],
      () => entry('alert_added'),
    )
    await commit({
      subject: 'storage/55',
      states: [
        { ruleId: 'r1', subject: 'storage/55', state: 1 },
        { ruleId: 'r1', subject: 'storage/56', state: 2 },
      ],
      incidents: [
        incident('i1', { subject: 'storage/55' }),
        incident('i2', { subject: 'storage/55', ...ended(RECENT_INCIDENT_MS - 1) }),
        incident('i3', { subject: 'storage/55', ...ended(RECENT_INCIDENT_MS) }),
        incident('i4', { subject: 'storage/56' }),
      ],
    })
    for (const [id, subject, ms] of [
      ['s1', 'storage/*', 1],
      ['s2', 'storage/55', 2],
      ['s3', 'storage/55', 0],
    ] as const)
      await store.silences.add([silence(id, { subject, until: later(ms) })], () => entry('alert_silenced'))
    const view = await store.alerts.view('storage/55', now)
    const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
    expect([idsOf(view.rules), idsOf(view.incidents), idsOf(view.silences)]).toEqual([
      ['r1', 'r2'],
      ['i2', 'i1'],
      ['s1', 's2'],
    ])
    expect(view.states.map(({ state }) => state)).toEqual([1])
    for (const [id, pullZoneId, ms] of [
      ['m1', '301', 0],
      ['m2', '301', 1 - MARK_RETENTION_MS],
      ['m3', '9', 0],
    ] as const)
      await store.marks.add({ id, pullZoneId, at: later(ms), text: id, by: 'U1' }, entry('alert_marked'))
    expect(idsOf((await store.alerts.view('pull/301', now)).marks)).toEqual(['m1', 'm2'])
    expect((await store.alerts.view('storage/301', now)).marks).toEqual([])
  })

  test('incidents are listed newest first, by what is asked', async () => {
    await commit({
      incidents: [
        incident('i1', { endedAt: later(50) }),
        incident('i2', { openedAt: later(10) }),
        incident('i3', { openedAt: later(20), channelId: 'C2', subject: 'account', endedAt: later(99) }),
      ],
    })
    const ids = async (filter: Partial<Parameters<typeof store.alerts.incidents>[0]>) =>
      (await store.alerts.incidents({ limit: 9, ...filter })).map(({ id }) => id)
    expect(await ids({})).toEqual(['i3', 'i2', 'i1'])
    expect(await ids({ limit: 1 })).toEqual(['i3'])
    expect(await ids({ open: true })).toEqual(['i2'])
    expect(await ids({ open: false, channelId: 'C1' })).toEqual(['i1'])
    expect(await ids({ subjects: ['account'] })).toEqual(['i3'])
    expect(await ids({ subjects: ['account', 'pull/301'] })).toHaveLength(3)
    expect(await ids({ subjects: [] })).toEqual([])
    expect(await ids({ until: OPENED })).toEqual(['i1'])
    expect(await ids({ since: later(51) })).toEqual(['i3', 'i2'])
    expect(await ids({ after: { id: 'i3', openedAt: later(20) } })).toEqual(['i2', 'i1'])
    expect(await ids({ after: { id: 'i2', openedAt: OPENED } })).toEqual(['i1'])
    expect(await ids({ after: { id: 'i1', openedAt: OPENED } })).toEqual([])
  })

  test('an incident goes 90 days after its end, and one that is open stays', async () => {
    await commit({ incidents: [incident('i1', { endedAt: OPENED }), incident('i2')] })
    const ids = async () => (await store.alerts.incidents({ limit: 9 })).map(({ id }) => id)
    await store.prune(later(INCIDENT_RETENTION_MS - 1))
    expect(await ids()).toEqual(['i2', 'i1'])
    await store.prune(later(INCIDENT_RETENTION_MS))
    expect(await ids()).toEqual(['i2'])
  })

  test('a subject at which nobody has looked for long begins anew', async () => {
    await commit({})
    await harness.sql('update alert_watches set at = 5')
    await store.prune(new Date(WATCH_RETENTION_MS + 4))
    expect((await store.alerts.view('pull/301', OPENED)).watch).toMatchObject({ revision: 1 })
    await store.prune(new Date(WATCH_RETENTION_MS + 5))
    expect((await store.alerts.view('pull/301', OPENED)).watch).toBeUndefined()
  })
}
