import { Migrator } from 'kysely/migration'
import { beforeEach, expect, test } from 'vitest'
import { createAuditChain } from '../../src/store/audit-chain.ts'
import { MIGRATIONS } from '../../src/store/migrations.ts'
import { type StoreHarness, entry } from './harness.ts'

const AT = Date.UTC(2026, 9, 1)
const LATER = AT + 1_000
/** What the first version could leave behind: state, and whether its lease is over. */
const CHANGES = ['draft', 'approved', 'sending', 'done', 'unknown', 'cancelled'] as const

/** A store of the first version opened by this one, on any engine. */
export function migrationSuite(harness: () => StoreHarness): void {
  beforeEach(async () => {
    await harness().kysely(async (db) => {
      const { '001_first': first } = MIGRATIONS
      if (first === undefined) throw new Error('The first step is gone')
      const provider = { getMigrations: async () => ({ '001_first': first }) }
      const { error } = await new Migrator({ db, provider }).migrateToLatest()
      if (error !== undefined) throw error
    })
    for (const state of CHANGES) {
      const times = `${AT}, ${LATER}, ${AT + 600_000}`
      await harness().sql(`insert into changes (id, state, operation, "values", sentence, hash, requested_by, team,
        created_at, updated_at, expires_at, lease_holder, lease_until, view_external_id)
        values ('${state}', '${state}', 'dns add', '{"zone":"1"}', 'Add it', 'h1', 'U1', 'T1', ${times},
        ${state === 'sending' ? `'old', ${LATER}` : 'null, null'}, 'v1')`)
    }
    const row = { seq: 1, at: AT, actor: 'U1', team: 'T1', operation: 'dns add', event: 'done', summary: 'Ü' }
    const hash = createAuditChain(undefined).hash('', { ...row, changeId: 'done', detail: null })
    await harness().sql(`insert into audit_entries (seq, at, actor, team, operation, event, change_id, summary, hash)
      values (1, ${AT}, 'U1', 'T1', 'dns add', 'done', 'done', 'Ü', '${hash}')`)
    await harness().sql(`update audit_head set seq = 1, hash = '${hash}'`)
    await harness().sql(`insert into zone_names values ('dns', 'shop', 'Shop', '201', 'U1', ${AT})`)
  })

  test('keeps its record, its names and its changes', async () => {
    const store = await harness().open()
    expect(await store.audit.verify()).toMatchObject({ ok: true, entries: 1 })
    expect(await store.zones.list()).toMatchObject([{ name: 'Shop', zoneId: '201' }])
    const kept = { operation: 'dns add', values: { zone: '1' }, hash: 'h1', revision: 0, shownRevision: 0 }
    for (const state of CHANGES) expect(await store.changes.get(state)).toMatchObject({ ...kept, state })
    expect(await harness().sql('select name from kysely_migration order by name')).toEqual(
      Object.keys(MIGRATIONS).map((name) => ({ name })),
    )
  })

  test('tells nothing again that was told before', async () => {
    const store = await harness().open()
    expect(await store.changes.unshown(100)).toEqual([])
    const asked = (await Promise.all(CHANGES.map((id) => store.changes.get(id)))).flatMap((change) =>
      change?.requestedAt === undefined ? [] : [[change.id, change.requestedAt.getTime()]],
    )
    expect(asked).toEqual(['approved', 'sending', 'done', 'unknown'].map((id) => [id, AT]))
  })

  test('ends what the first version left open, and tells that', async () => {
    const store = await harness().open()
    const { clock } = harness()
    const step = (event: 'unknown' | 'expired') => () => ({ audit: entry(event) })
    expect(await store.changes.recover('new', clock.now(), step('unknown'))).toMatchObject([{ id: 'sending' }])
    expect(await store.changes.expire(clock.now(), step('expired'))).toMatchObject([{ id: 'approved' }])
    expect((await store.changes.unshown(100)).map(({ id }) => id).toSorted()).toEqual(['approved', 'sending'])
    expect(await store.audit.verify()).toMatchObject({ ok: true, entries: 3 })
  })

  test('is as it was when a later step fails half-way, and is brought up to date once nothing is in the way', async () => {
    await harness().sql('create table remembered (name text)')
    const before = await harness().columns()
    await expect(harness().open()).rejects.toThrow('The store refused the statement')
    expect((await harness().columns()).toSorted()).toEqual(before.toSorted())
    await harness().sql('drop table remembered')
    const store = await harness().open()
    expect(await store.audit.verify()).toMatchObject({ ok: true, entries: 1 })
  })

  test('has the tables of a new one', async () => {
    await harness().open()
    const columns = await harness().columns()
    expect(columns).toContain('changes.shown_revision')
    expect(columns).not.toContain('changes.view_external_id')
  })
}
