import { expect, test } from 'vitest'
import type { ChangeMove } from '../../../src/store/changes/change-steps.ts'
import { MAX_CHANGE_VALUES_BYTES } from '../../../src/store/schema/change.ts'
import { MAX_DRAFTS_PER_PERSON, MAX_OPEN_CHANGES_PER_PERSON } from '../../../src/store/changes/changes.ts'
import { takeNotices } from '../../support/notices.ts'
import { DEAD_LEASE, LIVE_LEASE, MINUTE_MS, type StoreHarness, changeIn, entry, newChange } from '../harness.ts'
import { useStore } from '../use-store.ts'

/** What a change's own life must keep to, on any engine. */
export function changesSuite(harness: StoreHarness): void {
  const store = useStore(harness)
  const clock = () => harness.clock
  const move = (step: Partial<ChangeMove> & Pick<ChangeMove, 'from' | 'to'>): ChangeMove => ({
    now: clock().now(),
    audit: entry('requested'),
    ...step,
  })

  test('a draft is read back as it was given, lists and odd characters included', async () => {
    const values = { lines: ['A=1', 'B=\0\uD800'], name: '"ü" \u202E 👩‍🚀' }
    const change = await changeIn(store, clock(), 'draft', { values, sentence: 'Half \uD800 and \0', channelId: 'C1' })
    expect(await store.changes.get(change.id)).toEqual(change)
    expect(change.sentence).toBe('Half \uFFFD and \uFFFD')
    expect(change).toMatchObject({ state: 'draft', values, channelId: 'C1', requestedBy: 'U1' })
    expect(await store.changes.get('no such id')).toBeUndefined()
  })

  test('a change is found by the beginning of its id, and more than one by what they share', async () => {
    const ids = ['01234567', '01234568', '0123456f', 'ffffffff'].map((beginning) => beginning.padEnd(32, 'a'))
    for (const id of ids) await changeIn(store, clock(), 'draft', { id })
    const find = async (beginning: string) => (await store.changes.find(beginning)).map(({ id }) => id)
    for (const id of ids) {
      expect(await find(id.slice(0, 8))).toEqual([id])
      expect(await find(id)).toEqual([id])
    }
    expect(await find('0123456')).toHaveLength(2)
    expect(await find('0123456e')).toEqual([])
  })

  test('only a draft can be edited', async () => {
    const { id } = await changeIn(store, clock(), 'draft')
    expect(await store.changes.saveDraft(id, { zone: '2' })).toMatchObject({ values: { zone: '2' } })
    await store.changes.saveDraft(id, { zone: '2' }, { hash: 'h2', sentence: 'Add it' })
    await store.changes.move(id, move({ from: ['draft'], to: 'waiting' }))
    expect(await store.changes.saveDraft(id, { zone: '3' }, { hash: 'h3' })).toBeUndefined()
    expect(await store.changes.get(id)).toMatchObject({
      state: 'waiting',
      values: { zone: '2' },
      hash: 'h2',
      sentence: 'Add it',
    })
  })

  test('what was done is found by when it was, newest first, and nothing else is', async () => {
    const { endedAt: from = new Date(0) } = await changeIn(store, clock(), 'done', { sentence: 'first' })
    const refused = await changeIn(store, clock(), 'sending', { sentence: 'refused' })
    const rejected = await store.changes.move(refused.id, move({ from: ['sending'], to: 'rejected' }))
    await changeIn(store, clock(), 'unknown', { sentence: 'who knows' })
    const { endedAt: until = from } = await changeIn(store, clock(), 'done', { sentence: 'last' })
    const between = Number(rejected?.endedAt)
    expect(from.getTime() < between && between < until.getTime()).toBe(true)
    const found = (more: object) => store.changes.doneBetween({ from, until, limit: 9, ...more })
    expect(await found({})).toEqual([
      { at: until, sentence: 'last' },
      { at: from, sentence: 'first' },
    ])
    expect(await found({ limit: 1 })).toHaveLength(1)
    expect(await found({ until: new Date(until.getTime() - 1) })).toEqual([{ at: from, sentence: 'first' }])
    expect(await found({ from: new Date(from.getTime() + 1) })).toEqual([{ at: until, sentence: 'last' }])
  })

  test('changes are found by when they were under way; what is not settled still is', async () => {
    const done = await changeIn(store, clock(), 'done', { sentence: 'done' })
    const endedMs = Number(done.endedAt)
    clock().advance(MINUTE_MS)
    const waiting = await changeIn(store, clock(), 'waiting', { sentence: 'waiting' })
    const beganMs = waiting.createdAt.getTime()
    const found = async (sinceMs: number, untilMs: number) => {
      const query = { since: new Date(sinceMs), until: new Date(untilMs), limit: 9 }
      return (await store.changes.list(query)).map(({ sentence }) => sentence)
    }
    expect(await found(endedMs, beganMs)).toEqual(['waiting', 'done'])
    expect(await found(endedMs + 1, beganMs + MINUTE_MS)).toEqual(['waiting'])
    expect(await found(endedMs, beganMs - 1)).toEqual(['done'])
    expect(await found(beganMs + MINUTE_MS, beganMs + 2 * MINUTE_MS)).toEqual(['waiting'])
  })

  test('a move that is ready too late is taken back whole', async () => {
    const before = await changeIn(store, clock(), 'draft')
    const notices = [{ recipient: 'U1', message: 'told' }]
    const step = move({ from: ['draft'], to: 'waiting', notices, notAfterMs: clock().monotonicMs() })
    const entries = (await store.audit.list({ limit: 100 })).length
    await expect(store.changes.move(before.id, step)).rejects.toMatchObject({ code: 'busy' })
    expect(await store.changes.get(before.id)).toEqual(before)
    expect(await store.audit.list({ limit: 100 })).toHaveLength(entries)
    expect(await takeNotices(store)).toEqual([])
    const inTime = { ...step, notAfterMs: clock().monotonicMs() + MINUTE_MS }
    expect(await store.changes.move(before.id, inTime)).toMatchObject({ state: 'waiting' })
  })

  test('a move writes what it names, leaves the rest, and is on record', async () => {
    const before = await changeIn(store, clock(), 'waiting', { channelId: 'C1', hash: 'h1' })
    clock().advance(5_000)
    const step = move({
      from: ['waiting'],
      to: 'denied',
      set: { outcome: 'Not today', values: { env: 'A=…' } },
      audit: entry('denied', { changeId: before.id }),
    })
    const after = await store.changes.move(before.id, step)
    expect(after).toEqual({
      ...before,
      state: 'denied',
      outcome: 'Not today',
      values: { env: 'A=…' },
      revision: before.revision + 1,
      updatedAt: step.now,
      endedAt: step.now,
    })
    expect(await store.changes.get(before.id)).toEqual(after)
    expect(await store.audit.list({ limit: 5, changeId: before.id })).toMatchObject([{ event: 'denied' }])
  })

  test('sending has a lease and a time, and what comes after has no lease', async () => {
    const sending = await changeIn(store, clock(), 'sending')
    expect(sending.leaseHolder).toBe(LIVE_LEASE.holder)
    expect(Math.abs(Number(sending.leaseUntil) - Date.now() - LIVE_LEASE.durationMs)).toBeLessThan(10_000)
    expect(sending.sentAt).toBeInstanceOf(Date)
    const done = await store.changes.move(sending.id, move({ from: ['sending'], to: 'done' }))
    expect(done).toMatchObject({ state: 'done', sentAt: sending.sentAt, endedAt: expect.any(Date) as Date })
    expect(done?.leaseHolder ?? done?.leaseUntil).toBeUndefined()
  })

  test('of many moves at once one wins, and one is on record', async () => {
    const { id } = await changeIn(store, clock(), 'approved')
    const step = move({ from: ['approved'], to: 'sending', lease: LIVE_LEASE, audit: entry('sending') })
    const results = await Promise.all(Array.from({ length: 10 }, () => store.changes.move(id, step)))
    expect(results.filter((result) => result !== undefined)).toHaveLength(1)
    const entries = await store.audit.list({ limit: 50 })
    expect(entries.filter(({ event }) => event === 'sending')).toHaveLength(1)
  })

  test('a lost move leaves neither a change nor an entry', async () => {
    const before = await changeIn(store, clock(), 'waiting')
    const recorded = await store.audit.list({ limit: 50 })
    expect(await store.changes.move(before.id, move({ from: ['unknown'], to: 'done' }))).toBeUndefined()
    expect(await store.changes.move('no such id', move({ from: ['waiting'], to: 'approved' }))).toBeUndefined()
    expect(await store.changes.get(before.id)).toEqual(before)
    expect(await store.audit.list({ limit: 50 })).toEqual(recorded)
  })

  test('a move that cannot be put on record does not happen', async () => {
    const { id } = await changeIn(store, clock(), 'approved')
    await harness.sql('alter table audit_entries rename to audit_gone')
    const step = move({ from: ['approved'], to: 'sending', lease: LIVE_LEASE })
    await expect(store.changes.move(id, step)).rejects.toMatchObject({ name: 'StoreError', kind: 'other' })
    expect(await store.changes.get(id)).toMatchObject({ state: 'approved' })
    await harness.sql('alter table audit_gone rename to audit_entries')
    expect(await store.audit.verify()).toMatchObject({ ok: true })
  })

  test('a way that the table does not have is a fault, whatever state the change is in', async () => {
    const { id } = await changeIn(store, clock(), 'waiting')
    for (const step of [
      move({ from: ['waiting'], to: 'sending', lease: LIVE_LEASE }),
      move({ from: ['waiting', 'done'], to: 'cancelled' }),
      move({ from: [], to: 'cancelled' }),
    ]) {
      await expect(store.changes.move(id, step)).rejects.toThrow(RangeError)
    }
    expect(await store.changes.get(id)).toMatchObject({ state: 'waiting' })
  })

  test('what was approved is not sent after its deadline', async () => {
    const expiresAt = new Date(clock().now().getTime() - 1)
    const over = await changeIn(store, clock(), 'approved', { expiresAt })
    const { id } = over
    expect(await store.changes.isOver(over)).toBe(true)
    expect(await store.changes.isOver({ ...over, expiresAt: new Date(Date.now() + MINUTE_MS) })).toBe(false)
    expect(await store.changes.move(id, move({ from: ['approved'], to: 'sending', lease: DEAD_LEASE }))).toBeUndefined()
    expect(await store.changes.get(id)).toMatchObject({ state: 'approved' })
  })

  test('a person has a bounded number of changes open, others have their own', async () => {
    for (let n = 0; n < MAX_OPEN_CHANGES_PER_PERSON; n++) await changeIn(store, clock(), 'waiting')
    const refused = await store.changes.create(newChange(clock()))
    expect(refused).toEqual({ kind: 'too_many_open', open: MAX_OPEN_CHANGES_PER_PERSON })
    expect(await store.changes.create(newChange(clock(), { requestedBy: 'U2' }))).toMatchObject({ kind: 'created' })
    const [oldest] = (await store.changes.list({ limit: 100, requestedBy: 'U1' })).slice(-1)
    await store.changes.move(oldest!.id, move({ from: ['waiting'], to: 'cancelled' }))
    expect(await store.changes.create(newChange(clock()))).toMatchObject({ kind: 'created' })
  })

  test('forms left behind do not shut a person out: the oldest goes', async () => {
    const first = await changeIn(store, clock(), 'draft')
    clock().advance(MINUTE_MS)
    for (let n = 1; n < MAX_DRAFTS_PER_PERSON; n++) await changeIn(store, clock(), 'draft')
    expect(await store.changes.get(first.id)).toBeDefined()
    await changeIn(store, clock(), 'draft')
    expect(await store.changes.get(first.id)).toBeUndefined()
    expect(await store.changes.list({ limit: 100 })).toHaveLength(MAX_DRAFTS_PER_PERSON)
  })

  test('the list is newest first, filtered, and continues where a page ended, even within one millisecond', async () => {
    const at = clock().now()
    const still = { ...clock(), now: () => at }
    Object.assign(store, await harness.open({ clock: still }))
    for (let n = 0; n < 5; n++) await changeIn(store, still, 'waiting', { requestedBy: n === 4 ? 'U2' : 'U1' })
    await changeIn(store, still, 'draft', { requestedBy: 'U1', sentence: 'Add it' })
    const all = await store.changes.list({ limit: 100 })
    const first = await store.changes.list({ limit: 4 })
    const second = await store.changes.list({ limit: 4, before: first[3] })
    expect([...first, ...second]).toEqual(all)
    expect(all).toHaveLength(6)
    expect(await store.changes.list({ limit: 100, requestedBy: 'U1', states: ['waiting'] })).toHaveLength(4)
    expect(await store.changes.list({ limit: 100, states: [] })).toEqual([])
    expect(await store.changes.list({ limit: 100, oldestFirst: true })).toEqual(all.toReversed())
    expect(await store.changes.list({ limit: 100, askedFor: true })).toMatchObject([{ sentence: 'Add it' }])
  })

  test('values are bounded', async () => {
    const values = { value: 'x'.repeat(MAX_CHANGE_VALUES_BYTES) }
    await expect(store.changes.create(newChange(clock(), { values }))).rejects.toThrow(RangeError)
  })
}
