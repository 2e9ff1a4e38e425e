import { beforeEach, describe, expect, test } from 'vitest'
import type { WritableState } from '../../src/store/engine/database.ts'
import type { Store } from '../../src/store/store.ts'
import { type LogLine, recordingLog } from '../support/recording-log.ts'
import { incident, look, newPost, OPENED, rule, silence } from './alert-fixtures.ts'
import { changeIn, entry, LIVE_LEASE, type StoreHarness } from './harness.ts'

/** A time that no program writes: both engines keep it, and no number holds it. */
const WRONG_TIME = '9007199254740993'

/** What becomes of a row that somebody has spoilt past the program, and of all others, on any engine. */
export function unreadableSuite(harness: StoreHarness): void {
  let store: Store
  let lines: readonly LogLine[]
  let told: WritableState[]
  beforeEach(async () => {
    const recording = recordingLog()
    lines = recording.lines
    told = []
    store = await harness.open({ log: recording.log, onWritable: (state) => told.push(state) })
  })
  const clock = () => harness.clock
  const spoil = (table: string, column: string, where: string) =>
    harness.sql(`update ${table} set ${column} = ${WRONG_TIME} where ${where}`)
  const said = () => lines.map(({ sentence, fields }) => `${sentence} ${String(fields['err'])}`)

  type Put = (id: string) => Promise<unknown>
  type List = () => Promise<readonly { readonly id: string }[]>
  const until = () => new Date(harness.clock.now().getTime() + 9e6)
  const named = { kind: 'pull', zoneId: '301', addedBy: 'U1', addedAt: OPENED } as const
  const note = async (text: string) => {
    await look(store, clock(), { incidents: [incident('i1')] })
    await store.alerts.note('i1', text, { person: 'U1', at: OPENED, entry: entry('alert_noted') })
    await harness.sql(`update incident_events set id = '${text}' where text = '${text}'`)
  }
  const mark = (id: string) => ({ id, pullZoneId: '301', at: OPENED, text: 'x', by: 'U1' })
  const zones = async () => (await store.zones.list()).map(({ name: id }) => ({ id }))

  describe.each<[table: string, column: string, put: Put, list: List]>([
    [
      'silences',
      'until_at',
      (id) => store.silences.add([silence(id, { until: until() })], () => entry('alert_silenced')),
      () => store.silences.list(OPENED),
    ],
    ['marks', 'at', (id) => store.marks.add(mark(id), entry('alert_marked')), () => store.marks.list('301', OPENED)],
    [
      'alert_rules',
      'created_at',
      (id) => store.alertRules.add([rule(id, { channelId: id })], () => entry('alert_added')),
      () => store.alertRules.list(),
    ],
    [
      'incidents',
      'opened_at',
      (id) => look(store, clock(), { incidents: [incident(id)] }),
      () => store.alerts.incidents({ limit: 10 }),
    ],
    ['incident_events', 'at', note, () => store.alerts.events(['i1'])],
    [
      'changes',
      'created_at',
      (id) => changeIn(store, clock(), 'waiting', { id }),
      () => store.changes.list({ limit: 1 }),
    ],
    ['zone_names', 'added_at', (name) => store.zones.add({ ...named, name }, entry('zone_added')), zones],
  ])('in %s', (table, column, put, list) => {
    test('is left out of the list and named in the log once, while the store goes on', async () => {
      await put('whole')
      await put('spoilt')
      await spoil(table, column, `${table === 'zone_names' ? 'name' : 'id'} = 'spoilt'`)
      expect((await list()).map(({ id }) => id)).toEqual(['whole'])
      await list()
      expect(said()).toEqual([expect.stringMatching(new RegExp(`cannot be read.*${table}.*spoilt`))])
      await store.audit.append(entry('read'))
      expect(await store.audit.verify()).toMatchObject({ ok: true })
      expect(told).toEqual([])
    })
  })

  test('is never sent when it is a change', async () => {
    await changeIn(store, clock(), 'approved', { id: 'spoilt' })
    await spoil('changes', 'created_at', `id = 'spoilt'`)
    const step = {
      from: ['approved'],
      to: 'sending',
      lease: LIVE_LEASE,
      now: clock().now(),
      audit: entry('sending'),
    } as const
    await expect(store.changes.move('spoilt', step)).rejects.toThrow('cannot be read')
    expect(await store.changes.list({ states: ['approved'], limit: 10 })).toEqual([])
    expect(await harness.sql('select state from changes')).toEqual([{ state: 'approved' }])
    expect((await store.audit.list({ limit: 9 })).map(({ event }) => event)).not.toContain('sending')
  })

  test('stands in the audit log as what it is, and verifying finds it', async () => {
    for (const summary of ['first', 'second', 'third']) await store.audit.append(entry('read', { summary }))
    await spoil('audit_entries', 'at', 'seq = 2')
    const [third, second, first] = await store.audit.list({ limit: 3 })
    expect([third, first]).toMatchObject([
      { seq: 3, summary: 'third' },
      { seq: 1, summary: 'first' },
    ])
    const summary = 'This entry cannot be read: see audit verify.'
    const rest = { actor: 'U1', team: 'T1', operation: 'dns add', hash: expect.any(String) as string }
    expect(second).toEqual({ ...rest, seq: 2, at: new Date(0), event: 'unreadable', summary })
    for await (const page of store.audit.pages()) expect(page).toEqual([first, second, third])
    expect(await store.audit.verify()).toMatchObject({ ok: false, firstBad: 2 })
    expect(await store.audit.append(entry('read'))).toMatchObject({ seq: 4 })
  })

  test('holds up no channel when it is a post, and is kept to be looked at', async () => {
    await look(store, clock(), { incidents: [incident('i1')], posts: [newPost(clock(), { body: 1 })] })
    await spoil('outbox', 'due_at', 'true') // Far ahead of now: it counts as due all the same.
    await look(store, clock(), { posts: [newPost(clock(), { body: 2 })] })
    expect(await store.outbox.claim(10)).toEqual([])
    expect(await store.outbox.claim(10)).toMatchObject([{ body: 2 }])
    expect(await harness.sql('select reason from dead_letters')).toHaveLength(1)
  })

  test('leaves the rest of what is known of a subject to be judged', async () => {
    await look(store, clock(), { incidents: [incident('i1'), incident('i2')] })
    await store.alertRules.add([rule('r1'), rule('r2', { channelId: 'C2' })], () => entry('alert_added'))
    const until = new Date(clock().now().getTime() + 9e6)
    for (const id of ['s1', 's2']) await store.silences.add([silence(id, { until })], () => entry('alert_silenced'))
    await spoil('incidents', 'opened_at', `id = 'i1'`)
    await spoil('silences', 'until_at', `id = 's1'`)
    await spoil('alert_rules', 'created_at', `id = 'r1'`)
    expect(await store.alerts.view('pull/301', OPENED)).toMatchObject({
      incidents: [{ id: 'i2' }],
      rules: [{ id: 'r2' }],
      silences: [{ id: 's2' }],
    })
  })

  test('is told to operators when it is the head of the record, once and until that is mended', async () => {
    await store.audit.append(entry('read'))
    const [head] = await harness.sql('select seq from audit_head')
    await spoil('audit_head', 'seq', 'true')
    for (let n = 0; n < 2; n += 1) {
      await expect(store.audit.append(entry('read'))).rejects.toThrow(/A row of audit_head .*cannot be read: seq/)
      await expect(store.probe()).rejects.toThrow('audit_head')
    }
    expect(await store.zones.list()).toEqual([])
    expect(told).toEqual([{ writable: false, why: 'corrupt' }])
    await harness.sql(`update audit_head set seq = ${String(head?.['seq'])}`)
    await store.prune(clock().now())
    expect(told).toEqual([{ writable: false, why: 'corrupt' }, { writable: true }])
  })

  test('keeps no other rule of its channel from being paused, and none of the file from being kept', async () => {
    const told = { at: OPENED, entry: () => entry('alert_paused'), notices: () => [] }
    const managed = [rule('m1', { kind: 'a' }), rule('m2', { kind: 'b' })]
    await store.alertRules.manage(managed, () => entry('alert_added'))
    await spoil('alert_rules', 'created_at', `id = 'm1'`)
    expect(await store.alertRules.pause('C1', 'gone', told)).toMatchObject([{ id: 'm2' }])
    await store.alertRules.manage([...managed, rule('m3', { kind: 'c' })], () => entry('alert_added'))
    expect((await store.alertRules.list()).map(({ id }) => id)).toEqual(['m2', 'm3'])
  })
}
