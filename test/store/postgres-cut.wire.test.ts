import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { WritableState } from '../../src/store/engine/database.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts'
import { changeIn, entry, LIVE_LEASE, silentLog } from './harness.ts'
import {
  createPostgresDatabase,
  type PostgresDatabase,
  type PostgresHarness,
  whyNoPostgres,
} from './postgres-harness.ts'

const reason = await whyNoPostgres()

describe.skipIf(reason !== undefined)('a connection to PostgreSQL that is cut in a commit', () => {
  let database: PostgresDatabase
  let harness: PostgresHarness
  let proxy: CuttingProxy
  let store: Store
  let told: WritableState[]
  beforeAll(async () => void (database = await createPostgresDatabase()))
  beforeEach(async () => {
    harness = await database.harness()
    proxy = await startCuttingProxy(harness.url)
    told = []
    const { clock } = harness
    store = await openStore({ url: proxy.url, clock, log: silentLog, onWritable: (state) => told.push(state) })
  })
  afterEach(async () => {
    await store.close()
    await proxy.close()
    await harness.close()
  })
  afterAll(() => database.drop())

  test.each([
    ['after commit', 1],
    ['before commit', 0],
  ] as const)('%s was sent: it is not known, and the entry is there %i times', async (when, times) => {
    proxy.cut(when, 'the marked one')
    const marked = entry('read', { summary: 'the marked one' })
    await expect(store.audit.append(marked)).rejects.toMatchObject({ name: 'StoreError', kind: 'unanswered' })
    expect(proxy.cuts).toBe(1)
    expect(await store.audit.append(entry('read'))).toMatchObject({ seq: times + 1 })
    expect(await store.audit.verify()).toMatchObject({ ok: true, entries: times + 1 })
    expect(told).toEqual([{ writable: false, why: 'unreachable' }, { writable: true }])
  })

  test.each([
    ['after commit', 3],
    ['before commit', 1],
  ] as const)('%s of entries that were committed together tells each of them so', async (when, times) => {
    proxy.cut(when, 'the marked one')
    const marked = entry('read', { summary: 'the marked one' })
    const ends = await Promise.allSettled([entry('read'), entry('read'), marked].map((one) => store.audit.append(one)))
    const unanswered = { status: 'rejected', reason: { kind: 'unanswered' } }
    expect(ends).toMatchObject([{ status: 'fulfilled', value: { seq: 1 } }, unanswered, unanswered])
    expect(await store.audit.append(entry('read'))).toMatchObject({ seq: times + 1 })
    expect(await store.audit.verify()).toMatchObject({ ok: true, entries: times + 1 })
  })

  test('while a change goes out has it go out at most once, whoever takes it on', async () => {
    const { id } = await changeIn(store, harness.clock, 'approved')
    const step = { from: ['approved'], to: 'sending', lease: LIVE_LEASE, now: harness.clock.now() } as const
    proxy.cut('after commit', 'marked to be sent')
    const marked = entry('sending', { summary: 'marked to be sent' })
    await expect(store.changes.move(id, { ...step, audit: marked })).rejects.toMatchObject({ kind: 'unanswered' })
    // Nobody sends it: it is in `sending` already, and what is there is only ever told.
    expect(await store.changes.move(id, { ...step, audit: entry('sending') })).toBeUndefined()
    expect(await store.changes.get(id)).toMatchObject({ state: 'sending' })
    expect(await store.audit.verify()).toMatchObject({ ok: true })
  })

  test('while a delivery takes effect has it take effect once, when Slack sends it again', async () => {
    const once = { key: 'command:1', notAfterMs: harness.clock.monotonicMs() + 60_000 }
    const deliver = () =>
      store.audit.record(({ append }) => append(entry('zone_added', { summary: 'the marked one' })), once)
    proxy.cut('after commit', 'the marked one')
    await expect(deliver()).rejects.toMatchObject({ kind: 'unanswered' })
    await expect(deliver()).rejects.toMatchObject({ code: 'repeated' })
    expect(await store.audit.verify()).toMatchObject({ ok: true, entries: 1 })
  })
})
