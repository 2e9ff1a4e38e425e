import { expect, test } from 'vitest'
import type { ChangeMove } from '../../../src/store/changes/change-steps.ts'
import type { Change } from '../../../src/store/schema/change.ts'
import { LIVE_LEASE, MINUTE_MS, type StoreHarness, changeIn, entry } from '../harness.ts'
import { useStore } from '../use-store.ts'

/** What has to be shown of changes, and what has been, on any engine. */
export function changeMessagesSuite(harness: StoreHarness): void {
  const store = useStore(harness)
  const clock = () => harness.clock
  const move = (id: string, step: Pick<ChangeMove, 'from' | 'to' | 'set' | 'lease'>) =>
    store.changes.move(id, { now: clock().now(), audit: entry('requested'), ...step } as ChangeMove)
  const unshown = async (limit = 100) => (await store.changes.unshown(limit)).map(({ id }) => id)
  const shownAt = (revision: number, ts = `1.${revision}`) => ({ revision, channel: 'C1', ts })
  const placeOf = (change: Change | undefined) => [change?.shownRevision, change?.messageChannel, change?.messageTs]

  test('every step makes the message out of date, until a message shows it', async () => {
    const draft = await changeIn(store, clock(), 'draft')
    expect(draft.revision).toBe(0)
    await store.changes.saveDraft(draft.id, { zone: '2' })
    expect(await unshown()).toEqual([])
    const asked = await move(draft.id, { from: ['draft'], to: 'waiting' })
    expect(await unshown()).toEqual([draft.id])
    await store.changes.shown(draft.id, shownAt(asked!.revision))
    expect(await unshown()).toEqual([])
    const denied = await move(draft.id, { from: ['waiting'], to: 'denied' })
    expect(denied?.revision).toBe(asked!.revision + 1)
    expect(await unshown()).toEqual([draft.id])
    await store.changes.shown(draft.id, shownAt(denied!.revision))
    expect(await unshown()).toEqual([])
  })

  test('what was never asked for is not shown', async () => {
    const { id } = await changeIn(store, clock(), 'draft')
    const cancelled = await move(id, { from: ['draft'], to: 'cancelled' })
    expect(cancelled?.requestedAt).toBeUndefined()
    expect(cancelled?.revision).toBeGreaterThan(cancelled?.shownRevision ?? 0)
    expect(await unshown()).toEqual([])
  })

  test('the longest out of date come first, so many as asked for', async () => {
    const first = await changeIn(store, clock(), 'waiting')
    clock().advance(MINUTE_MS)
    const second = await changeIn(store, clock(), 'approved')
    clock().advance(MINUTE_MS)
    await move(first.id, { from: ['waiting'], to: 'cancelled' })
    expect(await unshown()).toEqual([second.id, first.id])
    expect(await unshown(1)).toEqual([second.id])
  })

  test('a message that shows less never takes the place of one that shows more', async () => {
    const { id, revision } = await changeIn(store, clock(), 'done')
    expect(await store.changes.shown(id, shownAt(revision))).toBe(true)
    expect(await store.changes.shown(id, shownAt(revision - 1))).toBe(false)
    expect(placeOf(await store.changes.get(id))).toEqual([revision, 'C1', `1.${revision}`])
    expect(await unshown()).toEqual([])
    await store.changes.shown('no such id', shownAt(1))
  })

  test('an older message is noted while it is the newest, so that it can be edited', async () => {
    const { id, revision } = await changeIn(store, clock(), 'approved')
    await store.changes.shown(id, shownAt(revision - 1))
    expect(placeOf(await store.changes.get(id))).toEqual([revision - 1, 'C1', `1.${revision - 1}`])
    expect(await unshown()).toEqual([id])
  })

  test('the answer is kept until it has been shown and nothing can follow', async () => {
    const answer = { text: 'It is done', blocks: [] }
    const sending = await changeIn(store, clock(), 'sending')
    const unknown = await move(sending.id, { from: ['sending'], to: 'unknown', set: { answer } })
    await store.changes.shown(sending.id, shownAt(unknown!.revision))
    expect((await store.changes.get(sending.id))?.answer).toEqual(answer)
    const done = await move(sending.id, { from: ['unknown'], to: 'done' })
    await store.changes.shown(sending.id, shownAt(done!.revision - 1))
    expect((await store.changes.get(sending.id))?.answer).toEqual(answer)
    await store.changes.shown(sending.id, shownAt(done!.revision))
    expect((await store.changes.get(sending.id))?.answer).toBeUndefined()
  })

  test('an answer too large to keep is left out, and the step is taken', async () => {
    const sending = await changeIn(store, clock(), 'sending')
    const answer = { text: 'x'.repeat(64 * 1_024) }
    const done = await move(sending.id, { from: ['sending'], to: 'done', set: { answer, outcome: 'Done' } })
    expect(done).toMatchObject({ state: 'done', outcome: 'Done' })
    expect(done?.answer).toBeUndefined()
  })

  test('it was asked for when it was confirmed or sent for approval, not when it was approved', async () => {
    const draft = await changeIn(store, clock(), 'draft')
    expect(draft.requestedAt).toBeUndefined()
    clock().advance(MINUTE_MS)
    const asked = await move(draft.id, { from: ['draft'], to: 'waiting' })
    expect(asked?.requestedAt).toEqual(asked?.updatedAt)
    clock().advance(MINUTE_MS)
    const approved = await move(draft.id, { from: ['draft', 'waiting'], to: 'approved' })
    expect(approved?.requestedAt).toEqual(asked?.requestedAt)
    const sending = await move(draft.id, { from: ['approved'], to: 'sending', lease: LIVE_LEASE })
    expect(sending?.requestedAt).toEqual(asked?.requestedAt)
    const confirmed = await changeIn(store, clock(), 'draft')
    expect((await move(confirmed.id, { from: ['draft'], to: 'approved' }))?.requestedAt).toBeInstanceOf(Date)
  })

  test('why it went without a second person, and who ended it, stay with it', async () => {
    const { id } = await changeIn(store, clock(), 'draft')
    await move(id, { from: ['draft'], to: 'approved', set: { breakGlass: 'The site is down \0' } })
    const cancelled = await move(id, { from: ['approved'], to: 'cancelled', set: { endedBy: 'U1' } })
    expect(cancelled).toMatchObject({ breakGlass: 'The site is down \u{FFFD}', endedBy: 'U1' })
    expect(await store.changes.get(id)).toEqual(cancelled)
  })
}
