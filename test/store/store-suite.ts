import { expect, test } from 'vitest'
import { incident, look } from './alert-fixtures.ts'
import { type StoreHarness, changeIn, entry } from './harness.ts'

/** What holds for the store as a whole, on any engine. */
export function storeSuite(harness: StoreHarness): void {
  test('opened again it holds what it held, and no table is made twice', async () => {
    const first = await harness.open()
    const change = await changeIn(first, harness.clock, 'done')
    await first.close()
    const steps = await harness.sql('select name, timestamp from kysely_migration')
    const second = await harness.open()
    expect(await second.changes.get(change.id)).toEqual(change)
    expect(steps.map(({ name }) => name)).toContain('001_initial')
    expect(await harness.sql('select name, timestamp from kysely_migration')).toEqual(steps)
  })

  test('a store of the first version gets what is new, and keeps what it has', async () => {
    const { clock } = harness
    const first = await harness.open()
    const change = await changeIn(first, clock, 'done')
    await look(first, clock, { incidents: [incident('i1')] })
    await first.close()
    const columns = await harness.columns()
    for (const table of ['incident_events', 'replicas', 'lease', 'log_slots', 'response_addresses', 'digests'])
      await harness.sql(`drop table ${table}`)
    await harness.sql('alter table incidents drop column released_at')
    await harness.sql(`delete from kysely_migration where name <> '001_initial'`)
    const store = await harness.open()
    expect((await harness.columns()).toSorted()).toEqual(columns.toSorted())
    expect(await store.changes.get(change.id)).toEqual(change)
    const note = { person: 'U1', at: clock.now(), entry: entry('alert_noted') }
    expect(await store.alerts.note('i1', 'as before', note)).toBe('noted')
    expect(await store.alerts.incident('i1')).toMatchObject({ ...incident('i1'), revision: 1 })
  })

  test('a store of an older version that is asked for as it is is refused, and is as it was', async () => {
    await (await harness.open()).close()
    await harness.sql(`delete from kysely_migration where name > '002'`)
    await expect(harness.open({ asItIs: true })).rejects.toThrow('older version')
    expect(await harness.sql('select name from kysely_migration')).toHaveLength(1)
    await harness.sql('drop table kysely_migration')
    await expect(harness.open({ asItIs: true })).rejects.toThrow('There is no store of CDN Ops in it')
  })

  test('a store that a newer version has used is refused', async () => {
    await (await harness.open()).close()
    await harness.sql(`insert into kysely_migration (name, timestamp) values ('999_later', '2027-01-01T00:00:00.000Z')`)
    await expect(harness.open()).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringContaining('newer version') as string,
    })
  })

  test('tables that cannot all be made leave none, and are made once nothing is in the way', async () => {
    await harness.dropTables()
    await harness.sql('create table marks (name text)')
    await expect(harness.open()).rejects.toThrow('The store refused the statement')
    expect((await harness.columns()).filter((name) => !name.startsWith('kysely'))).toEqual(['marks.name'])
    await harness.sql('drop table marks')
    const store = await harness.open()
    await expect(store.check()).resolves.toBeUndefined()
  })

  test('it says that it is well, and that it is not', async () => {
    const store = await harness.open()
    await expect(store.check()).resolves.toBeUndefined()
    await harness.sql('delete from audit_head')
    await expect(store.check()).rejects.toMatchObject({ name: 'StoreError', kind: 'corrupt' })
  })

  test('a row that is not what the program writes is refused without its contents', async () => {
    const store = await harness.open()
    const { id } = await changeIn(store, harness.clock, 'draft')
    await harness.sql(`update changes set state = 'canary state', "values" = 'canary values'`)
    const failure = await store.changes.get(id).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'StoreError', kind: 'corrupt' })
    expect(String(failure)).toContain('state, values')
    expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toContain('canary')
  })

  test('a failure of the database says what, not with which values', async () => {
    const store = await harness.open()
    const { id } = await changeIn(store, harness.clock, 'draft', { id: 'canary-id' })
    const failure = await changeIn(store, harness.clock, 'draft', { id }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'StoreError', kind: 'other' })
    expect((failure as Error).cause).toBeUndefined()
    expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toContain('canary')
  })

  test('it has no column for a secret', async () => {
    await harness.open()
    const columns = await harness.columns()
    expect(columns).toContain('changes.values')
    expect(columns.filter((column) => /key|secret|token|password|credential/i.test(column))).toEqual([])
  })

  test('it can be closed twice, and then says that it is closed', async () => {
    const store = await harness.open()
    await store.close()
    await expect(store.close()).resolves.toBeUndefined()
    await expect(store.check()).rejects.toMatchObject({ name: 'StoreError', kind: 'unreachable' })
    await expect(store.audit.append(entry('read'))).rejects.toThrow('closed')
  })
}
