import { expect, test } from 'vitest'
import { CHANGE_RETENTION_MS, DRAFT_RETENTION_MS } from '../../../src/store/changes/change-steps.ts'
import { DEAD_LEASE, LIVE_LEASE, MINUTE_MS, type StoreHarness, changeIn, entry } from '../harness.ts'
import { useStore } from '../use-store.ts'

/** What time and crashes do to changes, on any engine. */
export function changeSweepSuite(harness: StoreHarness): void {
  const store = useStore(harness)
  const clock = () => harness.clock

  test('what nobody sends any more becomes unknown, once and on record; what is being sent stays', async () => {
    const dead = await changeIn(store, clock(), 'sending', { lease: DEAD_LEASE })
    const live = await changeIn(store, clock(), 'sending', { lease: LIVE_LEASE })
    const recover = () =>
      store.changes.recover(LIVE_LEASE.holder, clock().now(), ({ id, state }) => ({
        audit: entry('unknown', { changeId: id, summary: `Was ${state}` }),
        set: { outcome: 'Nobody knows' },
      }))
    const [first, second] = await Promise.all([recover(), recover()])
    const recovered = [...first, ...second]
    expect(recovered).toMatchObject([{ id: dead.id, state: 'unknown', outcome: 'Nobody knows' }])
    expect(recovered[0]?.leaseHolder ?? recovered[0]?.endedAt).toBeUndefined()
    expect(await store.changes.get(live.id)).toEqual(live)
    const entries = await store.audit.list({ limit: 10, changeId: dead.id })
    expect(entries).toMatchObject([{ event: 'unknown', summary: 'Was sending' }])
    expect(await store.audit.verify()).toMatchObject({ ok: true })
  })

  test('a late answer settles what was unknown, and a second one is lost', async () => {
    const { id } = await changeIn(store, clock(), 'unknown')
    const late = { from: ['sending', 'unknown'], to: 'done', now: clock().now(), audit: entry('done') } as const
    expect(await store.changes.move(id, late)).toMatchObject({ state: 'done', endedAt: late.now })
    expect(await store.changes.move(id, late)).toBeUndefined()
  })

  test('what waited too long by the clock of the store expires, with its values replaced; nothing else does', async () => {
    const soon = new Date(clock().now().getTime() + MINUTE_MS)
    const now = clock().now()
    const waiting = await changeIn(store, clock(), 'waiting', { expiresAt: soon })
    const approved = await changeIn(store, clock(), 'approved', { expiresAt: soon })
    const others = [
      await changeIn(store, clock(), 'draft', { expiresAt: soon }),
      await changeIn(store, clock(), 'sending', { expiresAt: soon }),
      await changeIn(store, clock(), 'unknown', { expiresAt: soon }),
      await changeIn(store, clock(), 'waiting'),
    ]
    const step = () => ({ audit: entry('expired'), set: { values: { env: 'A=…' } } })
    expect(await store.changes.expire(new Date(soon.getTime() + MINUTE_MS), step)).toEqual([])
    const ids = [waiting, approved].map(({ id }) => `'${id}'`).join(', ')
    await harness.sql(`update changes set expires_at = ${now.getTime() - 1} where id in (${ids})`)
    const expired = await store.changes.expire(now, step)
    expect(expired.map(({ id }) => id).toSorted()).toEqual([waiting.id, approved.id].toSorted())
    expect(await store.changes.get(waiting.id)).toMatchObject({
      state: 'expired',
      endedAt: now,
      values: { env: 'A=…' },
    })
    for (const other of others) expect(await store.changes.get(other.id)).toEqual(other)
    expect((await store.audit.list({ limit: 2 })).map(({ event }) => event)).toEqual(['expired', 'expired'])
  })

  test('a sweep goes on where its first batch ends', async () => {
    const expiresAt = clock().now()
    for (let n = 0; n < 105; n++)
      await changeIn(store, clock(), 'waiting', { expiresAt, requestedBy: `U${n}`, requestHash: 'h1' })
    expect(await store.changes.list({ limit: 1_000 })).toHaveLength(100)
    expect(await store.changes.unshown(1_000)).toHaveLength(100)
    expect(await store.changes.alike('h1', expiresAt)).toHaveLength(10)
    expect(await store.changes.expire(clock().now(), () => ({ audit: entry('expired') }))).toHaveLength(105)
    expect(await store.changes.list({ limit: 100, states: ['waiting'] })).toEqual([])
  })

  test('what cannot be read, or written about, holds up nothing else', async () => {
    const expiresAt = clock().now()
    const given = (n: number) => ({ lease: DEAD_LEASE, id: `a${n}`, requestedBy: `U${n}` })
    for (let n = 0; n < 103; n++) await changeIn(store, clock(), 'sending', given(n))
    await harness.sql(`update changes set "values" = 'no JSON' where id <> 'a0'`)
    const whole = await changeIn(store, clock(), 'sending', { lease: DEAD_LEASE, id: 'z', requestedBy: 'UZ' })
    const waits = await changeIn(store, clock(), 'waiting', { expiresAt })
    const step = ({ id }: { readonly id: string }) => {
      if (id === 'a0') throw new TypeError('a bug')
      return { audit: entry('unknown') }
    }
    expect(await store.changes.recover('another process', clock().now(), step)).toMatchObject([{ id: whole.id }])
    const left = await harness.sql(`select count(*) as n from changes where state = 'sending'`)
    expect(Number(left[0]?.['n'])).toBe(103)
    expect(await store.changes.expire(clock().now(), step)).toMatchObject([{ id: waits.id }])
    await expect(store.check()).resolves.toBeUndefined()
  })

  test('the same request is found where it happened or may still happen', async () => {
    const start = clock().now()
    await changeIn(store, clock(), 'draft', { requestHash: 'h1' })
    const unknown = await changeIn(store, clock(), 'unknown', { requestHash: 'h1' })
    await changeIn(store, clock(), 'done', { requestHash: 'h2' })
    const cancelled = await changeIn(store, clock(), 'waiting', { requestHash: 'h1' })
    await store.changes.move(cancelled.id, {
      from: ['waiting'],
      to: 'cancelled',
      now: start,
      audit: entry('cancelled'),
    })
    clock().advance(MINUTE_MS)
    const done = await changeIn(store, clock(), 'done', { requestHash: 'h1' })
    const alike = async (since: Date) => (await store.changes.alike('h1', since)).map(({ id }) => id)
    expect(await alike(start)).toEqual([done.id, unknown.id])
    expect(await alike(done.updatedAt)).toEqual([done.id, unknown.id])
    // What is not settled may have happened, however long ago.
    expect(await alike(new Date(done.updatedAt.getTime() + 1))).toEqual([unknown.id])
  })

  test('abandoned forms and changes long ended are deleted, what is unknown is not', async () => {
    const draft = await changeIn(store, clock(), 'draft')
    // Changes of the same millisecond have no order.
    clock().advance(1)
    const done = await changeIn(store, clock(), 'done')
    clock().advance(1)
    const unknown = await changeIn(store, clock(), 'unknown')
    const after = (milliseconds: number) => new Date(done.updatedAt.getTime() + milliseconds)
    const left = async (at: Date) => {
      await store.changes.prune(at)
      return store.changes.list({ limit: 10, oldestFirst: true })
    }
    expect(await left(new Date(draft.updatedAt.getTime() + DRAFT_RETENTION_MS - 1))).toEqual([draft, done, unknown])
    expect(await left(after(DRAFT_RETENTION_MS))).toEqual([done, unknown])
    expect(await left(after(CHANGE_RETENTION_MS - 1))).toEqual([done, unknown])
    expect(await left(after(CHANGE_RETENTION_MS))).toEqual([unknown])
    expect(await store.audit.verify()).toMatchObject({ ok: true })
  })
}
