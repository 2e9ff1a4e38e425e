import { beforeEach, describe, expect, test } from 'vitest'
import type { Approval } from '../../../src/store/changes/approvals.ts'
import { CHANGE_RETENTION_MS } from '../../../src/store/changes/change-steps.ts'
import type { Change } from '../../../src/store/schema/change.ts'
import { type StoreHarness, changeIn, entry } from '../harness.ts'
import { useStore } from '../use-store.ts'

/** Who is for a change, on any engine. */
export function approvalsSuite(harness: StoreHarness): void {
  let waiting: Change
  const store = useStore(harness)
  beforeEach(async () => {
    waiting = await changeIn(store, harness.clock, 'waiting', { hash: 'h1' })
  })
  const by = (person: string, more: Partial<Approval> = {}): Approval => ({
    changeId: waiting.id,
    person,
    hash: 'h1',
    at: harness.clock.now(),
    ...more,
  })
  const add = (approval: Approval) =>
    store.approvals.add(approval, entry('approval', { actor: approval.person, changeId: approval.changeId }))
  const recorded = async () => (await store.audit.list({ limit: 100, changeId: waiting.id })).map(({ actor }) => actor)
  const nothingElse = async () => {
    expect(await store.approvals.of(waiting.id)).toEqual([])
    expect(await recorded()).toEqual([])
    expect((await store.changes.get(waiting.id))?.revision).toBe(waiting.revision)
  }

  test('an approval of another is kept and on record, and the message about the change is out of date', async () => {
    const [first, second] = [by('U2'), by('U3', { at: new Date(harness.clock.now().getTime() + 1) })]
    expect(await add(first)).toMatchObject({
      kind: 'approved',
      change: { state: 'waiting', revision: waiting.revision + 1 },
    })
    expect(await add(second)).toMatchObject({ kind: 'approved', change: { revision: waiting.revision + 2 } })
    expect(await store.approvals.of(waiting.id)).toEqual([first, second])
    expect(await recorded()).toEqual(['U3', 'U2'])
    expect(await store.changes.get(waiting.id)).toMatchObject({ state: 'waiting', requestedAt: waiting.requestedAt })
  })

  test('a second click counts once', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => add(by('U2'))))
    const kinds = results.map(({ kind }) => kind).toSorted()
    expect(kinds).toEqual(['approved', 'repeated', 'repeated', 'repeated', 'repeated'])
    expect(await recorded()).toEqual(['U2'])
    expect((await store.changes.get(waiting.id))?.revision).toBe(waiting.revision + 1)
  })

  test('nobody approves what they asked for', async () => {
    await expect(add(by(waiting.requestedBy))).rejects.toThrow('The store refused')
    await nothingElse()
  })

  test('what is approved is what was shown', async () => {
    expect(await add(by('U2', { hash: 'h2' }))).toMatchObject({ kind: 'too_late', change: { hash: 'h1' } })
    await nothingElse()
  })

  test('there is nothing to approve where there is no change', async () => {
    expect(await add(by('U2', { changeId: 'no such id' }))).toEqual({ kind: 'too_late', change: undefined })
  })

  test('only what waits can be approved', async () => {
    const { clock } = harness
    for (const state of ['draft', 'approved', 'sending', 'unknown', 'done'] as const) {
      const { id } = await changeIn(store, clock, state, { hash: 'h1' })
      expect(await add(by('U2', { changeId: id }))).toMatchObject({ kind: 'too_late', change: { state } })
      expect(await store.approvals.of(id)).toEqual([])
    }
  })

  test('the deadline is judged by the clock of the store', async () => {
    const now = Date.now()
    // The time that comes with the approval does not matter.
    await harness.sql(`update changes set expires_at = ${now - 1} where id = '${waiting.id}'`)
    expect(await add(by('U2', { at: new Date(now - 3_600_000) }))).toMatchObject({ kind: 'too_late' })
    await nothingElse()
    await harness.sql(`update changes set expires_at = ${now + 60_000} where id = '${waiting.id}'`)
    expect(await add(by('U2', { at: new Date(now + 3_600_000) }))).toMatchObject({ kind: 'approved' })
  })

  test('an approval that cannot be put on record does not count', async () => {
    const tooLong = entry('approval', { summary: 'x'.repeat(2_001) })
    await expect(store.approvals.add(by('U2'), tooLong)).rejects.toThrow('Too big')
    await nothingElse()
  })

  describe.each([
    ['one of the person who asked', `'U1', 'U1'`],
    ['one that lies about who asked', `'U1', 'U9'`],
    ['a second one', `'U2', 'U1'`],
  ])('the database itself refuses %s', (_what, people) => {
    test('whatever statement is tried', async () => {
      await add(by('U2'))
      const insert = `insert into approvals (change_id, person, requested_by, hash, at)
        values ('${waiting.id}', ${people}, 'h1', 1)`
      await expect(harness.sql(insert)).rejects.toThrow(/constraint/i)
      await expect(harness.sql(`update approvals set person = 'U1' where change_id = '${waiting.id}'`)).rejects.toThrow(
        /constraint/i,
      )
      await expect(harness.sql(`update changes set requested_by = 'U2' where id = '${waiting.id}'`)).rejects.toThrow(
        /constraint/i,
      )
      expect(await store.approvals.of(waiting.id)).toMatchObject([{ person: 'U2' }])
    })
  })

  test('approvals go with their change, and no others do', async () => {
    const { clock } = harness
    const other = await changeIn(store, clock, 'waiting', { hash: 'h1' })
    await add(by('U2'))
    await add(by('U2', { changeId: other.id }))
    const among = async (...ids: readonly string[]) =>
      (await store.approvals.among(ids)).map(({ changeId, person }) => [changeId, person])
    expect(await among(other.id)).toEqual([[other.id, 'U2']])
    expect(await among(waiting.id, other.id)).toHaveLength(2)
    expect(await among()).toEqual([])
    await store.changes.move(waiting.id, {
      from: ['waiting'],
      to: 'denied',
      now: clock.now(),
      audit: entry('denied', { changeId: waiting.id }),
    })
    await store.prune(new Date(clock.now().getTime() + CHANGE_RETENTION_MS + 1_000))
    expect(await harness.sql('select change_id from approvals')).toEqual([{ change_id: other.id }])
  })
}
