import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openStore } from '../../src/store/store.ts'
import { answersSuite } from './answers-suite.ts'
import { auditSuite } from './audit-suite.ts'
import { changeSweepSuite } from './change-sweep-suite.ts'
import { changesSuite } from './changes-suite.ts'
import { LIVE_LEASE, MINUTE_MS, changeIn, entry, silentLog } from './harness.ts'
import {
  type PostgresDatabase,
  type PostgresHarness,
  createPostgresDatabase,
  whyNoPostgres,
} from './postgres-harness.ts'
import { storeSuite } from './store-suite.ts'
import { zoneNamesSuite } from './zone-names-suite.ts'

const reason = await whyNoPostgres()
if (reason !== undefined) process.stderr.write(`Skipped, ${reason}\n`)

describe.skipIf(reason !== undefined)('PostgreSQL', () => {
  let database: PostgresDatabase
  let harness: PostgresHarness
  beforeAll(async () => {
    database = await createPostgresDatabase()
  })
  beforeEach(async () => {
    harness = await database.harness()
  })
  afterEach(() => harness.close())
  afterAll(() => database.drop())

  describe('store', () => {
    storeSuite(() => harness)
  })
  describe('audit', () => {
    auditSuite(() => harness)
  })
  describe('changes', () => {
    changesSuite(() => harness)
  })
  describe('change sweep', () => {
    changeSweepSuite(() => harness)
  })
  describe('zone names', () => {
    zoneNamesSuite(() => harness)
  })
  describe('answers', () => {
    answersSuite(() => harness)
  })

  describe('several processes', () => {
    test('that start at once make the tables once', async () => {
      const [one, ...others] = await Promise.all([harness.open(), harness.open(), harness.open()])
      await Promise.all([one, ...others].map((store) => store.audit.append(entry('read'))))
      expect(await one.audit.verify()).toMatchObject({ ok: true, entries: 3 })
      expect(await harness.sql('select name from kysely_migration')).toHaveLength(1)
    })

    test('share one chain and one winner', async () => {
      const [one, two] = await Promise.all([harness.open(), harness.open()])
      const { id } = await changeIn(one, harness.clock, 'approved')
      const step = { from: ['approved'], to: 'sending', lease: LIVE_LEASE, now: harness.clock.now() } as const
      const moves = [one, two, one, two].map((store) => store.changes.move(id, { ...step, audit: entry('sending') }))
      expect((await Promise.all(moves)).filter((change) => change !== undefined)).toHaveLength(1)
      await Promise.all(
        [one, two].flatMap((store) => Array.from({ length: 20 }, () => store.audit.append(entry('read')))),
      )
      expect(await two.audit.verify()).toMatchObject({ ok: true, entries: 43 })
    })

    test('go by the clock of the server, not by their own', async () => {
      const store = await harness.open()
      const { id } = await changeIn(store, harness.clock, 'sending', { lease: LIVE_LEASE })
      const step = () => ({ audit: entry('unknown') })
      harness.clock.advance(60 * MINUTE_MS)
      expect(await store.changes.recover('another process', harness.clock.now(), step)).toEqual([])
      await harness.sql(`update changes set lease_until = (extract(epoch from clock_timestamp()) * 1000)::bigint`)
      expect(await store.changes.recover('another process', harness.clock.now(), step)).toMatchObject([{ id }])
    })
  })

  describe('a server in trouble', () => {
    test('a lock held for too long ends the call, undone, and the store goes on', async () => {
      const store = await harness.open()
      await harness.connection(async (client) => {
        await client.query('begin')
        await client.query('select * from audit_head for update')
        await expect(store.audit.append(entry('read'))).rejects.toMatchObject({ kind: 'locked', code: '57014' })
        await client.query('rollback')
      })
      expect(await store.audit.append(entry('read'))).toMatchObject({ seq: 1 })
    })

    test('connections cut by the server are replaced', async () => {
      const store = await harness.open()
      await store.check()
      await harness.sql(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'cdn-ops'`)
      await expect
        .poll(() =>
          store.check().then(
            () => 'well',
            () => 'not yet',
          ),
        )
        .toBe('well')
    })

    test('a server that forbids writing is told from one that does not answer', async () => {
      await harness.open()
      await harness.sql(`do $$ begin execute format(
        'alter database %I set default_transaction_read_only = on', current_database()); end $$`)
      const store = await harness.open()
      await expect(store.check()).resolves.toBeUndefined()
      await expect(store.audit.append(entry('read'))).rejects.toMatchObject({ kind: 'read_only' })
    })

    test('no server and a wrong database are said without the password', async () => {
      for (const change of [{ port: '1' }, { pathname: 'no_such_database' }]) {
        const url = String(Object.assign(new URL(harness.url), { ...change, password: 'canary' }))
        const failure = await openStore({ url, clock: harness.clock, log: silentLog }).catch((error: unknown) => error)
        expect(failure).toMatchObject({ name: 'StoreError', kind: 'unreachable' })
        expect(`${String(failure)} ${JSON.stringify(failure)} ${(failure as Error).stack}`).not.toContain('canary')
      }
    })
  })
})
