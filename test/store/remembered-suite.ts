import { expect, test } from 'vitest'
import { MAX_REMEMBERED_BYTES } from '../../src/store/schema/tables.ts'
import { takeNotices } from '../support/notices.ts'
import { type StoreHarness, entry } from './harness.ts'
import { useStore } from './use-store.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, second))

/** What the program knew when it looked last, on any engine. */
export function rememberedSuite(harness: StoreHarness): void {
  const store = useStore(harness)

  test('a value is there until the next one, and knows when it was learnt', async () => {
    expect(await store.remembered.get('roles')).toBeUndefined()
    expect(await store.remembered.set('roles', { S1: ['U1', 'Ü\0\uD800'] }, { now: at(1) })).toBe(true)
    expect(await store.remembered.get('roles')).toEqual({ value: { S1: ['U1', 'Ü\0\uD800'] }, at: at(1) })
    await store.remembered.set('roles', null, { now: at(2) })
    await store.remembered.set('policy', 'v1', { now: at(3) })
    expect(await store.remembered.get('roles')).toEqual({ value: null, at: at(2) })
  })

  test('what has changed is put on record and told together with it, or nothing is', async () => {
    const entries = [entry('roles_changed'), entry('policy_changed')]
    const notices = [{ id: 'n1', recipient: 'C1', message: 'Roles changed' }]
    await store.remembered.set('roles', 1, { now: at(1), entries, notices })
    expect((await store.audit.list({ limit: 5 })).map(({ event }) => event)).toEqual([
      'policy_changed',
      'roles_changed',
    ])
    expect(await takeNotices(store)).toMatchObject([{ id: 'n1' }])
    const tooLong = [...entries, entry('roles_changed', { summary: 'x'.repeat(2_001) })]
    await expect(store.remembered.set('roles', 2, { now: at(2), entries: tooLong })).rejects.toThrow('Too big')
    expect(await store.remembered.get('roles')).toEqual({ value: 1, at: at(1) })
    expect(await store.audit.list({ limit: 5 })).toHaveLength(2)
  })

  test('of many who learn the same at once, one says it', async () => {
    await store.remembered.set('head', 1, { now: at(1) })
    const say = () =>
      store.remembered.set('head', 2, {
        now: at(60),
        unlessSince: at(1),
        entries: [entry('read')],
        notices: [{ recipient: 'C1', message: 'The head is …' }],
      })
    const said = await Promise.all([say(), say(), say(), say()])
    expect(said.toSorted()).toEqual([false, false, false, true])
    expect(await store.audit.list({ limit: 5 })).toHaveLength(1)
    expect(await takeNotices(store)).toHaveLength(1)
    expect(await store.remembered.get('head')).toEqual({ value: 2, at: at(60) })
    expect(await store.remembered.set('head', 3, { now: at(61), unlessSince: at(60) })).toBe(true)
    // The clocks of two processes may differ, and one may be put back.
    const putBack = () => store.remembered.set('head', 4, { now: at(30), unlessSince: at(61) })
    expect([await putBack(), await putBack()]).toEqual([true, false])
  })

  test('what was never known is learnt whatever the time', async () => {
    expect(await store.remembered.set('head', 1, { now: at(1), unlessSince: new Date(0) })).toBe(true)
  })

  test('a value is bounded', async () => {
    const larger = 'x'.repeat(MAX_REMEMBERED_BYTES)
    await expect(store.remembered.set('roles', larger, { now: at(1) })).rejects.toThrow(RangeError)
    expect(await store.remembered.get('roles')).toBeUndefined()
  })
}
