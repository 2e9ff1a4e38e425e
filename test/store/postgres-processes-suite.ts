import { expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { actor, createBench } from '../support/execution-bench.ts'
import { look, newPost } from './alert-fixtures.ts'
import { LIVE_LEASE, MINUTE_MS, type Opening, changeIn, entry } from './harness.ts'
import type { PostgresHarness } from './postgres-harness.ts'

/** What holds for several processes that share a server. */
export function postgresProcessesSuite(harness: () => PostgresHarness): void {
  test('that start at once make the tables once', async () => {
    const [one, ...others] = await Promise.all([harness().open(), harness().open(), harness().open()])
    await Promise.all([one, ...others].map((store) => store.audit.append(entry('read'))))
    expect(await one.audit.verify()).toMatchObject({ ok: true, entries: 3 })
    const taken = await harness().sql('select name from kysely_migration')
    expect(taken.map(({ name }) => name)).toEqual([...new Set(taken.map(({ name }) => name))])
  })

  test('have one winner of each step, one approval of each person and one effect of each delivery', async () => {
    const [one, two] = await Promise.all([harness().open(), harness().open()])
    const [both, { clock }] = [[one, two, one, two], harness()]
    const { id } = await changeIn(one, clock, 'approved')
    const waiting = await changeIn(one, clock, 'waiting', { hash: 'h1' })
    const { seq: before } = await one.audit.head()
    const step = {
      from: ['approved'],
      to: 'sending',
      lease: LIVE_LEASE,
      now: clock.now(),
      audit: entry('sending'),
    } as const
    const moved = await Promise.all(both.map((store) => store.changes.move(id, step)))
    expect(moved.filter((change) => change !== undefined)).toHaveLength(1)

    const approval = { changeId: waiting.id, person: 'U2', hash: 'h1', at: clock.now() }
    const ends = await Promise.all(both.map((store) => store.approvals.add(approval, entry('approval'))))
    expect(ends.map(({ kind }) => kind).toSorted()).toEqual(['approved', 'repeated', 'repeated', 'repeated'])

    const once = { key: 'command:1', notAfterMs: clock.monotonicMs() + MINUTE_MS }
    const added = await Promise.allSettled(
      both.map(({ audit }) => audit.record(({ append }) => append(entry('zone_added')), once)),
    )
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await two.audit.verify()).toMatchObject({ ok: true, entries: before + 3 })
  })

  test('share out the targets of the outbox, and one of them has each look', async () => {
    const [one, two] = await Promise.all([harness().open(), harness().open()])
    const posts = Array.from({ length: 40 }, (_, n) => newPost(harness().clock, { channelId: `C${n % 20}`, body: n }))
    const commit = (store: Store) => store.alerts.commit({ subject: 'pull/301', revision: 0, watch: 1, posts })
    expect((await Promise.all([one, two, one, two].map(commit))).filter(Boolean)).toHaveLength(1)
    const taken = await Promise.all([one, two, one, two, one, two].map((store) => store.outbox.claim(9)))
    const channels = taken.flat().map(({ channelId }) => channelId)
    expect(new Set(channels).size).toBe(channels.length)
    const rest = await two.outbox.claim(100)
    expect(new Set([...channels, ...rest.map(({ channelId }) => channelId)]).size).toBe(20)
  })

  test('have a click wait until another one has noted where the message stands', async () => {
    const shared = harness()
    const open = { open: (options?: Opening) => shared.open(options), close: async () => undefined }
    const [poster, clicked] = [await createBench({ harness: open }), await createBench({ harness: open })]
    const { id } = await poster.waiting()
    const [begun, posting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    poster.board.before = () => {
      begun.resolve()
      return posting.promise
    }
    const posted = poster.announcer.announce(id)
    await begun.promise
    const click = () => clicked.approvals.prompt(id, actor('operator', 'UOTHER'), { channel: 'COPS', ts: '1.0' })
    const early = click()
    await expect.poll(() => clicked.clock.timers).toBe(1)
    posting.resolve()
    await posted
    clicked.clock.turn(100)
    expect(await early).toMatchObject({ change: { id, messageTs: '1.0' }, prompt: { change: { id } } })
  })

  test('go by the clock of the server, not by their own', async () => {
    const store = await harness().open()
    // This process is five minutes ahead of the server.
    harness().clock.advance(5 * MINUTE_MS)
    const { id, expiresAt, leaseUntil } = await changeIn(store, harness().clock, 'sending', { lease: LIVE_LEASE })
    for (const [at, ms] of [
      [expiresAt, 10 * MINUTE_MS],
      [leaseUntil, LIVE_LEASE.durationMs],
    ] as const)
      expect(Math.abs(Number(at) - Date.now() - ms)).toBeLessThan(10_000)
    await look(store, harness().clock, { posts: [newPost(harness().clock, { body: 'due' })] })
    expect(await store.outbox.claim(9)).toMatchObject([{ body: 'due' }])
    const step = () => ({ audit: entry('unknown') })
    harness().clock.advance(60 * MINUTE_MS)
    expect(await store.changes.recover('another process', harness().clock.now(), step)).toEqual([])
    await harness().sql(`update changes set lease_until = (extract(epoch from clock_timestamp()) * 1000)::bigint`)
    expect(await store.changes.recover('another process', harness().clock.now(), step)).toMatchObject([{ id }])
  })

  test('have a lease for its whole time, however long they waited for their turn', async () => {
    const store = await harness().open()
    const { id } = await changeIn(store, harness().clock, 'approved')
    const step = { from: ['approved'], to: 'sending', lease: LIVE_LEASE, now: harness().clock.now() } as const
    const turnAt = await harness().connection(async (client) => {
      await client.query('begin')
      await client.query('select * from audit_head for update')
      const moved = store.changes.move(id, { ...step, audit: entry('sending') })
      await expect.poll(() => harness().sql('select 1 from pg_locks where not granted')).not.toEqual([])
      const { rows } = await client.query<{ now: string }>('select extract(epoch from clock_timestamp()) * 1000 as now')
      await client.query('rollback')
      await moved
      return Number(rows[0]?.now)
    })
    const [row] = await harness().sql('select lease_until from changes')
    expect(Number(row?.['lease_until'])).toBeGreaterThanOrEqual(Math.floor(turnAt) + LIVE_LEASE.durationMs)
  })
}
